package main

import (
	"flag"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
)

// Every policy that there is keeps to the contract, finishes what can be finished and lets no room stand
// empty against its own rule, whatever goes wrong. -policytest.seeds says for how many seeds of each kind
// of scene; without it this test is left out, as the packages of the policies have tests of their own.
func TestEveryPolicyUnderFaults(t *testing.T) {
	if seeds := flag.Lookup("policytest.seeds"); seeds.Value.String() == seeds.DefValue {
		t.Skip("it takes ten seconds: .ci/nightly runs it")
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
			bear(&c, s, &config)
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
		Seed: 7, MeanUp: 24 * time.Hour, MeanDown: 10 * time.Minute, TaskFailure: 0.01, TaskEviction: 0.01,
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

// What -faults plans is counted, of every kind that there is, in JSON and in the table; what it does not plan is in neither.
func TestFaultsAreCounted(t *testing.T) {
	args := []string{"-jobs", "100", "-policies", "fifo,kairos"}
	many := append(args, "-delay", "1s", "-faults", "up=5m,down=1m,tasks=0.1,posts-lost=0.1,posts-late=0.1,posts-early=0.1,posts-twice=0.1,late=1s,"+
		"actions-late=0.1,actions-forgotten=0.1,slip=5s,steady=1m,jump=10s")
	_, rows := rows(t, []string{"fifo", "kairos"}, append(many, "-json")...)
	for _, f := range faultCounts {
		for _, p := range rows {
			want := p.Policy == "kairos" || !strings.HasPrefix(f.key, "posts")
			if n, there := p.Faults[f.key]; !there || (n > 0) != want {
				t.Errorf("%s: %d %s, there: %v; want some: %v", p.Policy, n, f.key, there, want)
			}
		}
	}
	out, _, err := compare(t, many...)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"what went wrong, how often", "nodes lost", "posts twice", "actions forgotten", "clock jumps"} {
		if !strings.Contains(out, want) {
			t.Errorf("the table lacks %q:\n%s", want, out)
		}
	}
	for _, test := range []struct{ faults, policies, want, not string }{
		{"posts-early=0.5", "kairos", "posts-early changes nothing without -delay", "faults of posts"},
		{"posts-lost=0.5", "fifo,srpt", "faults of posts change nothing", "posts-early"},
		{"tasks=0.1", "fifo", "copies broken", "nodes lost"},
		{"evicted=0.1", "fifo", "copies broken", "nodes lost"},
		{"", "fifo", "policy", "went wrong"},
	} {
		out, _, err := compare(t, "-jobs", "20", "-policies", test.policies, "-faults", test.faults)
		if err != nil || !strings.Contains(out, test.want) || strings.Contains(out, test.not) {
			t.Errorf("-faults %s: error %v, want %q and not %q in\n%s", test.faults, err, test.want, test.not, out)
		}
	}
	if out, _, err := compare(t, append(args, "-json")...); err != nil || strings.Contains(out, `"faults"`) {
		t.Errorf("without faults there is an error %v, or faults:\n%s", err, out)
	}
}

// Each count of the simulator is one that -faults can ask for, but for those of its plan that no key draws.
func TestFaultCountsAreAll(t *testing.T) {
	unasked := map[string]bool{"Cancels": true, "Restarts": true}
	all := reflect.TypeFor[sim.FaultCount]()
	for i := range all.NumField() {
		var c sim.FaultCount
		reflect.ValueOf(&c).Elem().Field(i).SetInt(7)
		n := 0
		for _, f := range faultCounts {
			n += f.count(&c)
		}
		if name := all.Field(i).Name; (n == 7) == unasked[name] {
			t.Errorf("%s counts for %d, want 7, or 0 if no key asks for it", name, n)
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

// bear says for how long a policy may leave room empty beside work. The rules that this follows from are told in the tests of the
// policy's package.
func bear(c *contender, s setting, config *policytest.Config) {
	const never = math.MaxInt64
	switch name := c.name; {
	case strings.HasPrefix(name, "kairos"):
		config.Patience = time.Second
	case name == "sparrow" || name == "hawk" || name == "eagle":
		// Where probes are only the tests of package baseline see.
		config.NodePatience, config.Hops = never, 80
	case name == "srpt-budgeted":
		config.NodePatience = never // of the cores that are reserved for copies
	case strings.HasPrefix(name, "3s") || strings.HasPrefix(name, "point-"):
		config.Patience = 16 * s.threesigma.Interval
		config.Keeps = func(p policy.Scheduler, task policy.Task, _ policy.NodeID) bool {
			return p.(*threesigma.Scheduler).Waits(task.Job)
		}
	}
}
