package main

import (
	"encoding/json"
	"math"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/floats/scalar"
)

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
	var all struct {
		Loads []struct {
			Seeds    int
			Policies []struct {
				Policy string
				Ratio  struct{ Ratio, Low, High float64 } `json:"mean_jct_ratio"`
			}
		}
		Runs []any
	}
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
