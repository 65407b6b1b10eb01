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

func heavyTailJobs(t *testing.T) {
	g := workload.DefaultHeavyTail()
	g.Jobs = 5_000
	start := time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC)
	last := policy.Time(0)
	users, programs := make(map[string]int), make(map[string]*workload.Job)
	user := func(j *workload.Job) string { u, _ := j.Attr("user"); return u }
	for i, j := range jobtest.Made(t)(g.Source()) {
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
		if want := start.Add(policy.Duration(j.Submitted)); !j.At.Equal(want) {
			t.Fatalf("job %d: got calendar time %v, want %v", j.ID, j.At, want)
		}
		if hour, _ := j.Attr("hour"); hour != strconv.Itoa(j.At.Hour()) {
			t.Fatalf("job %d: got hour %q at %v", j.ID, hour, j.At)
		}
		if n := j.Tasks(); n < 1 || n > 1000 || len(j.Stages) != 1 || j.Stages[0].Width() != 1 {
			t.Fatalf("job %d: got stages %+v, want one with 1 to %d tasks of one core", j.ID, j.Stages, 1000)
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
	if len(users) != 40 {
		t.Errorf("got users %v, want 40 of them", users)
	}
}

// recurring reports whether a generated job is a run of a program that recurs.
func recurring(j *workload.Job) bool {
	program, _ := j.Attr("program")
	return strings.HasPrefix(program, "p")
}

func TestHeavyTailRefuses(t *testing.T) {
	for _, jobs := range []int{0, 1e8 + 1} {
		_, err := workload.HeavyTail{Jobs: jobs}.Source()
		if want := fmt.Sprintf("workload: HeavyTail.Jobs is %d, want 1 to 10^8", jobs); err == nil || err.Error() != want {
			t.Errorf("got error %v, want %s", err, want)
		}
	}
}

func BenchmarkSource(b *testing.B) {
	g := workload.DefaultHeavyTail()
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
}

// Programs that recur are called p and a number, from the most popular, p0, on.
func ExampleHeavyTail() {
	generator := workload.DefaultHeavyTail()
	generator.Jobs = 6
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
	// 37 s: p0, 11 tasks, 252 core-seconds
	// 46 s: p2, 3 tasks, 445 core-seconds
	// 52 s: p7, 2 tasks, 27 core-seconds
}

// Arrivals, programs and widths have the distributions that they should have. The seed is fixed, so this passes or fails
// for good. Bounds are such that a right generator stays within them for all but one seed in 10,000.
func TestHeavyTailDistributions(t *testing.T) {
	const days = 6
	g := workload.DefaultHeavyTail()
	g.Jobs = days * 24 * 950
	source, err := g.Source()
	if err != nil {
		t.Fatal(err)
	}
	var hours [24]float64
	var once []float64 // widths of the programs that run once
	var logs []float64 // of their mean runtimes over the median
	runs, last := make(map[string]float64), 0.0
	for j, err := range source {
		if err != nil {
			t.Fatal(err)
		}
		if last = j.Submitted.Seconds(); last < days*86400 {
			hours[j.At.Hour()]++
		}
		if name, _ := j.Attr("program"); recurring(j) {
			runs[name]++
		} else {
			once = append(once, float64(j.Tasks()))
			logs = append(logs, math.Log(j.Runtimes[0][0].Seconds()/20))
		}
	}
	if last < days*86400 {
		t.Fatalf("got %v s of jobs, want at least %d days", last, days)
	}
	// The rate at an hour is 1 - cos(2πh/24)/2 times its mean, 900. The number of jobs in an hour is a Poisson variable.
	for h := range hours {
		angle := func(hour int) float64 { return 2 * math.Pi * float64(hour) / 24 }
		want := days * 900 * (1 - 0.5*(math.Sin(angle(h+1))-math.Sin(angle(h)))/angle(1))
		jobtest.WantWithin(t, fmt.Sprint("jobs in hour ", h), hours[h], want, math.Sqrt(want))
	}
	n, all := float64(g.Jobs), float64(g.Jobs-len(once))
	jobtest.WantWithin(t, "recurring", all/n, 0.7, math.Sqrt(0.7*0.3/n))
	// Zipf's law: program i has a share of 1/(i+1) over the 200th harmonic number.
	for i := range 200 {
		p := 1 / float64(i+1) / 5.878030948
		jobtest.WantWithin(t, fmt.Sprint("runs of program ", i), runs[fmt.Sprint("p", i)], p*all, math.Sqrt(p*(1-p)*all))
	}
	// A width is the whole part of a Pareto variable on [1, 1001), so it is at most k with the probability that the
	// variable is below k+1.
	jobtest.WantDistribution(t, "widths", once, func(x float64) float64 {
		k := min(max(math.Floor(x), 0), 1000)
		return (1 - math.Pow(k+1, -1.1)) / (1 - math.Pow(1001, -1.1))
	})
	// Lognormal around 20 s, of the program, the run and the task, whose mean is 1.
	sigma := math.Sqrt(1.6*1.6 + 0.3*0.3 + 0.4*0.4)
	jobtest.WantDistribution(t, "runtimes", logs, func(x float64) float64 { return 0.5 * math.Erfc(-(x+0.08)/sigma/math.Sqrt2) })
}
