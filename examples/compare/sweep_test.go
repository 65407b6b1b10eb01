package main

import (
	"encoding/json"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/floats/scalar"

	"example.com/augur/examples/internal/cli"
)

// sweepJSON is some of what -json prints of a sweep.
type sweepJSON struct {
	Loads []struct {
		Seeds    int
		Policies []struct {
			Policy string
			Ratio  struct{ Ratio, Low, High float64 } `json:"mean_jct_ratio"`
			Faster *float64                           `json:"jobs_faster"`
		}
	}
	Runs []any
}

// A sweep has the runs that each seed has alone at each load, and its output does not depend on how many run at once.
func TestSweep(t *testing.T) {
	args := []string{"-jobs", "200", "-policies", "srpt,fair,index", "-json", "-times=false"}
	out, _, err := compare(t, append(args, "-seeds", "3,5-6", "-loads", "0.5,0.9")...)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if again, _, _ := compare(t, append(args, "-seeds", "3,5-6", "-loads", "0.5,0.9")...); again != out {
		t.Error("one after the other the runs print something else")
	}
	var all sweepJSON
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		t.Fatal(err)
	}
	i := 0
	for l, load := range []string{"0.5", "0.9"} {
		logs := 0.0
		for _, seed := range []string{"3", "5", "6"} {
			single, _, err := compare(t, append(args, "-seed", seed, "-load", load)...)
			if err != nil {
				t.Fatal(err)
			}
			var want any
			if err := json.Unmarshal([]byte(single), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, all.Runs[i]); diff != "" {
				t.Errorf("seed %s at load %s is not what it is alone:\n%s", seed, load, diff)
			}
			policies := want.(map[string]any)["policies"].([]any)
			logs += math.Log(policies[1].(map[string]any)["ratios_to_first"].(map[string]any)["mean_jct"].(float64))
			i++
		}
		got := all.Loads[l].Policies[1]
		if want := math.Exp(logs / 3); got.Policy != "fair" || all.Loads[l].Seeds != 3 || !scalar.EqualWithinRel(got.Ratio.Ratio, want, 1e-12) ||
			!(got.Ratio.Low < want && want < got.Ratio.High) {
			t.Errorf("load %s: got %+v, want a ratio of %v of fair", load, got, want)
		}
	}
}

// A run that fails costs a sweep its own row only, and the error says how to repeat it.
func TestSweepWithFailures(t *testing.T) {
	// Of these jobs, only the second seed has a gang, which kairos refuses.
	args := []string{"-workload", "mixed", "-jobs", "20"}
	sweep := append(args, "-seeds", "1-2", "-loads", "0.5,0.7")
	table, _, err := compare(t, append(sweep, "-policies", "fair,kairos")...)
	if err == nil || cli.Status(err) != 1 {
		t.Fatalf("got error %v, want one of status 1", err)
	}
	for _, want := range []string{
		"-seed 2 -load 0.5: policy kairos: sim:", "is a gang", "run it alone by -policies kairos -seed 2 -load 0.5 in place of -seeds and -loads",
		"also failed: kairos -seed 2 -load 0.7",
	} {
		if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got error %v, want one line with %q", err, want)
		}
	}
	if _, _, alone := compare(t, append(args, "-policies", "kairos", "-seed", "2", "-load", "0.5")...); alone == nil || !strings.HasPrefix(err.Error(), "-seed 2 -load 0.5: "+alone.Error()+";") {
		t.Errorf("alone it has error %v, in the sweep %v", alone, err)
	}
	if good, _, err := compare(t, append(sweep, "-policies", "fair")...); err != nil || strings.Contains(table, "kairos") || strings.Join(strings.Fields(table), " ") != strings.Join(strings.Fields(good), " ") {
		t.Errorf("got error %v and\n%swant the rows of fair as in\n%s", err, table, good)
	}
	// Nothing is compared with a policy of which a run has failed.
	out, _, err := compare(t, append(sweep, "-policies", "kairos,fair", "-json", "-times=false")...)
	var all sweepJSON
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		t.Fatal(err)
	}
	if p := all.Loads[1].Policies; err == nil || len(all.Loads) != 2 || len(p) != 1 || p[0].Policy != "fair" || p[0].Ratio.Ratio != 0 || p[0].Faster != nil || len(all.Runs) != 4 {
		t.Errorf("got error %v and %+v, want fair alone, with no ratios", err, all.Loads)
	}
	if out, _, err := compare(t, append(args, "-policies", "kairos", "-seeds", "2")...); err == nil || out != "" {
		t.Errorf("got error %v and %q, want an error and nothing, if no run is done", err, out)
	}
}
