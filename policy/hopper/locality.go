package hopper

import (
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/view"
)

// A candidate is a job with tasks that wait for a slot, as locality sees it.
type candidate struct {
	job   policy.JobID
	local int // how many of its tasks that wait would be local on the slots that are free
}

// locality lets jobs go before smaller ones whose tasks are not where their data is: of the
// smallest jobs it picks the one with the most local tasks, which then goes on until none of its tasks
// waits.
//
// When a slot is free, the job that was picked before has it, as long as a task of it waits;
// else another one is picked of the smallest jobs, as many as look says.
//
// # Source
//
// Hopper, section 5.1, which says that up to 5 % will do. The paper takes 3 % (section 6.2); beyond
// 7 % it loses more than it gains (section 6.4.1).
type locality struct {
	share float64 // of the jobs, the smallest, that are looked at, 0 to 1
	job   policy.JobID
	is    bool // job is one that was picked for its data
}

// look returns how many jobs to choose from of so many that wait, ⌈share * waiting⌉, and at
// least 1 if any does.
func (l *locality) look(waiting int) int {
	return min(max(0, waiting), max(1, int(math.Ceil(float64(l.share*float64(waiting))-1e-9))))
}

// pick returns the job that the next free slot is for. jobs are the first of those with tasks that wait,
// at least one, in the order in which they would go otherwise: by virtual size, the smallest first. Of
// those with as many local tasks it picks the first. If none has any, the slot is for the smallest job,
// as otherwise, and none is picked.
func (l *locality) pick(jobs []candidate) policy.JobID {
	best := 0
	for i := range jobs {
		if jobs[i].local > jobs[best].local {
			best = i
		}
	}
	l.job, l.is = jobs[best].job, jobs[best].local > 0
	return l.job
}

// nearest returns the job that data locality lets go before the first.
func (v *VirtualSizes) nearest(first policy.JobID, short float64) policy.JobID {
	look := v.local.look(v.pool.wants)
	if look < 2 || v.placed == 0 || !v.open.few() {
		return first
	}
	if id := v.local.job; v.local.is {
		if own := v.jobs.Get(id); own != nil && own.Waiting > 0 && own.has.Wants {
			if share, _ := v.Share(id); share-float64(own.has.Cores) >= short {
				return id
			}
		}
	}
	v.candidates = v.candidates[:0]
	for id := range v.pool.Waiting(float64(short * grain)) {
		v.candidates = append(v.candidates, candidate{id, v.localTasks(id)})
		if len(v.candidates) == look {
			break
		}
	}
	return v.local.pick(v.candidates)
}

// localTasks returns how many waiting tasks of a job would be local on the open nodes.
func (v *VirtualSizes) localTasks(id policy.JobID) (tasks int) {
	own := v.jobs.Get(id)
	if own.placed == 0 {
		return 0
	}
	for _, n := range v.open.nodes {
		tasks += v.view.Local(own.Job, n)
	}
	return tasks
}

// openNodes are the nodes with free cores.
type openNodes struct {
	view  *central.View
	nodes []policy.NodeID
}

// mostOpen is with how many open nodes tasks are chosen by where their data is. With more the host
// finds a place near it by itself.
const mostOpen = 16

// few finds the nodes with free cores, and reports whether there are few.
func (o *openNodes) few() bool {
	o.nodes = o.nodes[:0]
	for n := range o.view.Open() {
		if len(o.nodes) == mostOpen {
			return false
		}
		o.nodes = append(o.nodes, n)
	}
	return true
}

// Locality is the placer that starts a task where it is local, if its stage says which nodes hold what its tasks
// read and at most 16 nodes have free cores. The zero Locality is ready for use.
type Locality struct{ open openNodes }

// Bind implements [central.Placer].
func (l *Locality) Bind(b central.Books) error {
	l.open.view = b.View
	return nil
}

// Where implements [central.Placer]. It panics if the job has no such stage.
func (l *Locality) Where(j *central.Job, stage uint32) view.Where {
	s := &j.Job.Stages[stage]
	if len(s.Holders) == 0 || !l.open.few() {
		return view.Where{}
	}
	books := l.open.view
	for _, n := range l.open.nodes {
		// What a node has in all is enough: if it is taken, something there ends, and we try again.
		if all := books.Memory(n); books.Room(n) >= s.Width() && (s.Memory <= all || all == 0) && books.Local(j, n) > 0 {
			return view.Where{Node: n, Local: true}
		}
	}
	return view.Where{}
}
