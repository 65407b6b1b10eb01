package pipeline_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag/provenance"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
)

func foresightNaive(t *testing.T) {
	var dependents, raised, elsewhere, ties int
	eachRandom(t, func(t *testing.T, rng *rand.Rand, l *provenance.Log, r *pipeline.Result, n *naive) {
		queue := func(j uint32) string { return l.Orgs.Name(l.Jobs[j].Org) }
		queues, own := make([]string, 5), make([]float64, 5)
		for template := range uint32(5) {
			jobs := n.of(func(j uint32) bool { return l.Jobs[j].Template == template })
			var list []float64
			for _, j := range jobs {
				list = append(list, l.Jobs[j].Priority)
			}
			queues[template], own[template] = most(jobs, queue), medianOf(list)
			if len(jobs) > 1 && queues[template] != queue(jobs[0]) {
				ties++
			}
		}
		// The greatest priority of all that can be reached from a template in its queue.
		var greatest func(template uint32, seen map[uint32]bool) float64
		greatest = func(template uint32, seen map[uint32]bool) float64 {
			seen[template] = true
			best := own[template]
			for _, p := range r.Predictor.Predict(nil, template, provenance.BestThreshold) {
				if !seen[p.Template] && queues[p.Template] == queues[template] {
					best = max(best, greatest(p.Template, seen))
				}
			}
			return best
		}
		dependentsOf := r.Foresight()
		for template := range uint32(5) {
			var want []wing.Dependent
			for _, p := range r.Predictor.Predict(nil, template, provenance.BestThreshold) {
				d := wing.Dependent{Queue: queues[p.Template], Priority: greatest(p.Template, make(map[uint32]bool)), After: p.TimeToDependency}
				want = append(want, d)
				dependents++
				if d.Priority > own[p.Template] {
					raised++
				}
				if d.Queue != queues[template] {
					elsewhere++
				}
			}
			if diff := cmp.Diff(want, dependentsOf(like(l.Templates.Name(template), "", 0))); diff != "" {
				t.Errorf("template %d: (-want +got)\n%s", template, diff)
			}
		}
	})
	t.Logf("dependents %d, raised by theirs %d, in other queues %d; queues that are not the first job's %d", dependents, raised, elsewhere, ties)
	if dependents == 0 || raised == 0 || elsewhere == 0 || ties == 0 {
		t.Error("some case has never come")
	}
}
