package baseline

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/view"
)

// LeastFragmentation places a task on the node where it makes the least of the free devices useless to tasks to come. It
// is for clusters whose tasks share devices, such as GPUs, and differ in what they need.
//
// A free part of a device is a fragment to a kind of task, if it is less than what that needs of each device. All
// that is free on a node is, if the node has no room for such a task. The fragmentation of a node is the sum of its
// fragments, in devices, in the mean over the kinds of tasks. How often each kind comes is learnt from the jobs that
// were submitted, a task each. Kinds without devices are not counted. Of more than 64 kinds the least frequent are
// forgotten. Ties go to the node where the least is left, as in [BestFit].
//
// A gang, which may take several nodes, goes anywhere. Where takes time in proportion to the nodes with free cores, times
// the kinds.
//
// # Source
//
// Q. Weng, L. Yang, Y. Yu, W. Wang, X. Tang, G. Yang and L. Zhang, "Beware of fragmentation: scheduling GPU-sharing
// workloads with fragmentation gradient descent", USENIX ATC 2023, section 4. We differ: the paper also
// chooses the device, and the host does so here; it is given the kinds of tasks and counts those without GPUs too.
func LeastFragmentation() central.Placer { return new(fragmentation) }

type fragmentation struct {
	view  *central.View
	kinds []kind
}

// A kind is tasks that take the same.
type kind struct {
	cores int32
	needs []policy.Need
	tasks float64
}

const maxKinds = 64

// Bind implements [central.Placer].
func (p *fragmentation) Bind(b central.Books) error {
	p.view = b.View
	return nil
}

// Note hears of each event: which kinds of tasks come.
func (p *fragmentation) Note(ev *policy.Event, j *central.Job) {
	if ev.Kind != policy.Submitted {
		return
	}
	for i := range j.Job.Stages {
		if s := &j.Job.Stages[i]; len(s.Needs) > 0 {
			p.count(s)
		}
	}
}

func (p *fragmentation) count(s *policy.Stage) {
	at := slices.IndexFunc(p.kinds, func(k kind) bool { return k.cores == s.Cores && slices.Equal(k.needs, s.Needs) })
	if at < 0 {
		if at = len(p.kinds); at == maxKinds {
			at = p.rarest()
			p.kinds = slices.Delete(p.kinds, at, at+1)
			at = len(p.kinds)
		}
		p.kinds = append(p.kinds, kind{cores: s.Cores, needs: s.Needs})
	}
	p.kinds[at].tasks += float64(s.Tasks)
}

func (p *fragmentation) rarest() int {
	least := 0
	for i := range p.kinds {
		if p.kinds[i].tasks <= p.kinds[least].tasks {
			least = i
		}
	}
	return least
}

// Where implements [central.Placer].
func (p *fragmentation) Where(j *central.Job, stage uint32) (where view.Where) {
	s := &j.Job.Stages[stage]
	if s.Gang {
		return where
	}
	least, left := 0.0, 0.0
	for n := range p.view.Open() {
		if !p.view.Holds(n, s) {
			continue
		}
		growth, rest := p.growth(n, s), p.view.Left(n)
		if where.Node == 0 || cmp.Or(cmp.Compare(growth, least), cmp.Compare(rest, left)) < 0 {
			where.Node, least, left = n, growth, rest
		}
	}
	return where
}

// growth returns by how much the fragmentation of a node grows with a task that it has room for.
func (p *fragmentation) growth(n policy.NodeID, s *policy.Stage) float64 {
	stock := p.view.Stock(n)
	if stock == nil {
		return 0
	}
	before := p.of(stock, p.view.Room(n))
	devices, _ := stock.Take(s)
	after := p.of(stock, p.view.Room(n)-int64(s.Cores))
	stock.Add(s, devices, 1)
	return after - before
}

// of returns the fragmentation of a node, times the tasks of all kinds.
func (p *fragmentation) of(stock *policy.Stock, cores int64) (sum float64) {
	for i := range p.kinds {
		k := &p.kinds[i]
		stage := policy.Stage{Tasks: 1, Cores: k.cores, Needs: k.needs}
		fits := cores >= int64(k.cores) && stock.Fits(&stage) > 0
		for o, free := range stock.All {
			need := int64(0)
			if at := slices.IndexFunc(k.needs, func(n policy.Need) bool { return n.Name == o.Name }); at >= 0 {
				need = min(k.needs[at].Amount, o.Amount)
			}
			if o.Devices == 0 || need == 0 {
				continue
			}
			for _, x := range free {
				if !fits || x < need {
					sum += float64(k.tasks * (float64(x) / float64(o.Amount)))
				}
			}
		}
	}
	return sum
}
