package policytest_test

import (
	"errors"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/workload"
)

// What the suite promises.
func TestPromises(t *testing.T) {
	t.Run("a policy that keeps to the contract passes", policies)
	t.Run("each broken policy is found out, for its own reason and no other", brokenPolicies)
	t.Run("there is a broken policy for each rule", everyRuleIsBroken)
	t.Run("an order that breaks a promise is found out", brokenOrders)
	t.Run("a bad Config is named", badConfig)
}

// Those of package baseline pass too, as its own tests show.
func policies(t *testing.T) {
	for _, test := range []struct {
		name string
		c    policytest.Config
	}{
		{"the example", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return newFewest(), nil }}},
		{"a distributed one", policytest.Config{
			New:     func(policy.Truth) (policy.Scheduler, error) { return newAssigner(), nil },
			Prepare: bags, Allocates: true, NodePatience: ownQueues,
		}},
	} {
		t.Run(test.name, func(t *testing.T) { policytest.Test(t, test.c) })
	}
}

func badConfig(t *testing.T) {
	for _, test := range []struct {
		c    policytest.Config
		says string
	}{
		{policytest.Config{}, "bad Config, in the configuration: Config.New is nil"},
		{policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return nil, nil }}, "Config.New: it returned neither a policy nor an error"},
		{policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return nil, errors.New("no luck") }}, "no luck"},
		{policytest.Config{
			New:     func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil },
			Prepare: func(j *workload.Job) { j.Stages = nil },
		}, "Config.Prepare: policy: job 1 has no stages"},
		{policytest.Config{
			New:     func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil },
			Prepare: func(j *workload.Job) { j.ID = 7 },
		}, "Config.Prepare: of job 1, submitted at 0 s, it has made job 7"},
		{policytest.Config{
			New:     func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil },
			Prepare: func(j *workload.Job) { j.Submitted += 1e9 },
		}, "Config.Prepare: of job 1, submitted at 0 s, it has made job 1, submitted at 1 s"},
		{policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }, Patience: -1}, "Config.Patience is -1ns"},
		{policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }, Patience: 2, NodePatience: 1}, "Config.NodePatience is 1ns"},
	} {
		err := policytest.Check(t, test.c)
		f, ok := errors.AsType[*policytest.Failure](err)
		if !ok || f.Rule != "config" || !strings.Contains(f.Error(), test.says) {
			t.Errorf("error %v, want one of rule config that says %q", err, test.says)
		}
	}
}
