package main

import (
	gocmp "cmp"
	"encoding/json"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/floats/scalar"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/workload"
)

// sweepJSON is some of what -json prints of a sweep.
type sweepJSON struct {
	Loads []struct {
		Seeds    int
		Kind     string
		Policies []struct {
			Policy  string
			ToBound float64                            `json:"mean_jct_to_bound"`
			Ratio   struct{ Ratio, Low, High float64 } `json:"mean_jct_ratio"`
			Faster  *float64                           `json:"jobs_faster"`
		}
	}
	Runs []any
}

// A sweep has the runs that each seed, window or copy has alone at each load, and its output does not depend on how many run at once.
func TestSweep(t *testing.T) {
	generated := []string{"-jobs", "200", "-policies", "srpt,fair,index", "-json", "-times=false"}
	trace := []string{"-trace", "../samples/jobs.swf", "-nodes", "1", "-cores", "16", "-policies", "srpt,fifo,index", "-json", "-times=false"}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, test := range []struct {
		args   []string
		flags  string
		kind   string
		single []string
		run    string // what the second run says that it is
	}{
		{generated, "-seeds 3,5-6", "", []string{"-seed 3", "-seed 5", "-seed 6"}, `"seed": 5`},
		{trace, "-windows 3", "window", []string{"-windows 1/3", "-windows 2/3", "-windows 3/3"}, `"window": "2/3"`},
		{trace, "-windows 2/2 -thin 3", "copy", []string{"-windows 2/2 -thin 1/3", "-windows 2/2 -thin 2/3", "-windows 2/2 -thin 3/3"}, `"copy": "2/3"`},
	} {
		many := slices.Concat(test.args, strings.Fields(test.flags), []string{"-loads", "0.5,0.9"})
		runtime.GOMAXPROCS(2)
		out, _, err := compare(t, many...)
		if err != nil {
			t.Fatal(err)
		}
		runtime.GOMAXPROCS(1)
		if again, _, _ := compare(t, many...); again != out {
			t.Errorf("%s: one after the other the runs print something else", test.flags)
		}
		var all sweepJSON
		if err := json.Unmarshal([]byte(out), &all); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out, test.run) || len(all.Runs) != 6 {
			t.Errorf("%s: %d runs, want 6 and one of them with %s", test.flags, len(all.Runs), test.run)
		}
		i := 0
		for l, load := range []string{"0.5", "0.9"} {
			logs, bounds := 0.0, 0.0
			for _, flags := range test.single {
				single, _, err := compare(t, slices.Concat(test.args, strings.Fields(flags), []string{"-load", load})...)
				if err != nil {
					t.Fatal(err)
				}
				var want any
				if err := json.Unmarshal([]byte(single), &want); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, all.Runs[i]); diff != "" {
					t.Errorf("%s at load %s is not what it is alone:\n%s", flags, load, diff)
				}
				ratios := want.(map[string]any)["policies"].([]any)[1].(map[string]any)["ratios_to_first"].(map[string]any)
				logs += math.Log(ratios["mean_jct"].(float64))
				bounds += ratios["mean_jct_to_bound"].(float64)
				i++
			}
			got := all.Loads[l].Policies[1]
			if want := math.Exp(logs / 3); all.Loads[l].Seeds != 3 || all.Loads[l].Kind != test.kind || !scalar.EqualWithinRel(got.Ratio.Ratio, want, 1e-12) ||
				!(got.Ratio.Low < want && want < got.Ratio.High) || !scalar.EqualWithinRel(got.ToBound, bounds/3, 1e-12) {
				t.Errorf("%s at load %s: got %+v, want a ratio of %v of %s, and %v to the bound", test.flags, load, all.Loads[l], want, got.Policy, bounds/3)
			}
		}
	}
}

// A policy that learns has learnt from the jobs before its window, all windows together are the trace, and a copy lacks a tenth.
func TestPartsOfTrace(t *testing.T) {
	args := []string{"-trace", "../samples/jobs.swf", "-nodes", "1", "-cores", "16"}
	whole := loaded(t, args...)
	n := 0
	for _, part := range []string{"1/3", "2/3", "3/3"} {
		in := loaded(t, append(args, "-windows", part)...)
		past, err := in.History()
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := workload.ReadAll(past)
		if err != nil {
			t.Fatal(err)
		}
		if in.List[0].ID != whole.List[n].ID || len(jobs) > n || len(jobs) < n-5 {
			t.Errorf("window %s begins with job %d, want %d, and has %d jobs before it, want nearly %d", part, in.List[0].ID, whole.List[n].ID, len(jobs), n)
		}
		n += len(in.List)
	}
	one, two := loaded(t, append(args, "-thin", "1/8")...), loaded(t, append(args, "-thin", "1/8", "-seed", "2")...)
	if want := n - n/10; n != len(whole.List) || len(one.List) != want || cmp.Equal(one.List, two.List) {
		t.Errorf("windows have %d jobs and copies %d, want %d and %d, other ones for another seed", n, len(one.List), len(whole.List), want)
	}
}

// Nothing varies with the seed of a trace, so that the table has and promises no interval; a policy that draws has one.
func TestSeedsOfTrace(t *testing.T) {
	for policies, varies := range map[string]bool{"srpt,fifo": false, "srpt,random": true} {
		out, _, err := compare(t, "-trace", "../samples/jobs.swf", "-nodes", "1", "-cores", "16", "-seeds", "1-3", "-policies", policies)
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]bool{"with 95 % intervals": varies, "no ratio varies": !varies, "windows and thinned copies vary the jobs": true, "[": varies} {
			if strings.Contains(out, text) != want {
				t.Errorf("%s: the output has %q: %v, want %v\n%s", policies, text, !want, want, out)
			}
		}
	}
}

// The clairvoyant rival is in each run the best of three by mean, and says which.
func TestClairvoyant(t *testing.T) {
	best := make(map[string]bool)
	for _, seed := range []string{"1", "2", "3", "4", "5", "6"} {
		r := reportOf(t, "-json", "-workload", "mixed", "-jobs", "60", "-seed", seed, "-policies", "clairvoyant,srpt-easy/truth,srpt-sjbf/truth,index-easy/truth")
		least := slices.MinFunc(r.Policies[1:], func(a, b experiment.Row) int { return gocmp.Compare(*a.MeanJCT, *b.MeanJCT) })
		if p := r.Policies[0]; p.Policy != "clairvoyant" || p.Best != least.Policy || *p.MeanJCT != *least.MeanJCT || len(r.Policies) != 4 {
			t.Errorf("seed %s: clairvoyant is %s with a mean of %v, want %s with %v", seed, p.Best, *p.MeanJCT, least.Policy, *least.MeanJCT)
		}
		best[least.Policy] = true
	}
	if len(best) < 2 {
		t.Errorf("the best is always one of %v, so the seeds test nothing", best)
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
	note, rows, _ := strings.Cut(table, "\n")
	if good, _, err := compare(t, append(sweep, "-policies", "fair")...); err != nil || !strings.HasSuffix(note, "where fair did not") || strings.Join(strings.Fields(rows), " ") != strings.Join(strings.Fields(good), " ") {
		t.Errorf("got error %v and\n%swant the rows of fair as in\n%s", err, table, good)
	}
	// Where a run of the first policy has failed nothing is compared with it; the table has the other seeds, and says so.
	out, _, err := compare(t, append(sweep, "-policies", "kairos,fair", "-json", "-times=false")...)
	var all sweepJSON
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		t.Fatal(err)
	}
	if l := all.Loads[1]; err == nil || len(all.Loads) != 2 || l.Seeds != 1 || len(l.Policies) != 2 || l.Policies[0].Policy != "kairos" || len(all.Runs) != 4 ||
		!strings.Contains(out, "the table leaves out policies that failed where kairos did not") {
		t.Errorf("got error %v and\n%s\nwant ratios in the first seed alone", err, out)
	}
	if out, _, err := compare(t, append(args, "-policies", "kairos", "-seeds", "2")...); err == nil || out != "" {
		t.Errorf("got error %v and %q, want an error and nothing, if no run is done", err, out)
	}
}
