package policytest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/augur/policy"
)

// monitor watches all parts of a run together.
type monitor struct {
	replicas []*replica
	world    *world // for them
	watch    *watch // for room that stands empty, if not nil
	most     int    // events; 0: as many as there are

	declared []policy.ActionKind // that the policy may return; nil: it does not say

	now     policy.Time
	instant int         // events since the time went on
	last    policy.Time // of an event about a job or a copy, or of the first
	idle    int         // events since then

	jobs    map[policy.JobID]policy.Event // those that have not ended, and what the centre was told of a copy of them last
	runs    int                           // copies that run, as the centre has heard
	alive   map[policy.Task]int           // copies of a task that run or stand
	begun   map[policy.Task]int           // that were started one after the other, and no more of the task was saved
	saved   map[policy.Task]policy.Duration
	stalled string // the first job that the simulator gave up

	recent [recentSteps]recentStep
	seen   int
}

const recentSteps = 16

var errEnough = errors.New("the scene is long enough")

// A recentStep is one of the last steps, for the text of a failure.
type recentStep struct {
	part    policy.NodeID
	event   policy.Event
	actions []policy.Action
}

// restart forgets what the centre knew: it will be told anew.
func (v *monitor) restart() {
	v.jobs, v.runs = map[policy.JobID]policy.Event{}, 0
	v.alive, v.begun, v.saved = map[policy.Task]int{}, map[policy.Task]int{}, map[policy.Task]policy.Duration{}
	v.world.restart()
	if v.watch != nil {
		v.watch.restart()
	}
}

// told takes note of an event, and finds a policy that goes round in a circle, before the simulator does.
func (v *monitor) told(part policy.NodeID, ev *policy.Event) error {
	if v.watch != nil {
		v.watch.told(part, ev)
	}
	if v.seen == 0 {
		v.now, v.last = ev.Time, ev.Time
	}
	r := &v.recent[v.seen%recentSteps]
	v.seen++
	r.part, r.event, r.actions = part, brief(ev), r.actions[:0]
	if ev.Time > v.now {
		v.now, v.instant = ev.Time, 0
	}
	if v.idle++; ev.Copy.Job != 0 && ev.Kind != policy.Refused {
		v.last, v.idle = ev.Time, 0
	}
	if v.instant++; v.instant > maxInstant {
		return failure("No circles", "%d events at the instant %v s: it goes round in a circle", v.instant, v.now.Seconds())
	}
	if v.idle > maxIdle && (v.runs == 0 || v.now.Sub(v.last) > maxPause) {
		return failure("finish", "%s, is never finished: the last %d events, from %v s to %v s, were about no job",
			v.unfinished(), v.idle, v.last.Seconds(), v.now.Seconds())
	}
	if v.most > 0 && v.seen > v.most {
		return errEnough
	}
	if part == 0 && ev.Copy.Job != 0 {
		return v.count(ev)
	}
	return nil
}

// count takes note of what the centre is told of jobs and copies.
func (v *monitor) count(ev *policy.Event) error {
	task := ev.Copy.Task
	if ev.Kind == policy.Submitted || ev.Kind == policy.Started || ev.Kind == policy.Refused || ev.Kind.End() {
		v.jobs[task.Job] = brief(ev)
	}
	switch {
	case ev.Kind == policy.Started:
		v.runs++
		if v.begun[task]++; v.alive[task] > 0 {
			v.begun[task] = 0
		}
		if v.alive[task]++; v.begun[task] > maxBegun {
			return failure("finish", "task %v is never finished: %d copies of it have run one after the other", task, v.begun[task])
		}
	case ev.Kind == policy.Suspended && !ev.Idle:
		v.runs--
	case ev.Kind == policy.Resumed:
		v.runs++
	case ev.Kind.End() && !ev.Replay:
		if ev.Saved > v.saved[task] {
			v.saved[task], v.begun[task] = ev.Saved, 0
		}
		if ev.Kind == policy.Lost { // the host's doing: a long task on a node that serves many in turn may be lost very often
			v.begun[task]--
		}
		v.alive[task]--
		if !ev.Idle {
			v.runs--
		}
	case ev.Kind == policy.Ended:
		if ev.Outcome == policy.Stalled && v.stalled == "" {
			v.stalled = v.unfinished()
		}
		delete(v.jobs, task.Job)
	}
	return nil
}

// unfinished names the first job that has not ended, and says what was heard of it last.
func (v *monitor) unfinished() string {
	first := policy.JobID(0)
	for id := range v.jobs {
		if first == 0 || id < first {
			first = id
		}
	}
	ev := v.jobs[first]
	if ev.Kind == policy.Submitted {
		return fmt.Sprintf("job %d, no copy of which was ever started", first)
	}
	return fmt.Sprintf("job %d, whose copy %v was last %v", first, ev.Copy, ev.Kind)
}

// brief copies an event, but for its job and node.
func brief(ev *policy.Event) policy.Event {
	b := *ev
	b.Job, b.Info, b.Gang = nil, nil, slices.Clone(ev.Gang)
	return b
}

// acted takes note of what a part has answered an event, which its replicas are then told.
func (v *monitor) acted(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
	r := &v.recent[(v.seen-1)%recentSteps]
	r.actions = append(r.actions, actions...)
	for i := range actions {
		if v.declared != nil && !slices.Contains(v.declared, actions[i].Kind) {
			return failure("Legal start", "%v, which is not among the Actions that the policy declares", actions[i].Kind)
		}
	}
	if v.watch != nil {
		for i := range actions {
			v.watch.acted(part, &actions[i])
		}
	}
	for _, sh := range v.replicas {
		if err := sh.told(part, ev, actions); err != nil {
			return err
		}
	}
	if len(v.replicas) > 0 && part == 0 {
		v.world.observe(ev)
	}
	return nil
}

// story writes the last steps, oldest first.
func (v *monitor) story() string {
	var b strings.Builder
	b.WriteString("\nlast events and actions:")
	for i := max(0, v.seen-recentSteps); i < v.seen; i++ {
		r := &v.recent[i%recentSteps]
		fmt.Fprintf(&b, "\n\t%v s, ", r.event.Time.Seconds())
		if r.part != 0 {
			fmt.Fprintf(&b, "node %d: ", r.part)
		}
		b.WriteString(tell(&r.event))
		if len(r.actions) > 0 {
			b.WriteString("\n\t\t-> " + list(r.actions))
		}
	}
	return b.String()
}

// Limits on what a policy may do without progress. All are far above what honest policies need: a hundred events in
// an instant, a dozen that concern no job, besides their own, and a task started some dozen times. The simulator of
// package sim waits longer for each.
const (
	// Events at one instant: more go round in a circle (No circles).
	maxInstant = 10_000
	// Events one after the other that are about no job or copy: more than alarms every 0.1 s in maxPause.
	maxIdle = 100_000
	// While a copy runs, they may be the heartbeats of a policy, and must have lasted for longer than any task does.
	maxPause = 3600 * s
	// Copies of a task one after the other. One that was Lost does not count, and one that saved more, or raced another, begins the
	// count anew. It is far above the failures of a scene: a policy may kill what it will start again, but must let
	// it run to its end at some time.
	maxBegun = 1_000
	// Events of a script: it ends there, since a policy may wake itself very often while a task runs.
	maxScripted = 2 * maxIdle
)
