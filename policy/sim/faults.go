package sim

import (
	"fmt"
	"math"

	"example.com/augur/internal/luck"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// Faults is a plan of what goes wrong. The zero value is a perfect world; Result.Faults counts what went wrong. The
// plan and its seed alone decide what happens. The random numbers of a node depend on its ID; those of a copy on its
// job, stage, index and number; those of a message on the order of posts; and those of an action on its kind, its
// copy, and how often that was asked before. The clock starts at the first submission: what is planned for an earlier
// instant happens then.
type Faults struct {
	Seed uint64
	// Luck, if not nil, replaces each number from [0, 1) that is drawn from Seed. Equal numbers must give equal ones.
	// A script uses it to decide what goes wrong.
	Luck func(u float64) float64

	// MeanUp is, of each node, the mean time until it is lost, and MeanDown until it is back; both are exponentially
	// distributed. With a MeanUp of 128 h, 128 nodes lose one an hour in all. Work that takes many times MeanUp over the number
	// of its nodes never finishes, unless it saves, and ends the run with an error, late. The next copy of a straggler has other
	// luck, so losses may shorten jobs that have Luck. MeanUp 0: no node is lost by chance; else MeanDown must be above 0 too.
	MeanUp, MeanDown policy.Duration
	// Outages are losses of nodes at chosen instants. An Outage of a node that is already gone has no effect.
	Outages []Outage

	// TaskFailure is the probability, 0 to 1, that a copy fails, at a point of its runtime that is drawn uniformly.
	// TaskEviction is the probability that the host ends it there although its node stays: as Killed or, as often, as
	// Lost. Their sum is at most 1. A copy that the host kills is saved before, if its stage Saves.
	TaskFailure, TaskEviction float64
	// SaveFails is the probability that saving a copy fails: what was saved of its task before stays.
	SaveFails float64
	// PostLoss, PostLate and PostEarly are the probabilities that a posted message is lost, is late by an
	// exponentially distributed time with mean MeanLate, or takes only a part of Config.Delay, drawn uniformly, and
	// so overtakes earlier reports and messages. Their sum is at most 1. PostTwice is the probability that the
	// message arrives once more, late, whether or not it arrived the first time. All four concern only policies that
	// Post: of this library, those of package kairos.
	PostLoss, PostLate, PostEarly, PostTwice float64
	MeanLate                                 policy.Duration

	// ActionLate is the probability that the host carries out an action late, by an exponentially distributed time
	// with mean MeanSlip. Rule Order of package policy still holds: actions on the same copy, or naming the same node,
	// wait for each other. Posts have faults of their own.
	ActionLate float64
	MeanSlip   policy.Duration

	// MeanSteady is the mean time until the clock jumps, and MeanJump the mean jump; both are exponentially
	// distributed. MeanSteady 0: the clock does not jump by chance; else MeanJump must be above 0 too.
	MeanSteady, MeanJump policy.Duration
	// Jumps are jumps at chosen instants.
	Jumps []Jump

	// Cancels are jobs that their users cancel.
	Cancels []Cancel
	// Restarts are instants at which host and policy stop and come back with nothing but the present state (see
	// package policy). NewPolicy makes the policies after the restarts.
	Restarts  []policy.Time
	NewPolicy func() (policy.Scheduler, error)
}

// An Outage is the loss of a node and its return.
type Outage struct {
	Node policy.NodeID
	At   policy.Time
	For  policy.Duration // how long the node is away; 0: for ever, it does not come back
}

// A Cancel cancels a job. It has no effect before the job is submitted and after it has ended.
type Cancel struct {
	Job policy.JobID
	At  policy.Time
}

// A Jump is a time, from At on, in which the host stands still: it reports nothing and does nothing. Everything that
// falls into it happens at its end, in the order of rule Time. A copy that should have ended meanwhile ends at the
// end of the jump, and its service counts until then: the host's clock has jumped too.
type Jump struct {
	At  policy.Time
	For policy.Duration
}

func (f *Faults) validate(nodes []policy.Node) error {
	for _, p := range []struct {
		name string
		x    float64
	}{
		{"TaskFailure", f.TaskFailure}, {"TaskEviction", f.TaskEviction}, {"TaskFailure + TaskEviction", f.TaskFailure + f.TaskEviction},
		{"PostLoss", f.PostLoss}, {"PostLate", f.PostLate}, {"PostEarly", f.PostEarly}, {"PostTwice", f.PostTwice},
		{"PostLoss + PostLate + PostEarly", f.PostLoss + f.PostLate + f.PostEarly},
		{"ActionLate", f.ActionLate}, {"SaveFails", f.SaveFails},
	} {
		if !(p.x >= 0 && p.x <= 1) {
			return fmt.Errorf("sim: Faults.%s is %v, want a probability of 0 to 1", p.name, p.x)
		}
	}
	switch {
	case f.MeanUp < 0:
		return fmt.Errorf("sim: Faults.MeanUp is %v, want at least 0", f.MeanUp)
	case f.MeanUp > 0 && f.MeanDown <= 0:
		return fmt.Errorf("sim: Faults.MeanDown is %v, want above 0 where MeanUp is", f.MeanDown)
	case (f.PostLate > 0 || f.PostTwice > 0) && f.MeanLate <= 0:
		return fmt.Errorf("sim: Faults.MeanLate is %v, want above 0 where PostLate or PostTwice is", f.MeanLate)
	case f.ActionLate > 0 && f.MeanSlip <= 0:
		return fmt.Errorf("sim: Faults.MeanSlip is %v, want above 0 where ActionLate is", f.MeanSlip)
	case f.MeanSteady < 0:
		return fmt.Errorf("sim: Faults.MeanSteady is %v, want at least 0", f.MeanSteady)
	case f.MeanSteady > 0 && f.MeanJump <= 0:
		return fmt.Errorf("sim: Faults.MeanJump is %v, want above 0 where MeanSteady is", f.MeanJump)
	case len(f.Restarts) > 0 && f.NewPolicy == nil:
		return fmt.Errorf("sim: Faults.NewPolicy is nil, want a function that makes a policy for each of %d restarts", len(f.Restarts))
	}
	for i, c := range f.Cancels {
		if c.Job == 0 {
			return fmt.Errorf("sim: Faults.Cancels[%d] is of job 0, want at least 1", i)
		}
	}
	for i, j := range f.Jumps {
		if j.For < 0 || j.For > policy.Time(math.MaxInt64).Sub(j.At) {
			return fmt.Errorf("sim: Faults.Jumps[%d] is for %v, want at least 0, and an end that fits into policy.Time", i, j.For)
		}
	}
	for i, o := range f.Outages {
		if o.Node == 0 || int64(o.Node) > int64(len(nodes)) {
			return fmt.Errorf("sim: Faults.Outages[%d] is of node %d, want 1 to %d", i, o.Node, len(nodes))
		}
		if o.For < 0 {
			return fmt.Errorf("sim: Faults.Outages[%d] is for %v, want at least 0, which means for ever", i, o.For)
		}
	}
	return nil
}

// What luck is drawn for: see package luck.
const (
	luckBreaks = iota + 1
	luckPoint
	luckPost
	luckLate
	luckNode
	luckTwice
	luckAgain
	luckSlip
	luckSlipFor
	luckAlarm
	luckSteady
	luckJump
	luckSave
)

// luck returns a number from [0, 1).
func (f *Faults) luck(what uint64, key ...uint64) float64 {
	u := luck.Uniform(f.Seed, what, key...)
	if f.Luck != nil {
		u = f.Luck(u)
	}
	return u
}

// breaks returns how a copy ends early and after which part of its runtime, and kind 0 if it does not.
func (f *Faults) breaks(c policy.Copy) (part float64, kind policy.EventKind) {
	if f.TaskFailure == 0 && f.TaskEviction == 0 {
		return 0, 0
	}
	job, task := uint64(c.Job)<<32|uint64(c.Stage), uint64(c.Index)<<32|uint64(c.N)
	switch u := f.luck(luckBreaks, job, task) - f.TaskFailure; {
	case u < 0:
		kind = policy.Failed
	case u < f.TaskEviction/2:
		kind = policy.Killed
	case u < f.TaskEviction:
		kind = policy.Lost
	default:
		return 0, 0
	}
	return f.luck(luckPoint, job, task), kind
}

// savingFails reports whether saving a copy fails.
func (f *Faults) savingFails(c policy.Copy) bool {
	return f.SaveFails > 0 && f.luck(luckSave, uint64(c.Job)<<32|uint64(c.Stage), uint64(c.Index)<<32|uint64(c.N)) < f.SaveFails
}

// exponential maps a number from [0, 1) to an exponential distribution.
func exponential(mean policy.Duration, u float64) policy.Duration {
	return saturate.To[policy.Duration](min(-math.Log1p(-u)*float64(mean), math.MaxInt64/4))
}
