package policytest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/augur/policy"
)

// vigil looks at all parts of a run together.
type vigil struct {
	shadows []*shadow
	world   *world // for them
	books   *ledger
	most    int // events; 0: as many as there are
	now     policy.Time
	instant int         // events since the time went on
	last    policy.Time // of an event about a job or a copy, or of the first
	idle    int         // events since then

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

// watch takes note of an event, and finds a policy that goes round in a circle, before the simulator does.
func (v *vigil) watch(part policy.NodeID, ev *policy.Event) error {
	v.books.told(part, ev)
	if v.seen == 0 {
		v.now, v.last = ev.Time, ev.Time
	}
	r := &v.recent[v.seen%recentSteps]
	v.seen++
	r.part, r.event, r.actions = part, *ev, r.actions[:0]
	r.event.Job, r.event.Info, r.event.Gang = nil, nil, slices.Clone(ev.Gang)
	if ev.Time > v.now {
		v.now, v.instant = ev.Time, 0
	}
	if v.idle++; ev.Copy.Job != 0 && ev.Kind != policy.Refused {
		v.last, v.idle = ev.Time, 0
	}
	if v.instant++; v.instant > maxInstant {
		return failure("No circles", "%d events at the instant %v s: it goes round in a circle, and last %s", v.instant, v.now.Seconds(), v.answered())
	}
	if v.idle > maxIdle && v.now.Sub(v.last) > maxPause || v.idle > maxWaking && !v.books.running() {
		return failure("finish", "%s is never finished: the last %d events, from %v s to %v s, were about no job",
			v.books.unfinished(), v.idle, v.last.Seconds(), v.now.Seconds())
	}
	if j := v.books.jobs[ev.Copy.Job]; j != nil && ev.Kind == policy.Started && j.begun[ev.Copy.Task] > maxBegun {
		return begunTooOften(ev.Copy.Task, j.begun[ev.Copy.Task])
	}
	return nil
}

// acted takes note of what a part has answered an event, which its shadows are then told.
func (v *vigil) acted(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
	if len(actions) > 0 {
		r := &v.recent[(v.seen-1)%recentSteps]
		r.actions = append(r.actions, actions...)
		for i := range actions {
			v.books.acted(part, &actions[i])
		}
		if v.books.watch != nil {
			v.books.decided()
		}
	}
	for _, sh := range v.shadows {
		if err := sh.told(part, ev, actions); err != nil {
			return err
		}
	}
	if len(v.shadows) > 0 && part == 0 {
		v.world.observe(ev)
	}
	if v.most > 0 && v.seen > v.most {
		return errEnough
	}
	return nil
}

// answered says what the last event with an answer was, and the first action of that.
func (v *vigil) answered() string {
	for k := range min(v.seen, recentSteps) {
		r := &v.recent[(v.seen-1-k)%recentSteps]
		if len(r.actions) == 0 {
			continue
		}
		answer := r.actions[0].Kind.String()
		if r.actions[0].Copy.Job != 0 {
			answer += " of " + r.actions[0].Copy.String()
		}
		return fmt.Sprintf("answered %v with %s", r.event.Kind, answer)
	}
	return "answered nothing"
}

// story writes the last steps, oldest first.
func (v *vigil) story() string {
	var b strings.Builder
	b.WriteString("\nlast events and actions:")
	for i := max(0, v.seen-recentSteps); i < v.seen; i++ {
		r := &v.recent[i%recentSteps]
		fmt.Fprintf(&b, "\n\t%v s, ", r.event.Time.Seconds())
		if r.part != 0 {
			fmt.Fprintf(&b, "node %d: ", r.part)
		}
		b.WriteString(tell(&r.event))
		for k := range r.actions[:min(len(r.actions), 4)] {
			b.WriteString("\n\t\t-> " + text(&r.actions[k]))
		}
		if n := len(r.actions) - 4; n > 0 {
			fmt.Fprintf(&b, "\n\t\t-> and %d more", n)
		}
	}
	return b.String()
}
