package main

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy/sim"
)

// Every fault of the simulator that a seed can draw has a key, which is in the help.
func TestFaultsHaveKeys(t *testing.T) {
	got, err := parseFaults(faultsExample, 7)
	if err != nil {
		t.Fatal(err)
	}
	want := sim.Faults{
		Seed: 7, MeanUp: 24 * time.Hour, MeanDown: 10 * time.Minute, TaskFailure: 0.01, TaskEviction: 0.01,
		PostLoss: 0.01, PostLate: 0.05, PostEarly: 0.05, PostTwice: 0.01, MeanLate: time.Second,
		ActionLate: 0.01, MeanSlip: 5 * time.Second, SaveFails: 0.01,
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
	args := []string{"-jobs", "100", "-policies", "fifo,kairos,index-preempt", "-saves", "reload=100ms"}
	many := append(args, "-delay", "1s", "-faults", "up=5m,down=1m,tasks=0.1,posts-lost=0.1,posts-late=0.1,posts-early=0.1,posts-twice=0.1,late=1s,"+
		"actions-late=0.1,slip=5s,saves=0.5,steady=1m,jump=10s")
	counted := reportOf(t, append(many, "-json")...).Policies
	for _, f := range faultCounts {
		for _, p := range counted {
			want := true
			if strings.HasPrefix(f.key, "posts") {
				want = p.Policy == "kairos"
			} else if f.key == "saves_failed" {
				want = p.Policy == "index-preempt"
			}
			if n, there := p.Faults[f.key]; !there || (n > 0) != want {
				t.Errorf("%s: %d %s, there: %v; want some: %v", p.Policy, n, f.key, there, want)
			}
		}
	}
	out, _, err := compare(t, many...)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"number of faults", "nodes lost", "posts twice", "actions late", "saves failed", "clock jumps", "reloading %"} {
		if !strings.Contains(out, want) {
			t.Errorf("the table lacks %q:\n%s", want, out)
		}
	}
	for _, test := range []struct{ faults, policies, want, not string }{
		{"posts-early=0.5", "kairos", "posts-early changes nothing without -delay", "faults of posts"},
		{"posts-lost=0.5", "fifo,srpt", "faults of posts change nothing", "posts-early"},
		{"tasks=0.1", "fifo", "copies broken", "nodes lost"},
		{"evicted=0.1", "fifo", "copies broken", "nodes lost"},
		{"", "fifo", "policy", "number of faults"},
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
