package main

import (
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A State is what a cluster does at an instant: its nodes, and the jobs that have been submitted and
// have not ended.
type State struct {
	Now   policy.Time
	Nodes []policy.Node // there now, all of speed 1; their IDs are 1, 2, 3 and so on
	Jobs  []Job         // in order of submission
}

// A Job is one that runs or waits.
type Job struct {
	*policy.Job
	// Runtime is the distribution of the whole runtime of each of its tasks or gangs, in seconds, as it
	// was at submission. Ask conditions it on the elapsed time.
	Runtime central.Distribution
	Runs    []Run // what of it has been started, but for copies that ended unfinished
}

// A Run is a task, or a whole gang as its task 0, that runs or is finished.
type Run struct {
	Stage, Index uint32
	Node         policy.NodeID // where it runs; 0: not known, or on several
	Started      policy.Time
	Done         bool
	Ended        policy.Time // if it is Done
}

// check returns an error if the state has what is not supported. The simulator refuses what is impossible.
func (s *State) check() error {
	for i := range s.Nodes {
		if n := &s.Nodes[i]; n.Speed != 1 {
			return fmt.Errorf("node %d has speed %v, want 1", n.ID, n.Speed)
		}
	}
	for i := range s.Jobs {
		if err := foreseen(s.Jobs[i].Job); err != nil {
			return err
		}
	}
	return nil
}

// foreseen returns an error if a State cannot have the job.
func foreseen(j *policy.Job) error {
	if j.Inputs != nil {
		return fmt.Errorf("job %d reads what other jobs write, want a job without inputs", j.ID)
	}
	for i := range j.Stages {
		if x := j.Stages[i].Elsewhere; x > 1 {
			return fmt.Errorf("job %d stage %d runs %v times as long on partitions that it does not prefer, want the same runtime everywhere", j.ID, i, x)
		}
	}
	return nil
}

func (j *Job) task(r Run) policy.Task {
	return policy.Task{Job: j.ID, Stage: r.Stage, Index: r.Index}
}

// elapsed returns the longest time that a task has run which is not finished, and false if there is none.
func (j *Job) elapsed(now policy.Time) (d policy.Duration, ok bool) {
	for _, r := range j.Runs {
		if !r.Done {
			d, ok = max(d, now.Sub(r.Started)), true
		}
	}
	return d, ok
}

// tasks returns how many tasks the jobs have, each gang being one.
func (s *State) tasks() (n int) {
	for i := range s.Jobs {
		for k := range s.Jobs[i].Stages {
			n += int(s.Jobs[i].Stages[k].Units())
		}
	}
	return n
}
