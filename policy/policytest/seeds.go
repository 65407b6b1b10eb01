package policytest

import (
	"flag"
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// seedsFlag is for how many seeds each kind of random scene is tried.
var seedsFlag = flag.Uint64("policytest.seeds", 20, "for how many seeds package policytest tries each kind of random scene")

// randomSeeds returns for how many seeds.
func randomSeeds() uint64 { return *seedsFlag }

// A tally counts what a suite has run.
type tally struct {
	runs, jobs int
	events     int64
	faults     sim.FaultCount

	node, whole     policy.Duration // for how long room has stood empty beside work, at most
	passed, counted policy.Duration // as of a watch
}

// look takes note of a scene in which somebody has looked for room that stands empty.
func (t *tally) look(w *watch, perNode bool) {
	t.whole = max(t.whole, w.whole.span)
	if perNode {
		t.node = max(t.node, w.node.span)
	}
	t.passed, t.counted = t.passed+w.passed, t.counted+w.counted
}

func (t *tally) add(r *sim.Result) {
	t.runs++
	t.jobs += len(r.Jobs)
	t.events += r.Events
	f, g := &t.faults, &r.Faults
	f.Outages += g.Outages
	f.Failures += g.Failures
	f.PostsLost += g.PostsLost
	f.PostsLate += g.PostsLate
	f.PostsEarly += g.PostsEarly
	f.PostsTwice += g.PostsTwice
	f.ActionsLate += g.ActionsLate
	f.ActionsForgotten += g.ActionsForgotten
	f.Jumps += g.Jumps
	f.Cancels += g.Cancels
	f.Restarts += g.Restarts
}

// String says it in a line.
func (t *tally) String() string {
	f := &t.faults
	return fmt.Sprintf("%d runs of %d jobs and %d events, with %d nodes lost, %d copies broken, %d posts lost, %d late, %d early, %d doubled, "+
		"%d actions late, %d forgotten, %d jumps of the clock, %d jobs taken back, %d restarts; room stood empty beside work for %.3f s "+
		"at most on one node, and for %.3f s in all, as far as it counts, which is %.0f %% of the time",
		t.runs, t.jobs, t.events, f.Outages, f.Failures, f.PostsLost, f.PostsLate, f.PostsEarly, f.PostsTwice,
		f.ActionsLate, f.ActionsForgotten, f.Jumps, f.Cancels, f.Restarts, t.node.Seconds(), t.whole.Seconds(), 100*t.counted.Seconds()/max(1, t.passed.Seconds()))
}
