package wing_test

import (
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/workload"
)

// Every ranker, in queues of organisations and in one.
func FuzzScheduler(f *testing.F) {
	byUser := func(_, user string) (float64, bool) {
		return map[string]float64{"user0": 3, "user2": 1}[user], user != "user1"
	}
	raised := func(j *policy.Job) []wing.Dependent {
		return []wing.Dependent{{Queue: j.Queue, Priority: float64(j.ID % 3), After: 10 * s}}
	}
	var configs []policytest.Config
	for _, c := range []wing.Config{
		{Ranker: wing.ByPriority()},
		{Ranker: wing.ByPriority(), Queues: organisations(), Inherit: wing.FromQueue},
		{Ranker: jobtest.Must(wing.NewMIL(wing.MILConfig{Value: hourglass})), Queues: organisations()},
		{Ranker: jobtest.Must(wing.NewLookup(wing.LookupConfig{Efficiency: byUser}))},
		{Ranker: jobtest.Must(wing.NewRaise(wing.RaiseConfig{Ranker: wing.ByPriority(), Dependents: raised, LeadTime: 5 * s})), Inherit: wing.FromAll},
		{Ranker: falling{}, Queues: organisations(), Inherit: wing.FromAll},
	} {
		configs = append(configs, policytest.Config{Prepare: inOrganisations, New: func(policy.Truth) (policy.Scheduler, error) {
			return wing.NewScheduler(c)
		}})
	}
	policytest.Fuzz(f, configs...)
}

// inOrganisations gives a job to one of the queues, or to one that there is not.
func inOrganisations(j *workload.Job) {
	names := []string{"ads", "search", "ads/daily", "ads/trial", "elsewhere", ""}
	j.Queue = names[int(j.ID)%len(names)]
}
