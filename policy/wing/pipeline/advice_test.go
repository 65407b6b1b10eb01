package pipeline_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/dag/provenance"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
)

// advice is what wing.Advise asks for, of a template; false if that is left out.
func (n *naive) advice(r *pipeline.Result, template uint32) (w wing.Template, ok bool) {
	jobs := n.of(func(j uint32) bool { return n.Jobs[j].Template == template })
	traits := r.Classes.Templates[template]
	if !traits.Has(provenance.Recurring) {
		return w, false
	}
	owner := func(j uint32) string { return n.Orgs.Name(n.Jobs[j].Org) }
	w = wing.Template{
		Name: n.Templates.Name(template), Owner: most(jobs, owner), Queue: most(jobs, owner), Jobs: len(jobs),
		Periodic: traits.Has(provenance.Periodic),
	}
	var priorities, values, works []float64
	complete, gaps := 0.0, []time.Duration(nil)
	for _, i := range jobs {
		j := &n.Jobs[i]
		priorities = append(priorities, j.Priority)
		w.Own += n.own(i).Compute
		if n.valid(i) {
			sum := n.below(i, i, 1, -1)
			values, works = append(values, sum.Value), append(works, sum.Compute)
		}
		switch n.state(i) {
		case provenance.Complete:
			complete++
			w.Runtime = max(w.Runtime, j.Completed.Sub(j.Submitted))
			for _, op := range n.ops { // also those that come too late to count for its worth
				if w, ok := n.written(op); ok && op.Kind == provenance.Read && op.Job == provenance.User && w.Job == i {
					gaps = append(gaps, max(0, op.Time.Sub(j.Completed)))
				}
			}
			for _, d := range n.dependents(i) {
				gaps = append(gaps, max(0, n.deps[[2]uint32{i, d}].Sub(j.Completed)))
			}
		case provenance.NoInput:
			w.NoInput++
			for _, up := range n.inputs(r, template) {
				for u := range n.Jobs {
					if x := &n.Jobs[u]; x.Template == up && n.state(uint32(u)) == provenance.Complete && x.Submitted <= j.Submitted && j.Submitted < x.Completed {
						w.Late = max(w.Late, x.Completed.Sub(j.Submitted))
					}
				}
			}
		}
	}
	w.Priority = medianOf(priorities)
	if len(gaps) > 0 {
		w.Gap = slices.Min(gaps)
	}
	for i := range values {
		w.Value += values[i] / float64(len(values)) * complete
		w.Work += works[i] / float64(len(values)) * complete
	}
	return w, w.Work > 0
}

// inputs are the templates that recur and of which some job of a template has read.
func (n *naive) inputs(r *pipeline.Result, template uint32) (ups []uint32) {
	for pair := range n.deps {
		if up := n.Jobs[pair[0]].Template; n.Jobs[pair[1]].Template == template && r.Classes.Templates[up].Has(provenance.Recurring) {
			ups = append(ups, up)
		}
	}
	slices.Sort(ups)
	return slices.Compact(ups)
}

func adviceNaive(t *testing.T) {
	var templates, found, late, gaps, self, blind int
	eachRandom(t, func(t *testing.T, rng *rand.Rand, l *provenance.Log, r *pipeline.Result, n *naive) {
		var want []wing.Template
		var numbers []uint32
		for template := range uint32(5) {
			if w, ok := n.advice(r, template); ok {
				want, numbers = append(want, w), append(numbers, template)
				if w.Late > 0 {
					late++
				}
				if w.Gap > 0 {
					gaps++
				}
				if w.NoInput > 0 {
					blind++
				}
			}
		}
		var links []wing.Link
		for up, a := range numbers {
			for down, b := range numbers {
				readers := make(map[uint32]bool)
				for pair := range n.deps {
					if l.Jobs[pair[0]].Template == a && l.Jobs[pair[1]].Template == b {
						readers[pair[1]] = true
					}
				}
				if len(readers) == 0 {
					continue
				}
				links = append(links, wing.Link{Up: uint32(up), Down: uint32(down), Jobs: len(readers)})
				if a == b {
					self++
				}
			}
		}
		gotTemplates, gotLinks := r.Advice()
		if diff := cmp.Diff(want, gotTemplates, cmpopts.EquateEmpty(), cmpopts.EquateApprox(1e-12, 0)); diff != "" {
			t.Errorf("templates (-want +got)\n%s", diff)
		}
		if diff := cmp.Diff(links, gotLinks, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("links (-want +got)\n%s", diff)
		}
		templates += len(gotTemplates)
		advice, err := wing.Advise(gotTemplates, gotLinks, wing.AdviceConfig{Delays: []time.Duration{10, 50}})
		if err != nil {
			t.Fatal(err)
		}
		found += len(advice)
	})
	t.Logf("templates %d, findings %d, late %d, with gaps %d, links to themselves %d, blind %d", templates, found, late, gaps, self, blind)
	if templates == 0 || found == 0 || late == 0 || gaps == 0 || self == 0 || blind == 0 {
		t.Error("some case has never come")
	}
}
