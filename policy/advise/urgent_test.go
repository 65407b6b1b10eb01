package advise_test

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// An urgent is a policy that preempts: jobs with a priority go first, and if there is no room, a task of a job without one stands
// still. It goes on when nothing waits.
type urgent struct {
	view   central.View
	jobs   []*central.Job // in order
	runs   []placed       // of jobs without priority
	stands []placed
	asked  policy.Copy // to be suspended or resumed, and not answered yet
}

// A placed copy is on a node.
type placed struct {
	policy.Copy
	node policy.NodeID
}

func (p *urgent) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	j, err := p.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	if j != nil && (ev.Kind == policy.Suspended || ev.Kind == policy.Resumed || ev.Kind.End()) && p.asked == ev.Copy {
		p.asked = policy.Copy{}
	}
	is := func(c placed) bool { return c.Copy == ev.Copy }
	switch {
	case ev.Kind == policy.Submitted:
		p.jobs = append(p.jobs, j)
		slices.SortFunc(p.jobs, p.compare)
	case ev.Kind == policy.Ended:
		p.jobs = slices.DeleteFunc(p.jobs, func(x *central.Job) bool { return x == j })
	case ev.Kind == policy.Started && j.Job.Priority == 0, ev.Kind == policy.Resumed:
		p.stands = slices.DeleteFunc(p.stands, is)
		p.runs = append(p.runs, placed{ev.Copy, ev.Node})
	case ev.Kind == policy.Suspended && !ev.Idle:
		p.runs = slices.DeleteFunc(p.runs, is)
		p.stands = append(p.stands, placed{ev.Copy, ev.Node})
	case ev.Kind.End():
		p.runs, p.stands = slices.DeleteFunc(p.runs, is), slices.DeleteFunc(p.stands, is)
	}
	if !p.view.Decide(ev) {
		return actions, nil
	}
	return p.decide(actions), nil
}

func (p *urgent) compare(a, b *central.Job) int {
	return cmp.Or(cmp.Compare(b.Job.Priority, a.Job.Priority), cmp.Compare(a.Job.ID, b.Job.ID))
}

func (p *urgent) Compare(a, b policy.JobID) int { return p.compare(p.view.Job(a), p.view.Job(b)) }

func (p *urgent) decide(actions []policy.Action) []policy.Action {
	for _, j := range p.jobs {
		for j.Waiting > 0 {
			i, _ := j.Next()
			stage := &j.Job.Stages[i]
			if n := p.node(stage); n != 0 {
				actions = append(actions, p.view.Start(j, central.Where{Node: n}))
				continue
			}
			if k := slices.IndexFunc(p.runs, func(c placed) bool { return p.room(c) >= int64(stage.Cores) }); j.Job.Priority > 0 && k >= 0 && p.asked == (policy.Copy{}) {
				p.asked = p.runs[k].Copy
				actions = append(actions, policy.Action{Kind: policy.Suspend, Copy: p.asked})
			}
			return actions
		}
	}
	if k := slices.IndexFunc(p.stands, func(c placed) bool { return p.view.Room(c.node) >= p.cores(c) }); k >= 0 && p.asked == (policy.Copy{}) {
		p.asked = p.stands[k].Copy
		actions = append(actions, policy.Action{Kind: policy.Resume, Copy: p.asked})
	}
	if len(p.stands) > 0 { // it looks again in a second
		actions = append(actions, policy.Action{Kind: policy.Wake, At: p.view.Now().Add(1e9)})
	}
	return actions
}

// node returns the first node with room for a task, 0 if there is none.
func (p *urgent) node(stage *policy.Stage) policy.NodeID {
	for n := range p.view.Open() {
		if p.view.Tasks(n, stage) > 0 {
			return n
		}
	}
	return 0
}

func (p *urgent) cores(c placed) int64 { return int64(p.view.Job(c.Job).Job.Stages[c.Stage].Cores) }

// room returns the cores that are free on the node of a copy when it stands still.
func (p *urgent) room(c placed) int64 { return p.view.Room(c.node) + p.cores(c) }
