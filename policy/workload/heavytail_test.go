package workload_test

import (
	"fmt"
	"log"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// generated returns the jobs that g generates.
func generated(t testing.TB, g workload.HeavyTail) []*workload.Job {
	t.Helper()
	source, err := g.Source()
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := workload.ReadAll(source)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func source(t *testing.T, g workload.HeavyTail) workload.Source {
	t.Helper()
	source, err := g.Source()
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// What holds for every job.
func TestHeavyTailJobs(t *testing.T) {
	g := workload.DefaultHeavyTail()
	g.Jobs, g.Users, g.Programs, g.MaxWidth = 2_000, 7, 30, 50
	g.Start = time.Date(2026, time.October, 24, 21, 45, 30, 0, time.FixedZone("", -3*3600))
	last := policy.Time(0)
	users, programs := make(map[string]int), make(map[string]*workload.Job)
	user := func(j *workload.Job) string { u, _ := j.Attr("user"); return u }
	for i, j := range jobtest.All(t, source(t, g)) {
		if err := j.Validate(); err != nil {
			t.Fatal(err)
		}
		if want := policy.JobID(i + 1); j.ID != want {
			t.Fatalf("got ID %d, want %d", j.ID, want)
		}
		if j.Submitted < last {
			t.Fatalf("job %d: got submission at %d, before that of the job before at %d, want order", j.ID, j.Submitted, last)
		}
		last = j.Submitted
		if want := g.Start.Add(policy.Duration(j.Submitted)); !j.At.Equal(want) {
			t.Fatalf("job %d: got calendar time %v, want %v", j.ID, j.At, want)
		}
		if hour, _ := j.Attr("hour"); hour != strconv.Itoa(j.At.In(g.Start.Location()).Hour()) {
			t.Fatalf("job %d: got hour %q at %v", j.ID, hour, j.At)
		}
		if n := j.Tasks(); n < 1 || n > g.MaxWidth || len(j.Stages) != 1 || j.Stages[0].Width() != 1 {
			t.Fatalf("job %d: got stages %+v, want one with 1 to %d tasks of one core", j.ID, j.Stages, g.MaxWidth)
		}
		users[user(j)]++
		name, _ := j.Attr("program")
		run, again := programs[name]
		if !again {
			programs[name] = j
		} else if user(j) != user(run) || j.Tasks() != run.Tasks() {
			t.Fatalf("jobs %d and %d of program %s: got %d tasks of %s and %d of %s, want the same", j.ID, run.ID, name, j.Tasks(), user(j), run.Tasks(), user(run))
		}
		if again && !recurring(j) {
			t.Fatalf("job %d: got program %s again, want it once", j.ID, name)
		}
	}
	once, owners := 0, make(map[string]bool)
	for name, j := range programs {
		if !recurring(j) {
			once++
			continue
		}
		owners[user(j)] = true
		if i, err := strconv.Atoi(name[1:]); err != nil || i < 0 || i >= g.Programs {
			t.Errorf("got program %q, want p0 to p%d", name, g.Programs-1)
		}
	}
	if n := len(programs) - once; n != g.Programs {
		t.Errorf("got %d recurring programs, want %d", n, g.Programs)
	}
	if len(owners) < 2 {
		t.Errorf("got all recurring programs from %v, want them from several users", owners)
	}
	if len(users) != g.Users {
		t.Errorf("got users %v, want %d of them", users, g.Users)
	}
}

// recurring reports whether a generated job is a run of a program that recurs.
func recurring(j *workload.Job) bool {
	program, _ := j.Attr("program")
	return strings.HasPrefix(program, "p")
}

func TestHeavyTailValidation(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		want   string // after "workload: HeavyTail."
		change func(g *workload.HeavyTail)
	}{
		{"Jobs is 268435457, want 1 to 2^28", func(g *workload.HeavyTail) { g.Jobs = 1<<28 + 1 }},
		{"MeanGap is 0s, want above 0 s", func(g *workload.HeavyTail) { g.MeanGap = 0 }},
		{"Swing is 1.1, want 0 to 1", func(g *workload.HeavyTail) { g.Swing = 1.1 }},
		{"Users is 0, want 1 to 2^20", func(g *workload.HeavyTail) { g.Users = 0 }},
		{"Programs is -3, want 1 to 2^20", func(g *workload.HeavyTail) { g.Programs = -3 }},
		{"Recurring is NaN, want 0 to 1", func(g *workload.HeavyTail) { g.Recurring = nan }},
		{"WidthTail is 0, want finite, above 0", func(g *workload.HeavyTail) { g.WidthTail = 0 }},
		{"WidthTail is +Inf, want finite, above 0", func(g *workload.HeavyTail) { g.WidthTail = inf }},
		{"MaxWidth is 268435457, want 1 to 2^28", func(g *workload.HeavyTail) { g.MaxWidth = 1<<28 + 1 }},
		{"MedianRuntime is 0s, want above 0 s", func(g *workload.HeavyTail) { g.MedianRuntime = 0 }},
		{"RuntimeSigma is 11, want 0 to 10", func(g *workload.HeavyTail) { g.RuntimeSigma = 11 }},
		{"RunSigma is NaN, want 0 to 10", func(g *workload.HeavyTail) { g.RunSigma = nan }},
		{"TaskSigma is 10.5, want 0 to 10", func(g *workload.HeavyTail) { g.TaskSigma = 10.5 }},
	} {
		g := workload.DefaultHeavyTail()
		test.change(&g)
		source, err := g.Source()
		if want := "workload: HeavyTail." + test.want; err == nil || err.Error() != want || source != nil {
			t.Errorf("got %v and error %v, want none and %s", source, err, want)
		}
	}
	if _, err := new(workload.HeavyTail).Source(); err == nil {
		t.Error("the zero value: got no error, want one")
	}
}

// The ends of the ranges give jobs that are valid and can be written.
func TestHeavyTailExtremes(t *testing.T) {
	for _, change := range []func(g *workload.HeavyTail){
		func(g *workload.HeavyTail) { g.MeanGap = 1 },
		func(g *workload.HeavyTail) { g.Swing = 1 },
		func(g *workload.HeavyTail) { g.WidthTail = 1e-300 },
		func(g *workload.HeavyTail) { g.WidthTail = 1e300 },
		func(g *workload.HeavyTail) { g.MaxWidth = 1 },
		func(g *workload.HeavyTail) { g.MaxWidth, g.WidthTail = 1<<28, 1.5 },
		func(g *workload.HeavyTail) { g.Users, g.Programs, g.Recurring = 1, 1, 1 },
		func(g *workload.HeavyTail) { g.MedianRuntime = math.MaxInt64 },
		func(g *workload.HeavyTail) { g.MedianRuntime, g.RuntimeSigma, g.RunSigma, g.TaskSigma = 1, 10, 10, 10 },
		func(g *workload.HeavyTail) {
			g.MedianRuntime, g.RuntimeSigma, g.RunSigma, g.TaskSigma = math.MaxInt64, 10, 10, 10
		},
		func(g *workload.HeavyTail) { g.Start = time.Time{} },
	} {
		g := workload.DefaultHeavyTail()
		g.Jobs = 200
		change(&g)
		jobs := jobtest.All(t, source(t, g))
		if len(jobs) != g.Jobs {
			t.Errorf("%+v: got %d jobs, want %d", g, len(jobs), g.Jobs)
		}
		jobtest.Text(t, jobs...)
	}
}

func TestHeavyTailTooLate(t *testing.T) {
	g := workload.DefaultHeavyTail()
	g.MeanGap = math.MaxInt64 // 292 years
	_, err := jobtest.Drain(source(t, g))
	if want := "workload: HeavyTail.MeanGap of 2562047h47m16.854775807s puts job 1 beyond 1e9 s"; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

func BenchmarkHeavyTail(b *testing.B) {
	g := workload.DefaultHeavyTail()
	b.Run(fmt.Sprintf("jobs=%d", g.Jobs), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			source, err := g.Source()
			if err != nil {
				b.Fatal(err)
			}
			if n := jobtest.Count(b, source); n != g.Jobs {
				b.Fatalf("got %d jobs, want %d", n, g.Jobs)
			}
		}
	})
}

// Programs that recur are called p and a number, from the most popular, p0, on.
func ExampleHeavyTail() {
	generator := workload.DefaultHeavyTail()
	generator.Jobs, generator.MaxWidth = 6, 20
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
		fmt.Printf("%.0f s: %s, %d tasks, %.0f core-seconds\n", job.Submitted.Seconds(), program, job.Tasks(), job.Work())
	}
	// Output:
	// 28 s: p127, 1 tasks, 4 core-seconds
	// 30 s: adhoc2, 1 tasks, 708 core-seconds
	// 31 s: adhoc3, 1 tasks, 13 core-seconds
	// 37 s: p0, 8 tasks, 202 core-seconds
	// 39 s: p10, 1 tasks, 35 core-seconds
	// 45 s: p170, 9 tasks, 5 core-seconds
}
