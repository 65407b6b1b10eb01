package hopper

import (
	"math"

	"example.com/augur/policy"
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
func (v *virtual) nearest(first policy.JobID, short float64) policy.JobID {
	look := v.s.local.look(v.pool.wants)
	if look < 2 || v.s.placed == 0 || !v.s.fewOpen() {
		return first
	}
	if id := v.s.local.job; v.s.local.is {
		if j := v.s.view.Job(id); j != nil && j.Waiting > 0 {
			if share, _ := v.share(id); share-float64(j.Own.holdings[0].slots) >= short {
				return id
			}
		}
	}
	v.candidates = v.candidates[:0]
	for id := range v.pool.Waiting(float64(short * grain)) {
		v.candidates = append(v.candidates, candidate{id, v.s.localTasks(id)})
		if len(v.candidates) == look {
			break
		}
	}
	return v.s.local.pick(v.candidates)
}

// fewOpen finds the nodes with free cores, and reports whether there are few.
func (s *Scheduler) fewOpen() bool {
	s.open = s.open[:0]
	for n := range s.view.Open() {
		if len(s.open) == mostOpen {
			return false
		}
		s.open = append(s.open, n)
	}
	return true
}

// mostOpen is with how many open nodes tasks are chosen by where their data is. With more the host
// finds a place near it by itself.
const mostOpen = 16

// localTasks returns how many waiting tasks of a job would be local on the open nodes.
func (s *Scheduler) localTasks(id policy.JobID) int {
	j, tasks := s.view.Job(id), 0
	if j.Own.placed == 0 {
		return 0
	}
	for _, n := range s.open {
		tasks += s.view.Local(j, n)
	}
	return tasks
}

// startLocal starts a waiting task of a job where it is local, if there is one.
func (s *Scheduler) startLocal(j *jobView, stage uint32) (policy.Action, bool) {
	if j.Own.refused { // perhaps there is no memory left where it is local
		return policy.Action{}, false
	}
	if len(j.Job.Stages[stage].Holders) == 0 || !s.fewOpen() {
		return policy.Action{}, false
	}
	width, memory := j.Job.Stages[stage].Width(), j.Job.Stages[stage].Memory
	for _, n := range s.open {
		// What a node has in all is enough: if it is taken, something there ends, and we try again.
		if all := s.nodes.Get(n).memory; s.view.Room(n) >= width && (memory <= all || all == 0) {
			if a, ok := s.view.StartLocal(j, n); ok {
				return a, true
			}
		}
	}
	return policy.Action{}, false
}
