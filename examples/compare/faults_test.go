package main

import (
	"flag"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Every policy that there is keeps to the contract, finishes what can be finished and lets no room stand
// empty against its own rule, whatever goes wrong. -policytest.seeds says for how many seeds of each kind
// of scene; here it is 2 unless it is given, as the packages of the policies have tests of their own.
func TestEveryPolicyUnderFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	seeds := flag.Lookup("policytest.seeds")
	if old := seeds.Value.String(); old == seeds.DefValue {
		set := func(value string) {
			if err := seeds.Value.Set(value); err != nil {
				t.Fatal(err)
			}
		}
		set("2")
		defer set(old)
	}
	var lake setting
	withLake(t, &lake)
	for _, c := range contenders {
		t.Run(c.name, func(t *testing.T) {
			s := lake
			if !c.lake {
				s = setting{}
			}
			s.seed, s.classes, s.kairos, s.hopper = 1, classes{cutoff: 4e9, share: 0.3}, kairos.DefaultConfig(), defaultHopper()
			s.threesigma.Interval, s.threesigma.Iterations, s.threesigma.Candidates = 10*time.Second, 20, 50 // faster
			config := policytest.Config{Allocates: true, Prepare: prepare(&c), New: func(truth policy.Truth) (policy.Scheduler, error) {
				s := s
				s.truth = truth
				return c.of(s)
			}}
			config.Patience, config.NodePatience = patience(&c)
			policytest.Test(t, config)
		})
	}
}

// Every fault of the simulator that a seed can draw has a key, which is in the help.
func TestFaultsHaveKeys(t *testing.T) {
	got, err := parseFaults(faultsExample, 7)
	if err != nil {
		t.Fatal(err)
	}
	want := sim.Faults{
		Seed: 7, MeanUp: 24 * time.Hour, MeanDown: 10 * time.Minute, TaskFailure: 0.01,
		PostLoss: 0.01, PostLate: 0.05, PostEarly: 0.05, PostTwice: 0.01, MeanLate: time.Second,
		ActionLate: 0.01, ActionForgotten: 0.01, MeanSlip: 5 * time.Second,
		MeanSteady: 6 * time.Hour, MeanJump: time.Minute,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-faults %s (-want +got):\n%s", faultsExample, diff)
	}
	v := reflect.ValueOf(got)
	for i := range v.NumField() {
		name, kind := v.Type().Field(i).Name, v.Field(i).Kind()
		if drawn := kind == reflect.Float64 || kind == reflect.Int64; drawn && v.Field(i).IsZero() {
			t.Errorf("-faults %s leaves %s at 0, want a key for it", faultsExample, name)
		}
	}
}

// prepare takes from jobs what a policy does not serve.
func prepare(c *contender) func(*workload.Job) {
	isKairos := strings.HasPrefix(c.name, "kairos")
	if !isKairos && !c.classes && c.name != "sparrow" {
		return nil
	}
	return func(j *workload.Job) {
		for i := range j.Stages {
			if j.Stages[i].Gang = false; isKairos {
				j.Stages[i].Cores = 1
			}
		}
	}
}

// patience says for how long a policy may leave all nodes, and one of them, empty beside work: for as long as its own
// tests say and why, or a little longer, with other parameters than there.
func patience(c *contender) (inAll, perNode policy.Duration) {
	seconds := func(inAll, perNode int64) (policy.Duration, policy.Duration) {
		return policy.Duration(inAll * 1e9), policy.Duration(perNode * 1e9)
	}
	switch name := c.name; {
	case strings.HasPrefix(name, "kairos"):
		return seconds(3, 8)
	case name == "sparrow":
		return seconds(25, 150)
	case name == "hawk":
		return seconds(6, 160)
	case name == "eagle":
		return seconds(95, 130)
	case strings.HasPrefix(name, "3s") || strings.HasPrefix(name, "point-"):
		return seconds(120, 120)
	case name == "hopper" || strings.HasPrefix(name, "srpt-") || strings.HasSuffix(name, "-grass"):
		return seconds(0, 7)
	}
	return 0, 0
}
