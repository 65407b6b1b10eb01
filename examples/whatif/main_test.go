package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// knows says of each job the distribution that its runtime was drawn from.
type knows[D central.Distribution] map[policy.JobID]D

func (k knows[D]) Predict(j *policy.Job, _ policy.Time) (central.Distribution, bool) {
	d, ok := k[j.ID]
	return d, ok
}

func (knows[D]) Learn(*policy.Job, []policy.Duration, policy.Time) error { return nil }

// crowd draws jobs of one task on a cluster of three cores that they keep too busy, runtimes exponential with
// a mean of their own.
func crowd(jobs int, seed uint64) ([]*workload.Job, knows[exponential]) {
	rng := rand.New(rand.NewPCG(seed, 0))
	list, means := []*workload.Job(nil), make(knows[exponential])
	at := 0.0
	for id := range policy.JobID(jobs) {
		mean := exponential(1 + 99*rng.Float64())
		at += exponential(12).Quantile(rng.Float64())
		means[id+1] = mean
		list = append(list, &workload.Job{
			Job:      policy.Job{ID: id + 1, Submitted: policy.Time(at * 1e9), Stages: []policy.Stage{{Tasks: 1, Cores: 1}}},
			Runtimes: [][]policy.Duration{{policy.Duration(mean.Quantile(rng.Float64()) * 1e9)}},
		})
	}
	return list, means
}

// record replays the jobs on three cores, and asks.
func record(t *testing.T, list []*workload.Job, h History, f Outlook, past []policy.JobID, ask ...policy.JobID) ([]Asked, *sim.Result) {
	t.Helper()
	p, err := f.Policy(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRecorder(t.Context(), p, h, f, past, ask)
	if err != nil {
		t.Fatal(err)
	}
	jobs, truth := workload.Split(list)
	result, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 3, Cores: 1}), Jobs: jobs, Truth: truth}, r)
	if err != nil {
		t.Fatal(err)
	}
	answers, unknown := r.Answers()
	if unknown != 0 {
		t.Errorf("%d answers are not known", unknown)
	}
	return answers, result
}

// Each replay is asked about its last job alone, if that waits, so that the questions are independent. The
// distributions are true, so the bounds are those of TestCoverageOfTrueDistributions; here the state comes from
// the recorder, and the truth from the replay.
func TestCoverageInReplays(t *testing.T) {
	const jobs = 25
	replays := uint64(500)
	if testing.Short() {
		replays = 100
	}
	var list []told
	for seed := range replays {
		drawn, means := crowd(jobs, seed)
		answers, result := record(t, drawn, means, Outlook{Policy: fifo, Samples: 19, Seed: seed}, nil, jobs)
		for _, a := range answers {
			x := told{Asked: a, start: result.Jobs[jobs-1].FirstStart, end: result.Jobs[jobs-1].Ended}
			for _, b := range a.Beside {
				x.beside = append(x.beside, drawn[b.Job-1].Runtimes[0][0].Seconds())
			}
			list = append(list, x)
		}
	}
	if uint64(len(list)) < replays/2 {
		t.Fatalf("only %d of %d last jobs wait, which shows little", len(list), replays)
	}
	checkCoverage(t, list, 0)
	for _, p := range []float64{0.5, 0.9} {
		c := coverRuntimes(list, p, beside)
		checkShare(t, c, p, fmt.Sprintf("a runtime beside came by P%.0f", 100*p))
		if c.of != 3*len(list) {
			t.Errorf("%d jobs ran beside %d that waited on three cores", c.of, len(list))
		}
	}
}

// A history that knows the truth gives the true start and end of every job that waits, whatever it is asked
// about, under a policy that later jobs do not disturb.
func TestReplayOfKnownRuntimes(t *testing.T) {
	list, _ := crowd(200, 3)
	exact := make(knows[forecast.Known])
	var all []policy.JobID
	for _, j := range list {
		exact[j.ID] = forecast.Known(j.Runtimes[0][0].Seconds())
		all = append(all, j.ID)
	}
	answers, result := record(t, list, exact, Outlook{Policy: fifo, Samples: 1}, nil, all...)
	if len(answers) < 50 {
		t.Fatalf("only %d of 200 jobs wait, which shows little", len(answers))
	}
	for _, a := range answers {
		r := result.Jobs[a.Job-1]
		// Seconds have lost a nanosecond here or there.
		if !near(a.Starts[0], r.FirstStart, 200) || !near(a.Ends[0], r.Ended, 200) {
			t.Errorf("job %d: got %d and %d ns, want %d and %d", a.Job, a.Starts[0], a.Ends[0], r.FirstStart, r.Ended)
		}
	}
}

func near(a, b policy.Time, ns policy.Duration) bool { return max(a.Sub(b), b.Sub(a)) <= ns }

// To ask changes nothing of what the policy does.
func TestRecorderDoesNotDisturb(t *testing.T) {
	list, means := crowd(100, 5)
	f := Outlook{Policy: fifo, Samples: 2}
	_, quiet := record(t, list, means, f, nil)
	answers, asked := record(t, list, means, f, []policy.JobID{10, 30}, 20, 50, 80)
	if len(answers) == 0 {
		t.Fatal("no question was asked")
	}
	if !reflect.DeepEqual(quiet.Jobs, asked.Jobs) {
		t.Error("the jobs went otherwise when there were questions")
	}
}

func output(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	return out.String()
}

func TestProgram(t *testing.T) {
	for _, c := range contenders {
		args := []string{"-jobs", "120", "-ask", "3", "-samples", "3", "-policy", c.name}
		got := output(t, args...)
		if !strings.Contains(got, "120 jobs under "+c.name) || !strings.Contains(got, "and 3 of them were asked about, in 3 futures each") || !strings.Contains(got, "\n  of running jobs  ") {
			t.Errorf("policy %s:\n%s", c.name, got)
		}
		if again := output(t, args...); again != got {
			t.Errorf("policy %s: got\n%sand then\n%s", c.name, got, again)
		}
	}
	// The jobs of the past change how the answers are corrected, and are none of them.
	args := []string{"-jobs", "300", "-ask", "110", "-samples", "3"}
	with, without := output(t, args...), output(t, append(args, "-past", "0")...)
	if with == without || strings.Count(with, "and 110 of them were asked about") != 1 || strings.Count(with, "\n    the first 100 ") != 2 {
		t.Errorf("with a past:\n%swithout:\n%s", with, without)
	}
	// Stages, of which a part is finished when the question comes.
	if got := output(t, "-workload", "kairos", "-jobs", "60", "-ask", "5", "-samples", "3", "-load", "2"); !strings.Contains(got, "and 5 of them were asked about") {
		t.Errorf("workload kairos:\n%s", got)
	}
	// Why there are no answers.
	rows := func(rows string) string {
		path := filepath.Join(t.TempDir(), "jobs.csv")
		if err := os.WriteFile(path, []byte("t,d,n,user,table\n"+rows), 0o600); err != nil {
			t.Fatal(err)
		}
		return "-columns submit=t,runtime=d,cores=n,user=user,table=table -nodes 1 -cores 4 -trace " + path
	}
	once, wide := "", rows(strings.Repeat("0,60,1,u,x\n", 9)+"0,60,8,u,x\n") // each user comes once
	var apart strings.Builder
	for i := range 30 {
		once += fmt.Sprintf("%d,1000,4,u%d,x\n", 500*i, i)
		fmt.Fprintf(&apart, "%d,1,4,u,x\n", 100*(i+1))
	}
	for _, test := range []struct{ args, want, not string }{
		{"-jobs 20 -nodes 10000", "no answers: no job waited on 10000 nodes of 1 core; choose fewer by -nodes, or a higher -load", ""},
		{rows("0,60,4,u,x\n"), "no answers: a single job waits for nobody", ""},
		{rows("0,60,4,u,x\n1,60,4,u,x\n" + apart.String()), "no answers: those that waited, 2 of ", ""},
		{rows("0,60,4,u,x\n1,60,4,u,x\n"), "the features of 3Sigma do not have table; to learn from a column, list it with -features", ""},
		{rows(once) + " -features table", "were asked about, in ", "do not have table"},
		{rows(once) + " -features user", "no answers: while a job was asked about, no runtime was known", ""},
	} {
		if got := output(t, strings.Fields(test.args)...); !strings.Contains(got, test.want) || test.not != "" && strings.Contains(got, test.not) {
			t.Errorf("%s: want %q and not %q; got\n%s", test.args, test.want, test.not, got)
		}
	}
	if err := run(t.Context(), strings.Fields(wide), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "1 of 10 jobs need up to 8 cores on one node; the largest has 4") {
		t.Errorf("got error %v, want that a job is too wide", err)
	}
}

// The past comes before all questions, and these come after the first tenth of the jobs and a fifth of those that wait.
func TestChoose(t *testing.T) {
	list, _ := crowd(100, 1)
	ids := func(first, last policy.JobID) (ids []policy.JobID) {
		for id := first; id <= last; id++ {
			ids = append(ids, id)
		}
		return ids
	}
	for _, test := range []struct {
		name              string
		wait              []policy.JobID
		wantPast, wantAsk []policy.JobID
	}{
		{"all", ids(1, 100), ids(16, 20), ids(21, 100)},
		{"the second half", ids(51, 100), ids(56, 60), ids(61, 100)},
		{"the first tenth and the last", append(ids(1, 10), ids(91, 100)...), ids(6, 10), ids(91, 100)},
		{"the first tenth", ids(1, 10), nil, nil},
		{"three", ids(80, 82), nil, ids(80, 82)},
	} {
		o := &outcome{jobs: make(map[policy.JobID]*sim.JobRecord)}
		for _, id := range test.wait {
			o.jobs[id] = &sim.JobRecord{Submitted: 1, FirstStart: 2}
		}
		e := &experiment{options: &options{ask: 1000, past: 5, seed: 1}, Jobs: cli.Jobs{List: list}}
		past, ask := e.choose(o)
		if diff := cmp.Diff([][]policy.JobID{test.wantPast, test.wantAsk}, [][]policy.JobID{past, ask}, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s wait: -want +got:\n%s", test.name, diff)
		}
		e.ask = 2
		if _, ask = e.choose(o); len(ask) != min(2, len(test.wantAsk)) {
			t.Errorf("%s wait: %v are asked about, want 2 of %v", test.name, ask, test.wantAsk)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-policy lifo", "fifo,easy,fair,3sigma"},
		{"-load 0", "above 0"},
		{"-samples 0", "-samples"},
		{"-workload e2e", "the same runtime everywhere"},
		{"-workload lake", "without inputs"},
		{"-trace none.swf", "none.swf"},
		{"-features user,tabel -jobs 30", "no job has the attributes of tabel, by which -features calls jobs similar; these jobs have user"},
		{"-features paper,user -jobs 30", "paper, 3Sigma's, is to be given alone"},
		{"-preceding -trace none.swf", "not defined: -preceding"},
	} {
		err := run(t.Context(), strings.Fields(test.args), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one with %q", test.args, err, test.want)
		}
	}
}

// Instants count from anywhere: a trace whose rows are in any order and whose times are Unix seconds counts them from
// its first row, so that most of its jobs may come before 0.
func TestInstantsBelow0(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	list, _ := crowd(60, 7)
	write := func(shift policy.Duration) string {
		path := filepath.Join(t.TempDir(), "jobs.jsonl")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var shifted []*workload.Job
		for _, j := range list {
			k := *j
			k.Name, k.Submitted = fmt.Sprintf("night-%d", j.ID), j.Submitted.Add(shift)
			shifted = append(shifted, &k)
		}
		if err := trace.Write(f, workload.Of(shifted)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	now, before := write(0), write(-100*time.Hour)
	for _, c := range contenders {
		args := []string{"-nodes", "3", "-ask", "8", "-samples", "3", "-policy", c.name}
		want, got := output(t, append(args, "-trace", now)...), output(t, append(args, "-trace", before)...)
		if !strings.Contains(want, "night-") {
			t.Errorf("policy %s: no answer has the name of its job:\n%s", c.name, want)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("policy %s, 100 h earlier: -want +got:\n%s", c.name, diff)
		}
	}
}

// Rows may come in any order.
func TestUnsortedTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	list, _ := crowd(60, 7)
	write := func(list []*workload.Job) string {
		var b strings.Builder
		b.WriteString("submit,runtime\n")
		for _, j := range list {
			fmt.Fprintf(&b, "%.3f,%.3f\n", 1000+j.Submitted.Seconds(), j.Runtimes[0][0].Seconds())
		}
		path := filepath.Join(t.TempDir(), "jobs.csv")
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	args := []string{"-nodes", "3", "-ask", "30", "-show", "0", "-columns", "submit=submit:s,runtime=runtime:s", "-trace"}
	want := output(t, append(args, write(list))...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	if list[0].ID == 1 {
		t.Fatal("the rows are in order")
	}
	if diff := cmp.Diff(want, output(t, append(args, write(list))...)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
