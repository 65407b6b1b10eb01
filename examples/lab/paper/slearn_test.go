package paper_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A predictor learns from the history, and then what it has learnt from is tried on the jobs
// of the execution trace.
func ExampleSLearn() {
	g := paper.Google11()
	history, err := g.History()
	if err != nil {
		fmt.Println(err)
		return
	}
	known := make(map[string]bool)
	for j, err := range history {
		if err != nil {
			fmt.Println(err)
			return
		}
		name, _ := j.Attr("jobname")
		known[name] = true
	}
	execution, err := g.Source()
	if err != nil {
		fmt.Println(err)
		return
	}
	jobs, err := workload.ReadAll(execution)
	if err != nil {
		fmt.Println(err)
		return
	}
	name, _ := jobs[0].Attr("jobname")
	fmt.Println(len(jobs), "jobs, the first of a known name:", known[name])
	// Output:
	// 1250 jobs, the first of a known name: true
}

// small returns the parameters of a trace that is quickly made.
func smallSLearn() paper.SLearn {
	g := paper.Google19DAG()
	g.Jobs, g.Drawn = 4000, 60
	return g
}

// The history is the first half of the original trace, to the last bit.
func TestSLearnHistory(t *testing.T) {
	g := smallSLearn()
	original := jobtest.Made(t)(g.Original())
	history := jobtest.Made(t)(g.History())
	if len(original) != 4000 || len(history) != 2000 {
		t.Fatalf("got %d jobs, %d of them history, want 4000 and 2000", len(original), len(history))
	}
	if !bytes.Equal(jobtest.Text(t, original[:2000]...), jobtest.Text(t, history...)) {
		t.Error("the history is not the first half")
	}
	const days, middle = 31, 15.5
	for i, j := range original {
		if day := j.Submitted.Seconds() / 86400; (day < middle) != (i < 2000) || day > days {
			t.Fatalf("job %d is submitted after %v days, want the first 2000 in the first %v, the others after", j.ID, day, middle)
		}
	}
}

// What holds for every job of an original trace.
func TestSLearnOriginal(t *testing.T) {
	g := smallSLearn()
	names := make(map[string]*workload.Job)
	attr := func(j *workload.Job, name string) string {
		value, ok := j.Attr(name)
		if !ok {
			t.Fatalf("job %d has no %s", j.ID, name)
		}
		return value
	}
	for i, j := range jobtest.Made(t)(g.Original()) {
		if err := j.Validate(); err != nil {
			t.Fatal(err)
		}
		if int(j.ID) != i+1 {
			t.Fatalf("got ID %d, want %d", j.ID, i+1)
		}
		if want := time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC).Add(j.Submitted.Sub(0)); !j.At.Equal(want) {
			t.Fatalf("job %d: got calendar time %v, want %v", j.ID, j.At, want)
		}
		if day, hour := attr(j, "day"), attr(j, "hour"); day != j.At.Weekday().String() || hour != strconv.Itoa(j.At.Hour()) {
			t.Fatalf("job %d: got day %s, hour %s at %v", j.ID, day, hour, j.At)
		}
		run, again := names[attr(j, "jobname")]
		if !again {
			names[attr(j, "jobname")] = j
			continue
		}
		for _, name := range []string{"program", "user", "cpu", "memory"} {
			if attr(j, name) != attr(run, name) || j.Tasks() != run.Tasks() {
				t.Fatalf("jobs %d and %d of one name: got %+v with %d tasks and %+v with %d, want the same but day and hour",
					run.ID, j.ID, run.Attrs, run.Tasks(), j.Attrs, j.Tasks())
			}
		}
	}
	if n := len(names); n < 99 || n > 101 {
		t.Errorf("got %d job names, want 100 but for rounding in the bands", n)
	}
}

// What holds for every job of an execution trace, of one stage or several.
func TestSLearnExecution(t *testing.T) {
	for _, test := range []struct {
		g           paper.SLearn
		least, most int // stages
	}{{paper.Google11(), 1, 1}, {paper.Google19DAG(), 2, 5}} {
		g := test.g
		g.Jobs, g.Drawn = 6000, 600
		original := jobtest.Made(t)(g.Original())
		// By its runtimes a stage is known as a job of the second half.
		later := make(map[string]*workload.Job)
		for _, j := range original[g.Jobs/2:] {
			later[fmt.Sprint(j.Runtimes[0])] = j
		}
		jobs := jobtest.Made(t)(g.Source())
		stages, work := make(map[int]float64), 0.0
		for i, j := range jobs {
			if err := j.Validate(); err != nil {
				t.Fatal(err)
			}
			if int(j.ID) != i+1 || i > 0 && j.Submitted < jobs[i-1].Submitted {
				t.Fatalf("job %d in place %d: got it out of order", j.ID, i)
			}
			stages[len(j.Stages)]++
			work += j.Work()
			name, _ := j.Attr("jobname")
			for k, runtimes := range j.Runtimes {
				key := fmt.Sprint(runtimes)
				from := later[key]
				if from == nil {
					t.Fatalf("job %d, stage %d: got a stage that is no job of the second half, or taken twice", j.ID, k)
				}
				delete(later, key)
				if was, _ := from.Attr("jobname"); was != name || k == 0 && !j.At.Equal(from.At) || j.At.After(from.At) {
					t.Fatalf("job %d of name %s at %v: got stage %d from job %d of %s at %v", j.ID, name, j.At, k, from.ID, was, from.At)
				}
				if reads := j.Stages[k].Reads; k == 0 && len(reads) != 0 || k > 0 && (len(reads) != 1 || int(reads[0].Stage) != k-1) {
					t.Fatalf("job %d, stage %d: got it to read %v, want the stage before", j.ID, k, reads)
				}
			}
		}
		if len(jobs) != g.Drawn || jobs[0].Submitted != 0 {
			t.Errorf("got %d jobs from %v on, want %d from 0 on", len(jobs), jobs[0].Submitted, g.Drawn)
		}
		load := work / jobs[len(jobs)-1].Submitted.Seconds() / float64(g.Cores)
		if math.Abs(load-g.Load) > 1e-6 {
			t.Errorf("got load %v, want %v", load, g.Load)
		}
		kinds := float64(test.most - test.least + 1)
		for k := test.least; k <= test.most; k++ {
			p := 1 / kinds
			jobtest.WantWithin(t, fmt.Sprintf("jobs of %d stages", k), stages[k], p*float64(g.Drawn), math.Sqrt(p*(1-p)*float64(g.Drawn)))
		}
		if len(stages) != int(kinds) {
			t.Errorf("got jobs by number of stages %v, want %d to %d stages", stages, test.least, test.most)
		}
	}
}

// As in section 6.
func TestGoogle19DAG(t *testing.T) {
	jobs := jobtest.Made(t)(paper.Google19DAG().Source())
	least, most := math.MaxInt, 0
	for _, j := range jobs {
		least, most = min(least, len(j.Stages)), max(most, len(j.Stages))
	}
	if len(jobs) != 900 || least != 2 || most != 5 {
		t.Errorf("got %d jobs of %d to %d stages, want 900 of 2 to 5", len(jobs), least, most)
	}
}

// In bursts of large jobs small ones are as frequent as ever. Half of the trace has one of them, of 3 % of its jobs.
func TestSLearnBurst(t *testing.T) {
	const epochs, half = 30, 40_000
	jobs := jobtest.Made(t)(paper.TwoSigmaFig2().History())
	var all, small [epochs]float64
	n := 0.
	for _, j := range jobs {
		epoch := int(j.Submitted.Seconds() / (15.5 * 86400) * epochs)
		if all[epoch]++; j.Work() < 1000 {
			small[epoch]++
			n++
		}
	}
	for epoch, got := range small {
		jobtest.WantWithin(t, fmt.Sprintf("small jobs in epoch %d", epoch), got, n/epochs, math.Sqrt(n/epochs))
	}
	jobtest.WantWithin(t, "jobs in the burst", slices.Max(all[:]), half*(0.97/epochs+0.03), math.Sqrt(half*(0.97/epochs+0.03)))
}

// The mean runtimes of later stages correlate with that of the first one, as far as they are not those of the name.
func TestSLearnAlike(t *testing.T) {
	for _, test := range []struct {
		g    paper.SLearn
		want float64
	}{{paper.Google19DAG(), 0}, {paper.Google19DAGFig9(), 0.8}} {
		names := make(map[string][2][]float64) // of each: first stages, and later ones
		for _, j := range jobtest.Made(t)(test.g.Source()) {
			name, _ := j.Attr("jobname")
			of := names[name]
			for _, stage := range j.Runtimes[1:] {
				of[0], of[1] = append(of[0], logMean(j.Runtimes[0])), append(of[1], logMean(stage))
			}
			names[name] = of
		}
		var all [2][]float64
		for _, of := range names {
			for i, x := range of {
				floats.AddConst(-stat.Mean(x, nil), x)
				all[i] = append(all[i], x...)
			}
		}
		if got := stat.Correlation(all[0], all[1], nil); math.Abs(got-test.want) > 0.05 {
			t.Errorf("got a correlation of %v, want %v", got, test.want)
		}
	}
}

func logMean(tasks []policy.Duration) float64 {
	sum := 0.
	for _, d := range tasks {
		sum += d.Seconds()
	}
	return math.Log(sum / float64(len(tasks)))
}

func TestSLearnValidation(t *testing.T) {
	refused := map[string]func(g *paper.SLearn){
		"Jobs is 0, want even, 2 to 2^28":                           func(g *paper.SLearn) { g.Jobs = 0 },
		"Jobs is 1001, want even, 2 to 2^28":                        func(g *paper.SLearn) { g.Jobs = 1001 },
		"Jobs is 268435458, want even, 2 to 2^28":                   func(g *paper.SLearn) { g.Jobs = 1<<28 + 2 },
		"Drawn is 0, want at least 1, and times 5 at most Jobs/2":   func(g *paper.SLearn) { g.Drawn = 0 },
		"Drawn is 401, want at least 1, and times 5 at most Jobs/2": func(g *paper.SLearn) { g.Drawn = 401 },
		"Load is +Inf, want finite, above 0":                        func(g *paper.SLearn) { g.Load = math.Inf(1) },
		"Cores is 0, want at least 1":                               func(g *paper.SLearn) { g.Cores = 0 },
	}
	for _, source := range []func(paper.SLearn) (workload.Source, error){paper.SLearn.Original, paper.SLearn.History, paper.SLearn.Source} {
		jobtest.WantRefused(t, "paper: SLearn.", smallSLearn, source, refused)
	}
}

func TestSLearnExecutionFails(t *testing.T) {
	g := smallSLearn()
	g.Load = 1e-9
	want := "paper: SLearn.Load of 1e-09 puts the last job beyond 1e9 s, want a greater one"
	if source, err := g.Source(); err == nil || err.Error() != want || source != nil {
		t.Errorf("got %v and error %v, want none and %s", source, err, want)
	}
	g = smallSLearn()
	g.Jobs, g.Drawn = 500, 50
	if _, err := g.Source(); err == nil || err.Error() != "paper: SLearn.Drawn is 50, want fewer: no job name has enough runs left" {
		t.Errorf("got error %v, want one about Drawn", err)
	}
}
