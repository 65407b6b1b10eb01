package value

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// A Profile summarises the jobs of a template, or the ad-hoc jobs of a user.
type Profile struct {
	Jobs             int // at least 1
	Valid            int // number of jobs that the fields below cover, as Record.Valid says
	Own, Aggregate   Summary
	WithDependents   int           // how many of these had their output read
	TimeToDependency time.Duration // median time from submission to that of the first reader; 0 if WithDependents is
	Spread           Spread
}

// A Spread holds the distributions of quantities of the Valid jobs of a [Profile], see [Record]. Times are in seconds.
//
// # Source
//
// Wing, section 4.1.
type Spread struct {
	Runtime, Compute          Deciles // from submission to completion; own compute time
	FanIn, FanOut, Downstream Deciles // numbers of jobs
	TimeToDependency          Deciles // of those WithDependents
}

// Deciles summarise a distribution. Deciles[i] is the quantile of i/10: 0 has the least value, 5 the median, 9 the one that one
// job in ten exceeds, and 10 the greatest. Between two values it is interpolated linearly, so that the median of an even number
// is the mean of the middle two. The deciles of no values are 0.
type Deciles [11]float64

// A Summary holds medians over jobs. The median of an even number of jobs is the mean of the middle two.
type Summary struct {
	Value, Compute float64 // separate medians; 0 of no jobs
	Efficiency     float64 `json:"-"` // value per compute time: the ratio of the medians, see Worth.Efficiency
}

// Build returns the store of the given records. Their order does not matter. Ad-hoc jobs without a user are ignored. The
// error names a record that is not allowed: if it is Valid, amounts must be 0 to [MaxSum], and Runtime, TimeToDependency and
// numbers of jobs not negative; a recurring job must have a Template. Build does not change records, and copies their names.
//
// It takes O(n log n) time. The store takes about 700 bytes per profile.
//
// # Source
//
// Wing, section 5. Section 6.3 has the median of ratios in place of the ratio of medians.
func Build(records []Record) (*Store, error) {
	templates, users := make(map[string][]*Record), make(map[string][]*Record)
	for i := range records {
		r := &records[i]
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("value: record %d: %w", i, err)
		}
		switch {
		case r.Recurring:
			templates[r.Template] = append(templates[r.Template], r)
		case r.User != "":
			users[r.User] = append(users[r.User], r)
		}
	}
	return &Store{profiles(templates), profiles(users)}, nil
}

// profiles summarises the records of each name.
func profiles(records map[string][]*Record) map[string]Profile {
	all := make(map[string]Profile, len(records))
	for name, some := range records {
		all[strings.Clone(name)] = newProfile(some) // the name may be part of a large text
	}
	return all
}

// newProfile summarises at least one record.
func newProfile(records []*Record) Profile {
	p := Profile{Jobs: len(records)}
	var valid, read []*Record
	for _, r := range records {
		if r.Valid {
			valid = append(valid, r)
		}
		if r.Valid && r.withDependents() {
			read = append(read, r)
		}
	}
	p.Valid, p.WithDependents = len(valid), len(read)
	// Abs, since the order of the records would choose between 0 and -0
	p.Own.Value = deciles(valid, func(r *Record) float64 { return math.Abs(r.Own.Value) })[5]
	p.Aggregate.Value = deciles(valid, func(r *Record) float64 { return math.Abs(r.Aggregate.Value) })[5]
	p.Aggregate.Compute = deciles(valid, func(r *Record) float64 { return math.Abs(r.Aggregate.Compute) })[5]
	p.Spread = Spread{
		Runtime:          deciles(valid, func(r *Record) float64 { return r.Runtime.Seconds() }),
		Compute:          deciles(valid, func(r *Record) float64 { return math.Abs(r.Own.Compute) }),
		FanIn:            deciles(valid, func(r *Record) float64 { return float64(r.FanIn) }),
		FanOut:           deciles(valid, func(r *Record) float64 { return float64(r.FanOut) }),
		Downstream:       deciles(valid, func(r *Record) float64 { return float64(r.Downstream) }),
		TimeToDependency: deciles(read, func(r *Record) float64 { return r.TimeToDependency.Seconds() }),
	}
	p.Own.Compute = p.Spread.Compute[5]
	p.Own.Efficiency, p.Aggregate.Efficiency = p.Own.worth().Efficiency(), p.Aggregate.worth().Efficiency()
	if len(read) > 0 {
		slices.SortFunc(read, func(a, b *Record) int { return cmp.Compare(a.TimeToDependency, b.TimeToDependency) })
		lo, hi := read[(len(read)-1)/2].TimeToDependency, read[len(read)/2].TimeToDependency
		p.TimeToDependency = lo + (hi-lo)/2
	}
	return p
}

// deciles returns the deciles of a quantity, of at most MaxSum, over some records.
func deciles(records []*Record, of func(r *Record) float64) (d Deciles) {
	if len(records) == 0 {
		return d
	}
	var xs []float64
	for _, r := range records {
		xs = append(xs, of(r))
	}
	slices.Sort(xs)
	for i := range d {
		at := (len(xs) - 1) * i
		lo, hi := xs[at/10], xs[(at+9)/10]
		if d[i] = lo + float64((hi/16-lo/16)*float64(at%10)/10*16); at%10 == 5 { // in sixteenths, since nine times MaxSum is infinite
			d[i] = lo/2 + hi/2 // rounded once
		}
		d[i] = max(d[i], d[max(i-1, 0)]) // lo/2 of the least numbers is rounded too
	}
	return d
}

// Template returns the profile of a recurring template, and false if there is none: records count for their template only if they
// are Recurring. Valid of the profile may be 0, and then medians and deciles are 0.
func (s *Store) Template(name string) (Profile, bool) {
	p, ok := s.templates[name]
	return p, ok
}

// Templates yields all recurring templates by name. It sorts the names first.
func (s *Store) Templates() iter.Seq2[string, Profile] { return byName(s.templates) }

// Users yields all users with ad-hoc jobs by name. It sorts the names first.
func (s *Store) Users() iter.Seq2[string, Profile] { return byName(s.users) }

func byName(profiles map[string]Profile) iter.Seq2[string, Profile] {
	return func(yield func(string, Profile) bool) {
		for _, name := range slices.Sorted(maps.Keys(profiles)) {
			if !yield(name, profiles[name]) {
				return
			}
		}
	}
}
