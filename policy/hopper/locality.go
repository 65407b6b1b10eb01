package hopper

import (
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/view"
)

// locality lets a job go before smaller ones whose tasks are not where their data is. Of the smallest jobs it picks the one
// with the most local tasks, which then goes on until none of its tasks waits.
//
// # Source
//
// Hopper, section 5.1, which says that up to 5 % of the jobs will do. The paper takes 3 % (section 6.2); beyond
// 7 % it loses more than it gains (section 6.4.1).
type locality struct {
	placed int // stages that say which nodes hold what their tasks read
	open   openNodes
	job    policy.JobID
	is     bool // job is one that was picked for its data
}

// nearest returns the job that data locality lets go before the first of those that are short of so many grains. If none of
// the smallest has a local task, that is the first.
func (v *VirtualSizes) nearest(first policy.JobID, short float64) policy.JobID {
	l := &v.local
	look := int(math.Ceil(float64(v.config.Locality*float64(v.pool.wants)) - 1e-9)) // 0.07 of 100 is 7
	if look < 2 || l.placed == 0 || !l.open.few() {
		return first
	}
	if l.is {
		if own := v.jobs.Get(l.job); own != nil && own.Waiting > 0 && own.has.Wants {
			if share := v.pool.share(own.place); share-grains(float64(own.has.Cores)) >= short {
				return l.job
			}
		}
	}
	most := 0
	l.job = first
	for id := range v.pool.waiting(short) {
		if tasks := v.localTasks(id); tasks > most {
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
func (v *VirtualSizes) localTasks(id policy.JobID) (tasks int) {
	own := v.jobs.Get(id)
	if own.placed == 0 {
		return 0
	}
	for _, n := range v.local.open.nodes {
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
