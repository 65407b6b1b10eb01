package baseline

import (
	"cmp"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// LeastFragmentation places a task on the node whose [Fragmentation] grows the least. It is for clusters whose tasks share
// devices, such as GPUs, and differ in what they need. So the least of the free devices becomes useless to tasks to come.
//
// How often each kind of task comes is learnt from the jobs that were submitted, a task each. A kind counts only the devices
// that it needs: free GPUs are no fragments to tasks without GPUs. Of more than 64 kinds the least frequent are forgotten. Ties go to the node where
// the least is left, as in [BestFit].
//
// A gang, which may take several nodes, goes anywhere. It takes as long as [LeastLoaded], times the kinds.
//
// # Source
//
// That of [Fragmentation]. We differ: the paper also chooses the device, and the host does so here; it is given the kinds of
// tasks and counts those without GPUs too, to which each placement is the same.
func LeastFragmentation() central.Placer {
	p := &leastFragmentation{mix: Fragmentation{MaxKinds: 64, needing: true}}
	p.better = func(_ *best, s *policy.Stage, a, b policy.NodeID) bool {
		if b != p.rival {
			p.rival, p.grows = b, p.growth(b, s)
		}
		grows := p.growth(a, s)
		if cmp.Or(compare(grows, p.grows), cmp.Compare(p.view.Left(a), p.view.Left(b))) >= 0 {
			return false
		}
		p.rival, p.grows = a, grows
		return true
	}
	return p
}

type leastFragmentation struct {
	best
	mix    Fragmentation
	loaded bool // the mix is that of a snapshot, which has the jobs that were there then

	// The node with which others are compared mostly stays the same, and so does its growth while one task is placed.
	rival policy.NodeID
	grows float64
}

func (p *leastFragmentation) Where(j *central.Job, stage uint32) central.Where {
	p.rival = 0
	return p.best.Where(j, stage)
}

// Note hears of each event: which kinds of tasks come.
func (p *leastFragmentation) Note(ev *policy.Event, j *central.Job) {
	p.best.Note(ev, j)
	if ev.Kind != policy.Submitted || ev.Replay && p.loaded {
		return
	}
	for i := range j.Job.Stages {
		if s := &j.Job.Stages[i]; len(s.Needs) > 0 {
			p.mix.add(s, float64(s.Tasks))
		}
	}
}

// compare compares two growths. Those that differ by the rounding of their sums only are equal.
func compare(a, b float64) int {
	if math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) {
		return 0
	}
	return cmp.Compare(a, b)
}

// growth returns by how much the fragmentation of a node grows with a task that it has room for, times the weight of the mix.
func (p *leastFragmentation) growth(n policy.NodeID, s *policy.Stage) float64 {
	stock := p.view.Stock(n)
	if stock == nil {
		return 0
	}
	devices, _ := stock.Take(s)
	stock.Add(s, devices, 1)
	return p.mix.growth(p.view.Room(n), stock, s, devices)
}
