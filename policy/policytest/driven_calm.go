package policytest

import (
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// calm does at once what is asked for until all jobs have ended.
func (h *driven) calm() {
	h.calmed, h.immediate, h.steps, h.idle = true, true, 0, 0
	h.pump()
	for id := 1; id < len(h.nodes) && h.going(); id++ {
		if !h.nodes[id].up {
			h.happens(nodesChange)
			h.join(policy.NodeID(id))
			h.pump()
		}
	}
	h.now = h.now.Add(s)
	h.happens(submissions)
	for len(h.coming) > 0 && h.going() {
		h.submit()
		h.pump()
	}
	for h.going() && slices.ContainsFunc(h.jobs, func(j *drivenJob) bool { return !j.over }) {
		next, some := h.due()
		if !some {
			h.fail(failure("finish", "%s is never finished: nothing is to happen any more", h.left()))
			return
		}
		if h.idle > maxIdle || h.steps > maxSteps {
			next = h.leap(next)
		}
		if next > h.now {
			h.now, h.instant = next, 0
		}
		h.class = ends
		h.ring()
		h.pump()
	}
	if h.going() {
		if err := h.checker.Done(); err != nil {
			h.fail(failed(err))
		}
		h.ended = h.going()
	}
}

// leap returns the instant at which the first copy that runs ends, or else what is due next. The host stands still
// until then (rule Time), so that a policy that wakes itself every nanosecond sees a task of an hour end.
func (h *driven) leap(due policy.Time) policy.Time {
	first, some := due, false
	for _, c := range h.copies {
		if at, ok := h.ends(c); ok && (!some || at < first) {
			first, some = at, true
		}
	}
	return first
}

// circles finds a policy that goes round in a circle, or for ever without getting on.
func (h *driven) circles(part policy.NodeID, ev *policy.Event) bool {
	h.instant++
	h.steps++
	if h.idle++; ev.Copy.Job != 0 && ev.Kind != policy.Refused {
		h.idle = 0
	}
	switch {
	case h.instant > maxInstant && h.blind:
		h.over = true
	case h.instant > maxInstant:
		h.fail(failure("No circles", "%d events at one instant: it goes round in a circle", h.instant))
	case !h.calmed:
	case h.idle > maxIdle && !slices.ContainsFunc(h.copies, h.runs):
		h.fail(failure("finish", "%s is never finished: nothing has become of a job in the last %d events, and nothing runs", h.left(), h.idle))
	case h.steps > 2*maxSteps:
		h.fail(failure("finish", "%s is never finished, though all has gone well for %d events", h.left(), h.steps))
	case ev.Kind == policy.Started && part == 0:
		u := h.job(ev.Copy.Job).unit(ev.Copy)
		others := slices.ContainsFunc(h.copies, func(c *drivenCopy) bool { return c.id.Task == ev.Copy.Task && c.id.N != ev.Copy.N })
		if u.begun++; others {
			u.begun = 0 // a copy that races another may be given up as often as one likes
		}
		if u.begun > maxBegun {
			h.fail(begunTooOften(ev.Copy.Task, u.begun))
		}
	}
	return !h.going()
}

// left names what has not ended, and what is the matter with it.
func (h *driven) left() string {
	for _, j := range h.jobs {
		if !j.over {
			return h.missing(j)
		}
	}
	return "a job"
}

// missing names the first task of a job that has not been finished.
func (h *driven) missing(j *drivenJob) string {
	for i := range j.units {
		for k := range j.units[i] {
			task, u := policy.Task{Job: j.spec.ID, Stage: uint32(i), Index: uint32(k)}, &j.units[i][k]
			if u.done {
				continue
			}
			t := taskState{asked: u.open > 0, ready: j.ready[i], last: u.last}
			for _, c := range h.copies {
				if c.id.Task == task {
					t.stands, t.runs = t.stands || c.stands, t.runs || !c.stands
				}
			}
			return t.of(task)
		}
	}
	return fmt.Sprintf("job %d", j.spec.ID)
}
