package wing_test

import (
	"testing"

	"example.com/augur/dag/value"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

const s = policy.Duration(1e9)

// organisations are queues in two levels, one with hard boundaries and one without a guarantee.
func organisations() []wing.Queue {
	return []wing.Queue{
		{Name: "ads", Share: queue.Share{Guaranteed: 0.5}},
		{Name: "search", Share: queue.Share{Guaranteed: 0.3, Maximum: 0.3}},
		{Name: "ads/daily", Parent: "ads", Share: queue.Share{Guaranteed: 0.75, Maximum: 0.9}},
		{Name: "ads/trial", Parent: "ads"},
	}
}

// falling is a ranker whose priorities change at every half second.
type falling struct{}

func (falling) Rank(j *policy.Job, now policy.Time) (float64, policy.Time) {
	k := int64(now) / int64(s/2)
	return float64((k + 3*int64(j.ID)) % 7), policy.Time((k + 1) * int64(s/2))
}

// The Scheduler keeps to the contract under every ranker, forgets nothing and allocates nothing in the steady state.
//
// Whatever fits is started at once, but for what is in a queue that is full.
func TestConformance(t *testing.T) {
	names := []string{"ads", "search", "ads/daily", "ads/trial", "elsewhere", ""}
	prepare := func(j *workload.Job) {
		j.Queue = names[int(j.ID)%len(names)]
		j.Priority = float64(j.ID % 5)
	}
	for _, test := range []struct {
		name string
		c    wing.Config
	}{
		{"PRIO", wing.Config{Ranker: wing.ByPriority()}},
		{"queues", wing.Config{Ranker: wing.ByPriority(), Queues: organisations()}},
		{"MIL", wing.Config{Ranker: jobtest.Must(wing.NewMIL(wing.MILConfig{Value: hourglass})), Queues: organisations()}},
		{"falling", wing.Config{Ranker: falling{}, Queues: organisations(), Inherit: wing.FromAll}},
	} {
		t.Run(test.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{Prepare: prepare, Keeps: full, New: func(policy.Truth) (policy.Scheduler, error) {
				return wing.NewScheduler(test.c)
			}})
		})
	}
}

// full reports whether a job's queue uses its maximum. (Of these none lies in one that has a maximum too.)
func full(p policy.Scheduler, task policy.Task, _ policy.NodeID) bool {
	use, maximum, ok := p.(*wing.Scheduler).Use(task.Job)
	return ok && use+1 > maximum
}

// hourglass says that jobs lose a tenth of their value every second after submission.
func hourglass(j *policy.Job) (wing.Valuation, bool) {
	return wing.Valuation{Value: sand, Origin: j.Submitted, Runtime: s, Work: float64(j.Tasks())}, j.ID%4 > 0
}

var sand = func() value.Function {
	var drops []value.Drop
	for k := range int64(10) {
		drops = append(drops, value.Drop{At: (k+1)*int64(s) - 1, Value: 1})
	}
	return jobtest.Must(value.NewFunction(0, drops))
}()

// steps returns a value function: it is values[i] up to times[i], and after the last of times the value that is left.
func steps(times []int64, values []float64) value.Function {
	var drops []value.Drop
	for i, at := range times {
		drops = append(drops, value.Drop{At: at, Value: values[i] - values[i+1]})
	}
	return jobtest.Must(value.NewFunction(values[len(times)], drops))
}
