package jobtest

import (
	"testing"

	"example.com/augur/policy"
)

// A Hand tells a policy what a test wants told, at the instant Now, and answers nothing by itself. An error ends the test.
type Hand[P policy.Scheduler] struct {
	testing.TB
	Policy P
	Now    policy.Time
}

// Tell tells the policy of an event.
func (h *Hand[P]) Tell(ev policy.Event) []policy.Action {
	h.Helper()
	ev.Time = h.Now
	actions, err := h.Policy.Step(&ev, nil)
	if err != nil {
		h.Fatalf("%v: %v", ev.Kind, err)
	}
	return actions
}

// Join tells of a node of partition 1.
func (h *Hand[P]) Join(id policy.NodeID, cores int32) []policy.Action {
	h.Helper()
	return h.Tell(policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: cores, Speed: 1}})
}

// Submit tells of a job, and that its first stage is ready if that is so.
func (h *Hand[P]) Submit(j *policy.Job, ready bool) []policy.Action {
	h.Helper()
	of := policy.Copy{Task: policy.Task{Job: j.ID}}
	actions := h.Tell(policy.Event{Kind: policy.Submitted, Copy: of, Job: j, More: ready})
	if ready {
		actions = append(actions, h.Tell(policy.Event{Kind: policy.Ready, Copy: of})...)
	}
	return actions
}
