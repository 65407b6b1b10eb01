package baseline

import (
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// groups list the units that hold cores by stage, for when the forecast of a stage changes. The lists go through the nodes of
// the tree of units. If changing is false the lists stay empty and cost nothing.
type groups struct {
	changing bool // the forecast may change
	jobs     policy.Table[policy.JobID, []group]
	links    []link // by node
}

// A group is the units of a stage.
type group struct {
	time  policy.Duration // that each is expected to take
	first uint32          // node; 0: the group is empty
}

// A link is the place of a unit in its group.
type link struct {
	of         *group
	since      policy.Time // when the unit started
	last, next uint32      // nodes; 0: there is none
}

// add makes the groups of a job, one for each stage.
func (g *groups) add(j *central.Job) {
	if g.changing {
		stages := make([]group, len(j.Stages))
		g.jobs.Put(j.Job.ID, &stages)
	}
}

// join adds the unit of a copy, which is at a node of the tree, to the group of its stage.
func (g *groups) join(c policy.Copy, at uint32, since policy.Time, time policy.Duration) {
	if !g.changing {
		return
	}
	for len(g.links) <= int(at) {
		g.links = append(g.links, link{})
	}
	of := &(*g.jobs.Get(c.Job))[c.Stage]
	g.links[at] = link{of: of, since: since, next: of.first}
	if of.first == 0 {
		of.time = time
	} else {
		g.links[of.first].last = at
	}
	of.first = at
}

// leave takes the unit at a node out of its group.
func (g *groups) leave(at uint32) {
	if !g.changing {
		return
	}
	l := g.links[at]
	if l.last == 0 {
		l.of.first = l.next
	} else {
		g.links[l.last].next = l.next
	}
	if l.next != 0 {
		g.links[l.next].last = l.last
	}
	g.links[at] = link{}
}

// renew moves the ends of a job's running units where the forecast of their stage has changed, and reports whether it has
// changed. It asks once about each stage that has such units. To move a unit takes logarithmic time.
func (u *units) renew(j *central.Job) (renewed bool) {
	if !u.groups.changing {
		return false
	}
	stages := *u.groups.jobs.Get(j.Job.ID)
	for i := range stages {
		g := &stages[i]
		if g.first == 0 {
			continue
		}
		time := u.time.of(j, uint32(i))
		if time == g.time {
			continue
		}
		g.time, renewed = time, true
		for at := g.first; at != 0; at = u.groups.links[at].next {
			e := u.tree.nodes[at].e
			e.end = after(u.groups.links[at].since, time)
			u.tree.replace(at, e)
		}
	}
	return renewed
}
