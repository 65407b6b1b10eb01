package threesigma_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// A learner knows nothing of a job until something of it has finished, and then that all of it runs for 100 s. It
// counts starts, and how often it was asked what it knew already.
type learner struct {
	book
	starts int
	after  map[policy.JobID]int
}

func (l *learner) Note(ev *policy.Event, j *central.Job) error {
	if ev.Kind == policy.Finished && l.of[j.Job.ID] == nil {
		l.of[j.Job.ID] = forecast.Known(100)
	}
	return nil
}

func (l *learner) Runtime(j *central.Job, stage uint32) (central.Distribution, bool) {
	d, ok := l.book.Runtime(j, stage)
	if ok {
		l.after[j.Job.ID]++
	}
	return d, ok
}

func (l *learner) Began(*central.Job, policy.Copy, bool) { l.starts++ }

// What a forecast learns from the first task of a job is known of the others: of those that run, so that it is known
// when they will make room, and of those that wait. It is told of all starts, and not asked again then. The nodes run at half speed.
func TestForecastThatLearns(t *testing.T) {
	l := &learner{book{map[policy.JobID]central.Distribution{2: forecast.Known(10)}}, 0, map[policy.JobID]int{}}
	bag := gang(1, 0, 3, 100, 1000)
	bag.Stages[0].Gang, bag.Runtimes[0][0] = false, 30*second
	wide := gang(2, 1, 2, 10, 0)
	planned := map[float64]bool{}
	look := func(s *threesigma.Scheduler, now float64) {
		if at, ok := s.Planned(2); ok {
			planned[at.Seconds()] = true
			if now < 60 {
				t.Errorf("at %v s, when nothing is known of what runs, job 2 is planned for %v", now, at)
			}
		}
	}
	r := runOn(t, threesigma.Config{Forecast: l, NoPreemption: true}, []sim.Partition{{Nodes: 2, Cores: 1, Speed: 0.5}}, look, bag, wide)
	if !planned[200] {
		t.Errorf("job 2 was planned for %v, want 200 s, when what runs has ended", planned)
	}
	if !r.job(1).MetDeadline() || l.starts != 4 {
		t.Errorf("%d starts, want those of 3 tasks and a gang", l.starts)
	}
	if l.after[1] != 1 || l.after[2] != 1 {
		t.Errorf("what was known was asked for %v times by job, want once", l.after)
	}
}

// A history that serves the Scheduler learns what ran, as at speed 1 where the job prefers to be.
func TestHistoryUnderThreesigma(t *testing.T) {
	p := must(t, predict.New, predict.Config{Features: []string{"name"}})
	var list []*workload.Job
	for id, runtime := range map[policy.JobID]float64{1: 60, 2: 30} {
		j := gang(id, 0, 2, runtime, 0)
		j.Attrs = []policy.Attr{{Name: "name", Value: fmt.Sprint(id)}}
		j.Stages[0].Prefer, j.Stages[0].Elsewhere = []policy.PartitionID{9}, float64(id)
		list = append(list, j)
	}
	slices.SortFunc(list, func(a, b *workload.Job) int { return int(a.ID) - int(b.ID) })
	c := threesigma.Config{Forecast: must(t, forecast.NewHistory, forecast.HistoryConfig{Predictor: p, Point: true})}
	nodes := sim.Cluster(sim.Partition{Nodes: 4, Cores: 1, Speed: 0.5})
	runtest.Run(t, sim.Config{Nodes: nodes}, list, must(t, threesigma.NewScheduler, c))
	for i, want := range []float64{60, 30} {
		if got, ok := p.Estimate(list[i], list[i].Calendar(0)); !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("job %d: learnt %v, %v, want %v s", i+1, got, ok, want)
		}
	}
}

// A job that the forecast refuses is not there: the error says why, and it may come again.
func TestForecastRefuses(t *testing.T) {
	job := gang(1, 0, 1, 10, 0)
	known := make(partly)
	f, err := forecast.Truth(known)
	if err != nil {
		t.Fatal(err)
	}
	s := must(t, threesigma.NewScheduler, threesigma.Config{Forecast: f})
	submitted := policy.Event{Time: 5e9, Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: &job.Job}
	if actions, err := s.Step(&submitted, nil); err == nil || !strings.Contains(err.Error(), "the truth does not know") || len(actions) > 0 {
		t.Errorf("error %v, actions %v", err, actions)
	}
	if s.Has(1) {
		t.Error("job 1, which was refused, is there")
	}
	known[policy.Task{Job: 1}] = 10 * second
	if _, err := s.Step(&submitted, nil); err != nil {
		t.Errorf("when all is known: %v", err)
	}
	if !s.Has(1) || s.Waits(1) {
		t.Error("job 1 is not there, or waits for others, want it to wait for input")
	}
}

// A forecast that cannot learn from an event says so, and the job stays.
func TestForecastThatCannotLearn(t *testing.T) {
	s := must(t, threesigma.NewScheduler, threesigma.Config{Forecast: &unteachable{}})
	job, of := gang(1, 0, 1, 10, 0), policy.Copy{Task: policy.Task{Job: 1}}
	for _, ev := range []policy.Event{
		{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}},
		{Kind: policy.Submitted, Copy: of, Job: &job.Job},
		{Kind: policy.Ready, Copy: of},
		{Time: 1, Kind: policy.Started, Copy: of, Node: 1},
	} {
		if _, err := s.Step(&ev, nil); (err != nil) != (ev.Kind == policy.Ready) {
			t.Errorf("event %v: error %v, want one of Ready alone", ev.Kind, err)
		}
	}
	if !s.Has(1) {
		t.Error("job 1 is gone")
	}
}

type unteachable struct{ book }

func (unteachable) Note(ev *policy.Event, _ *central.Job) error {
	if ev.Kind == policy.Ready {
		return errors.New("cannot learn")
	}
	return nil
}

type partly map[policy.Task]policy.Duration

func (p partly) Runtime(c policy.Copy) (policy.Duration, bool) {
	d, ok := p[c.Task]
	return d, ok
}

type unbound struct{ book }

var errUnbound = errors.New("not with these books")

func (unbound) Bind(central.Books) error { return errUnbound }

func TestForecastThatDoesNotBind(t *testing.T) {
	if _, err := threesigma.NewScheduler(threesigma.Config{Forecast: &unbound{}}); !errors.Is(err, errUnbound) || !strings.Contains(err.Error(), "Config.Forecast") {
		t.Errorf("error %v, want that of Bind", err)
	}
}
