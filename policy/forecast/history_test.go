package forecast_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// byName returns a history that knows jobs by an attribute of their own.
func byName(point bool) (*forecast.History, *predict.Predictor) {
	p := jobtest.Must(predict.New(predict.Config{Features: []string{"name"}}))
	h := jobtest.Must(forecast.NewHistory(forecast.HistoryConfig{Predictor: p, Point: point}))
	return h, p
}

// drawn draws jobs of several stages, bags and gangs, some of which run longer outside of some partitions.
func drawn(rng *rand.Rand, jobs int) (list []*workload.Job) {
	at := policy.Time(0)
	for id := range policy.JobID(jobs) {
		at += policy.Time(rng.Int64N(10e9))
		j := &workload.Job{Job: policy.Job{ID: id + 1, Submitted: at, Attrs: []policy.Attr{{Name: "name", Value: fmt.Sprint(id)}}}}
		for i := range 1 + rng.IntN(3) {
			s := policy.Stage{Tasks: uint32(1 + rng.IntN(5)), Cores: int32(1 + rng.IntN(2)), Gang: rng.IntN(2) == 0}
			if rng.IntN(2) == 0 {
				s.Prefer, s.Elsewhere = []policy.PartitionID{policy.PartitionID(1 + rng.IntN(3))}, []float64{0, 1, 1.5, 3}[rng.IntN(4)]
			}
			if i > 0 {
				s.Reads = []policy.Dep{{Stage: uint32(i - 1)}}
			}
			var runtimes []policy.Duration
			for t := range s.Tasks {
				d := policy.Duration(1e9 + rng.Int64N(30e9))
				if s.Gang && t > 0 {
					d = runtimes[0] // which of them is the longest on nodes that differ nobody can tell later
				}
				runtimes = append(runtimes, d)
			}
			j.Stages, j.Runtimes = append(j.Stages, s), append(j.Runtimes, runtimes)
		}
		list = append(list, j)
	}
	return list
}

// What a History learns of each job that is done is the mean of its true runtimes, at speed 1 where it prefers to be,
// wherever it ran and however often. It learns nothing of those of which something was finished before a restart.
func historyLearns(t *testing.T) {
	learned, silent := 0, 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		list := drawn(rng, 30)
		jobs, truth := workload.Split(list)
		h, p := byName(seed%2 == 0)
		finished := make(map[policy.JobID]bool) // something of it
		lost := make(map[policy.JobID]bool)     // before a restart
		scheduler := func() (policy.Scheduler, error) {
			h, err := forecast.NewHistory(forecast.HistoryConfig{Predictor: p})
			if err != nil {
				return nil, err
			}
			for id := range finished {
				lost[id] = true
			}
			s, err := central.New(central.Config{Turn: baseline.FIFO(), Forecast: h})
			return watch{s, finished}, err
		}
		c := sim.Config{
			Nodes: sim.Cluster(
				sim.Partition{Nodes: 3, Cores: 4}, sim.Partition{Nodes: 3, Cores: 4, Speed: 0.3}, sim.Partition{Nodes: 2, Cores: 4, Speed: 1.7},
			),
			Jobs: jobs, Truth: truth,
			Faults: sim.Faults{
				Seed: seed, MeanUp: 10 * time.Minute, MeanDown: time.Minute, TaskFailure: 0.01,
				Cancels: []sim.Cancel{{Job: 3, At: list[2].Submitted + 5e9}},
			},
		}
		if seed%4 > 0 {
			c.Faults.Restarts, c.Faults.NewPolicy = []policy.Time{list[10].Submitted, list[20].Submitted}, scheduler
		}
		first, err := scheduler()
		if err != nil {
			t.Fatal(err)
		}
		result, err := sim.Run(t.Context(), c, first)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range result.Jobs {
			j := list[r.ID-1]
			d, ok := h.Predict(&j.Job, r.Ended)
			switch known := r.Done() && !lost[r.ID]; {
			case !r.Done(): // see TestLearnFromJobsThatAreNotDone
			case ok != known:
				t.Errorf("seed %d: of job %d, %v, part before a restart %v, is known: %v", seed, r.ID, r.Outcome, lost[r.ID], ok)
			case !known:
				silent++
			default:
				learned++
				if want := mean(j); !near(d.Mean(), want) {
					t.Errorf("seed %d: of job %d it has learnt %v s, want %v", seed, r.ID, d.Mean(), want)
				}
			}
		}
	}
	if learned < 500 || silent < 50 {
		t.Errorf("%d jobs were learnt and %d not, which shows little", learned, silent)
	}
}

// watch notes which jobs that have not ended have finished something.
type watch struct {
	policy.Scheduler
	finished map[policy.JobID]bool
}

func (w watch) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	switch ev.Kind {
	case policy.Finished:
		w.finished[ev.Copy.Job] = true
	case policy.Ended:
		delete(w.finished, ev.Copy.Job)
	}
	return w.Scheduler.Step(ev, actions)
}

// learn teaches a forecast a job whose tasks all run for so many seconds.
func learn(t testing.TB, f interface {
	Learn(*policy.Job, []policy.Duration, policy.Time) error
}, j *policy.Job, runtime float64, ended policy.Time) {
	t.Helper()
	if err := f.Learn(j, slices.Repeat([]policy.Duration{policy.Duration(runtime * 1e9)}, int(j.Units())), ended); err != nil {
		t.Fatal(err)
	}
}

// A job with too few runtimes or too many teaches nothing, and the error names it and both numbers.
func TestLearnErrors(t *testing.T) {
	h, _ := byName(false)
	b := believers(t, false)
	j := named(8, "a", 2, 1)
	for _, test := range []struct {
		runtimes []policy.Duration
		want     string
	}{
		{[]policy.Duration{1, 2}, "job 8 with 2 runtimes, want 3"},
		{[]policy.Duration{1, 2, 3, 4}, "job 8 with 4 runtimes, want 3"},
		{[]policy.Duration{1, -2, 3}, "job 8 with a runtime of -2ns, want at least 0"},
	} {
		for _, err := range []error{h.Learn(j, test.runtimes, 0), b.Learn(j, test.runtimes, 0)} {
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("runtimes %v: error %v, want one with %q", test.runtimes, err, test.want)
			}
		}
	}
	if _, ok := h.Predict(j, 0); ok || b.Revision() > 0 {
		t.Error("something was learned from a job with an error")
	}
}

func historyKeepsToWhatItSaid(t *testing.T) {
	for _, point := range []bool{false, true} {
		h, _ := byName(point)
		b := bound(t, h)
		job := func(id policy.JobID) *policy.Job {
			return &policy.Job{ID: id, Attrs: []policy.Attr{{Name: "name", Value: "a"}}, Stages: slices.Repeat([]policy.Stage{{Tasks: 1, Cores: 1}}, 2)}
		}
		early, _ := b.submit(job(1))
		if d, ok := h.Runtime(early, 0); ok {
			t.Fatalf("at first %v is known", d)
		}
		learn(t, h, early.Job, 10, 0)
		late, _ := b.submit(job(2))
		first, ok := h.Runtime(late, 1)
		if !ok || first.Mean() != 10 {
			t.Fatalf("of stage 1 it says %v, %v, want 10 s", first, ok)
		}
		learn(t, h, early.Job, 30, 0)
		for stage := range uint32(2) {
			if again, ok := h.Runtime(late, stage); !ok || again != first {
				t.Errorf("of stage %d it says %v, %v, and said %v of the job", stage, again, ok, first)
			}
			if d, ok := h.Runtime(early, stage); ok {
				t.Errorf("of stage %d it says %v, and knew nothing of the job", stage, d)
			}
		}
		if d, ok := h.Runtime(late, 2); ok {
			t.Errorf("of stage 2, which is not there, it says %v", d)
		}
	}
}

// A job that is not done tells that its tasks would have taken longer than they ran; a first such job counts twice. Nothing is
// learnt of one that ran nothing, or that is done and of which a part ran before a restart.
func TestLearnFromJobsThatAreNotDone(t *testing.T) {
	of := func(index uint32) policy.Copy { return policy.Copy{Task: policy.Task{Job: 1, Index: index}} }
	for _, test := range []struct {
		name    string
		outcome policy.Outcome
		events  []policy.Event // on a node of speed 2
		want    float64        // s; 0: nothing
	}{
		{"failed", policy.TaskFailed, []policy.Event{{Kind: policy.Failed, Service: 10e9}}, 40},
		{"failed twice", policy.TaskFailed, []policy.Event{{Kind: policy.Failed, Service: 10e9, Again: true}, {Kind: policy.Failed, Service: 5e9}}, 40},
		{"lost", policy.Stalled, []policy.Event{{Kind: policy.Lost, Service: 10e9}}, 40},
		{"one finished", policy.Cancelled, []policy.Event{{Kind: policy.Finished, Service: 10e9}, {Kind: policy.Killed, Copy: of(1), Service: 5e9}}, 30},
		{"only finished ones ran", policy.Cancelled, []policy.Event{{Kind: policy.Finished, Service: 10e9}}, 40},
		{"all finished", policy.Cancelled, []policy.Event{{Kind: policy.Finished, Service: 10e9}, {Kind: policy.Finished, Copy: of(1), Service: 20e9}}, 30},
		{"ran for what it requested", policy.TimedOut, nil, 200},
		{"ran for that on a slow node", policy.TimedOut, []policy.Event{{Kind: policy.Killed, Service: 20e9}}, 80},
		{"ran not at all", policy.Cancelled, nil, 0},
		{"ran for no time", policy.TaskFailed, []policy.Event{{Kind: policy.Failed}}, 0},
		{"finished before a restart", policy.Done, []policy.Event{{Kind: policy.Finished, Service: 10e9, Replay: true}, {Kind: policy.Finished, Copy: of(1), Service: 20e9}}, 0},
	} {
		h, _ := byName(true)
		believed := believers(t, true)
		for _, f := range []central.Forecast{h, believed} {
			b := bound(t, f)
			job := &policy.Job{ID: 1, Requested: 100e9, Attrs: []policy.Attr{{Name: "name", Value: "a"}}, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}
			events := []policy.Event{
				{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 2, Speed: 2}},
				{Kind: policy.Submitted, Copy: of(0), Job: job},
				{Kind: policy.Ready, Copy: of(0)},
			}
			for _, ev := range test.events {
				ev.Copy.Job, ev.Node = 1, 1
				if !ev.Replay {
					started := ev
					started.Kind, started.Service, started.Again = policy.Started, 0, false
					events = append(events, started)
				}
				events = append(events, ev)
			}
			for _, ev := range append(events, policy.Event{Kind: policy.Ended, Copy: of(0), Outcome: test.outcome}) {
				j, err := b.tell(ev)
				if err != nil {
					t.Fatal(err)
				}
				for ev.Kind == policy.Ready && j.Waiting > 0 {
					b.view.Start(j, central.Where{})
				}
			}
		}
		if d, ok := h.Predict(&policy.Job{Attrs: []policy.Attr{{Name: "name", Value: "a"}}}, 0); ok != (test.want > 0) || ok && !near(d.Mean(), test.want) {
			t.Errorf("%s: learnt %v, want %v s", test.name, d, test.want)
		}
		d, bounded := believed.Predict(named(2, "a", 1), 0)
		if bounded != (test.want > 0) {
			t.Errorf("%s: Beliefs know something: %v, want %v", test.name, bounded, test.want > 0)
		}
		if p := d.Survival(test.want / 2.1); bounded && test.name != "all finished" && p < 0.7 {
			t.Errorf("%s: a like job takes more than %v s with probability %v, want at least 0.7", test.name, test.want/2, p)
		}
	}
}

func TestHistoryWithoutPredictor(t *testing.T) {
	if _, err := forecast.NewHistory(forecast.HistoryConfig{}); err == nil {
		t.Error("a History without a Predictor is no error")
	}
}

// A job of one task is submitted, asked about, and ends.
func BenchmarkHistory(b *testing.B) {
	h, _ := byName(false)
	var view central.View
	if err := h.Bind(central.Books{View: &view, Forecast: h}); err != nil {
		b.Fatal(err)
	}
	tell := func(ev policy.Event) *central.Job {
		j, err := view.Observe(&ev)
		if err == nil {
			err = h.Note(&ev, j)
		}
		if err != nil {
			b.Fatal(err)
		}
		return j
	}
	tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
	job := policy.Job{Attrs: []policy.Attr{{Name: "name", Value: "a"}}, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
	b.ReportAllocs()
	for b.Loop() {
		job.ID++
		of := policy.Copy{Task: policy.Task{Job: job.ID}}
		j := tell(policy.Event{Kind: policy.Submitted, Copy: of, Job: &job})
		tell(policy.Event{Kind: policy.Ready, Copy: of})
		h.Runtime(j, 0)
		view.Start(j, central.Where{})
		tell(policy.Event{Kind: policy.Started, Copy: of, Node: 1})
		tell(policy.Event{Kind: policy.Finished, Copy: of, Node: 1, Service: policy.Duration(job.ID % 1000 * 1e9)})
		tell(policy.Event{Kind: policy.Ended, Copy: of, Outcome: policy.Done})
	}
}
