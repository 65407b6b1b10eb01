package policytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"

	"example.com/augur/policy"
)

// eventCases make each event of a shadow worthless as soon as Step returns, to find a policy that keeps it, and look
// whether the policy changes what is not its own.
func eventCases() []testCase {
	return likeable(func(uint64) []*shadow {
		return []*shadow{{rule: "events", says: "events were overwritten after Step", step: jealous(), made: scrambleNode}}
	})
}

// jealous returns a step that keeps watch over what is the host's.
func jealous() stepper {
	jobs := map[policy.JobID]watchedJob{}
	var buffer []policy.Action
	return func(p policy.Scheduler, ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
		before := clone(ev)
		if ev.Kind == policy.Submitted {
			before.Job = ev.Job // for its text to tell
			jobs[ev.Job.ID] = watchedJob{ev.Job, marshal(ev.Job)}
		}
		sentinel := policy.Action{Kind: policy.Report, Copy: nowhere, At: ev.Time}
		buffer = append(buffer[:0], sentinel)
		got, err := step(p, ev, buffer)
		if err != nil {
			return actions, err
		}
		if len(got) == 0 || !same(&got[0], &sentinel) {
			return actions, errors.New("the action that the slice held before Step is gone")
		}
		if !reflect.DeepEqual(&before, ev) {
			return actions, fmt.Errorf("it changed the event to %s", tell(ev))
		}
		if j, ok := jobs[ev.Copy.Job]; ok && marshal(j.job) != j.text {
			return actions, fmt.Errorf("it changed job %d from %s to %s", j.job.ID, j.text, marshal(j.job))
		}
		actions = append(actions, got[1:]...)
		scramble(ev)
		for i := range got {
			got[i] = policy.Action{Kind: 99, Copy: nowhere, Node: math.MaxUint32}
		}
		buffer = got
		return actions, nil
	}
}

type watchedJob struct {
	job  *policy.Job
	text string // as it was when submitted
}

func marshal(j *policy.Job) string {
	text, err := json.Marshal(j)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

var nowhere = policy.Copy{Task: policy.Task{Job: math.MaxUint32, Stage: math.MaxUint32, Index: math.MaxUint32}, N: math.MaxUint32}

// scramble overwrites an event and what it points to, but for what may be kept: the job
// and the data of a message.
func scramble(ev *policy.Event) {
	for i := range ev.Gang {
		ev.Gang[i] = policy.Share{Node: math.MaxUint32, Tasks: math.MaxUint32}
	}
	if ev.Info != nil {
		scrambleNode(ev.Info)
	}
	*ev = policy.Event{
		Time: math.MinInt64, Kind: 99, Outcome: 99, Copy: nowhere, Node: math.MaxUint32, Partition: math.MaxUint32,
		Service: math.MinInt64, Value: math.NaN(),
	}
}

func scrambleNode(n *policy.Node) {
	*n = policy.Node{ID: math.MaxUint32, Partition: math.MaxUint32, Cores: math.MinInt32, Memory: math.MinInt64, Speed: math.NaN()}
}
