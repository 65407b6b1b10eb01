package paper_test

import (
	"fmt"
	"log"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A predictor would learn from the history what the programs take that recur.
func ExampleMixed() {
	generator := paper.DefaultMixed()
	generator.Jobs = 8
	history, err := generator.History(10_000)
	if err != nil {
		log.Fatal(err)
	}
	runs := make(map[string]int)
	for job, err := range history {
		if err != nil {
			log.Fatal(err)
		}
		program, _ := job.Attr("program")
		runs[program]++
	}
	source, err := generator.Source()
	if err != nil {
		log.Fatal(err)
	}
	jobs, err := workload.ReadAll(source)
	if err != nil {
		log.Fatal(err)
	}
	for _, job := range jobs {
		program, _ := job.Attr("program")
		fmt.Printf("%s, %d runs before: %d stages, %d tasks, %.0f core-seconds", program, runs[program], len(job.Stages), job.Tasks(), job.Work())
		if job.Stages[0].Gang {
			fmt.Print(", a gang")
		}
		if job.Requested > 0 {
			fmt.Printf(", requests %.0f s", job.Requested.Seconds())
		}
		if job.SLO != nil {
			fmt.Printf(", due in %.0f s", job.SLO.Deadline.Sub(job.Submitted).Seconds())
		}
		if job.Inputs != nil {
			fmt.Printf(", reads job %d", job.Inputs.Jobs[0])
		}
		fmt.Println()
	}
	// Output:
	// adhoc1, 0 runs before: 4 stages, 177 tasks, 13303 core-seconds, requests 1147 s, due in 977 s
	// adhoc2, 0 runs before: 1 stages, 34 tasks, 3889 core-seconds
	// adhoc3, 0 runs before: 1 stages, 1 tasks, 27 core-seconds, due in 33 s
	// p0, 1143 runs before: 1 stages, 34 tasks, 780 core-seconds, requests 295 s
	// p5, 196 runs before: 1 stages, 1 tasks, 1 core-seconds, due in 2 s
	// p79, 17 runs before: 3 stages, 20 tasks, 8 core-seconds
	// p73, 15 runs before: 4 stages, 41 tasks, 10269 core-seconds
	// adhoc8, 0 runs before: 1 stages, 2 tasks, 2 core-seconds, requests 3 s, due in 2 s
}

// recurring reports whether a generated job is a run of a program that recurs.
func recurring(j *workload.Job) bool {
	program, _ := j.Attr("program")
	return strings.HasPrefix(program, "p")
}

func TestMixedRefuses(t *testing.T) {
	for _, jobs := range []int{0, 1e8 + 1} {
		_, mixed := paper.Mixed{Jobs: jobs}.Source()
		_, history := paper.DefaultMixed().History(jobs)
		for of, err := range map[string]error{"Mixed.Jobs is": mixed, "a history of": history} {
			if want := fmt.Sprintf("paper: %s %d", of, jobs); err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "want 1 to 10^8") {
				t.Errorf("got error %v, want %s", err, want)
			}
		}
	}
}

// mixedJobs returns the jobs of g, and so many before them.
func mixedJobs(t testing.TB, g paper.Mixed, before int) (history, jobs []*workload.Job) {
	t.Helper()
	if before > 0 {
		history = jobtest.Made(t)(g.History(before))
	}
	return history, jobtest.Made(t)(g.Source())
}

// What holds for every job, of the history too; and everything occurs.
func TestMixedJobs(t *testing.T) {
	g := paper.DefaultMixed()
	history, jobs := mixedJobs(t, g, 5000)
	first := make(map[string]*workload.Job) // of each program
	for _, part := range [][]*workload.Job{history, jobs} {
		features := make(map[string]int)
		last, runs := policy.Time(math.MinInt64), make(map[string]policy.JobID)
		for i, j := range part {
			if err := j.Validate(); err != nil {
				t.Fatal(err)
			}
			if int(j.ID) != i+1 || j.Submitted < last || (j.Submitted < 0) != (&part[0] == &history[0]) {
				t.Fatalf("job %d at place %d, submitted at %v after %v", j.ID, i, j.Submitted, last)
			}
			last = j.Submitted
			if want := time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC).Add(j.Submitted.Sub(0)); !j.At.Equal(want) {
				t.Fatalf("job %d: got calendar time %v, want %v", j.ID, j.At, want)
			}
			name, _ := j.Attr("program")
			if run, again := first[name]; !again {
				first[name] = j
			} else if !recurring(j) || fmt.Sprint(run.Attrs[:3], run.Stages, run.Priority) != fmt.Sprint(j.Attrs[:3], j.Stages, j.Priority) {
				t.Fatalf("two runs of program %s: got %+v and %+v", name, run.Job, j.Job)
			}
			for _, of := range checkMixed(t, j) {
				features[of]++
			}
			if j.Inputs != nil {
				read := part[j.Inputs.Jobs[0]-1]
				other, _ := read.Attr("program")
				if len(j.Inputs.Jobs) != 1 || !j.Inputs.Wait || !recurring(read) || !recurring(j) || runs[other] != read.ID || other == name {
					t.Fatalf("job %d of %s reads %+v of %s, whose last run is %d", j.ID, name, *j.Inputs, other, runs[other])
				}
			}
			runs[name] = j.ID
		}
		want := []string{"wide", "gang", "chain", "pipe", "requested", "raised", "lowered", "recurring", "once"}
		if part[0].Submitted >= 0 {
			want = append(want, "inputs", "deadline")
		} else if features["inputs"]+features["deadline"] > 0 {
			t.Error("a job of the history reads another one or has a deadline, want none")
		}
		for _, of := range want {
			if features[of] < 20 {
				t.Errorf("got %d jobs with %s, want more", features[of], of)
			}
		}
	}
}

// The history has luck and programs of its own.
func TestMixedHistoryIsIndependent(t *testing.T) {
	g := paper.DefaultMixed()
	g.Bags, g.Jobs = true, 200
	history, jobs := mixedJobs(t, g, 200)
	mirrored := 0
	for i, j := range jobs {
		if j.Luck.Seed == history[i].Luck.Seed {
			t.Fatalf("job %d and that of the history have the same luck", j.ID)
		}
		if recurring(j) == recurring(history[len(history)-1-i]) {
			mirrored++
		}
	}
	if mirrored > 180 {
		t.Errorf("got %d of 200 jobs that are of a program that recurs if one is as long before instant 0, want about half", mirrored)
	}
}

// checkMixed checks the stages and runtimes of a job, and returns what occurs in it.
func checkMixed(t *testing.T, j *workload.Job) (features []string) {
	t.Helper()
	add := func(feature string, is bool) {
		if is {
			features = append(features, feature)
		}
	}
	longest, pipes := policy.Duration(0), false
	for i := range j.Stages {
		s := &j.Stages[i]
		longest = max(longest, slices.Max(j.Runtimes[i]))
		most := 500
		if s.Gang {
			most = 32
			if len(j.Stages) > 1 || s.Tasks < 2 || j.Luck != nil || slices.Min(j.Runtimes[i]) != longest {
				t.Fatalf("job %d: got gang %+v with luck %v, want one stage of tasks that end together", j.ID, *s, j.Luck)
			}
		} else if c := (policy.Copy{Task: policy.Task{Job: j.ID, Stage: uint32(i), Index: s.Tasks - 1}}); j.Luck.Runtime(c) != j.Runtimes[i][s.Tasks-1] {
			t.Fatalf("job %d, stage %d: the first copy of a task runs for another time than its luck has it", j.ID, i)
		}
		if int(s.Tasks) > most || s.Cores != 1 || len(s.Reads) != min(i, 1) || i > 0 && s.Reads[0].Stage != uint32(i-1) {
			t.Fatalf("job %d: got stage %+v, want at most %d tasks of one core, which read the stage before", j.ID, *s, most)
		}
		pipes = pipes || i > 0 && s.Reads[0].Pipe
	}
	if ratio := float64(j.Requested) / float64(longest); j.Requested > 0 && !(ratio > 0.999 && ratio < 10.01) {
		t.Fatalf("job %d runs for %v and requests %v, want 1 to 10 times as much", j.ID, longest, j.Requested)
	}
	group, _ := j.Attr("group")
	if k, err := strconv.Atoi(strings.TrimPrefix(group, "g")); err != nil || j.Luck != nil && math.Abs(j.Luck.Tail-1.1-0.1*float64(k)) > 1e-9 {
		t.Fatalf("job %d of group %s has luck %+v, want a tail of 1.1 in g0 to 1.9 in g8", j.ID, group, *j.Luck)
	}
	if len(j.Stages) > 4 || math.Abs(j.Priority) > 1 {
		t.Fatalf("job %d has %d stages and priority %v", j.ID, len(j.Stages), j.Priority)
	}
	add("wide", j.Stages[0].Tasks > 100)
	add("gang", j.Stages[0].Gang)
	add("chain", len(j.Stages) > 1)
	add("pipe", pipes)
	add("requested", j.Requested > 0)
	add("raised", j.Priority > 0)
	add("lowered", j.Priority < 0)
	add("recurring", recurring(j))
	add("once", !recurring(j))
	add("inputs", j.Inputs != nil)
	add("deadline", j.SLO != nil)
	return features
}

// Of jobs that run once the shares are those of the parameters, within four standard errors.
func TestMixedShares(t *testing.T) {
	g := paper.DefaultMixed()
	g.Jobs = 30_000
	_, jobs := mixedJobs(t, g, 0)
	n := float64(len(jobs))
	jobs = slices.DeleteFunc(jobs, recurring)
	jobtest.WantWithin(t, "once", float64(len(jobs))/n, 0.32, math.Sqrt(0.32*0.68/n))
	var bags, gangs, staged, more, pipes, odd, raised, requested, due, narrow float64
	stages, groups := make(map[int]float64), make(map[string]float64)
	ratios := 0.0
	for _, j := range jobs {
		group, _ := j.Attr("group")
		groups[group]++
		switch n := len(j.Stages); {
		case j.Stages[0].Gang:
			gangs++
		case n > 1:
			stages[n]++
			staged++
			fallthrough
		default:
			bags++
			if j.Stages[0].Tasks <= 10 {
				narrow++
			}
		}
		for _, s := range j.Stages[1:] {
			more++
			if s.Reads[0].Pipe {
				pipes++
			}
		}
		if j.Priority != 0 {
			odd++
		}
		if j.Priority > 0 {
			raised++
		}
		if j.Requested > 0 {
			requested++
			longest := policy.Duration(0)
			for _, tasks := range j.Runtimes {
				longest = max(longest, slices.Max(tasks))
			}
			ratios += float64(longest) / float64(j.Requested)
		}
		if j.SLO != nil {
			due++
		}
	}
	share := func(what string, got, of, want float64) {
		t.Helper()
		jobtest.WantWithin(t, what, got/of, want, math.Sqrt(want*(1-want)/of))
	}
	n = float64(len(jobs))
	share("gangs", gangs, n, 0.1)
	share("staged", staged, bags, 0.3)
	for i := 2; i <= 4; i++ {
		share(fmt.Sprint(i, " stages"), stages[i], staged, 1./3)
	}
	share("pipes", pipes, more, 0.25)
	share("odd", odd, n, 0.2)
	share("raised", raised, odd, 0.5)
	share("requested", requested, n, 0.5)
	share("deadlines", due, n, 0.5)
	for i := range 9 {
		share(fmt.Sprint("group ", i), groups[fmt.Sprint("g", i)], n, 1./9)
	}
	// Uniform from a tenth to 1.
	jobtest.WantWithin(t, "runtime over request", ratios/requested, 0.55, 0.9/math.Sqrt(12*requested))
	// P(width ≤ 10) = (1 - 11^-0.8) / (1 - 501^-0.8), which is Hopper's 85 %.
	share("narrow", narrow, bags, (1-math.Pow(11, -0.8))/(1-math.Pow(501, -0.8)))
}

// Of recurring programs a share reads from others, within four standard errors.
func TestMixedDependent(t *testing.T) {
	g := paper.DefaultMixed()
	g.Jobs = 30_000
	_, jobs := mixedJobs(t, g, 0)
	runs, reads := make(map[string]int), make(map[string]bool)
	for _, j := range jobs {
		name, _ := j.Attr("program")
		runs[name]++
		if j.Inputs != nil {
			reads[name] = true
		}
	}
	if reads["p0"] {
		t.Error("the most popular program reads from another one, want none")
	}
	n, dependent := 0.0, 0.0
	for name, k := range runs {
		if k >= 8 && name[0] == 'p' { // what it reads is more popular, so it has run
			n++
			if reads[name] {
				dependent++
			}
		}
	}
	jobtest.WantWithin(t, "share", dependent/n, 0.34, math.Sqrt(0.34*0.66/n))
}
