package policytest

// What a policy may do without getting on. Everything is far above what honest ones come to: a hundred events in an
// instant, a dozen while no job is concerned, besides those that they make themselves, and a task started some dozen
// times. The simulator of package sim waits longer for each.
const (
	// Events at one instant: more go round in a circle (No circles).
	maxInstant = 10_000
	// Events one after the other that are about no job or copy.
	maxIdle = 3_000
	// These may be the heartbeats of a policy while a long task runs, or a node is away, and must have
	// lasted for longer than either.
	maxPause = 3600 * s
	// Or be so many, however little time they took, while nothing runs: more than alarms every 0.1 s in maxPause.
	maxWaking = 100_000
	// Copies of a task one after the other, of which none has finished it, and none races another. It is far above
	// the failures and losses of a scene, since a policy may kill what it will start again, but must let it run
	// to its end at some time.
	maxBegun = 1_000
	// Events of a script: it ends there, since a policy may wake itself very often while a task runs.
	maxScripted = 2 * maxWaking
)
