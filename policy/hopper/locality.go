package hopper

import (
	"math"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// openNodes are the nodes with free cores.
type openNodes struct {
	view  *central.View
	nodes []policy.NodeID
}

// maxOpen is the largest number of open nodes for which tasks are chosen by locality. With more open nodes the host
// finds a local place by itself.
const maxOpen = 16

// few lists the nodes with free cores, and reports whether there are few.
func (o *openNodes) few() bool {
	o.nodes = o.nodes[:0]
	for n := range o.view.Open() {
		if len(o.nodes) == maxOpen {
			return false
		}
		o.nodes = append(o.nodes, n)
	}
	return true
}

// Locality is the placer that starts a task on a node that holds its input, if its stage names such nodes and at most
// 16 nodes have free cores. The zero Locality is ready to use.
type Locality struct{ open openNodes }

// Bind implements [central.Placer].
func (l *Locality) Bind(b central.Books) error {
	return b.Enter(&l.open.view)
}

// Where implements [central.Placer]. It panics if the job has no such stage.
func (l *Locality) Where(j *central.Job, stage uint32) central.Where {
	s := &j.Job.Stages[stage]
	if len(s.Holders) == 0 || !l.open.few() {
		return central.Where{}
	}
	books := l.open.view
	for _, n := range l.open.nodes {
		if books.Tasks(n, s) > 0 && books.Local(j, n) > 0 {
			return central.Where{Node: n, Local: true}
		}
	}
	return central.Where{}
}

// locality lets a job pass smaller ones whose tasks are not local. Among the smallest jobs it picks the one with the
// most local tasks, which then goes on until none of its tasks waits.
//
// # Source
//
// Hopper, section 5.1, which says that up to 5 % of the jobs are enough. The paper takes 3 % (section 6.2); beyond 7
// % it loses more than it gains (section 6.4.1).
type locality struct {
	placed int // stages that say which nodes hold what their tasks read
	open   openNodes
	job    policy.JobID
	is     bool // job is one that was picked for its data
}

// nearest returns the job that locality lets go first, among those that are short of their share, or that want a slot. If
// none of the smallest has a local task, that is first.
func (t *turn) nearest(first policy.JobID, who among) policy.JobID {
	l := &t.local
	if l.placed == 0 {
		return first
	}
	look := saturate.To[int](math.Ceil(t.config.Locality*float64(t.line.wants) - 1e-9)) // 0.07 of 100 is 7
	if look < 2 || !l.open.few() {
		return first
	}
	if l.is {
		if own := t.jobs.Get(l.job); own != nil && own.Waiting > 0 && own.seat.belongs(who, t.line.of(&own.seat)) {
			return l.job
		}
	}
	most := 0
	l.job = first
	for id := range t.line.all(who) {
		if tasks := t.localTasks(id); tasks > most {
			l.job, most = id, tasks
		}
		if look--; look == 0 {
			break
		}
	}
	l.is = most > 0
	return l.job
}

// localTasks returns how many waiting tasks of a job would be local on the open nodes.
func (t *turn) localTasks(id policy.JobID) (tasks int) {
	own := t.jobs.Get(id)
	if own.placed == 0 {
		return 0
	}
	for _, n := range t.local.open.nodes {
		tasks += t.view.Local(own.Job, n)
	}
	return tasks
}
