package policytest_test

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy/policytest"
)

// A broken policy breaks one rule, and the suite says which, and no other.
type brokenPolicy struct {
	name string
	c    policytest.Config
	rule string
	says string   // part of the failure's text
	in   []string // the groups of cases that find it
}

func brokenPolicies(t *testing.T) {
	if policytest.RaceDetector || testing.Short() {
		t.Skip("slow; and under the race detector no allocation is looked for")
	}
	setSeeds(t, "10") // enough to find each
	for _, test := range slices.Concat(badGuests, badMachines) {
		t.Run(test.name, func(t *testing.T) {
			var in []string
			for _, f := range failures(policytest.Check(t, test.c)) {
				group, _, _ := strings.Cut(f.Case, "/")
				in = append(in, group)
				t.Log(f)
				if f.Rule != test.rule {
					t.Errorf("found in %s to break rule %q, want %q", f.Case, f.Rule, test.rule)
				}
				if tells := slices.Contains([]string{"finish", "idle", "legal"}, f.Rule) && group != "allocs"; tells && !strings.Contains(f.Error(), "last events and actions:") {
					t.Errorf("the text does not tell what came before: %v", f)
				}
				if !strings.Contains(f.Error(), test.says) {
					t.Errorf("the text does not say %q: %v", test.says, f)
				}
			}
			if !slices.Equal(in, test.in) {
				t.Errorf("found by %v, want %v", in, test.in)
			}
		})
	}
}

// setSeeds says for how many seeds a test tries each kind of random scene.
func setSeeds(t *testing.T, n string) {
	t.Helper()
	seeds := flag.Lookup("policytest.seeds").Value
	old := seeds.String()
	if err := seeds.Set(n); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { seeds.Set(old) })
}

// failures takes apart what Check returns.
func failures(err error) (fs []*policytest.Failure) {
	if err == nil {
		return nil
	}
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		fs = append(fs, e.(*policytest.Failure))
	}
	return fs
}

func everyRuleIsBroken(t *testing.T) {
	broken := map[string]bool{}
	for _, test := range slices.Concat(badGuests, badMachines) {
		broken[test.rule] = true
	}
	for _, rule := range []string{"Legal start", "No circles", "Parts", "finish", "idle", "legal", "illegal", "repeat", "clock", "shared", "goroutines", "events", "keeper", "allocs"} {
		if !broken[rule] {
			t.Errorf("no policy breaks rule %q", rule)
		}
	}
}
