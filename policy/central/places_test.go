package central_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// guest is a policy that does at random what a View can do, and compares what it says with
// the naive one at every step.
type guest struct {
	*naive
	view *central.View
	seen map[string]int // what has happened, to see that the test reaches it
}

// A View and the naive one agree on what waits, in which order it starts, what is local
// where, where there is room, what jobs hold, whether they were refused, and what service they
// have attained, whatever happens: nodes that leave before an answer comes and come back
// elsewhere, tasks that are tried again, gangs, second copies, restarts. Whether and when it is
// asked what is local does not matter.
func viewAgainstNaive(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(150) {
		g := &guest{newNaive(seed), &central.View{Serves: true}, seen}
		g.now = policy.Time(g.rng.Int64N(2e12) - 1e12)
		for step := range 400 {
			switch g.rng.IntN(8) {
			case 0:
				g.now = g.now.Add(policy.Duration(g.rng.Int64N(3600e9)))
			case 1, 2, 3:
				g.now = g.now.Add(policy.Duration(g.rng.Int64N(5e9)))
			}
			what, err := g.step()
			if err == nil {
				err = g.compare(seed%3 > 0 || g.rng.IntN(20) == 0)
			}
			if err != nil {
				t.Fatalf("seed %d, step %d, %s: %v", seed, step, what, err)
			}
			seen[what]++
		}
	}
	for _, what := range []string{
		"join", "leave", "leave with Starts on their way", "back in another partition", "submit", "ready", "end of a job with Starts on their way",
		"start", "start on a partition", "start on a node", "start on a node that left", "start local", "start local, again", "start local, none is",
		"another", "another on a partition", "another on a node",
		"started", "started by the host", "refused", "returned", "finished", "failed", "killed", "suspended", "resumed", "first", "first after Local", "restart",
		"a job is refused", "a job is refused no more", "a job with service that holds nothing", "extra copies", "something is saved of what waits", "stages in an order of their own",
	} {
		if seen[what] < 20 {
			t.Errorf("%s: it happened %d times, want at least 20; all: %v", what, seen[what], seen)
		}
	}
}

func (g *guest) tell(ev policy.Event) error {
	ev.Time = g.now
	if _, err := g.view.Observe(&ev); err != nil {
		return err
	}
	was := false
	if j := g.jobs[ev.Copy.Job]; j != nil {
		was = j.refused()
	}
	g.note(&ev)
	if ev.Kind < policy.Started || ev.Kind > policy.Lost {
		return nil
	}
	switch now := g.jobs[ev.Copy.Job].refused(); {
	case now && !was:
		g.seen["a job is refused"]++
	case was && !now:
		g.seen["a job is refused no more"]++
	}
	return nil
}

// tells is tell where the event is of what has just been decided.
func (g *guest) tells(what string, ev policy.Event) (string, error) { return what, g.tell(ev) }

// step does something at random, and says what.
func (g *guest) step() (what string, err error) {
	job, j := g.anyJob()
	asked, runs, stands := g.anyCopy("asked"), g.anyCopy("runs"), g.anyCopy("stands")
	switch k := g.rng.IntN(100); {
	case k < 4:
		ev, ok := g.join()
		if !ok {
			break
		}
		for _, c := range g.copies {
			if c.state == "asked" && c.node == ev.Node && c.partition != ev.Info.Partition {
				return g.tells("back in another partition", ev)
			}
		}
		return g.tells("join", ev)
	case k < 6 && len(g.nodes) > 1:
		return g.leave()
	case k < 9 && len(g.jobs) < 8:
		return g.tells("submit", g.submit())
	case k < 11 && j != nil:
		if j.finished() || g.rng.IntN(6) == 0 {
			return g.endJob(job)
		}
	case k < 17 && j != nil:
		i := g.rng.IntN(len(j.stages))
		if s := &j.stages[i]; !s.ready {
			s.ready = true
			return g.tells("ready", policy.Event{Kind: policy.Ready, Copy: copyOf(job, uint32(i), 0, 0)})
		}
	case k < 19 && j != nil:
		return g.first(job, j)
	case k < 20:
		if g.rng.IntN(4) == 0 {
			return "restart", g.restart()
		}
	case k < 22 && j != nil:
		if ev, ok := g.ownAccord(job, j); ok {
			return g.tells("started by the host", ev)
		}
	case k < 55 && j != nil:
		return g.start(job, j)
	case k < 70 && asked != nil:
		ev := g.answer(asked, g.rng.IntN(4) == 0)
		return g.tells(map[bool]string{true: "started", false: "refused"}[ev.Kind == policy.Started], ev)
	case k < 73 && asked != nil:
		p := asked.partition
		if asked.node != 0 {
			p = 0
		}
		if ev := g.end(asked, policy.Refused); ev.Again { // its number is not used again
			g.view.Return(asked.id, p, true)
			return "returned", nil
		}
		_, s := g.stage(asked.id)
		delete(s.used[asked.id.Index], asked.id.N)
		return g.tells("refused", policy.Event{Kind: policy.Refused, Copy: asked.id, Partition: p})
	case k < 80 && runs != nil:
		return g.tells("finished", g.finish(runs))
	case k < 86 && runs != nil:
		return g.tells("failed", g.end(runs, policy.Failed))
	case k < 88 && stands != nil:
		return g.tells("killed", g.end(stands, policy.Killed))
	case k < 91 && runs != nil:
		runs.state = "stands"
		return g.tells("suspended", g.about(runs, policy.Suspended))
	case k < 95 && stands != nil:
		spec, _ := g.stage(stands.id)
		for _, share := range stands.where {
			if g.idle(share.Node) < int64(share.Tasks)*int64(spec.Cores) {
				return "nothing", nil
			}
		}
		stands.state = "runs"
		return g.tells("resumed", g.about(stands, policy.Resumed))
	case runs != nil:
		ids := g.ids()
		n := ids[g.rng.IntN(len(ids))]
		what, where := "another", central.Where{}
		switch g.rng.IntN(4) {
		case 0:
			what, where = "another on a partition", central.Where{Partition: g.nodes[n].Partition}
		case 1, 2:
			what, where = "another on a node", central.Where{Node: n}
		}
		a := g.view.Another(g.view.Job(runs.id.Job), runs.id.Task, where)
		if a.Copy.Task != runs.id.Task {
			return what, fmt.Errorf("another copy of %v is %v", runs.id.Task, a.Copy)
		}
		if err := isAt(a, where); err != nil {
			return what, err
		}
		return what, g.take(a)
	}
	return "nothing", nil
}

func (g *guest) anyJob() (policy.JobID, *naiveJob) {
	var ids []policy.JobID
	for id := range g.last + 1 {
		if j := g.jobs[id]; j != nil {
			ids = append(ids, id)
			if j.waiting() > 0 { // more often than others
				ids = append(ids, id, id, id)
			}
		}
	}
	if len(ids) == 0 {
		return 0, nil
	}
	id := ids[g.rng.IntN(len(ids))]
	return id, g.jobs[id]
}

func (g *guest) anyCopy(state string) *naiveCopy {
	var in []*naiveCopy
	for _, c := range g.copies {
		if _, s := g.stage(c.id); c.state == state && s.units[c.id.Index] == busy {
			in = append(in, c)
		}
	}
	if len(in) == 0 {
		return nil
	}
	return in[g.rng.IntN(len(in))]
}

// start starts something of a job, in one of the ways.
func (g *guest) start(job policy.JobID, j *naiveJob) (what string, err error) {
	jv := g.view.Job(job)
	stage, ok := j.next()
	ids := g.ids()
	if len(ids) == 0 {
		return "nothing", nil
	}
	n := policy.NodeID(g.rng.IntN(maxNode + 2))
	for range g.rng.IntN(6) {
		if len(j.local(n)) == 0 {
			n = ids[g.rng.IntN(len(ids))]
		}
	}
	if !ok {
		return "nothing", nil
	}
	var where central.Where
	unit, _ := j.stages[stage].next()
	switch g.rng.IntN(6) {
	case 0:
		what = "start"
	case 1:
		what, where = "start on a partition", central.Where{Partition: g.nodes[ids[0]].Partition}
	case 2:
		if n = ids[g.rng.IntN(len(ids))]; g.rng.IntN(4) == 0 && len(ids) > 1 {
			return g.startGone(jv, n)
		}
		what, where = "start on a node", central.Where{Node: n, Partition: policy.PartitionID(g.rng.Uint32())} // it counts for nothing
	default:
		if _, there := g.nodes[n]; !there {
			return "nothing", nil
		}
		what, where = "start local", central.Where{Node: n, Local: true}
		switch local := j.local(n); {
		case len(local) > 0:
			if unit = local[0]; j.stages[stage].units[unit] == again {
				what = "start local, again"
			}
		case g.rng.IntN(4) == 0:
			what = "start local, none is"
		default:
			return "nothing local", nil
		}
	}
	a := g.view.Start(jv, where)
	if want := (policy.Task{Job: job, Stage: stage, Index: unit}); a.Copy.Task != want {
		return what, fmt.Errorf("started %v, want %v", a.Copy, want)
	}
	if err := isAt(a, where); err != nil {
		return what, err
	}
	return what, g.take(a)
}

// isAt returns an error if a Start does not go where it was to go.
func isAt(a policy.Action, where central.Where) error {
	if where.Node != 0 {
		where.Partition = 0
	}
	if a.Node != where.Node || a.Partition != where.Partition {
		return fmt.Errorf("%+v goes elsewhere than to %+v", a, where)
	}
	return nil
}

// startGone starts something on a node that has left.
func (g *guest) startGone(jv *central.Job, n policy.NodeID) (what string, err error) {
	partition := g.nodes[n].Partition
	if _, err := g.leaves(n); err != nil || jv.Waiting == 0 {
		return "leave", err
	}
	if err := g.take(g.view.Start(jv, central.Where{Node: n})); err != nil {
		return "start on a node that left", err
	}
	g.copies[len(g.copies)-1].partition = partition
	return "start on a node that left", nil
}

func (g *guest) leave() (what string, err error) {
	ids := g.ids()
	return g.leaves(ids[g.rng.IntN(len(ids))])
}

// leaves ends what is on a node, and lets it leave.
func (g *guest) leaves(id policy.NodeID) (what string, err error) {
	what = "leave"
	for _, c := range slices.Clone(g.copies) {
		if c.state == "asked" && c.node == id {
			what = "leave with Starts on their way"
		}
		if c.state != "asked" && slices.ContainsFunc(c.where, func(s policy.Share) bool { return s.Node == id }) {
			if err := g.tell(g.end(c, policy.Lost)); err != nil {
				return what, err
			}
		}
	}
	delete(g.nodes, id)
	return g.tells(what, policy.Event{Kind: policy.Left, Node: id})
}

// finish ends a task; its other copies that run are killed.
func (g *guest) finish(c *naiveCopy) policy.Event {
	ev := g.end(c, policy.Finished)
	for _, d := range slices.Clone(g.copies) {
		if d.id.Task != c.id.Task {
			continue
		}
		other := policy.Killed
		if d.state == "asked" {
			other = policy.Refused
		}
		if err := g.tell(g.end(d, other)); err != nil {
			panic(err)
		}
	}
	return ev
}

// endJob ends what there is of a job, and the job. Starts that named a node may remain without
// an answer, as where parts make the Starts.
func (g *guest) endJob(id policy.JobID) (what string, err error) {
	what = "end of a job"
	part := g.rng.IntN(2) == 0
	for _, c := range slices.Clone(g.copies) {
		if c.id.Job != id {
			continue
		}
		kind := policy.Killed
		if c.state == "asked" {
			if kind = policy.Refused; part && c.node != 0 {
				what = "end of a job with Starts on their way"
				g.copies = slices.DeleteFunc(g.copies, func(d *naiveCopy) bool { return d == c })
				continue
			}
		}
		ev := g.end(c, kind)
		ev.Again = false
		if err := g.tell(ev); err != nil {
			return what, err
		}
	}
	delete(g.jobs, id)
	jv := g.view.Job(id)
	err = g.tell(policy.Event{Kind: policy.Ended, Copy: copyOf(id, 0, 0, 0), Outcome: policy.Cancelled})
	if err == nil && jv.Waiting > 0 {
		err = fmt.Errorf("%d tasks wait of a job that has ended", jv.Waiting)
	}
	return what, err
}

// first lets some units of a stage go first. That is possible if nothing has happened to any.
func (g *guest) first(job policy.JobID, j *naiveJob) (what string, err error) {
	i := g.rng.IntN(len(j.stages))
	s := &j.stages[i]
	tasks := g.rng.Perm(len(s.units))[:g.rng.IntN(len(s.units)+1)]
	ok := len(tasks) > 0 && s.first == nil
	for unit, state := range s.units {
		ok = ok && state == fresh && len(s.used[unit]) == 0
	}
	local := false
	for n := range policy.NodeID(maxNode) {
		local = local || g.view.Local(g.view.Job(job), n) > 0
	}
	got := g.view.First(g.view.Job(job), uint32(i), tasks)
	if ok && !got || got && !ok {
		return "first", fmt.Errorf("First of %v of stage %d of job %d says %v, want %v", tasks, i, job, got, ok)
	}
	if !ok {
		return "nothing", nil
	}
	for _, unit := range tasks {
		s.first = append(s.first, uint32(unit))
	}
	if local {
		return "first after Local", nil
	}
	return "first", nil
}
