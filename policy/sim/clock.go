package sim

import (
	"fmt"
	"math"

	"example.com/augur/policy"
)

// A clock knows what time it is in a run, what is due when, and for how long nothing has changed.
type clock struct {
	now, begin policy.Time // begin is the first submission
	agenda     agenda
	cancelled  map[ticket]struct{} // entries of the agenda that will not happen
	made       uint64              // entries so far
	external   int                 // entries to come that are external
	idle       int                 // events told since something last changed
	spin       int                 // events told at this instant since a job or copy came or went
	failed     error               // what ends the run
}

// A ticket names an entry of the agenda that may be cancelled. The zero ticket names none.
type ticket uint32

// A happening is a kind of entry.
type happening uint8

const (
	copyDue    happening = iota // a copy has run for as long as it should
	copyFreed                   // the cost of a Suspend has passed
	copyBack                    // the cost of a Resume has passed
	copyLoaded                  // a copy that goes on from a save may work
	copySaved                   // a copy to be killed has been saved
	restarts
	nodeFails
	nodeBack
	chanceFails // nodeFails by chance
	chanceBack
	askDue
	alarmDue
	lateAlarmDue // the same, of a host that is late
	mailAside
	jobCancelled
	slipDue
)

// class orders what happens in one instant (rule Time of package policy). What comes over the wires happens between
// the classes: reports and orders after class 1, mail after class 3, and jobs after class 4. Actions that the host
// carries out late count as answers: they come last.
func (h happening) class() uint64 {
	switch h {
	case copyDue, copyFreed, copyBack, copyLoaded, copySaved:
		return 0
	case restarts, nodeFails, nodeBack, chanceFails, chanceBack:
		return 1
	case askDue:
		return 2
	case alarmDue, lateAlarmDue:
		return 3
	case slipDue:
		return 5
	default:
		return 4
	}
}

// external reports whether an event will happen whatever the policy does from now on, and may help. If no such event
// is left, and the policy only talks to itself, the run has stalled. Outages by chance do not count, since they never
// end.
func (h happening) external() bool {
	switch h {
	case askDue, alarmDue, lateAlarmDue, mailAside, restarts, nodeFails, chanceFails, chanceBack:
		return false
	}
	return true
}

// fail keeps the first error, which ends the run.
func (c *clock) fail(err error) {
	if c.failed == nil {
		c.failed = err
	}
}

// changed records that something has happened to a job or a copy.
func (c *clock) changed() { c.idle, c.spin = 0, 0 }

// after schedules an event after a delay. index is that of the copy, node, ask, message or fault concerned.
func (c *clock) after(d policy.Duration, what happening, index uint32) ticket {
	if d > policy.Time(math.MaxInt64).Sub(c.now) {
		c.fail(fmt.Errorf("sim: at %v s, %v more do not fit into policy.Time", c.now.Seconds(), d))
	}
	return c.at(c.now.Add(d), what, index)
}

func (c *clock) at(at policy.Time, what happening, index uint32) ticket {
	if c.made++; ticket(c.made) == 0 {
		c.made++
	}
	if what.external() {
		c.external++
	}
	c.agenda.push(timed{at, what.class()<<56 | c.made, index, what})
	return ticket(c.made)
}

// cancel takes back the event of a copy, if it is still to come.
func (c *clock) cancel(t *ticket) {
	if *t != 0 {
		c.external--
		c.cancelAlarm(t)
	}
}

// cancelAlarm takes back an alarm, if there is one. Its entry stays in the agenda until it comes up, or until such
// entries are the majority.
func (c *clock) cancelAlarm(t *ticket) {
	if *t == 0 {
		return
	}
	c.cancelled[*t] = struct{}{}
	*t = 0
	if n := len(c.cancelled); n > 64 && 2*n > len(c.agenda) {
		c.agenda.drop(c.cancelled)
		clear(c.cancelled)
	}
	c.prune()
}

// next returns what is due next, nil if there is nothing.
func (c *clock) next() *timed {
	if len(c.agenda) == 0 {
		return nil
	}
	return &c.agenda[0]
}

// prune takes out what is cancelled until the first entry is not.
func (c *clock) prune() {
	for len(c.cancelled) > 0 && len(c.agenda) > 0 {
		t := c.agenda[0].ticket()
		if _, gone := c.cancelled[t]; !gone {
			return
		}
		delete(c.cancelled, t)
		c.agenda.pop()
	}
}

// take takes out the next event, and returns false if it is not due now or is of a later class.
func (c *clock) take(class uint64) (t timed, ok bool) {
	first := c.next()
	if first == nil || first.at > c.now || first.order>>56 > class {
		return timed{}, false
	}
	t = *first
	c.agenda.pop()
	c.prune()
	if t.what.external() {
		c.external--
	}
	return t, true
}

// postpone moves what is due before an instant to that instant, in the order of rule Time.
func (c *clock) postpone(to policy.Time) {
	var due []timed
	for len(c.agenda) > 0 && c.agenda[0].at < to {
		due = append(due, c.agenda[0])
		c.agenda.pop()
	}
	for _, t := range due {
		t.at = to
		c.agenda.push(t)
	}
	c.prune()
}
