package forecast_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// users are jobs of one task on one core, one after the other, an hour apart: user, runtime and request, s.
func users(list ...any) (jobs []*workload.Job) {
	for i := 0; i < len(list); i += 3 {
		j := &workload.Job{
			Job: policy.Job{ID: policy.JobID(i/3 + 1), Submitted: policy.Time(i) * 1200e9, Requested: policy.Duration(list[i+2].(int)) * time.Second, Limited: list[i+2].(int) > 0,
				Stages: []policy.Stage{{Tasks: 1, Cores: 1}}},
			Runtimes: [][]policy.Duration{{policy.Duration(list[i+1].(int)) * time.Second}},
		}
		if user := list[i].(string); user != "" {
			j.Attrs = []policy.Attr{{Name: "user", Value: user}}
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// watched shows each step to a function.
type watched struct {
	*central.Scheduler
	see func(ev *policy.Event)
}

func (w watched) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := w.Scheduler.Step(ev, actions)
	w.see(ev)
	return actions, err
}

// predictions runs jobs on as many nodes of a speed, one after the other, and returns the median of each when it had been
// submitted, s, -1 if nothing was known.
func predictions(t *testing.T, list []*workload.Job, speed float64) (medians []float64) {
	t.Helper()
	f := forecast.LastTwo()
	s := jobtest.Must(central.New(central.Config{Turn: baseline.FIFO(), Forecast: f}))
	runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1, Speed: speed})}, list, watched{s, func(ev *policy.Event) {
		if ev.Kind != policy.Submitted {
			return
		}
		d, ok := f.Runtime(s.View().Job(ev.Copy.Job), 0)
		if !ok {
			medians = append(medians, -1)
			return
		}
		medians = append(medians, d.Quantile(0.5))
	}})
	return medians
}

func lastTwoByHand(t *testing.T) {
	list := users(
		"ann", 100, 900, // nothing has finished: the request
		"bob", 50, 0, // and no request: nothing
		"ann", 200, 900, // 100
		"ann", 700, 900, // (100+200)/2
		"ann", 10, 300, // (200+700)/2, but no more than 300
		"bob", 10, 900, // 50: nobody else's count
		"ann", 10, 0, // (700+10)/2, of the last two only
		"", 10, 500, // no user: the request
		"bob", 1000, 800, // (50+10)/2; ended after 800
		"bob", 10, 900, // (10+800)/2: what was ended at its request counts with that
	)
	want := []float64{900, -1, 100, 150, 300, 50, 355, 500, 30, 405}
	for _, speed := range []float64{1, 2} { // what ran is counted as at speed 1, but for a job that was ended
		if got := predictions(t, list, speed); !slices.Equal(got[:9], want[:9]) || speed == 1 && got[9] != want[9] {
			t.Errorf("at speed %v medians are %v, want %v", speed, got, want)
		}
	}
}

// A job keeps the prediction that it had when it started, and one that waits follows its user's other jobs.
func TestLastTwoFollows(t *testing.T) {
	list := users("ann", 5000, 9000, "ann", 100, 9000, "ann", 100, 9000)
	for _, j := range list {
		j.Submitted = 0
	}
	f := forecast.LastTwo()
	s := jobtest.Must(central.New(central.Config{Turn: baseline.FIFO(), Forecast: f}))
	median := func(id policy.JobID) float64 {
		d, _ := f.Runtime(s.View().Job(id), 0)
		return d.Quantile(0.5)
	}
	saw := 0
	runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})}, list, watched{s, func(ev *policy.Event) {
		switch {
		case ev.Kind == policy.Finished && ev.Copy.Job == 1:
			saw++
			if three := median(3); three != 5000 { // of job 2 nobody asks before it starts
				t.Errorf("after job 1 job 3 is predicted to take %v s, want 5000 s", three)
			}
		case ev.Kind == policy.Finished && ev.Copy.Job == 2:
			saw++
			if two, three := median(2), median(3); two != 5000 || three != 2550 {
				t.Errorf("after job 2 that is predicted to take %v s and job 3 %v s, want 5000 s as when it started, and (5000+100)/2 s", two, three)
			}
		}
	}})
	if saw != 2 {
		t.Errorf("saw %d ends, want 2", saw)
	}
}

// After a restart nothing is learned of what finished before it, and what runs keeps the prediction that it gets then.
func TestLastTwoRestart(t *testing.T) {
	f := forecast.LastTwo()
	s := jobtest.Must(central.New(central.Config{Turn: baseline.FIFO(), Forecast: f}))
	tell := func(ev policy.Event) {
		t.Helper()
		if _, err := s.Step(&ev, nil); err != nil {
			t.Fatal(err)
		}
	}
	tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 2, Speed: 1}, More: true})
	copies := make([]policy.Copy, 3)
	for i, j := range users("ann", 0, 900, "ann", 0, 900, "ann", 0, 900) {
		copies[i].Job = j.ID
		j.Stages[0].Tasks = 2
		tell(policy.Event{Kind: policy.Submitted, Copy: copies[i], Job: &j.Job, Replay: true, More: true})
		tell(policy.Event{Kind: policy.Ready, Copy: copies[i], Replay: true, More: true})
	}
	second := copies[0]
	second.Index = 1
	tell(policy.Event{Kind: policy.Finished, Copy: copies[0], Node: 1, Service: 50e9, Replay: true, More: true})
	tell(policy.Event{Kind: policy.Started, Copy: second, Node: 1, Replay: true, More: true})
	tell(policy.Event{Kind: policy.Started, Copy: copies[1], Node: 1, Replay: true, More: true})
	median := func(i int) float64 {
		d, _ := f.Runtime(s.View().Job(copies[i].Job), 0)
		return d.Quantile(0.5)
	}
	if got := median(2); got != 900 {
		t.Errorf("after a restart the median is %v s, want the request, 900 s", got)
	}
	tell(policy.Event{Time: 20e9, Kind: policy.Finished, Copy: second, Node: 1, Service: 20e9, More: true})
	if running, waiting := median(1), median(2); running != 900 || waiting != 20 {
		t.Errorf("when a task of 20 s has finished medians are %v s and %v s, want 900 s of what runs and 20 s of what waits", running, waiting)
	}
}

// Each median of what is possible after a prediction is the next correction of the paper, until the request is reached.
func TestLastTwoCorrections(t *testing.T) {
	f := forecast.LastTwo()
	s := jobtest.Must(central.New(central.Config{Turn: baseline.FIFO(), Forecast: f}))
	const day = 86400
	list := users("ann", 100, day, "ann", 5*day, 10*day, "bob", 100, day, "bob", 5*day, 4000, "cid", 100, 0, "cid", 100*day, 0)
	want := map[policy.JobID][]float64{ // h, beyond the 100 s
		1: {day / 3600.0},
		2: {0, 1 / 60.0, .1, .35, .85, 1.85, 3.85, 8.85, 18.85, 38.85, 88.85, 188.85},
		4: {0, 1 / 60.0, .1, .35, .85, 3900 / 3600.0},
		6: {0, 1 / 60.0, .1, .35, .85, 1.85, 3.85, 8.85, 18.85, 38.85, 88.85, 188.85},
	}
	runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 6, Cores: 1})}, list, watched{s, func(ev *policy.Event) {
		if ev.Kind != policy.Submitted || want[ev.Copy.Job] == nil {
			return
		}
		d, _ := f.Runtime(s.View().Job(ev.Copy.Job), 0)
		var got []float64
		for x := d.Quantile(0.5); len(got) == 0 || x != got[len(got)-1]; x = d.Quantile((1 + d.CDF(x)) / 2) {
			got = append(got, x)
		}
		for i, x := range want[ev.Copy.Job] {
			if ev.Copy.Job != 1 {
				x += 100 / 3600.0
			}
			if len(got) != len(want[ev.Copy.Job]) || math.Abs(got[i]-3600*x) > 1e-6 {
				t.Errorf("job %d: correction %d of %v s, want %v h beyond 100 s", ev.Copy.Job, i, got, want[ev.Copy.Job])
				break
			}
		}
		if mean := d.Mean(); math.Abs(mean-got[0]) > 0.1 {
			t.Errorf("job %d: the mean is %v s, want the prediction, %v s", ev.Copy.Job, mean, got[0])
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 1000 { // Quantile(p) is the least x with CDF(x) ≥ p
			p := 1 - math.Exp2(-40*rng.Float64())
			if x := d.Quantile(p); d.CDF(x) < p || d.CDF(math.Nextafter(x, 0)) >= p && x > 0 {
				t.Errorf("job %d: the quantile of %v is %v, with probabilities %v and %v", ev.Copy.Job, p, x, d.CDF(math.Nextafter(x, 0)), d.CDF(x))
			}
		}
	}})
}

// Users are remembered while their jobs come, and forgotten when those of very many others have come since.
func TestLastTwoForgetsUsers(t *testing.T) {
	f := forecast.LastTwo()
	s := jobtest.Must(central.New(central.Config{Turn: baseline.FIFO(), Forecast: f}))
	tell := func(ev policy.Event) {
		t.Helper()
		if _, err := s.Step(&ev, nil); err != nil {
			t.Fatal(err)
		}
	}
	last := policy.JobID(0)
	come := func(user string, took policy.Duration) (median float64) {
		last++
		c := policy.Copy{Task: policy.Task{Job: last}}
		tell(policy.Event{Kind: policy.Submitted, Copy: c, Job: &policy.Job{ID: last, Requested: 900e9,
			Attrs: []policy.Attr{{Name: "user", Value: user}}, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}})
		d, _ := f.Runtime(s.View().Job(last), 0)
		if took > 0 {
			tell(policy.Event{Kind: policy.Ready, Copy: c})
			tell(policy.Event{Kind: policy.Started, Copy: c, Node: 1})
			tell(policy.Event{Kind: policy.Finished, Copy: c, Node: 1, Service: took})
		}
		tell(policy.Event{Kind: policy.Ended, Copy: c, Outcome: policy.Done})
		return d.Quantile(0.5)
	}
	tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
	come("ann", 100e9)
	come("bob", 100e9)
	for i := range 70_000 {
		if i%30_000 == 0 {
			if got := come("ann", 0); got != 100 {
				t.Errorf("after %d others ann's job is predicted to take %v s, want 100 s", i, got)
			}
		}
		come(fmt.Sprint("user", i), 0)
	}
	if got := come("bob", 0); got != 900 {
		t.Errorf("after 70,000 others bob's job is predicted to take %v s, want the 900 s that it requests", got)
	}
}
