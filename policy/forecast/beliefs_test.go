package forecast_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"

	"example.com/augur/estimate"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/predict"
)

// believers returns Beliefs by an attribute "name", or without history.
func believers(t testing.TB, history bool) *forecast.Beliefs {
	t.Helper()
	var c forecast.BeliefsConfig
	if history {
		p := jobtest.Must(predict.New(predict.Config{Features: []string{"name", predict.All}}))
		c.Predictor = p
	}
	b := jobtest.Must(forecast.NewBeliefs(c))
	return b
}

// taught returns Beliefs that know of jobs of 1 to 1000 s, and a job of two stages of 50 tasks on a node of some speed.
func taught(t *testing.T, speed float64) (*forecast.Beliefs, *books, *central.Job) {
	t.Helper()
	b := believers(t, false)
	for i := range 300 {
		learn(t, b, named(1, "", 1), math.Pow(1000, float64(i%30)/29), 0)
	}
	books := bound(t, b)
	books.tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 100, Speed: speed}})
	j, err := books.submit(named(1, "", 50, 50))
	if err != nil {
		t.Fatal(err)
	}
	return b, books, j
}

func named(id policy.JobID, name string, tasks ...uint32) *policy.Job {
	j := &policy.Job{ID: id, Attrs: []policy.Attr{{Name: "name", Value: name}}}
	for _, n := range tasks {
		j.Stages = append(j.Stages, policy.Stage{Tasks: n, Cores: 1})
	}
	return j
}

// Half of the names are of jobs that are alike, and the runtimes of the other half are as those of all jobs. What is
// believed holds as often as it says of either, and it is narrower where history tells something.
func beliefsAreCalibrated(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	rng := rand.New(rand.NewPCG(8, 1))
	b := believers(t, true)
	const n, warm = 6000, 1000
	var inside [2][3]float64
	var width, seen [2]float64
	for i := range n + warm {
		name := rng.IntN(20)
		kind := name % 2
		x := math.Exp(4 + 2*rng.NormFloat64())
		if kind == 0 {
			x = math.Exp(float64(name)/2 + 0.3*rng.NormFloat64())
		}
		j, now := named(policy.JobID(i), fmt.Sprint(name), 1), policy.Time(i)*policy.Time(time.Second)
		if i >= warm {
			d, _ := b.Predict(j, now)
			below, by := d.CDF(x/1.125), d.CDF(x*1.125) // neighbouring bins differ by 1.27
			u := below + rng.Float64()*(by-below)
			for k, share := range []float64{0.5, 0.8, 0.95} {
				if math.Abs(u-0.5) <= share/2 {
					inside[kind][k]++
				}
			}
			width[kind] += math.Log(d.Quantile(0.9) / d.Quantile(0.1))
			seen[kind]++
		}
		learn(t, b, j, x, now)
	}
	for kind, what := range []string{"alike", "not alike"} {
		for k, share := range []float64{0.5, 0.8, 0.95} {
			if got := inside[kind][k] / seen[kind]; got < share-0.05 || got > share+0.08 {
				t.Errorf("jobs that are %s: %v of the runtimes are inside %v", what, got, share)
			}
		}
	}
	if alike, not := width[0]/seen[0], width[1]/seen[1]; alike > 0.5*not || alike > 1.5 {
		t.Errorf("80 %% of the runtimes are in a width of %v of jobs that are alike, and of %v of others", alike, not)
	}
}

// A task that finishes tells most of its own stage and less of the others. With more tasks the belief comes to their mean.
func beliefsLearnFromTasks(t *testing.T) {
	b, books, j := taught(t, 1)
	belief := func(stage uint32) *estimate.Belief {
		d, ok := b.Runtime(j, stage)
		if !ok {
			t.Fatalf("nothing is believed of stage %d", stage)
		}
		return d.(*estimate.Belief)
	}
	width := func(stage uint32) float64 {
		return math.Log(belief(stage).Quantile(0.9) / belief(stage).Quantile(0.1))
	}
	before := width(0)
	if before < 4 || before != width(1) {
		t.Errorf("before a task has finished the stages have widths of %v and %v", before, width(1))
	}
	finish := func(index uint32) {
		c := policy.Copy{Task: policy.Task{Job: 1, Index: index}}
		books.view.Observe(&policy.Event{Kind: policy.Ready, Copy: c})
		books.view.Start(j, central.Where{})
		books.tell(policy.Event{Kind: policy.Started, Copy: c, Node: 1})
		books.tell(policy.Event{Kind: policy.Finished, Copy: c, Node: 1, Service: 200 * time.Second})
	}
	finish(0)
	own, other := width(0), width(1)
	if !(own < other && other < before) {
		t.Errorf("a task of stage 0 has finished: widths of %v and %v, and of %v before", own, other, before)
	}
	if median := belief(1).Quantile(0.5); median < 50 || median > 300 {
		t.Errorf("it took 200 s: a median of %v s in the other stage", median)
	}
	for i := uint32(1); i < 40; i++ {
		finish(i)
	}
	if m := belief(0).Mean(); math.Abs(m/200-1) > 0.05 {
		t.Errorf("40 tasks took 200 s: a mean of %v s", m)
	}
	if again := width(0); again > own/2 {
		t.Errorf("40 tasks took 200 s: a width of %v, and of %v after one", again, own)
	}
}

// A task that runs on tells that the job is long: more of its own stage than of the other, and less while it was suspended.
func TestBeliefsOfWhatRuns(t *testing.T) {
	b, books, j := taught(t, 2)
	mean := func(stage uint32) float64 {
		d, ok := b.Runtime(j, stage)
		if !ok {
			t.Fatalf("nothing is believed of stage %d", stage)
		}
		return d.Mean()
	}
	c := policy.Copy{Task: policy.Task{Job: 1}}
	books.tell(policy.Event{Kind: policy.Ready, Copy: c})
	books.view.Start(j, central.Where{})
	before := mean(0)
	tell := func(kind policy.EventKind, at, service time.Duration) (own, other float64) {
		books.tell(policy.Event{Time: policy.Time(at), Kind: kind, Copy: c, Node: 1, Service: service})
		return mean(0), mean(1)
	}
	if own, _ := tell(policy.Started, 0, 0); own != before {
		t.Errorf("a task has started: a mean of %v s, and of %v s before", own, before)
	}
	own, other := tell(policy.Woken, 200*time.Second, 0) // 400 s at speed 1
	if !(own > 400 && own > other && other > before) {
		t.Errorf("a task has run for 400 s: means of %v and %v s, and of %v s before", own, other, before)
	}
	if tell(policy.Suspended, 200*time.Second, 200*time.Second); mean(0) != before {
		t.Errorf("nothing runs: a mean of %v s, and of %v s before", mean(0), before)
	}
	if again, _ := tell(policy.Resumed, 300*time.Second, 200*time.Second); again != own {
		t.Errorf("the task goes on after 400 s: a mean of %v s, want %v s", again, own)
	}
	// The end of a copy that was suspended takes nothing off.
	c.Index = 1
	books.view.Start(j, central.Where{})
	tell(policy.Started, 300*time.Second, 0)
	tell(policy.Suspended, 300*time.Second, 0)
	books.tell(policy.Event{Time: policy.Time(300 * time.Second), Kind: policy.Killed, Copy: c, Node: 1, Idle: true})
	if mean(0) != own {
		t.Errorf("a suspended task was killed: a mean of %v s, want %v s", mean(0), own)
	}
}

// By how much tasks and stages differ is learned. Where tasks are alike and stages are not, a task that has finished tells
// nearly all of its own stage and little of the others, however many of them tell; where it is the other way round, it
// tells as much of the others.
func TestBeliefsLearnWhatDiffers(t *testing.T) {
	const stages = 12
	widths := func(tasks, between float64) (own, other float64) {
		rng := rand.New(rand.NewPCG(9, 1))
		b := believers(t, false)
		books := bound(t, b)
		books.tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
		run := func(id policy.JobID, ends uint32) *central.Job {
			j, err := books.submit(named(id, "", slices.Repeat([]uint32{20}, stages)...))
			if err != nil {
				t.Fatal(err)
			}
			level := 4 + 2*rng.NormFloat64()
			for stage := range ends {
				at := level + between*rng.NormFloat64()
				books.tell(policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: id, Stage: stage}}})
				for index := range uint32(20) {
					c := policy.Copy{Task: policy.Task{Job: id, Stage: stage, Index: index}}
					books.view.Start(j, central.Where{})
					books.tell(policy.Event{Kind: policy.Started, Copy: c, Node: 1})
					service := policy.Duration(1e9 * math.Exp(at+tasks*rng.NormFloat64()))
					books.tell(policy.Event{Kind: policy.Finished, Copy: c, Node: 1, Service: service})
				}
			}
			return j
		}
		for id := range policy.JobID(60) {
			run(id+1, stages)
			books.tell(policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: id + 1}}, Outcome: policy.Done})
		}
		j := run(1000, stages-1)
		width := func(stage uint32) float64 {
			d, _ := b.Runtime(j, stage)
			return math.Log(d.Quantile(0.9) / d.Quantile(0.1))
		}
		return width(0), width(stages - 1)
	}
	// The central 80 % of a normal distribution are 2.56 standard deviations wide, and a bin is 0.24.
	if own, other := widths(0.05, 1); own > 0.7 || other < 2 || other > 3.2 {
		t.Errorf("tasks are alike and stages differ by a factor of e: widths of %.2f and %.2f, want 0.2 and 2.8 or so", own, other)
	}
	if own, other := widths(2, 0.05); own < 0.5 || own > 1.2 || other > 2.2 {
		t.Errorf("stages are alike and tasks differ by a factor of e²: widths of %.2f and %.2f, want 0.9 and 1.9 or so", own, other)
	}
}

// Beliefs do not take over what they have not scored, and say so if they know nothing.
func TestBeliefsBegin(t *testing.T) {
	h, p := byName(false)
	if d, ok := jobtest.Must(forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: p})).Predict(named(1, "a", 1), 0); ok {
		t.Errorf("of the first job it says %v", d)
	}
	learn(t, h, named(1, "a", 1), 10, 0)
	if _, err := forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: p}); err == nil || !strings.Contains(err.Error(), "learned from 1 jobs") {
		t.Errorf("a Predictor that has learned: error %v", err)
	}
}

// After 100 s, runtimes of 0 s have an infinite error. It counts as a large one, as that of runtimes of 1 ms does, whatever
// a processor makes of an infinity as an integer.
func TestBeliefsOfInfiniteErrors(t *testing.T) {
	width := func(rest float64) float64 {
		rng := rand.New(rand.NewPCG(1, 2))
		b := jobtest.Must(forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: jobtest.Must(predict.New(predict.Config{Features: []string{"name"}}))}))
		for range 30 { // names whose runtimes are alike
			for i := range 100 {
				learn(t, b, named(1, fmt.Sprint(i), 1), math.Exp(float64(i)/10)*(1+0.02*rng.Float64()), 0)
			}
		}
		for _, x := range []float64{100, rest, rest, rest} {
			learn(t, b, named(1, "odd", 1), x, 0)
		}
		d, _ := b.Predict(named(1, "odd", 1), 0)
		return d.Quantile(0.9) / d.Quantile(0.5)
	}
	if large, infinite := width(0.001), width(0); infinite < 2 || infinite > 2*large {
		t.Errorf("the 90th percentile is %.3g times the median after infinite errors, and %.3g times after large ones", infinite, large)
	}
}

// The belief about a stage is what was believed before, what the other stages tell, and what its own tasks tell, each with
// its variance, however many tasks each stage has finished, and in whatever order.
func TestBeliefsOfStages(t *testing.T) {
	b, books, _ := taught(t, 1)
	first, ok := b.Predict(named(9, "", 1), 0)
	if !ok {
		t.Fatal("nothing is known")
	}
	before := *first
	j, err := books.submit(named(2, "", 4, 4, 4, 4, 4, 4))
	if err != nil {
		t.Fatal(err)
	}
	ran := make([][]float64, len(j.Stages))
	for i := range ran {
		books.tell(policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: 2, Stage: uint32(i)}}})
	}
	for i, stage := range []uint32{3, 1, 0, 2, 0, 1, 2, 0, 5, 5, 5, 5} {
		c := policy.Copy{Task: policy.Task{Job: 2, Stage: stage, Index: uint32(len(ran[stage]))}}
		for j.Waiting > 0 {
			books.view.Start(j, central.Where{})
		}
		seconds := float64(10 + 7*i)
		ran[stage] = append(ran[stage], seconds)
		books.tell(policy.Event{Kind: policy.Started, Copy: c, Node: 1})
		b.Runtime(j, stage) // while it runs
		books.tell(policy.Event{Kind: policy.Finished, Copy: c, Node: 1, Service: policy.Duration(seconds * 1e9)})
	}
	const within, between = 0.25, 0.25 // before any job has ended
	mean := func(stage int) float64 { return floats.Sum(ran[stage]) / float64(len(ran[stage])) }
	for stage := range ran {
		want := before
		sum, precision := 0.0, 0.0
		for o := range ran {
			if n := float64(len(ran[o])); n > 0 && o != stage {
				sum += math.Log(mean(o)) / (within/n + between)
				precision += 1 / (within/n + between)
			}
		}
		err := want.Observe(math.Exp(sum/precision), math.Sqrt(between+1/precision))
		if n := len(ran[stage]); n > 0 {
			err = errors.Join(err, want.Observe(mean(stage), math.Sqrt(within/float64(n))))
		}
		if err != nil {
			t.Fatal(err)
		}
		d, ok := b.Runtime(j, uint32(stage))
		if !ok || !scalar.EqualWithinRel(d.Mean(), want.Mean(), 1e-9) || d.Quantile(0.5) != want.Quantile(0.5) {
			t.Errorf("stage %d with %v: mean %v and median %v, want %v and %v", stage, ran[stage], d.Mean(), d.Quantile(0.5), want.Mean(), want.Quantile(0.5))
		}
	}
}
