package workload_test

import (
	"fmt"
	"log"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A predictor would learn from the history what the programs take that recur.
func ExampleMixed() {
	generator := workload.DefaultMixed()
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

// mixedJobs returns the jobs of g, and so many before them.
func mixedJobs(t testing.TB, g workload.Mixed, before int) (history, jobs []*workload.Job) {
	t.Helper()
	if before > 0 {
		history = jobtest.Made(t)(g.History(before))
	}
	return history, jobtest.Made(t)(g.Source())
}

// What holds for every job, of the history too; and everything occurs.
func TestMixedJobs(t *testing.T) {
	g := workload.DefaultMixed()
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
			if want := g.Start.Add(j.Submitted.Sub(0)); !j.At.Equal(want) {
				t.Fatalf("job %d: got calendar time %v, want %v", j.ID, j.At, want)
			}
			name, _ := j.Attr("program")
			if run, again := first[name]; !again {
				first[name] = j
			} else if !recurring(j) || fmt.Sprint(run.Attrs[:3], run.Stages, run.Priority) != fmt.Sprint(j.Attrs[:3], j.Stages, j.Priority) {
				t.Fatalf("two runs of program %s: got %+v and %+v", name, run.Job, j.Job)
			}
			for _, of := range checkMixed(t, &g, j) {
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
	g := workload.DefaultMixed()
	g.Gangs, g.Jobs = 0, 200
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
func checkMixed(t *testing.T, g *workload.Mixed, j *workload.Job) (features []string) {
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
		most := g.MaxWidth
		if s.Gang {
			most = g.MaxGang
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
	if ratio := float64(j.Requested) / float64(longest); j.Requested > 0 && !(ratio > 0.999 && ratio < 1.001*g.Overestimate) {
		t.Fatalf("job %d runs for %v and requests %v, want 1 to %v times as much", j.ID, longest, j.Requested, g.Overestimate)
	}
	group, _ := j.Attr("group")
	if k, err := strconv.Atoi(strings.TrimPrefix(group, "g")); err != nil || j.Luck != nil && math.Abs(j.Luck.Tail-1.1-0.1*float64(k)) > 1e-9 {
		t.Fatalf("job %d of group %s has luck %+v, want a tail of 1.1 in g0 to 1.9 in g8", j.ID, group, *j.Luck)
	}
	if len(j.Stages) > g.MaxStages || math.Abs(j.Priority) > 1 {
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
	g := workload.DefaultMixed()
	g.Jobs, g.Recurring = 5_000, 0
	g.Gangs, g.Staged, g.Pipes, g.NonDefaultPriority, g.Requested, g.Deadlines.Share = 0.2, 0.6, 0.3, 0.4, 0.7, 0.1
	_, jobs := mixedJobs(t, g, 0)
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
	n := float64(g.Jobs)
	share("gangs", gangs, n, g.Gangs)
	share("staged", staged, bags, g.Staged)
	for i := 2; i <= g.MaxStages; i++ {
		share(fmt.Sprint(i, " stages"), stages[i], staged, 1/float64(g.MaxStages-1))
	}
	share("pipes", pipes, more, g.Pipes)
	share("odd", odd, n, g.NonDefaultPriority)
	share("raised", raised, odd, 0.5)
	share("requested", requested, n, g.Requested)
	share("deadlines", due, n, g.Deadlines.Share)
	for i := range g.Groups {
		share(fmt.Sprint("group ", i), groups[fmt.Sprint("g", i)], n, 1/float64(g.Groups))
	}
	// Uniform from a tenth to 1.
	jobtest.WantWithin(t, "runtime over request", ratios/requested, 0.55, 0.9/math.Sqrt(12*requested))
	// P(width ≤ 10) = (1 - 11^-0.8) / (1 - 501^-0.8), which is Hopper's 85 %.
	share("narrow", narrow, bags, (1-math.Pow(11, -0.8))/(1-math.Pow(501, -0.8)))
}

// Of recurring programs a share reads from others, within four standard errors.
func TestMixedDependent(t *testing.T) {
	g := workload.DefaultMixed()
	g.Jobs, g.Recurring, g.Programs, g.MaxWidth = 40_000, 1, 1500, 1
	_, jobs := mixedJobs(t, g, 0)
	runs, reads := make(map[string]int), make(map[string]bool)
	inverted, reading := 0, 0
	for _, j := range jobs {
		name, _ := j.Attr("program")
		runs[name]++
		if j.Inputs != nil {
			reading++
			reads[name] = true
			if jobs[j.Inputs.Jobs[0]-1].Priority < j.Priority {
				inverted++
			}
		}
	}
	if reads["p0"] {
		t.Error("the most popular program reads from another one, want none")
	}
	n, dependent := 0.0, 0.0
	for name, k := range runs {
		if k >= 2 { // what it reads is more popular, so it has run
			n++
			if reads[name] {
				dependent++
			}
		}
	}
	jobtest.WantWithin(t, "share", dependent/n, g.Dependent, math.Sqrt(g.Dependent*(1-g.Dependent)/n))
	// Programs weigh by how popular they are, so this is a rough one: 0.5·p·(2 - 1.5·p) with p = 0.2 is 17 %.
	if share := float64(inverted) / float64(reading); share < 0.08 || share > 0.3 {
		t.Errorf("of the readers %v have a higher priority than what they read, want about 0.17", share)
	}
}

func TestMixedValidation(t *testing.T) {
	refused := map[string]func(g *workload.Mixed){
		"HeavyTail.Jobs is 0, want 1 to 2^28":                                  func(g *workload.Mixed) { g.Jobs = 0 },
		"Mixed.Drift is -1, want 0 to 10":                                      func(g *workload.Mixed) { g.Drift = -1 },
		"Mixed.Groups is 0, want 1 to 1000":                                    func(g *workload.Mixed) { g.Groups = 0 },
		"Mixed.MinTail is 1, want finite, above 1":                             func(g *workload.Mixed) { g.MinTail = 1 },
		"Mixed.MaxTail is NaN, want finite, above 1":                           func(g *workload.Mixed) { g.MaxTail = math.NaN() },
		"Mixed.Bound is 1, want finite, above 1, or 0":                         func(g *workload.Mixed) { g.Bound = 1 },
		"Mixed.Gangs is 1.5, want 0 to 1":                                      func(g *workload.Mixed) { g.Gangs = 1.5 },
		"Mixed.MaxGang is 1, want 2 to 2^20":                                   func(g *workload.Mixed) { g.MaxGang = 1 },
		"Mixed.Staged is NaN, want 0 to 1":                                     func(g *workload.Mixed) { g.Staged = math.NaN() },
		"Mixed.MaxStages is 1, want 2 to 100, and times MaxWidth at most 2^28": func(g *workload.Mixed) { g.MaxStages = 1 },
		"Mixed.MaxStages is 4, want 2 to 100, and times MaxWidth at most 2^28": func(g *workload.Mixed) { g.MaxWidth = 1 << 27 },
		"Mixed.Pipes is -0.5, want 0 to 1":                                     func(g *workload.Mixed) { g.Pipes = -0.5 },
		"Mixed.Dependent is 2, want 0 to 1":                                    func(g *workload.Mixed) { g.Dependent = 2 },
		"Mixed.NonDefaultPriority is NaN, want 0 to 1":                         func(g *workload.Mixed) { g.NonDefaultPriority = math.NaN() },
		"Mixed.Requested is 1.1, want 0 to 1":                                  func(g *workload.Mixed) { g.Requested = 1.1 },
		"Mixed.Overestimate is 0.5, want 1 to 10^6":                            func(g *workload.Mixed) { g.Overestimate = 0.5 },
		"Deadlines.Share is 3, want 0 to 1":                                    func(g *workload.Mixed) { g.Deadlines.Share = 3 },
	}
	jobtest.WantRefused(t, "workload: ", workload.DefaultMixed, workload.Mixed.Source, refused)
	jobtest.WantRefused(t, "workload: ", workload.DefaultMixed, func(g workload.Mixed) (workload.Source, error) { return g.History(1) }, refused)
	g := workload.DefaultMixed()
	if _, err := g.History(0); err == nil || !strings.Contains(err.Error(), "a history of 0 jobs, want 1 to 2^28") {
		t.Errorf("got error %v, want one about a history of 0 jobs", err)
	}
	g.MeanGap = math.MaxInt64 // 292 years
	for _, of := range []func() (workload.Source, error){g.Source, func() (workload.Source, error) { return g.History(1) }} {
		source, err := of()
		if err != nil {
			t.Fatal(err)
		}
		if jobs, err := jobtest.Drain(source); err == nil || !strings.Contains(err.Error(), "HeavyTail.MeanGap of") || len(jobs) > 0 {
			t.Errorf("got %d jobs and error %v, want none and one about HeavyTail.MeanGap", len(jobs), err)
		}
	}
}
