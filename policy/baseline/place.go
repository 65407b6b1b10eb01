package baseline

import (
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Preferred places a task in a partition that its stage prefers, the first with enough free cores, and anywhere if
// none has enough. It takes time in proportion to the partitions that the stage names.
func Preferred() central.Placer { return new(preferred) }

type preferred struct{ view *central.View }

func (p *preferred) Bind(b central.Books) error {
	return b.Enter(&p.view)
}

func (p *preferred) Where(j *central.Job, stage uint32) central.Where {
	s := &j.Job.Stages[stage]
	for _, id := range s.Prefer {
		if p.view.Free(id) >= s.Width() {
			return central.Where{Partition: id}
		}
	}
	return central.Where{}
}

// LeastLoaded places a task on the node with the most free cores. A gang, which may take several nodes, goes anywhere.
// It takes time in proportion to the nodes with free cores, as [Fastest] and [LeastVariance] do, and logarithmic in them
// for the further ones of equal tasks that start at once.
func LeastLoaded() central.Placer {
	return &best{better: func(p *best, _ *policy.Stage, a, b policy.NodeID) bool { return p.view.Room(a) > p.view.Room(b) }}
}

// Fastest places a task on the node where it takes the least time, by node speeds and the partitions that its stage
// prefers. Ties go to the node with the most free cores.
func Fastest() central.Placer {
	return &best{better: func(p *best, s *policy.Stage, a, b policy.NodeID) bool {
		if x, y := p.view.SlowdownOn(a, s), p.view.SlowdownOn(b, s); x != y {
			return x < y
		}
		return p.view.Room(a) > p.view.Room(b)
	}}
}

// LeastVariance places a task on the node with the most free cores; ties go to the node whose tasks vary least in
// attained service. So short and long tasks meet on each node.
//
// # Source
//
// P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Kairos: preemptive data center scheduling without runtime
// estimates", SoCC 2018, section 3.3, where nodes have queues.
func LeastVariance() central.Placer {
	return &variance{best: best{better: func(p *best, _ *policy.Stage, a, b policy.NodeID) bool {
		if x, y := p.view.Room(a), p.view.Room(b); x != y {
			return x > y
		}
		return p.began.of(a) < p.began.of(b)
	}}}
}

// BestFit places a task on the node where the least is left. [central.View.Left] adds the free cores and what is free of
// each named resource, each as a share of what the largest node has. So a small node that is empty is filled
// before a large one that is half free, and nodes with much room are kept for wide tasks. A gang, which may take
// several nodes, goes anywhere. It takes as long as [LeastLoaded].
//
// # Source
//
// The rule is that of BestFit in the simulator of FGD, the paper of [Fragmentation].
func BestFit() central.Placer {
	return &best{better: func(p *best, _ *policy.Stage, a, b policy.NodeID) bool { return p.view.Left(a) < p.view.Left(b) }}
}

// best places a task on the best open node; ties go to the least ID.
type best struct {
	view   *central.View
	better func(p *best, s *policy.Stage, a, b policy.NodeID) bool
	began  instants

	// Of several tasks that start one after the other the second one makes a heap, since a Start changes one node only.
	asked *policy.Stage   // of the last task; nil: there was an event since
	nodes []policy.NodeID // a heap of the nodes with room, of which the first was chosen; empty: only one task has started
}

func (p *best) Bind(b central.Books) error {
	return b.Enter(&p.view)
}

// Note hears of each event: which may have changed any node.
func (p *best) Note(*policy.Event, *central.Job) { p.asked = nil }

func (p *best) Where(j *central.Job, stage uint32) central.Where {
	s := &j.Job.Stages[stage]
	switch {
	case s.Gang:
		return central.Where{}
	case p.asked == nil || !placedAlike(p.asked, s):
		p.asked, p.nodes = s, p.nodes[:0]
		return central.Where{Node: p.scan(s)}
	case len(p.nodes) == 0:
		for n := range p.view.Open() {
			if p.view.Tasks(n, s) > 0 {
				p.nodes = append(p.nodes, n)
			}
		}
		for i := len(p.nodes)/2 - 1; i >= 0; i-- {
			p.sink(s, i)
		}
	default:
		if last := len(p.nodes) - 1; p.view.Tasks(p.nodes[0], s) == 0 {
			p.nodes[0], p.nodes = p.nodes[last], p.nodes[:last]
		}
		p.sink(s, 0)
	}
	if len(p.nodes) == 0 {
		return central.Where{}
	}
	return central.Where{Node: p.nodes[0]}
}

// scan returns the best node for a stage, 0 if none has room.
func (p *best) scan(s *policy.Stage) (node policy.NodeID) {
	for n := range p.view.Open() {
		if p.view.Tasks(n, s) > 0 && (node == 0 || p.better(p, s, n, node)) {
			node = n
		}
	}
	return node
}

// sink restores the heap below place i.
func (p *best) sink(s *policy.Stage, i int) {
	before := func(a, b policy.NodeID) bool { return p.better(p, s, a, b) || a < b && !p.better(p, s, b, a) }
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(p.nodes); child++ {
			if before(p.nodes[child], p.nodes[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		p.nodes[i], p.nodes[least] = p.nodes[least], p.nodes[i]
		i = least
	}
}

// placedAlike reports whether tasks of two stages find the same nodes equally good.
func placedAlike(a, b *policy.Stage) bool {
	return a == b || a.Cores == b.Cores && a.Memory == b.Memory && a.Elsewhere == b.Elsewhere && slices.Equal(a.Needs, b.Needs) && slices.Equal(a.Prefer, b.Prefer)
}

type variance struct{ best }

// Note hears of each event: which tasks began when on which node.
func (p *variance) Note(ev *policy.Event, j *central.Job) {
	p.best.Note(ev, j)
	switch {
	case ev.Node == 0:
	case ev.Kind == policy.Started || ev.Kind == policy.Resumed:
		p.began.add(ev.Node, j.Job.Stages[ev.Copy.Stage].Began(ev), +1)
	case ev.Kind == policy.Suspended && !ev.Idle, ev.Kind.End() && !ev.Idle && !ev.Replay:
		p.began.add(ev.Node, j.Job.Stages[ev.Copy.Stage].Began(ev), -1)
	case ev.Kind == policy.Left:
		p.began.nodes.Delete(ev.Node)
	}
}

// instants are when the tasks of nodes began. Tasks that run to their end attain service at the same rate, so that its
// variance is that of these instants.
type instants struct {
	origin policy.Time // from which they count, so that no digits are lost
	heard  bool
	nodes  policy.Table[policy.NodeID, sums]
}

// sums are of the instants at which the tasks of a node began, s.
type sums struct{ n, sum, squares float64 }

func (t *instants) add(n policy.NodeID, began policy.Time, sign float64) {
	if !t.heard {
		t.origin, t.heard = began, true
	}
	s := t.nodes.Get(n)
	if s == nil {
		s = new(sums)
		t.nodes.Put(n, s)
	}
	x := began.Sub(t.origin).Seconds()
	if s.n += sign; s.n == 0 {
		*s = sums{}
		return
	}
	s.sum += sign * x
	s.squares += sign * (x * x)
}

// of returns the variance of a node, s², 0 of less than two tasks.
func (t *instants) of(n policy.NodeID) float64 {
	s := t.nodes.Get(n)
	if s == nil || s.n < 2 {
		return 0
	}
	mean := s.sum / s.n
	return max(0, s.squares/s.n-mean*mean)
}
