package advise_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/advise"
)

// An asking is a host that decides for itself and asks an Advisor. It starts what is granted and
// what is not, loses nodes, lets tasks fail, and holds the Advisor to what it promises.
type asking struct {
	t       *testing.T
	rng     *rand.Rand
	advisor *advise.Advisor
	now     policy.Time
	nodes   []policy.Node
	free    map[policy.NodeID]int32 // of nodes that are there
	jobs    map[policy.JobID]*asked
	copies  map[policy.Copy]*askedCopy // that run or are suspended
	done    int                        // jobs
}

type asked struct {
	job      *policy.Job
	ready    []bool
	finished [][]bool   // units
	attempts [][]uint32 // of units, so far
}

type askedCopy struct {
	on        []policy.Share
	suspended bool
	report    policy.Time // when it is due, 0: none is
}

func (h *asking) observe(ev policy.Event) {
	ev.Time = h.now
	if ev.Kind.End() && h.rng.IntN(2) == 0 {
		ev.Node, ev.Gang = 0, nil // the Advisor knows
	}
	if err := h.advisor.Observe(&ev); err != nil {
		h.t.Fatalf("at %v, %v of %v: %v", h.now, ev.Kind, ev.Copy, err)
	}
	for _, o := range h.advisor.Orders() {
		h.obey(o)
	}
}

func (h *asking) obey(o policy.Action) {
	c, runs := h.copies[o.Copy]
	switch {
	case o.Kind == policy.GiveUp && h.jobs[o.Copy.Job] != nil:
		h.end(o.Copy.Job, policy.GivenUp)
	case !runs:
	case o.Kind == policy.Kill:
		h.stop(o.Copy, policy.Killed)
	case o.Kind == policy.Report:
		c.report = max(o.At, 1)
	case o.Kind == policy.Suspend && !c.suspended:
		h.take(o.Copy, c.on, -1)
		c.suspended = true
		h.observe(policy.Event{Kind: policy.Suspended, Copy: o.Copy, Node: c.node(), Gang: c.gang(), Service: 1e9})
	case o.Kind == policy.Resume && c.suspended:
		h.take(o.Copy, c.on, +1)
		c.suspended = false
		h.observe(policy.Event{Kind: policy.Resumed, Copy: o.Copy, Node: c.node(), Gang: c.gang(), Service: 1e9})
	}
}

func (c *askedCopy) node() policy.NodeID {
	if len(c.on) == 1 {
		return c.on[0].Node
	}
	return 0
}

func (c *askedCopy) gang() []policy.Share {
	if len(c.on) == 1 {
		return nil
	}
	return c.on
}

// take takes (+1) or gives back (-1) the cores of a copy.
func (h *asking) take(c policy.Copy, on []policy.Share, sign int32) {
	for _, s := range on {
		h.free[s.Node] -= sign * h.jobs[c.Job].job.Stages[c.Stage].Cores * int32(s.Tasks)
	}
}

func (h *asking) submit(j *policy.Job) {
	a := &asked{job: j, ready: make([]bool, len(j.Stages))}
	for i := range j.Stages {
		a.finished = append(a.finished, make([]bool, j.Stages[i].Units()))
		a.attempts = append(a.attempts, make([]uint32, j.Stages[i].Units()))
	}
	h.jobs[j.ID] = a
	h.observe(policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: j.ID}}, Job: j, More: true})
	h.unlock(a)
}

// unlock says Ready of the stages that may start.
func (h *asking) unlock(a *asked) {
	for i := range a.job.Stages {
		if a.ready[i] || slices.ContainsFunc(a.job.Stages[i].Reads, func(d policy.Dep) bool { return slices.Contains(a.finished[d.Stage], false) }) {
			continue
		}
		a.ready[i] = true
		h.observe(policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: a.job.ID, Stage: uint32(i)}}})
	}
}

// place finds nodes for a unit, of those that a grant allows.
func (h *asking) place(s *policy.Stage, g policy.Action) (on []policy.Share) {
	left := uint32(1)
	if s.Gang {
		left = s.Tasks
	}
	for _, k := range h.rng.Perm(len(h.nodes)) {
		n := &h.nodes[k]
		free, there := h.free[n.ID]
		if !there || g.Node != 0 && g.Node != n.ID || g.Partition != 0 && g.Partition != n.Partition {
			continue
		}
		if tasks := min(left, uint32(max(0, free))/uint32(s.Cores)); tasks > 0 {
			on = append(on, policy.Share{Node: n.ID, Tasks: tasks})
			if left -= tasks; left == 0 {
				return on
			}
		}
	}
	return nil
}

func (h *asking) start(c policy.Copy, g policy.Action) bool {
	a := h.jobs[c.Job]
	on := h.place(&a.job.Stages[c.Stage], g)
	if on == nil {
		return false
	}
	copied := &askedCopy{on: on}
	h.copies[c] = copied
	h.take(c, on, +1)
	a.attempts[c.Stage][c.Index] = max(a.attempts[c.Stage][c.Index], c.N+1)
	h.observe(policy.Event{Kind: policy.Started, Copy: c, Node: copied.node(), Gang: copied.gang()})
	return true
}

// startGranted starts what a job has been granted, or says that it cannot.
func (h *asking) startGranted(id policy.JobID) {
	for g := range h.advisor.Grants(id) {
		if !h.start(g.Copy, g) {
			h.observe(policy.Event{Kind: policy.Refused, Copy: g.Copy})
		}
		return
	}
}

// startAny starts some unit that waits, granted or not.
func (h *asking) startAny(id policy.JobID) {
	a := h.jobs[id]
	stage := h.rng.IntN(len(a.job.Stages))
	unit := h.rng.IntN(len(a.finished[stage]))
	if !a.ready[stage] || a.finished[stage][unit] {
		return
	}
	task := policy.Task{Job: id, Stage: uint32(stage), Index: uint32(unit)}
	if len(h.of(task)) == 0 {
		h.start(policy.Copy{Task: task, N: a.attempts[stage][unit]}, policy.Action{})
	}
}

// of returns the copies of a task.
func (h *asking) of(t policy.Task) (list []policy.Copy) {
	for _, c := range h.sorted() {
		if c.Task == t {
			list = append(list, c)
		}
	}
	return list
}

func (h *asking) sorted() []policy.Copy {
	return slices.SortedFunc(maps.Keys(h.copies), func(a, b policy.Copy) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Index, b.Index), cmp.Compare(a.N, b.N))
	})
}

// stop ends a copy.
func (h *asking) stop(c policy.Copy, kind policy.EventKind) {
	was := h.copies[c]
	delete(h.copies, c)
	if !was.suspended {
		h.take(c, was.on, -1)
	}
	a := h.jobs[c.Job]
	others := h.of(c.Task)
	if kind == policy.Finished {
		a.finished[c.Stage][c.Index] = true
	}
	h.observe(policy.Event{
		Kind: kind, Copy: c, Node: was.node(), Gang: was.gang(), Service: 1e9, Idle: was.suspended, More: kind == policy.Lost,
		Again: len(others) == 0 && !a.finished[c.Stage][c.Index],
	})
	if kind != policy.Finished || h.jobs[c.Job] == nil {
		return
	}
	for _, o := range others {
		if _, runs := h.copies[o]; runs {
			h.stop(o, policy.Killed)
		}
	}
	if !slices.ContainsFunc(a.finished, func(units []bool) bool { return slices.Contains(units, false) }) {
		h.end(c.Job, policy.Done)
	} else {
		h.unlock(a)
	}
}

func (h *asking) end(id policy.JobID, o policy.Outcome) {
	for _, c := range h.sorted() {
		if _, runs := h.copies[c]; runs && c.Job == id {
			h.stop(c, policy.Killed)
		}
	}
	delete(h.jobs, id)
	h.done++
	h.observe(policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: id}}, Outcome: o})
}

func (h *asking) leave(id policy.NodeID) {
	for _, c := range h.sorted() {
		if was, runs := h.copies[c]; runs && slices.ContainsFunc(was.on, func(s policy.Share) bool { return s.Node == id }) {
			h.stop(c, policy.Lost)
		}
	}
	delete(h.free, id)
	h.observe(policy.Event{Kind: policy.Left, Node: id})
}

func (h *asking) join(n *policy.Node) {
	h.free[n.ID] = n.Cores
	h.observe(policy.Event{Kind: policy.Joined, Node: n.ID, Info: n})
}

func (h *asking) ids() []policy.JobID { return slices.Sorted(maps.Keys(h.jobs)) }

// report reports of the copies whose time has come.
func (h *asking) report() {
	for _, id := range h.sorted() {
		if c, runs := h.copies[id]; runs && c.report > 0 && c.report <= h.now {
			c.report = 0
			h.observe(policy.Event{Kind: policy.Progress, Copy: id, Node: c.node(), Gang: c.gang(), Service: 1e9, Value: 0.5})
		}
	}
}

// check holds the Advisor to its word.
func (h *asking) check() {
	ids := h.ids()
	for _, id := range ids {
		seen := map[policy.Task]bool{}
		for g := range h.advisor.Grants(id) {
			a := h.jobs[id]
			_, runs := h.copies[g.Copy]
			if g.Kind != policy.Start || g.Copy.Job != id || runs || seen[g.Copy.Task] || a.finished[g.Copy.Stage][g.Copy.Index] || !a.ready[g.Copy.Stage] {
				h.t.Fatalf("grant of %v, which runs, is finished, is not ready or is granted", g.Copy)
			}
			seen[g.Copy.Task] = true
		}
		if ok, again := h.advisor.Admit(id); ok != (len(seen) > 0) || again < 0 || ok && again != 0 {
			h.t.Fatalf("job %d with %d grants: admitted %v, again after %v", id, len(seen), ok, again)
		}
		for i := range h.nodes {
			if score := h.advisor.Score(id, h.nodes[i].ID); !(score >= 0 && score <= 1) {
				h.t.Fatalf("score of job %d on node %d is %v", id, h.nodes[i].ID, score)
			}
		}
	}
	sign := func(a, b policy.JobID) int { return cmp.Compare(h.advisor.Compare(a, b), 0) }
	sorted := slices.SortedFunc(slices.Values(ids), h.advisor.Compare)
	for range min(20, len(ids)*len(ids)) {
		i, k := h.rng.IntN(len(ids)), h.rng.IntN(len(ids))
		if got := sign(sorted[i], sorted[k]); got != -sign(sorted[k], sorted[i]) || got != cmp.Compare(i, k) {
			h.t.Fatalf("job %d against %d is %d, and %d the other way round, at %d and %d of the order", sorted[i], sorted[k], got, sign(sorted[k], sorted[i]), i, k)
		}
	}
	if len(ids) > 0 && (h.advisor.Compare(ids[0], 1<<20) >= 0 || h.advisor.Compare(1<<20, ids[0]) <= 0) {
		h.t.Fatal("a job that is not there goes first")
	}
}

// play plays a life of some jobs.
func (h *asking) play(jobs []*policy.Job, obedient bool) {
	for i := range h.nodes {
		h.join(&h.nodes[i])
	}
	all := len(jobs)
	for steps := 0; h.done < all; steps++ {
		h.now += policy.Time(h.rng.Int64N(2e9))
		h.report()
		h.observe(policy.Event{Kind: policy.Woken})
		wild := steps < 40*all // then it is calm, and all ends
		if steps > 1000*all {
			h.t.Fatalf("%d of %d jobs are done after %d steps", h.done, all, steps)
		}
		ids := h.ids()
		switch k := h.rng.IntN(10); {
		case k == 0 && len(jobs) > 0 || len(ids) == 0:
			h.submit(jobs[0])
			jobs = jobs[1:]
		case k < 5:
			h.startGranted(ids[h.rng.IntN(len(ids))])
		case k < 6 && wild && !obedient:
			h.startAny(ids[h.rng.IntN(len(ids))])
		case k == 6 && wild:
			n := &h.nodes[h.rng.IntN(len(h.nodes))]
			if _, there := h.free[n.ID]; !there {
				h.join(n)
			} else if h.rng.IntN(8) == 0 {
				h.leave(n.ID)
			}
		case len(h.copies) > 0:
			copies := h.sorted()
			c := copies[h.rng.IntN(len(copies))]
			if h.copies[c].suspended {
				break
			}
			kind := policy.Finished
			if wild && h.rng.IntN(6) == 0 {
				kind = policy.Failed
			}
			h.stop(c, kind)
		}
		if steps == 40*all {
			for i := range h.nodes {
				if _, there := h.free[h.nodes[i].ID]; !there {
					h.join(&h.nodes[i])
				}
			}
		}
		h.check()
	}
	if _, ok := h.advisor.Admit(policy.JobID(all)); ok != 0 {
		h.t.Fatal(fmt.Sprint("a job that has ended is to ask again after ", ok))
	}
}
