package policytest

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
)

// bubble makes cases of a check for which the clock stands still, unless the check itself sleeps.
func bubble(check func(c *Config, seed uint64) *finding) []testCase {
	return seeds(replicated, func(t *testing.T, c *Config, seed uint64) (f *finding) {
		synctest.Test(t, func(*testing.T) { f = check(c, seed) })
		return f
	})
}

// follows makes cases of scenes with a replica.
func follows(replica func() *replica) []testCase {
	return bubble(func(c *Config, seed uint64) *finding { return c.follow(seed, replica()) })
}

// repeatCases give several policies the same events. If their answers differ, the other kinds of replicas prove nothing.
func repeatCases() []testCase {
	return bubble(func(c *Config, seed uint64) *finding {
		var twins []*replica
		for range 4 {
			twins = append(twins, &replica{rule: "repeat", says: "policies side by side answer the same events differently"})
		}
		return c.follow(seed, twins...)
	})
}

// clockCases let the clock go on between a policy and its replica, by anything from a nanosecond to a month. The clock is that
// of a bubble.
func clockCases() []testCase {
	return follows(func() *replica {
		start, events := time.Now(), 0
		return &replica{rule: "clock", says: "its answers change if the clock goes on between the events", before: func(sh *replica, _ policy.NodeID, _ *policy.Event) error {
			time.Sleep(time.Duration(1) << (events * 7 % 52))
			events++
			sh.says = fmt.Sprintf("its answers change if the clock goes on between the events (by %v since the first)", time.Since(start))
			return nil
		}}
	})
}

// partCases replay the events of each part of a distributed policy while the other parts hear nothing, as if each were on a machine
// of its own. If its answers change, it learns from the others without messages.
func partCases() []testCase {
	return follows(func() *replica {
		return &replica{rule: "shared", says: "its answers change if the other parts hear nothing", alone: true}
	})
}

// eventCases overwrite each event of a replica as soon as Step returns, to find a policy that keeps it, and check that the
// policy does not change the host's data.
func eventCases() []testCase {
	return follows(func() *replica {
		return &replica{rule: "events", says: "events were overwritten after Step", step: jealous(), made: scrambleNode}
	})
}

// jealous returns a step that keeps watch over what is the host's.
func jealous() stepper {
	type watched struct{ job, was *policy.Job }
	jobs := map[policy.JobID]watched{}
	var buffer []policy.Action
	return func(p policy.Scheduler, ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
		before := clone(ev)
		if ev.Kind == policy.Submitted {
			before.Job = ev.Job // for its text to tell
			jobs[ev.Job.ID] = watched{ev.Job, cloneJob(ev.Job)}
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
		if j, ok := jobs[ev.Copy.Job]; ok && !reflect.DeepEqual(j.job, j.was) {
			return actions, fmt.Errorf("it changed job %d from %s to %s", j.was.ID, text(j.was), text(j.job))
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
