package experiment_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
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
	t.Run("so does one that panics", panics)
	t.Run("what has ended before the context does is kept", cancelled)
	t.Run("the verdict says who knows the runtimes, and why policies are equal", verdicts)
	t.Run("what is wrong with a Config is named", refusals)
	t.Run("a log that tells its cluster needs no Nodes", ownCluster)
	t.Run("jobs of one's own are completed as those of a trace", ownJobs)
	t.Run("jobs that fit no node are refused, and counted", tooLarge)
	t.Run("the notes say that nodes have memory for nothing", memory)
	t.Run("the notes say which policies see a request that is made of the runtime", requests)
}

// generated is 200 jobs with heavy tails.
var generated = experiment.Source("heavytail", func(seed uint64) (workload.Source, error) {
	w := workload.DefaultHeavyTail()
	w.Seed, w.Jobs = seed, 200
	return w.Source()
})

// config is a small experiment.
func config(names ...string) experiment.Config {
	return experiment.Config{Jobs: generated, Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 4}), Policies: experiment.Named(names...)}
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
	c.Host.Faults = sim.Faults{TaskFailure: 0.05, Restarts: []policy.Time{1e11}}
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
				again := func() (policy.Scheduler, error) {
					if k == 0 {
						return baseline.NewFIFO(), nil
					}
					return baseline.NewSRPT(truth)
				}
				if k > 1 {
					continue
				}
				s, err := again()
				if err != nil {
					t.Fatal(err)
				}
				faults := c.Host.Faults
				faults.Seed, faults.NewPolicy = seed, again
				alone, err := sim.Run(t.Context(), sim.Config{Nodes: c.Nodes, Jobs: jobs, Truth: truth, Faults: faults}, s)
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
	}}, experiment.Policy{Name: "best", Best: experiment.Named("fifo", "srpt")})
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
	if r == nil || len(r.Runs) != 2 || len(r.Runs[0].Policies) != 3 || len(r.Runs[1].Policies) != 2 || len(r.Loads[0].Policies) != 2 ||
		!slices.Contains(r.Notes, "seed 2, policy bad: no: the table leaves out policies that failed where fifo did not") {
		t.Errorf("got %+v", r)
	}
	// Where the baseline has failed there is nothing to compare with, and the table says so.
	c.Baseline = "bad"
	r, err = experiment.Run(t.Context(), c)
	var b bytes.Buffer
	if err == nil || r.Loads[0].Cells != 1 || len(r.Loads[0].Policies) != 3 || r.Runs[1].Policies[1].Ratios.MeanJCT != nil || r.WriteTable(&b) != nil ||
		!strings.Contains(b.String(), "seed 2, policy bad: no: the table leaves out policies that failed where bad did not") {
		t.Errorf("got error %v and %+v in\n%s", err, r.Loads[0], &b)
	}
	// If nothing is done the table says so.
	b.Reset()
	c.Policies, c.Baseline, c.Seeds = c.Policies[2:], "", []uint64{2}
	if r, err = experiment.Run(t.Context(), c); err == nil || r.WriteTable(&b) != nil || !strings.HasSuffix(b.String(), "No run is done; see the error of Run.\n") {
		t.Errorf("got error %v and table\n%s", err, &b)
	}
	// A cell without jobs ends it.
	c.Seeds = []uint64{1, 2}
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

func panics(t *testing.T) {
	c := config("fifo")
	c.Loads = []float64{0.5, 0.9}
	var none []float64
	c.Policies = append(c.Policies, experiment.Scored("wild", func(j *central.Job, _ policy.Time) float64 { return none[j.Job.ID] }))
	r, err := experiment.Run(t.Context(), c)
	var f experiment.Failures
	const want = "experiment: seed 1 at load 0.5, policy wild: panic: runtime error: index out of range [1] with length 0, in example.com/augur/policy/experiment_test.panics.func1 (experiment_test.go:"
	if !errors.As(err, &f) || len(f) != 2 || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got error %v, want two failures and %q", err, want)
	}
	if r == nil || len(r.Runs) != 2 || len(r.Loads[1].Policies) != 1 {
		t.Errorf("got %+v, want the runs of fifo", r)
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
	for _, want := range []string{"At load 1.2, fair: 0.", "\nBy the intervals, at load 1.2, srpt is better than fifo.\n", " of fifo's mean completion time, and 1.", " of srpt's, which knows the runtimes, in the geometric mean over the seeds",
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
		"\nBy the intervals, sjf/requested (requests made of the runtimes) and las are better than fifo.": {"fifo", "index", "sjf/requested", "las"},
		"; it may be no better than fair, since the interval has 1 in it.":                                {"fair", "index"},
		"\nBy the intervals, fair is not told from index; las and fifo are worse than index.":             {"index", "fair", "las", "fifo"},
	} {
		c := config(names...)
		c.Seeds, c.Loads = []uint64{1, 2, 3, 4, 5}, []float64{0.9}
		if got := strings.Join(mustRun(t, c).Verdict(), "\n"); !strings.Contains(got, want) {
			t.Errorf("%v: got %q, want it to have %q", names, got, want)
		}
	}
	for want, names := range map[string][]string{
		"fifo has the least mean completion time of those that do not know the runtimes: 5.":               {"fifo", "srpt"},
		"easy has the least mean completion time: 5.":                                                      {"easy", "srpt"},
		"fifo has the least mean completion time of those whose requests are not made of the runtimes: 5.": {"fifo", "sjf/requested"},
		"srpt: ":   {"srpt-easy/truth", "srpt"},
		"fair: 0.": {"easy", "fair"},
	} {
		if got := mustRun(t, config(names...)).Verdict(); len(got) == 0 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%v: got %q, want %q", names, got, want)
		}
	}
}

// A job of one's own has what the same row of a trace has: its number, its time from the first job, its hour and its day.
func ownJobs(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 0, 3, 0, time.UTC)
	later := workload.NewJob(at.Add(time.Hour), 2, []policy.Duration{time.Second, time.Minute}, "user", "ann", "program", "etl")
	sooner := workload.NewJob(at, 1, []policy.Duration{time.Second})
	l, err := experiment.List("own", []*workload.Job{later, sooner})(1)
	if err != nil || len(l.Jobs) != 2 || l.Jobs[0].ID != 2 || l.Jobs[0].Submitted != 0 || l.Jobs[1].ID != 1 || l.Jobs[1].Submitted != policy.Time(time.Hour) {
		t.Fatalf("got %+v, error %v", l.Jobs, err)
	}
	want := []policy.Attr{{Name: "user", Value: "ann"}, {Name: "program", Value: "etl"}, {Name: "hour", Value: "11"}, {Name: "day", Value: "Sunday"}}
	if diff := gocmp.Diff(want, l.Jobs[1].Attrs); diff != "" || l.Jobs[1].Stages[0].Tasks != 2 {
		t.Errorf("job 1 is %+v, attributes (-want +got):\n%s", l.Jobs[1], diff)
	}
	if len(later.Attrs) != 2 || later.ID != 0 || later.Submitted != 0 {
		t.Errorf("the caller's job is now %+v", later)
	}
	// What is complete stays as it is.
	before := list(t, 1, 0)
	if l, err = experiment.List("", before)(1); err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(before, l.Jobs); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	if _, err := experiment.List("", []*workload.Job{nil})(1); err == nil {
		t.Error("a nil job is no error")
	}
	undated := workload.NewJob(time.Time{}, 1, []policy.Duration{time.Second})
	if _, err := experiment.List("", []*workload.Job{later, undated})(1); err == nil || !strings.Contains(err.Error(), "job 2 of the list has no At") {
		t.Errorf("error %v, want one that names job 2", err)
	}
	// Submitted counts from the first row of a log, which need not be the earliest.
	later.Submitted = -1
	if l, err = experiment.List("", []*workload.Job{undated, sooner, later})(1); err != nil || l.Jobs[0].Submitted != -1 {
		t.Errorf("error %v, %+v, want the jobs as they are", err, l.Jobs)
	}
}

func tooLarge(t *testing.T) {
	jobs := list(t, 1, 0)
	change := func(every int, stage func(s *policy.Stage)) experiment.Jobs {
		var changed []*workload.Job
		for i, j := range jobs {
			c := *j
			if c.Stages = slices.Clone(j.Stages); i%every == every-1 {
				stage(&c.Stages[0])
			}
			changed = append(changed, &c)
		}
		return experiment.List("log", changed)
	}
	for want, of := range map[string]experiment.Jobs{
		"20 of 200 jobs need up to 5 cores on one node; the largest has 4: take larger nodes, or leave these jobs out": change(10, func(s *policy.Stage) { s.Cores = 5 }),
		"200 of 200 jobs need up to 5 cores on one node; the largest has 4":                                            change(1, func(s *policy.Stage) { s.Cores = 5 }),
		"cores at once, for a gang; all nodes have 16":                                                                 change(1, func(s *policy.Stage) { s.Gang, s.Cores = true, 4 }),
		"memory or other resources that the nodes do not have, such as job 200":                                        change(200, func(s *policy.Stage) { s.Needs = []policy.Need{{Name: "gpu", Amount: 1000}} }),
	} {
		c := config("fifo")
		c.Jobs, c.Windows, c.Loads = of, 4, []float64{0.9}
		if r, err := experiment.Run(t.Context(), c); r != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one with %q", err, want)
		}
	}
}

func memory(t *testing.T) {
	const note = "no job says how much memory it needs: the nodes' memory has no effect"
	jobs := list(t, 1, 0)
	needs := *jobs[9]
	needs.Stages = slices.Clone(needs.Stages)
	needs.Stages[0].Memory = 1
	for _, test := range []struct {
		job    *workload.Job
		memory int64
		want   bool
	}{{jobs[9], 1 << 30, true}, {&needs, 1 << 30, false}, {jobs[9], 0, false}} {
		c := config("fifo")
		jobs[9] = test.job
		c.Jobs, c.Nodes = experiment.List("log", jobs), sim.Cluster(sim.Partition{Nodes: 4, Cores: 4}, sim.Partition{Nodes: 1, Cores: 4, Memory: test.memory})
		if got := mustRun(t, c).Notes; slices.Contains(got, note) != test.want {
			t.Errorf("memory %d of a node, %d of a task: notes %q, want that of memory: %v", test.memory, test.job.Stages[0].Memory, got, test.want)
		}
	}
}

func requests(t *testing.T) {
	scored := experiment.Scored("scored", func(j *central.Job, _ policy.Time) float64 { return -j.Job.Requested.Seconds() })
	own := experiment.Policy{Name: "own", New: func(*experiment.Cell, policy.Truth) (policy.Scheduler, error) { return baseline.NewFair(), nil }}
	three := own
	three.Name, three.Request = "three", 3
	for want, policies := range map[string][]experiment.Policy{
		"no job requests a time; each is taken to request 2 to 3 times its runtime": {scored, three},
		"": {own},
		"no job requests a time; each is taken to request 2 times its runtime":                                               {scored},
		"no job requests a time; each is taken to request 2 times its runtime under easy and scored, and nothing under own":  append(experiment.Named("easy"), scored, own),
		"no job requests a time; each is taken to request 2 times its runtime under fifo-easy, and nothing under the others": experiment.Named("fifo-easy", "fifo", "fair", "srpt", "index"),
		"no job requests a time; each is taken to request 2 times its runtime under best, and nothing under own":             {{Name: "best", Best: experiment.Named("fifo", "easy")}, own},
	} {
		c := config()
		c.Policies, c.Seeds = policies, []uint64{1, 2}
		r := mustRun(t, c)
		var b bytes.Buffer
		if err := r.WriteTable(&b); err != nil || strings.Join(r.Notes, "\n") != want || strings.Count(b.String(), "requests a time") != len(r.Notes) {
			t.Errorf("notes %q, want %q; error %v, table\n%s", r.Notes, want, err, &b)
		}
	}
	jobs := list(t, 1, 0)
	with := *jobs[0]
	with.Requested = time.Hour
	jobs[0] = &with
	c := config("easy")
	c.Jobs = experiment.List("log", jobs)
	if got := mustRun(t, c).Notes; len(got) != 1 || got[0] != "199 jobs request no time; each of them is taken to request 2 times its runtime" {
		t.Errorf("notes %q", got)
	}
}

// What a log has that is no job is told with the result.
func TestTraceSkipped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.swf")
	text := "; MaxProcs: 4\n1 0 0 60 1 -1 -1 1 90 -1 1 1 1 1 1 1 -1 -1\n2 5 0 -1 1 -1 -1 1 90 -1 5 1 1 1 1 1 -1 -1\n3 9 0 60 1 -1 -1 1 90 -1 1 1 1 1 1 1 -1 -1\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := experiment.Run(t.Context(), experiment.Config{Jobs: experiment.Trace(path, ""), Policies: experiment.Named("fifo")})
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := r.WriteTable(&table); err != nil {
		t.Fatal(err)
	}
	const why = "job did not run, or nobody knows for how long: 1"
	if got := r.Runs[0].Skipped; !slices.Equal(got, []string{why}) || strings.Count(table.String(), "left out: "+why) != 1 {
		t.Errorf("got %q, want %q, and once in the table:\n%s", got, why, table.String())
	}
}

func ownCluster(t *testing.T) {
	c := config("fifo")
	c.Jobs, c.Nodes = experiment.Trace(file, ""), nil // MaxProcs: 16
	if r := mustRun(t, c).Runs[0]; r.Nodes != 16 || r.Cores != 16 {
		t.Errorf("got %d nodes of %d cores in all, want 16 of 16", r.Nodes, r.Cores)
	}
	c.Nodes = sim.Cluster(sim.Partition{Nodes: 1, Cores: 20})
	if r := mustRun(t, c).Runs[0]; r.Nodes != 1 || r.Cores != 20 {
		t.Errorf("got %d nodes of %d cores in all, want those of the Config", r.Nodes, r.Cores)
	}
}

func refusals(t *testing.T) {
	good := config("fifo", "srpt")
	for want, change := range map[string]func(*experiment.Config){
		"node 1 has speed 0": func(c *experiment.Config) {
			c.Nodes, c.Loads = []policy.Node{{ID: 1, Partition: 1, Cores: 16}}, []float64{0.9}
		},
		"Config.Jobs is nil":               func(c *experiment.Config) { c.Jobs = nil },
		"Config.Nodes is empty":            func(c *experiment.Config) { c.Nodes = nil },
		"Config.Policies is empty":         func(c *experiment.Config) { c.Policies = nil },
		`Config.Policies has "fifo" twice`: func(c *experiment.Config) { c.Policies = experiment.Named("fifo", "fifo") },
		`unknown policy "lifo"`: func(c *experiment.Config) {
			c.Policies = []experiment.Policy{{Name: "x", Best: experiment.Named("lifo")}}
		},
		`Config.Baseline is "fair"`:         func(c *experiment.Config) { c.Baseline = "fair" },
		"Config.Seeds has 2 twice":          func(c *experiment.Config) { c.Seeds = []uint64{2, 1, 2} },
		"Config.Loads has 0":                func(c *experiment.Config) { c.Loads = []float64{0} },
		"want one: what varies":             func(c *experiment.Config) { c.Windows, c.Thin = 2, 2 },
		"Config.Windows is -1":              func(c *experiment.Config) { c.Windows = -1 },
		"Config.Windows is 0 and Thin 1":    func(c *experiment.Config) { c.Thin = 1 },
		"Config.Windows is 1 and Thin 0":    func(c *experiment.Config) { c.Windows = 1 },
		"Config.Policies[1] has no Name":    func(c *experiment.Config) { c.Policies[1] = experiment.Scored("", nil) },
		"Config.Trim is 0.5":                func(c *experiment.Config) { c.Trim = 0.5 },
		"Config.Policies[0].Request is 0.5": func(c *experiment.Config) { c.Policies[0].Request = 0.5 },
		"Config.Host.Faults has Outages":    func(c *experiment.Config) { c.Windows, c.Host.Faults.Restarts = 2, []policy.Time{1} },
		"Config.Host has Ended":             func(c *experiment.Config) { c.Host.Ended = func(*sim.JobRecord) {} },
		"window 1: workload: 200 jobs cut":  func(c *experiment.Config) { c.Windows = 201 },
		"there are no jobs":                 func(c *experiment.Config) { c.Jobs = experiment.List("", nil) },
		"no such file":                      func(c *experiment.Config) { c.Jobs = experiment.Trace("none.swf", "") },
	} {
		c := good
		c.Policies = slices.Clone(c.Policies)
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
	r := mustRun(t, c)
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "out.json")
	if err := r.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || !bytes.Equal(text, b.Bytes()) {
		t.Errorf("error %v, the file is not what WriteJSON writes", err)
	}
	if err := r.WriteFile(t.TempDir()); err == nil {
		t.Error("a directory was written")
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
