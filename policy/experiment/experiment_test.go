package experiment_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// What an experiment promises.
func TestPromises(t *testing.T) {
	t.Run("a run is what the policy does alone, and the bytes do not depend on the number of cores", runsAlone)
	t.Run("windows and copies vary a log, and a window knows the jobs before it", parts)
	t.Run("the baseline is the policy that is named", baselines)
	t.Run("a policy of one's own has the seed, the truth and the past of its cell", ownPolicies)
	t.Run("a run that fails costs its own row", failures)
	t.Run("what has ended before the context does is kept", cancelled)
	t.Run("the verdict says who knows the runtimes, and why policies are equal", verdicts)
	t.Run("what is wrong with a Config is named", refusals)
}

// generated is 200 jobs with heavy tails.
var generated = experiment.Source("heavytail", func(seed uint64) (workload.Source, error) {
	w := workload.DefaultHeavyTail()
	w.Seed, w.Jobs = seed, 200
	return w.Source()
})

// config is a small experiment.
func config(names ...string) experiment.Config {
	return experiment.Config{Jobs: generated, Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 4}), Policies: experiment.Lines(names...)}
}

func mustRun(t *testing.T, c experiment.Config) *experiment.Result {
	t.Helper()
	r, err := experiment.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// list returns the jobs of a seed at a load of 16 cores.
func list(t *testing.T, seed uint64, load float64) []*workload.Job {
	t.Helper()
	l, err := generated(seed)
	if err != nil {
		t.Fatal(err)
	}
	if load > 0 {
		if l.Jobs, err = workload.ToLoad(l.Jobs, 16, load); err != nil {
			t.Fatal(err)
		}
	}
	return l.Jobs
}

func runsAlone(t *testing.T) {
	c := config("fifo", "srpt", "random")
	c.Seeds, c.Loads, c.Trim = []uint64{7, 3}, []float64{0.5, 0.9}, 0.1
	c.Host.Faults = sim.Faults{TaskFailure: 0.05}
	on := func(cores int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		var b bytes.Buffer
		r := mustRun(t, c)
		if err := errors.Join(r.WriteJSON(&b), r.WriteTable(&b)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	one := on(1)
	if four := on(4); four != one {
		t.Errorf("on four cores it is\n%s\nwant\n%s", four, one)
	}
	r := mustRun(t, c)
	i := 0
	for _, load := range c.Loads {
		for _, seed := range c.Seeds {
			var first *sim.Result
			for k, p := range c.Policies {
				jobs, truth := workload.Split(list(t, seed, load))
				var s policy.Scheduler
				var err error
				switch k {
				case 0:
					s = baseline.NewFIFO()
				case 1:
					s, err = baseline.NewSRPT(truth)
				default:
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				alone, err := sim.Run(t.Context(), sim.Config{Nodes: c.Nodes, Jobs: jobs, Truth: truth, Faults: sim.Faults{Seed: seed, TaskFailure: 0.05}}, s)
				if err != nil {
					t.Fatal(err)
				}
				alone = alone.Trim(0.1)
				if k == 0 {
					first = alone
				}
				got, want, to := r.Runs[i].Policies[k], alone.Metrics(), sim.Compare(alone, first)
				if got.Policy != p.Name || *got.MeanJCT != want.MeanJCT || *got.MaxWait != want.MaxWait || *got.Ratios.Faster != to.Faster || *got.Ratios.JobP90 != to.P90Ratio || got.Done != want.Done {
					t.Errorf("load %v, seed %d, %s: got %+v, want %v and %+v", load, seed, p.Name, got, want, to)
				}
			}
			i++
		}
	}
	mean := func(r *experiment.Row) *float64 { return r.MeanJCT }
	for k, p := range c.Policies {
		x, to := r.Loads[1].Of(p.Name, mean), r.Loads[1].Of("fifo", mean)
		if diff := gocmp.Diff(experiment.Pair(x, to), r.Loads[1].Policies[k].JCTRatio); diff != "" || len(x) != 2 || x[1] != *r.Runs[3].Policies[k].MeanJCT {
			t.Errorf("%s: %v over %v (-want +got):\n%s", p.Name, x, to, diff)
		}
	}
	if x := r.Loads[0].Of("none", mean); x != nil {
		t.Errorf("a policy that is not there has %v", x)
	}
}

func parts(t *testing.T) {
	jobs := list(t, 1, 0)
	for _, c := range []struct{ windows, thin, want int }{{4, 0, 50}, {0, 3, 180}} {
		e := config("fifo")
		e.Jobs, e.Windows, e.Thin = experiment.List("log", jobs), c.windows, c.thin
		began := 0
		e.AtOnce = 1
		e.Setup = func(cell *experiment.Cell) error {
			if cell.Window > 0 {
				past, err := cell.Past()
				if err != nil {
					return err
				}
				before, err := workload.ReadAll(past)
				if err != nil || len(before) > began || began > 0 && len(before) == 0 {
					t.Errorf("window %d has %d jobs before it, error %v, want nearly %d", cell.Window, len(before), err, began)
				}
				began += len(cell.Jobs)
			}
			return nil
		}
		r := mustRun(t, e)
		if len(r.Runs) != max(c.windows, c.thin) || r.Runs[1].Jobs != c.want || r.Loads[0].Cells != len(r.Runs) || r.Runs[1].Window+r.Runs[1].Copy != fmt.Sprintf("2/%d", len(r.Runs)) {
			t.Errorf("%+v: %d runs, the second %+v", c, len(r.Runs), r.Runs[1])
		}
	}
	// Jobs that are the same for each seed are said to be.
	e := config("fifo", "srpt")
	e.Jobs, e.Seeds = experiment.List("log", jobs), []uint64{1, 2}
	if r := mustRun(t, e); len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "no ratio varies") {
		t.Errorf("notes %q, want that nothing varies", r.Notes)
	}
}

func baselines(t *testing.T) {
	c := config("fifo", "srpt", "fair")
	c.Baseline, c.Seeds = "srpt", []uint64{1, 2, 3}
	r := mustRun(t, c)
	for i, p := range r.Loads[0].Policies {
		if p.Policy != c.Policies[i].Name || (p.JCTRatio.Ratio == 1) != (p.Policy == "srpt") || *r.Runs[0].Policies[1].Ratios.MeanJCT != 1 {
			t.Errorf("row %d is %s with a ratio of %v", i, p.Policy, p.JCTRatio.Ratio)
		}
	}
	var b bytes.Buffer
	if err := r.WriteTable(&b); err != nil || !strings.Contains(b.String(), "ratios to srpt seed by seed") {
		t.Errorf("error %v, table\n%s", err, &b)
	}
}

func ownPolicies(t *testing.T) {
	c := config("srpt")
	past := func() (workload.Source, error) { return workload.Of(nil), nil }
	c.Jobs = func(seed uint64) (experiment.Log, error) {
		l, err := generated(seed)
		l.Past = past
		return l, err
	}
	c.Seeds = []uint64{5}
	c.Policies = append(c.Policies, experiment.Policy{Name: "own", New: func(cell *experiment.Cell, truth policy.Truth) (policy.Scheduler, error) {
		if cell.Seed != 5 || cell.Past == nil || len(cell.Jobs) != 200 {
			t.Errorf("the cell is %+v", cell)
		}
		return baseline.NewSRPT(truth)
	}}, experiment.Policy{Name: "best", Best: experiment.Lines("fifo", "srpt")})
	r := mustRun(t, c)
	p := r.Runs[0].Policies
	if *p[1].MeanJCT != *p[0].MeanJCT || p[2].Best != "srpt" || *p[2].MeanJCT != *p[0].MeanJCT {
		t.Errorf("own has a mean of %v and best, which is %s, of %v, want srpt's %v", *p[1].MeanJCT, p[2].Best, *p[2].MeanJCT, *p[0].MeanJCT)
	}
	// Jobs request twice their runtime of policies that go by requests, and of no others.
	for name, want := range map[string]bool{"fifo-easy": true, "index-easy": false} {
		c := config(name)
		c.Begin = func(_ *experiment.Cell, policy string, host *sim.Config) error {
			for j, err := range host.Jobs {
				if err != nil || (j.Requested > 0) != want {
					t.Errorf("%s sees a request of %v, error %v", policy, j.Requested, err)
				}
				break
			}
			return nil
		}
		mustRun(t, c)
	}
}

func failures(t *testing.T) {
	no := errors.New("no")
	c := config("fifo", "srpt")
	c.Seeds = []uint64{1, 2}
	c.Policies = append(c.Policies, experiment.Policy{Name: "bad", New: func(cell *experiment.Cell, _ policy.Truth) (policy.Scheduler, error) {
		if cell.Seed == 2 {
			return nil, no
		}
		return baseline.NewFIFO(), nil
	}})
	r, err := experiment.Run(t.Context(), c)
	var f experiment.Failures
	if !errors.As(err, &f) || !errors.Is(err, no) || err.Error() != "experiment: seed 2, policy bad: no" || len(f) != 1 {
		t.Errorf("got error %v", err)
	}
	if r == nil || len(r.Runs) != 2 || len(r.Runs[0].Policies) != 3 || len(r.Runs[1].Policies) != 2 || len(r.Loads[0].Policies) != 2 {
		t.Errorf("got %+v", r)
	}
	// Without the baseline there is nothing to compare with over all seeds; in a cell the ratios are to the first that is done.
	c.Baseline = "bad"
	r, err = experiment.Run(t.Context(), c)
	if err == nil || r.Loads[0].Policies[0].JCTRatio != nil || *r.Runs[1].Policies[0].Ratios.MeanJCT != 1 || *r.Runs[1].Policies[1].Ratios.MeanJCT == 1 || r.Verdict() != nil {
		t.Errorf("got error %v and %+v", err, r.Loads[0])
	}
	// A cell without jobs ends it.
	c.Jobs = func(seed uint64) (experiment.Log, error) {
		if seed == 2 {
			return experiment.Log{}, no
		}
		return generated(seed)
	}
	var setup *experiment.SetupError
	if r, err := experiment.Run(t.Context(), c); r != nil || !errors.As(err, &setup) || !errors.Is(err, no) || err.Error() != "experiment: seed 2: no" {
		t.Errorf("got %v and error %v", r, err)
	}
}

func cancelled(t *testing.T) {
	c := config("fifo", "srpt", "fair")
	ctx, cancel := context.WithCancel(t.Context())
	c.AtOnce = 1
	c.Progress = func(ended, of int) {
		if of != 3 {
			t.Errorf("%d of %d runs", ended, of)
		}
		if ended == 2 {
			cancel()
		}
	}
	r, err := experiment.Run(ctx, c)
	if !errors.Is(err, context.Canceled) || r == nil || len(r.Runs) != 1 || len(r.Runs[0].Policies) != 2 {
		t.Errorf("got error %v and %+v, want the two runs that have ended", err, r)
	}
}

func verdicts(t *testing.T) {
	c := config("fifo", "srpt", "fair", "easy", "priority")
	c.Loads, c.Seeds = []float64{0.5, 1.2}, []uint64{1, 2, 3, 4}
	r := mustRun(t, c)
	got := strings.Join(r.Verdict(), "\n")
	for _, want := range []string{"At load 1.2, fair: 0.", " of fifo's mean completion time, and 1.", " of srpt's, which knows the runtimes",
		"\neasy equals fifo here, since each task takes one core, so that nothing waits for a gap; priority does too, since all priorities are equal."} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want it to have %q", got, want)
		}
	}
	var b bytes.Buffer
	if err := r.WriteTable(&b); err != nil || !strings.Contains(b.String(), "the offered load is 1.20, above 1") || strings.Count(b.String(), "means over 4 seeds") != 2 {
		t.Errorf("error %v, table\n%s", err, &b)
	}
	for want, names := range map[string][]string{
		"fifo has the least mean completion time of those that do not know the runtimes: 5.": {"fifo", "srpt"},
		"easy has the least mean completion time: 5.":                                        {"easy", "srpt"},
		"srpt: ":   {"srpt-easy/truth", "srpt"},
		"fair: 0.": {"easy", "fair"},
	} {
		if got := mustRun(t, config(names...)).Verdict(); len(got) == 0 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%v: got %q, want %q", names, got, want)
		}
	}
}

func refusals(t *testing.T) {
	good := config("fifo", "srpt")
	for want, change := range map[string]func(*experiment.Config){
		"Config.Jobs is nil":               func(c *experiment.Config) { c.Jobs = nil },
		"Config.Nodes is empty":            func(c *experiment.Config) { c.Nodes = nil },
		"Config.Policies is empty":         func(c *experiment.Config) { c.Policies = nil },
		`Config.Policies has "fifo" twice`: func(c *experiment.Config) { c.Policies = experiment.Lines("fifo", "fifo") },
		`unknown policy "lifo"`: func(c *experiment.Config) {
			c.Policies = []experiment.Policy{{Name: "x", Best: experiment.Lines("lifo")}}
		},
		`Config.Baseline is "fair"`:        func(c *experiment.Config) { c.Baseline = "fair" },
		"Config.Seeds has 2 twice":         func(c *experiment.Config) { c.Seeds = []uint64{2, 1, 2} },
		"Config.Loads has 0":               func(c *experiment.Config) { c.Loads = []float64{0} },
		"want one: what varies":            func(c *experiment.Config) { c.Windows, c.Thin = 2, 2 },
		"Config.Windows is -1":             func(c *experiment.Config) { c.Windows = -1 },
		"Config.Trim is 0.5":               func(c *experiment.Config) { c.Trim = 0.5 },
		"Config.Host has Ended":            func(c *experiment.Config) { c.Host.Ended = func(*sim.JobRecord) {} },
		"window 1: workload: 200 jobs cut": func(c *experiment.Config) { c.Windows = 201 },
		"there are no jobs":                func(c *experiment.Config) { c.Jobs = experiment.List("", nil) },
		"no such file":                     func(c *experiment.Config) { c.Jobs = experiment.Trace("none.swf", "") },
	} {
		c := good
		change(&c)
		if _, err := experiment.Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one with %q", err, want)
		}
	}
}

// What WriteJSON writes has a row for each policy, one's own too.
func TestJSON(t *testing.T) {
	c := config("fifo")
	c.Policies = append(c.Policies, experiment.Policy{Name: "own", New: func(*experiment.Cell, policy.Truth) (policy.Scheduler, error) { return baseline.NewFair(), nil }})
	c.Setup = func(cell *experiment.Cell) error { cell.Cutoff = 1e9; return nil }
	var b bytes.Buffer
	if err := mustRun(t, c).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Runs []struct{ Policies []map[string]any }
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if p := got.Runs[0].Policies[1]; p["policy"] != "own" || p["jobs_done"] != 200.0 || p["wall_s"] != nil || p["short_jobs"] == nil {
		t.Errorf("got %v", p)
	}
}
