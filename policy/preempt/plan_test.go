package preempt

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
)

// If no node can be short of something, the plan is that of the naive twin, although it may not look at all that wait.
func TestPlanIsTheTwins(t *testing.T) {
	left, wide, short := 0, 0, 0
	for seed := range uint64(40) {
		list := random(rand.New(rand.NewPCG(seed, 2)), 30+40*int(seed%4), false)
		c := Config{Exempt: 1, Idle: 0.05}
		run(t, turns[seed%2].make, list, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 3, Cores: 4}), SaveCost: time.Second}, c, func(p *filler) {
			if len(p.waiting) == 0 {
				return
			}
			p.rank()
			want, widest := twin(p)
			p.plan.make(p)
			if widest {
				wide++
			}
			if !slices.IsSortedFunc(p.waiting, byOrder) && !t.Failed() {
				t.Errorf("seed %d: jobs do not wait by rank", seed)
			}
			looked, planned := 0, 0
			for _, n := range want {
				planned += n
			}
			for _, x := range p.plan.list {
				if planned -= x.in; x.runs == nil {
					looked++
				} else if x.in == 0 {
					left++
				}
				if n := want[key{x.of, x.runs}]; n != x.in && !t.Failed() {
					t.Errorf("seed %d: %d units of job %d (runs: %v) are in the plan, want %d", seed, x.in, x.of.job.Job.ID, x.runs != nil, n)
				}
			}
			if looked < len(p.waiting) {
				short++
			}
			if planned != 0 && !t.Failed() {
				t.Errorf("seed %d: %d units should be in the plan besides, want none", seed, planned)
			}
		})
	}
	if left < 100 || wide < 100 || short < 100 {
		t.Errorf("%d stops, %d plans with the widest first and %d that do not look at all jobs, want 100 of each", left, wide, short)
	}
}

type key struct {
	of   *contender
	runs *holder
}

// twin makes a plan in O(n²) time. It reports whether that has the widest first.
func twin(p *filler) (in map[key]int, widest bool) {
	type item struct {
		key
		width, units int64
		rank         float64
	}
	var items []item
	room := p.view.Free(0)
	for _, c := range p.waiting {
		stage, _ := c.job.Next()
		items = append(items, item{key{c, nil}, c.job.Job.Stages[stage].Width(), int64(c.job.Waiting), c.rank})
	}
	for _, h := range p.running {
		end := h.works.Add(policy.Duration(p.config.Exempt * float64(max(time.Second, h.stage.Reload))))
		if h.stops || h.stage.Saves && end <= p.view.Now() {
			room += h.stage.Width()
		}
		if !h.stops && h.stage.Saves && end <= p.view.Now() {
			items = append(items, item{key{h.of, h}, h.stage.Width(), 1, h.of.rank - math.Log(2)})
		}
	}
	first := func(list []item, before func(a, b item) bool) int { // of which none is before another
		at := 0
		for i := range list {
			if before(list[i], list[at]) {
				at = i
			}
		}
		return at
	}
	byRank := func(a, b item) bool {
		switch {
		case a.rank != b.rank:
			return a.rank < b.rank
		case (a.runs == nil) != (b.runs == nil):
			return a.runs != nil
		case a.of != b.of || a.runs == nil:
			return central.BySubmission(a.of.job, b.of.job) < 0
		}
		return a.runs.copy.Index < b.runs.copy.Index
	}
	take := func(list []item, left int64, got map[key]int, before func(a, b item) bool) int64 {
		for list = slices.Clone(list); len(list) > 0; {
			i := first(list, before)
			for n := int64(0); n < list[i].units && list[i].width <= left; n++ {
				left -= list[i].width
				got[list[i].key]++
			}
			list = slices.Delete(list, i, i+1)
		}
		return left
	}
	in = make(map[key]int)
	idle := take(items, room, in, byRank)
	cores, _ := p.view.Capacity()
	waits := slices.ContainsFunc(items, func(x item) bool { return int64(in[x.key]) < x.units })
	if !waits || float64(idle) <= p.config.Idle*float64(cores) {
		return in, false
	}
	var head []item
	rest := slices.Clone(items)
	for need := room; need > 0 && len(rest) > 0; {
		i := first(rest, byRank)
		head = append(head, rest[i])
		need -= rest[i].width * rest[i].units
		rest = slices.Delete(rest, i, i+1)
	}
	other := make(map[key]int)
	after := take(head, room, other, func(a, b item) bool { return a.width > b.width || a.width == b.width && byRank(a, b) })
	if after = take(rest, after, other, byRank); after < idle {
		return other, true
	}
	return in, false
}
