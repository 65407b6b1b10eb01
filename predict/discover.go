package predict

import (
	"errors"
	"math"
	"slices"
	"strings"
)

// A discovery finds features in the attributes that jobs carry, for a Predictor without Config.Features: each attribute, and
// its pairs with owners. Those for which there is no room wait until one has shown that it tells nothing.
type discovery struct {
	seen    []string          // attributes, as parts of features: a number is log(attribute)
	pending []string          // features, in the order in which they get room
	gains   [maxFeatures]gain // of the features that are there, but for the first, which is All
}

// A gain says what the estimates of a feature are worth beside those of All.
type gain struct {
	jobs   uint64  // that have ended since the feature is there
	scored uint64  // of these, that it and All had an estimate for
	log    float64 // sum over these of |ln(All's estimate / runtime)| - |ln(estimate / runtime)|
}

// nothing reports whether the feature tells nothing: it has been there for 1,000 jobs, and had an estimate for few of them,
// or All estimated as well.
func (g gain) nothing() bool {
	const trial, share = 1000, 20
	return g.jobs >= trial && (g.scored < g.jobs/share || g.log <= 0)
}

// owners are attributes that say whose a job is, or of what kind. They make pairs with all others, and are no numbers.
var owners = []string{"user", "program", "group"}

var errNoList = errors.New("predict: Config.Features is empty and the job does not list its attributes; name features, or let the job be a Lister")

// attributes takes note of those of a job that are new, and of the features that they make.
func (d *discovery) attributes(job Job) error {
	if job == nil {
		return nil
	}
	list, ok := job.(Lister)
	if !ok {
		return errNoList
	}
	var fresh []string
	for attr := range list.AttrNames() {
		if !d.has(attr) && !strings.ContainsAny(attr, "+(") { // which mean something else in the name of a feature
			fresh = append(fresh, attr)
		}
	}
	if fresh == nil {
		return nil
	}
	slices.Sort(fresh)
	for _, attr := range fresh[:min(len(fresh), maxFeatures-len(d.seen))] {
		part, owner := attr, slices.Contains(owners, attr)
		if text, _ := job.Attr(attr); !owner && !math.IsNaN(number(text)) {
			part = "log(" + attr + ")"
		}
		d.pending = append(d.pending, part)
		for _, other := range d.seen {
			if owner || slices.Contains(owners, other) {
				d.pending = append(d.pending, other+"+"+part)
			}
		}
		d.seen = append(d.seen, part)
	}
	// Features of one attribute come first.
	slices.SortStableFunc(d.pending, func(a, b string) int { return strings.Count(a, "+") - strings.Count(b, "+") })
	return nil
}

// has reports whether an attribute was seen, or there is no room for more.
func (d *discovery) has(attr string) bool {
	for _, part := range d.seen {
		if seen, _ := numberOf(part); seen == attr {
			return true
		}
	}
	return len(d.seen) == maxFeatures
}

// discover gives the features of a job room, and those that wait the room of one that tells nothing.
func (p *Predictor) discover(job Job) error {
	d, s := p.discovery, p.features
	if err := d.attributes(job); err != nil {
		return err
	}
	for len(d.pending) > 0 {
		at := len(s.features)
		if at == maxFeatures {
			if at = slices.IndexFunc(d.gains[:], gain.nothing); at < 0 {
				break
			}
		}
		f, err := s.parse(d.pending[0])
		d.pending = d.pending[1:]
		if err != nil || s.index(f.id) >= 0 { // a name that cannot be, or a feature of a Restore
			continue
		}
		p.store.drop(func(v *value) bool { return int(v.feature&^often) == at })
		p.had &^= 1 << at
		s.set(at, f)
		d.gains[at] = gain{}
	}
	return nil
}

// judge scores the features on a job that has ended, before they learn from it.
func (p *Predictor) judge(k *keys, runtime float64, now int64) {
	var left value
	all, _ := p.candidate(k, 0, now, &left)
	for i := 1; i < len(p.features.features); i++ {
		g := &p.discovery.gains[i]
		g.jobs++
		if k.have&(1<<i) == 0 || all.Jobs == 0 {
			continue
		}
		if c, _ := p.candidate(k, i, now, &left); c.Jobs > 0 {
			g.scored++
			g.log += math.Abs(log(all.Estimates[all.best()])-log(runtime)) - math.Abs(log(c.Estimates[c.best()])-log(runtime))
		}
	}
}
