package forecast_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats/scalar"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// What each forecast promises.
func TestPromises(t *testing.T) {
	t.Run("Requested says what a job requests, until the job has ended", requestedTimes)
	t.Run("Truth says the mean of the tasks of a stage, and of a gang the longest", truthOfStages)
	t.Run("Truth refuses a job of which it does not know a task, and keeps nothing of it", truthRefuses)
	t.Run("History learns the mean runtime of each job that is done", historyLearns)
	t.Run("History says of all stages, to the end, what it knew when it was first asked about the job", historyKeepsToWhatItSaid)
	t.Run("Beliefs hold as often as they say", beliefsAreCalibrated)
	t.Run("Beliefs learn from each task that finishes", beliefsLearnFromTasks)
	t.Run("LastTwo says the mean of the last two jobs of the user, and no more than is requested", lastTwoByHand)
}

// books are those of a scheduler that starts nothing, with a forecast.
type books struct {
	*testing.T
	view central.View
	of   central.Forecast
}

func bound(t *testing.T, f central.Forecast) *books {
	t.Helper()
	b := &books{T: t, of: f}
	if err := f.Bind(central.Books{View: &b.view, Forecast: f}); err != nil {
		t.Fatal(err)
	}
	return b
}

// tell tells of an event about a job, and returns what the forecast says to it.
func (b *books) tell(ev policy.Event) (*central.Job, error) {
	b.Helper()
	j, err := b.view.Observe(&ev)
	if err != nil {
		b.Fatal(err)
	}
	return j, b.of.Note(&ev, j)
}

func (b *books) submit(job *policy.Job) (*central.Job, error) {
	b.Helper()
	return b.tell(policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: job.ID}}, Job: job})
}

func requestedTimes(t *testing.T) {
	b := bound(t, forecast.Requested())
	stages := []policy.Stage{{Tasks: 3, Cores: 1}, {Tasks: 2, Cores: 1, Gang: true}}
	asks, _ := b.submit(&policy.Job{ID: 1, Requested: 90 * time.Second, Stages: stages})
	silent, _ := b.submit(&policy.Job{ID: 2, Stages: stages})
	for stage := range uint32(2) {
		if d, ok := b.of.Runtime(asks, stage); !ok || d != forecast.Known(90) {
			t.Errorf("stage %d of a job that requests 90 s: %v, %v", stage, d, ok)
		}
		if d, ok := b.of.Runtime(silent, stage); ok {
			t.Errorf("stage %d of a job that requests nothing: %v", stage, d)
		}
	}
	if _, err := b.tell(policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: 1}}}); err != nil {
		t.Error(err)
	}
	if d, ok := b.of.Runtime(asks, 0); ok {
		t.Errorf("a job that is over: %v", d)
	}
}

func truthOfStages(t *testing.T) {
	s := time.Second
	job := &workload.Job{
		Job:      policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 4, Cores: 1}, {Tasks: 3, Cores: 2, Gang: true}}},
		Runtimes: [][]policy.Duration{{1 * s, 2 * s, 3 * s, 8 * s}, {5 * s, 9 * s, 4 * s}},
	}
	jobs, truth := workload.Split([]*workload.Job{job})
	for range jobs { // which the truth knows as they come
	}
	f := jobtest.Must(forecast.Truth(truth))
	b := bound(t, f)
	j, err := b.submit(&job.Job)
	if err != nil {
		t.Fatal(err)
	}
	for stage, want := range []forecast.Known{3.5, 9} {
		if d, ok := f.Runtime(j, uint32(stage)); !ok || d != want {
			t.Errorf("stage %d: %v, %v, want %v", stage, d, ok, want)
		}
	}
	if d, ok := f.Runtime(j, 2); ok {
		t.Errorf("stage 2, which is not there: %v", d)
	}
}

// partly is a truth that knows some tasks.
type partly map[policy.Task]policy.Duration

func (p partly) Runtime(c policy.Copy) (policy.Duration, bool) {
	d, ok := p[c.Task]
	return d, ok
}

func truthRefuses(t *testing.T) {
	if _, err := forecast.Truth(nil); err == nil || !strings.Contains(err.Error(), "Truth of nil") {
		t.Errorf("no truth: error %v", err)
	}
	task := func(index uint32) policy.Task { return policy.Task{Job: 1, Index: index} }
	truth := partly{task(0): time.Second, task(1): -1}
	f := jobtest.Must(forecast.Truth(truth))
	s := jobtest.Must(central.New(central.Config{Turn: baseline.FIFO(), Forecast: f}))
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 3, Cores: 1}}}
	submitted := &policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: task(0)}, Job: job}
	for index, then := range []policy.Duration{0, 2 * time.Second, 3 * time.Second} {
		if index > 0 {
			if _, err := s.Step(submitted, nil); err == nil || !strings.Contains(err.Error(), "the truth does not know task") {
				t.Errorf("task %d is not known: error %v", index, err)
			}
			truth[task(uint32(index))] = then
		}
	}
	if _, err := s.Step(submitted, nil); err != nil {
		t.Errorf("all tasks are known: %v", err)
	}
	if d, ok := f.Runtime(s.View().Job(1), 0); !ok || d != forecast.Known(2) {
		t.Errorf("then its tasks run for %v, %v, want 2 s", d, ok)
	}
}

// A Known is the distribution of one value: what it says follows from that by the definitions.
func TestKnownIsOneValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		x, a := math.Round(10*rng.Float64()), math.Round(10*rng.Float64())
		b := a + math.Round(10*rng.Float64())
		k := forecast.Known(x)
		if got, want := k.CDF(a), map[bool]float64{true: 1}[x <= a]; got != want {
			t.Errorf("Known(%v).CDF(%v) = %v, want %v", x, a, got, want)
		}
		if p := rng.Float64(); k.Quantile(p) != x || k.Mean() != x {
			t.Errorf("Known(%v) has quantile %v at %v and mean %v", x, k.Quantile(p), p, k.Mean())
		}
		sum := 0.0 // whole seconds of it are before the runtime or after
		for at := a; at < b; at++ {
			sum += 1 - k.CDF(at)
		}
		if got := k.SurvivalIntegral(a, b); got != sum {
			t.Errorf("Known(%v).SurvivalIntegral(%v, %v) = %v, want %v", x, a, b, got, sum)
		}
	}
	nan := math.NaN()
	if k := forecast.Known(nan); !math.IsNaN(k.CDF(1)) || !math.IsNaN(k.Quantile(0.5)) || !math.IsNaN(forecast.Known(1).CDF(nan)) || !math.IsNaN(forecast.Known(1).Quantile(1.5)) {
		t.Error("of NaN something is known")
	}
}

// A scheduler that goes by a forecast keeps to the contract.
func TestConformance(t *testing.T) {
	history := func() (central.Forecast, error) {
		p, err := predict.New(predict.Config{Features: []string{predict.All}})
		if err != nil {
			return nil, err
		}
		return forecast.NewHistory(forecast.HistoryConfig{Predictor: p})
	}
	for _, test := range []struct {
		name string
		of   func(policy.Truth) (central.Forecast, error)
	}{
		{"Requested", func(policy.Truth) (central.Forecast, error) { return forecast.Requested(), nil }},
		{"Truth", forecast.Truth},
		{"History", func(policy.Truth) (central.Forecast, error) { return history() }},
		{"Nothing", func(policy.Truth) (central.Forecast, error) { return forecast.Nothing(), nil }},
		{"Beliefs", func(policy.Truth) (central.Forecast, error) { return believers(t, true), nil }},
	} {
		if testing.Short() && (test.name == "Requested" || test.name == "Nothing") {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				Allocates: test.name == "History",
				Prepare: func(j *workload.Job) {
					if j.ID%2 == 0 {
						j.Requested = j.Ideal() + 1
					}
				},
				New: func(truth policy.Truth) (policy.Scheduler, error) {
					f, err := test.of(truth)
					if err != nil {
						return nil, err
					}
					c := central.Config{Turn: baseline.Shortest(), Forecast: f}
					if test.name == "Beliefs" { // which change for jobs that have a reservation
						c.Turn, c.Fill = baseline.Priority(), baseline.Conservative()
					}
					return central.New(c)
				},
			})
		})
	}
}

// near reports whether two numbers are alike but for rounding, of times to nanoseconds too.
func near(a, b float64) bool { return scalar.EqualWithinAbsOrRel(a, b, 1e-8, 1e-12) }

// mean returns how long the tasks and gangs of a job run in the mean, s.
func mean(j *workload.Job) float64 {
	var all []float64
	for i, stage := range j.Runtimes {
		if j.Stages[i].Gang {
			stage = []policy.Duration{slices.Max(stage)}
		}
		for _, d := range stage {
			all = append(all, d.Seconds())
		}
	}
	sum := 0.0
	for _, x := range all {
		sum += x
	}
	return sum / float64(len(all))
}
