package paper_test

import (
	"fmt"
	"log"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// The workload, and a history for a predictor to learn from.
func ExampleE2E() {
	e := paper.DefaultE2E()
	source, err := e.Source()
	if err != nil {
		log.Fatal(err)
	}
	jobs, err := workload.ReadAll(source)
	if err != nil {
		log.Fatal(err)
	}
	history, err := e.History(5000)
	if err != nil {
		log.Fatal(err)
	}
	before, err := workload.ReadAll(history)
	if err != nil {
		log.Fatal(err)
	}
	slo := 0
	for _, j := range jobs {
		if j.SLO != nil {
			slo++
		}
	}
	fmt.Printf("%d jobs, %d with deadlines, load %.2f\n", len(jobs), slo, workload.Measure(jobs).Load(256))
	first := before[0]
	user, _ := first.Attr("user")
	program, _ := first.Attr("program")
	fmt.Printf("history: %s ran %s on %d nodes for %.0f s\n", user, program, first.Tasks(), first.Ideal().Seconds())
	// Output:
	// 600 jobs, 295 with deadlines, load 1.40
	// history: u516 ran before1 on 1 nodes for 2164 s
}

// feature returns user and program of a job, without the name of one that ran once.
func feature(j *workload.Job) [2]string {
	user, _ := j.Attr("user")
	program, _ := j.Attr("program")
	if strings.HasPrefix(program, "once") || strings.HasPrefix(program, "before") {
		program = ""
	}
	return [2]string{user, program}
}

// The published figures are of 3Sigma, section 5; those of the trace of its jobs that the
// classes were fitted to.
func e2eIsThatOf3Sigma(t *testing.T) {
	e := paper.DefaultE2E()
	e.Jobs = 60_000
	jobs := jobtest.Made(t)(e.Source())
	n := float64(len(jobs))
	t.Logf("%-34s %9s %9s", "", "published", "generated")
	compare := func(what string, got, want, stderr float64) {
		t.Helper()
		t.Logf("%-34s %9.4f %9.4f", what, want, got)
		jobtest.WantWithin(t, what, got, want, stderr)
	}
	compare("load on 256 nodes", workload.Measure(jobs).Load(256), 1.4, 1e-9)

	var gaps, logs []float64
	last, single, slos, sloWork, work := policy.Time(0), 0.0, 0.0, 0.0, 0.0
	slacks, features := make(map[int]float64), make(map[[2]string]float64)
	for i, j := range jobs {
		if err := j.Validate(); err != nil {
			t.Fatal(err)
		}
		if j.ID != policy.JobID(i+1) || j.Submitted < last {
			t.Fatalf("got job %d at %v s, want number %d after %v s", j.ID, j.Submitted.Seconds(), i+1, last.Seconds())
		}
		gaps, last = append(gaps, j.Submitted.Sub(last).Seconds()), j.Submitted
		logs = append(logs, math.Log(j.Ideal().Seconds()))
		if !j.Stages[0].Gang || j.Stages[0].Cores != 1 || len(j.Stages) != 1 || j.Tasks() > 256 || slices.Min(j.Runtimes[0]) != j.Ideal() {
			t.Fatalf("job %d: got %+v, want a gang of at most 256 one-core tasks of one runtime", j.ID, j)
		}
		if j.Tasks() == 1 {
			single++
		}
		features[feature(j)]++
		work += j.Work()
		if j.SLO != nil {
			slos++
			sloWork += j.Work()
			slacks[int(math.Round(jobtest.Slack(j)*100))]++
			if len(j.Stages[0].Prefer) != 3 || j.Stages[0].Elsewhere != 1.5 {
				t.Fatalf("SLO job %d prefers %v, factor %v; want three of four partitions, 1.5", j.ID, j.Stages[0].Prefer, j.Stages[0].Elsewhere)
			}
		} else if j.Stages[0].Prefer != nil {
			t.Fatalf("best-effort job %d prefers %v, want none", j.ID, j.Stages[0].Prefer)
		}
	}
	mean, sigma := jobtest.Moments(gaps)
	// The standard error follows from the first four moments of the two-phase
	// distribution with mean 1, 5, 60 and 1050, by the delta method.
	compare("squared CoV of gaps", sigma*sigma/(mean*mean), 4, math.Sqrt(325/n))
	compare("share of SLO jobs", slos/n, 0.5, math.Sqrt(0.25/n))
	for _, percent := range []int{20, 40, 60, 80} {
		compare(fmt.Sprintf("share with slack %d %%", percent), slacks[percent]/slos, 0.25, math.Sqrt(0.25*0.75/slos))
	}
	t.Logf("%-34s %9.4f %9.4f", "load of SLO jobs", 0.7, 1.4*sloWork/work)

	t.Logf("%-34s %9s %9s", "", "trace", "generated")
	p := paper.E2ESingle()
	compare("share of jobs of one task", single/n, p, math.Sqrt(p*(1-p)/n))
	for name, want := range paper.E2EFeatures() {
		jobtest.WantWithin(t, fmt.Sprintf("share of %q", name), features[name]/n, want, math.Sqrt(want*(1-want)/n))
	}
	if len(features) != len(paper.E2EFeatures()) {
		t.Errorf("got %d users and programs, want %d", len(features), len(paper.E2EFeatures()))
	}
	// The bounds of the classes in the trace, and how many jobs are on their left.
	for _, class := range []struct{ seconds, jobs float64 }{{83.95, 2463}, {710, 2463 + 1945}} {
		below := 0.0
		for _, x := range logs {
			if x <= math.Log(class.seconds) {
				below++
			}
		}
		t.Logf("share that runs for at most %4.0f s %9.4f  %9.4f", class.seconds, class.jobs/paper.E2EJobs(), below/n)
	}
	t.Logf("%-34s %9.1f %9.1f", "mean work, node-s", 2759.3, work/n)
	jobtest.WantDistribution(t, "log of runtime", logs, paper.E2ERuntimes)
}

// Arrivals come in bursts, at any load and cluster.
func TestE2EGapsAndLoad(t *testing.T) {
	for _, test := range []struct {
		load  float64
		nodes int
	}{{1, 20}, {3, 1}} {
		const cv2, stderr = 4, 18 // the second of the squared CoV of n gaps, times sqrt(n)
		e := paper.DefaultE2E()
		e.Jobs, e.Load, e.Nodes, e.Seed = 40_000, test.load, test.nodes, 5
		jobs := jobtest.Made(t)(e.Source())
		var gaps []float64
		for i, j := range jobs {
			if j.Tasks() > test.nodes {
				t.Fatalf("job %d has %d tasks, want at most %d", j.ID, j.Tasks(), test.nodes)
			}
			if i > 0 {
				gaps = append(gaps, j.Submitted.Sub(jobs[i-1].Submitted).Seconds())
			}
		}
		mean, sigma := jobtest.Moments(gaps)
		jobtest.WantWithin(t, "squared CoV", sigma*sigma/(mean*mean), cv2, stderr/math.Sqrt(float64(e.Jobs)))
		jobtest.WantWithin(t, "load", workload.Measure(jobs).Load(float64(test.nodes)), test.load, 1e-9*test.load)
	}
}

// What the paper publishes of its jobs: 600 are two hours at a load of 1.4, so 1.19 machine-hours each. Means of
// many seeds come near it for jobs that ended within two hours, and not for those that finished.
func TestE2EControls(t *testing.T) {
	for from, want := range map[paper.E2ETrace]bool{paper.E2EFinished: false, paper.E2ETwoHours: true} {
		e := paper.DefaultE2E()
		e.Jobs, e.Trace = 60_000, from
		jobs := jobtest.Made(t)(e.Source())
		work := 0.0
		for _, j := range jobs {
			work += j.Work() / 3600 / float64(len(jobs))
		}
		t.Logf("trace %d: %.2f machine-hours", from, work)
		if got := math.Abs(work-1.19) < 0.2; got != want {
			t.Errorf("trace %d: a job is %.2f machine-hours, want near 1.19: %v", from, work, want)
		}
	}
}

// By program, runtimes are those of a user's program, and the median of the last 20 says
// more of the next; in the trace it is within a factor of two for 82 % (see
// e2e_finished.go).
func TestE2EByProgram(t *testing.T) {
	for _, test := range []struct {
		byProgram bool
		want      float64 // per cent, as the comment of ByProgram says
	}{{false, 62}, {true, 77}} {
		e := paper.DefaultE2E()
		e.Jobs, e.ByProgram = 20_000, test.byProgram
		logs := make(map[[2]string][]float64)
		last := make(map[[2]string][]float64)
		made, right := 0.0, 0.0
		for _, j := range jobtest.Made(t)(e.Source()) {
			f, x := feature(j), j.Ideal().Seconds()
			logs[f] = append(logs[f], math.Log(x))
			seen := last[f]
			if f[1] == "" || len(seen) == 0 {
				seen = last[[2]string{f[0]}]
			}
			if len(seen) > 0 {
				sorted := slices.Sorted(slices.Values(seen))
				made++
				if r := sorted[len(sorted)/2] / x; 0.5 <= r && r <= 2 {
					right++
				}
			}
			keys := [][2]string{{f[0]}, f}
			if f[1] == "" {
				keys = keys[:1]
			}
			for _, k := range keys {
				last[k] = append(last[k], x)
				last[k] = last[k][max(0, len(last[k])-20):]
			}
		}
		t.Logf("by program %v: %.3f predicted within a factor of two", test.byProgram, right/made)
		if got := math.Round(100 * right / made); got != test.want {
			t.Errorf("by program %v: got %v %% predicted within a factor of two, want %v", test.byProgram, got, test.want)
		}
		if test.byProgram {
			for _, f := range [][2]string{{"u106", "l3603"}, {"u114", "l3747"}, {"u249", "l3640"}, {"u11", ""}} {
				jobtest.WantDistribution(t, fmt.Sprintf("log of runtime of %q", f), logs[f], paper.E2ERuntimesOf(f[0], f[1]))
			}
		}
	}
}

// The history is independent of the workload, but of the same distributions.
func TestE2EHistory(t *testing.T) {
	e := paper.DefaultE2E()
	source, err := e.History(20_000)
	if err != nil {
		t.Fatal(err)
	}
	var logs []float64
	features, programs := make(map[[2]string]bool), make(map[string]bool)
	history := jobtest.All(t, source)
	for i, j := range history {
		if j.SLO != nil || i > 0 && j.Submitted < history[i-1].Submitted || j.Submitted > 0 {
			t.Fatalf("got job %d at %v s with SLO %v, want order, until instant 0, and none", j.ID, j.Submitted.Seconds(), j.SLO)
		}
		logs = append(logs, math.Log(j.Ideal().Seconds()))
		features[feature(j)] = true
		program, _ := j.Attr("program")
		programs[program] = true
	}
	jobtest.WantDistribution(t, "log of runtime", logs, paper.E2ERuntimes)
	if load := workload.Measure(history).Load(256); math.Abs(load-1.4) > 1e-6 {
		t.Errorf("got load %v, want 1.4", load)
	}
	jobs, same := jobtest.Made(t)(e.Source()), 0
	for i, j := range jobs {
		if !features[feature(j)] {
			t.Errorf("job %d: %v is not in the history, want all that 600 jobs have", j.ID, feature(j))
		}
		program, _ := j.Attr("program")
		if strings.HasPrefix(program, "once") && programs[program] {
			t.Errorf("job %d: program %s runs once, but is in the history", j.ID, program)
		}
		if j.Ideal() == history[i].Ideal() {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d jobs run as long as that of the history with their ID, want none", same)
	}
}

func TestE2EValidation(t *testing.T) {
	jobtest.WantRefused(t, "", paper.DefaultE2E, paper.E2E.Source, map[string]func(e *paper.E2E){
		"paper: E2E.Jobs is 1, want 2 to 2^28":                   func(e *paper.E2E) { e.Jobs = 1 },
		"paper: E2E.Jobs is 268435457, want 2 to 2^28":           func(e *paper.E2E) { e.Jobs = 1<<28 + 1 },
		"paper: E2E.Nodes is 0, want 1 to 2^24":                  func(e *paper.E2E) { e.Nodes = 0 },
		"paper: E2E.Nodes is 16777217, want 1 to 2^24":           func(e *paper.E2E) { e.Nodes = 1<<24 + 1 },
		"paper: E2E.Load is 0, want above 0, to 1000":            func(e *paper.E2E) { e.Load = 0 },
		"paper: E2E.Load is NaN, want above 0, to 1000":          func(e *paper.E2E) { e.Load = math.NaN() },
		"paper: E2E.Trace is 2, want E2EFinished or E2ETwoHours": func(e *paper.E2E) { e.Trace = paper.E2ETwoHours + 1 },
		"workload: Deadlines.Share is 2, want 0 to 1":            func(e *paper.E2E) { e.Deadlines.Share = 2 },
	})
	e := paper.DefaultE2E()
	if _, err := e.History(1); err == nil || err.Error() != "paper: a history of 1 jobs, want 2 to 2^28" {
		t.Errorf("got error %v, want one about the history", err)
	}
	e.Load = 1e-9
	if _, err := e.Source(); err == nil || !strings.HasPrefix(err.Error(), "paper: 600 jobs at E2E.Load 1e-09 arrive over ") {
		t.Errorf("got error %v, want one that says how long the jobs take to arrive", err)
	}
}
