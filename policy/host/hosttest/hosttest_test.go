package hosttest

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
)

// A machine that keeps the contract passes, and each of those that break it in one way is found, by the test that is named for it.
func TestPromises(t *testing.T) {
	for flaw, found := range map[string]string{
		"":                                "",
		"a second Start starts again":     "each order twice",
		"a second Kill is answered":       "each order twice",
		"no answer to a Kill":             "each order twice",
		"Finished has no service":         "finished",
		"failures are Finished":           "failed",
		"ends are reported twice":         "finished",
		"a Kill after the end":            "orders after the end",
		"suspended work is service":       "suspended and resumed",
		"suspended copies are not killed": "killed while suspended",
		"Resume is ignored":               "suspended and resumed",
		"Progress above 1":                "progress",
		"Join names nothing":              "a lost link",
		"Join says Started of all":        "a lost link",
		"Join names what has ended":       "a refused report",
		"ends of a lost link are gone":    "a lost link",
		"a refused report is gone":        "a refused report",
		"a refused Join loses ends":       "a refused report",
		"tasks outlive the machine":       "a crash",
		"saves more than was done":        "saved",
		"saves nothing":                   "saved",
		"reloading is service":            "saved",
		"no patience":                     "patience",
	} {
		t.Run(flaw, func(t *testing.T) {
			failed := make(map[string]error)
			for _, k := range cases {
				var runs atomic.Int64
				c := Config{
					New:   func(*testing.T) Machine { return &timers{flaw: flaw, runs: &runs} },
					Short: []byte("short"), Long: []byte("long"), Fails: []byte("fails"), Saves: []byte("long"),
					Patience: 3 * time.Second, Running: func() int { return int(runs.Load()) },
				}
				synctest.Test(t, func(t *testing.T) {
					if err := try(t, c, k.do); err != nil {
						failed[k.name] = err
					}
				})
			}
			switch {
			case found == "" && len(failed) > 0:
				t.Errorf("got %v, want no failure", failed)
			case found != "" && failed[found] == nil:
				t.Errorf("test %q finds nothing; failed: %v", found, failed)
			case found != "":
				t.Log(failed[found])
			}
		})
	}
}

// What is not in the Config is not tested.
func TestCannot(t *testing.T) {
	skipped := 0
	for _, k := range cases {
		if !k.suits(&Config{Cannot: []policy.ActionKind{policy.Suspend, policy.Report}}) {
			skipped++
		}
	}
	if skipped != 5 {
		t.Errorf("%d tests are skipped, want the 5 of suspending, progress, saving and patience", skipped)
	}
}
