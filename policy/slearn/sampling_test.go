package slearn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// story runs jobs on some cores of a node and returns the Starts, each as the instant, in s,
// and the task.
func story(t *testing.T, cores int32, g *Scheduler, jobs ...*workload.Job) (starts []string) {
	t.Helper()
	p := watch{g, func(ev *policy.Event, actions []policy.Action) error {
		for _, a := range actions {
			starts = append(starts, fmt.Sprintf("%v: %v", ev.Time.Seconds(), a.Copy.Task))
		}
		return nil
	}}
	runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: cores})}, jobs, p)
	return starts
}

// Of four tasks two are pilots, 1 and 3; the others follow when those have told, at 3 s, or
// at once where cores are idle.
func pilotsFirst(t *testing.T) {
	pilots := plans(func(j *policy.Job) Plan {
		return Plan{When: Later, Pilots: 2, Tasks: []int{1, 3}}
	})
	for _, test := range []struct {
		conserve bool
		cores    int32
		want     []string
	}{
		{false, 4, []string{"0: 1/0/1", "0: 1/0/3", "3: 1/0/0", "3: 1/0/2"}},
		{true, 4, []string{"0: 1/0/1", "0: 1/0/3", "0: 1/0/0", "0: 1/0/2"}},
		{true, 2, []string{"0: 1/0/1", "0: 1/0/3", "1: 1/0/0", "3: 1/0/2"}},
	} {
		c := Config{Forecast: NewForecast(pilots)}
		c.NoWorkConservation = !test.conserve
		got := story(t, test.cores, jobtest.Must(NewScheduler(c)), bag(1, 0, 9*s, 1*s, 9*s, 3*s))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("conserve %v, %d cores (-want +got):\n%s", test.conserve, test.cores, diff)
		}
	}
}

func samplingEstimates(t *testing.T) {
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 10, Cores: 2}, {Tasks: 5, Cores: 1, Gang: true}}}
	for _, test := range []struct {
		median bool
		pilots []float64
		want   float64 // of the mean runtime
	}{
		{false, []float64{1, 6, 2}, 3},
		{true, []float64{1, 6, 2}, 2},
		{true, []float64{6, 1, 9, 2}, 4},
		{true, []float64{7}, 7},
	} {
		c := SamplingConfig{Src: rand.NewPCG(1, 2), Median: test.median}
		if got := jobtest.Must(NewSampling(c)).Work(job, 0, test.pilots); got != test.want*25 {
			t.Errorf("pilots %v, median %v: %v core-seconds, want %v", test.pilots, test.median, got, test.want*25)
		}
	}
}

// A job of fewer than ThinLimit tasks bypasses sampling.
func TestThinLimit(t *testing.T) {
	sampling := jobtest.Must(NewSampling(SamplingConfig{Src: rand.NewPCG(1, 2), ThinLimit: 3}))
	for tasks, bypass := range map[uint32]bool{2: true, 3: false} {
		if plan, err := sampling.Plan(userJob(1, "u", tasks), 0); err != nil || plan.Bypass != bypass {
			t.Errorf("plan of a job of %d tasks is %v (%v), want a bypass: %v", tasks, plan, err, bypass)
		}
	}
}

// A pilot that ends while it is suspended has no cores to give back: of two, the one that runs keeps its own.
func TestSuspendedPilotEnds(t *testing.T) {
	q := jobtest.Must(NewTurn(TurnConfig{}))
	h := newByHand(t, 2, central.Config{Turn: q, Forecast: NewForecast(plans(func(*policy.Job) Plan {
		return Plan{When: Later, Pilots: 2, Tasks: []int{0, 1}}
	}))})
	first := h.submit(1, 2)[0]
	h.end(policy.Suspended, first, false)
	h.tell(policy.Event{Kind: policy.Failed, Copy: first, Node: 1, Service: s, Idle: true})
	if e, _ := q.Explain(1); e.Charged != 1 {
		t.Errorf("the pilots are charged for %d cores, want 1", e.Charged)
	}
}

// Section 7, heterogeneous clusters: of tasks that take 8 s at speed 1 the pilots run for 4 s on a node twice as fast and
// for 16 s on one half as fast. Either tells the same of the four.
func TestPilotsOnNodesOfAnySpeed(t *testing.T) {
	for _, speed := range []float64{2, 0.5} {
		e := spy{func(*policy.Job) Plan { return Plan{When: Later, Pilots: 2} }, map[policy.JobID]*questions{}}
		g := jobtest.Must(NewScheduler(Config{Forecast: NewForecast(e)}))
		runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2, Speed: speed})}, []*workload.Job{bag(1, 0, 8*s, 8*s, 8*s, 8*s)}, g)
		if r := e.asked[1].record; r.Estimate != 32 || r.Work != 32 || r.Runtimes.Sum() != 32 {
			t.Errorf("speed %v: %v core-seconds estimated, %v learnt, of %v s, want 32 of each", speed, r.Estimate, r.Work, r.Runtimes.Sum())
		}
	}
}

// The adaptive ratio sees jobs that were sampled and are done.
func TestSamplingAdapts(t *testing.T) {
	sampling := jobtest.Must(NewSampling(SamplingConfig{Src: rand.NewPCG(1, 2)}))
	wide := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 100, Cores: 1}}}
	plan, err := sampling.Plan(wide, 0)
	if err != nil || plan.Ratio != 0.03 || plan.Pilots != 3 {
		t.Fatalf("plan %v (%v), want 3 pilots", plan, err)
	}
	r := Record{Outcome: policy.Done, JCT: 30 * s, Runtimes: moments(slices.Repeat([]float64{0.2, 1}, 50)...), Plan: plan}
	for _, other := range []func(*Record){
		func(r *Record) { r.Outcome = policy.Cancelled },
		func(r *Record) { r.Plan = Plan{Bypass: true} },
		func(r *Record) { r.Runtimes = moments(make([]float64, 100)...) },
		func(r *Record) { r.Partial = true },
	} {
		bad := r
		other(&bad)
		if err := sampling.Ended(wide, bad); err != nil {
			t.Error(err)
		}
	}
	if _, ok := sampling.ratio.score(3); ok {
		t.Error("3 % has a score by jobs that do not count")
	}
	if err := sampling.Ended(wide, r); err != nil {
		t.Error(err)
	}
	if got, ok := sampling.ratio.score(3); got != 0.5 || !ok {
		t.Errorf("score of 3 %% is %v (%v), want 0.5", got, ok)
	}
}

func pilotsAfterRestart(t *testing.T) {
	g := jobtest.Must(NewScheduler(Config{Forecast: NewForecast(plans(func(*policy.Job) Plan {
		return Plan{When: Later, Pilots: 2, Tasks: []int{0, 1}}
	}))}))
	c := func(index uint32) policy.Copy { return policy.Copy{Task: policy.Task{Job: 1, Index: index}} }
	for _, ev := range []policy.Event{
		{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}, Replay: true},
		{Kind: policy.Submitted, Copy: c(0), Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 10, Cores: 1}}}, Replay: true},
		{Kind: policy.Ready, Copy: c(0), Replay: true},
		{Kind: policy.Finished, Copy: c(3), Node: 1, Service: 2 * s, Replay: true},
		{Kind: policy.Started, Copy: c(5), Node: 1, Service: 1 * s, Replay: true},
		{Kind: policy.Restored},
	} {
		actions, err := g.Step(&ev, nil)
		if err != nil || len(actions) > 0 {
			t.Fatalf("%v: %v, %v", ev.Kind, actions, err)
		}
	}
	e, _ := g.Explain(1)
	if e.Done != 1 || e.Pilots != 2 || e.Attained != 3 || e.Cores != 1 {
		t.Errorf("after the restart: %+v, want one pilot of two done", e)
	}
	actions, err := g.Step(&policy.Event{Kind: policy.Finished, Copy: c(5), Node: 1, Service: 4 * s, Time: policy.Time(3 * s)}, nil)
	e, _ = g.Explain(1)
	if err != nil || len(actions) != 1 || !e.Estimated || e.Estimate != 30 {
		t.Errorf("after the second pilot: %+v, want an estimate of 30 core-seconds, and one Start: %v, %v", e, actions, err)
	}
}
