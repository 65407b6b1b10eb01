package threesigma_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
)

const second = policy.Duration(time.Second)

func must[A, B any](t testing.TB, f func(A) (B, error), a A) B {
	t.Helper()
	b, err := f(a)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A book is a forecast that has a distribution for each job.
type book struct {
	of map[policy.JobID]central.Distribution
}

func (*book) Bind(central.Books) error { return nil }

func (*book) Note(*policy.Event, *central.Job) error { return nil }

func (b *book) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	d, ok := b.of[j.Job.ID]
	return d, ok
}

// gang is a job of one gang. Deadline 0: best effort. Times are in seconds.
func gang(id policy.JobID, submitted float64, width uint32, runtime, deadline float64) *workload.Job {
	j := &workload.Job{
		Job: policy.Job{
			ID: id, Submitted: policy.Time(submitted * 1e9),
			Stages: []policy.Stage{{Tasks: width, Cores: 1, Gang: true}},
		},
		Runtimes: [][]policy.Duration{slices.Repeat([]policy.Duration{policy.Duration(runtime * 1e9)}, int(width))},
	}
	if deadline > 0 {
		j.SLO = &policy.SLO{Deadline: policy.Time(deadline * 1e9), Utility: 1}
	}
	return j
}

// A ran is what came of a scene.
type ran struct {
	*sim.Result
	starts, kills map[policy.JobID][]float64 // s
	scheduler     *threesigma.Scheduler
}

func (r *ran) job(id policy.JobID) *sim.JobRecord {
	return &r.Jobs[slices.IndexFunc(r.Jobs, func(j sim.JobRecord) bool { return j.ID == id })]
}

// watch notes the actions of a Scheduler.
type watch struct {
	*threesigma.Scheduler
	ran  *ran
	each func(now float64)
}

func (w *watch) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	n := len(actions)
	actions, err := w.Scheduler.Step(ev, actions)
	for _, a := range actions[n:] {
		id := a.Copy.Job
		switch a.Kind {
		case policy.Start:
			w.ran.starts[id] = append(w.ran.starts[id], ev.Time.Seconds())
		case policy.Kill:
			w.ran.kills[id] = append(w.ran.kills[id], ev.Time.Seconds())
		}
	}
	if w.each != nil {
		w.each(ev.Time.Seconds())
	}
	return actions, err
}

// run runs jobs on partitions of so many nodes of one core. Without a forecast runtimes are known.
func run(t *testing.T, c threesigma.Config, nodes []int, each func(*threesigma.Scheduler, float64), jobs ...*workload.Job) *ran {
	t.Helper()
	var parts []sim.Partition
	for _, n := range nodes {
		parts = append(parts, sim.Partition{Nodes: n, Cores: 1})
	}
	return runOn(t, c, parts, each, jobs...)
}

// runOn does so on partitions of any kind.
func runOn(t *testing.T, c threesigma.Config, parts []sim.Partition, each func(*threesigma.Scheduler, float64), jobs ...*workload.Job) *ran {
	t.Helper()
	source, truth := workload.Split(jobs)
	if c.Forecast == nil {
		c.Forecast = must(t, forecast.Truth, policy.Truth(truth))
	}
	r := &ran{starts: map[policy.JobID][]float64{}, kills: map[policy.JobID][]float64{}}
	r.scheduler = must(t, threesigma.NewScheduler, c)
	w := &watch{Scheduler: r.scheduler, ran: r}
	if each != nil {
		w.each = func(now float64) { each(r.scheduler, now) }
	}
	result, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(parts...), Jobs: source, Truth: truth}, w)
	if err != nil {
		t.Fatal(err)
	}
	r.Result = result
	return r
}

// Section 2.3: of two jobs for one node, one with a deadline in 15 minutes and one without, the distribution
// decides which goes first, where the mean is the same.
func caseForDistributions(t *testing.T) {
	const minute = 60.0
	for _, test := range []struct {
		name     string
		runtime  central.Distribution
		sloFirst bool
	}{
		{"0 to 10 min", distuv.Uniform{Min: 0, Max: 10 * minute}, true},
		{"2.5 to 7.5 min", distuv.Uniform{Min: 2.5 * minute, Max: 7.5 * minute}, false},
		{"5 min, the mean of both", forecast.Known(5 * minute), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := &book{of: map[policy.JobID]central.Distribution{1: test.runtime, 2: test.runtime}}
			c := threesigma.Config{Forecast: b, Interval: 30 * second}
			r := run(t, c, []int{1}, nil, gang(1, 0, 1, 5*minute, 15*minute), gang(2, 0, 1, 5*minute, 0))
			if first := r.starts[1][0] < r.starts[2][0]; first != test.sloFirst {
				t.Errorf("the job with a deadline starts at %v, the other at %v", r.starts[1], r.starts[2])
			}
		})
	}
}

// A job waits for the partition where it would be in time, and takes another one if there it is too.
func TestPreferredPartition(t *testing.T) {
	for _, test := range []struct{ deadline, start float64 }{{140, 30}, {160, 0}} {
		busy, job := gang(1, 0, 2, 30, 31), gang(2, 0, 2, 100, test.deadline)
		for _, j := range []*workload.Job{busy, job} {
			j.Stages[0].Prefer, j.Stages[0].Elsewhere = []policy.PartitionID{1}, 1.5
		}
		r := run(t, threesigma.Config{Interval: 5 * second, GiveUpLate: true}, []int{2, 2}, nil, busy, job)
		if !r.job(1).MetDeadline() || !r.job(2).MetDeadline() || r.starts[2][0] != test.start {
			t.Errorf("deadline %v: started at %v, ended at %v", test.deadline, r.starts[2], r.job(2).Ended.Seconds())
		}
	}
}

// A job that is to end just on its deadline is in time wherever the host's epoch is: of an instant in seconds since then
// too few digits would be left.
func TestDeadlineAtAnyEpoch(t *testing.T) {
	for _, epoch := range []policy.Time{0, 3, 1_700_000_000_000_000_007, -1_700_000_000_000_000_007, -1e18} {
		j := gang(1, 0, 1, 10.1, 10.1)
		j.Submitted += epoch
		j.SLO.Deadline += epoch
		r := run(t, threesigma.Config{GiveUpLate: true}, []int{1}, nil, j)
		if !r.job(1).MetDeadline() {
			t.Errorf("submitted at %d: %v at %d, want Done at %d", epoch, r.job(1).Outcome, r.job(1).Ended, j.SLO.Deadline)
		}
	}
}

// Two fast partitions have two cores together, but none for a task of two, which goes to a slow one.
func TestTasksWiderThanFastNodes(t *testing.T) {
	parts := []sim.Partition{{Nodes: 1, Cores: 1, Speed: 2}, {Nodes: 1, Cores: 1, Speed: 2}, {Nodes: 1, Cores: 2}}
	j := gang(1, 0, 1, 10, 0)
	j.Stages[0].Gang, j.Stages[0].Cores = false, 2
	r := runOn(t, threesigma.Config{}, parts, nil, j)
	if got := r.job(1); got.Outcome != policy.Done || got.Ended != policy.Time(10e9) {
		t.Errorf("the job is %v at %v s, want Done at 10 s", got.Outcome, got.Ended.Seconds())
	}
}

// A gang may be on several partitions, and a bag of tasks may be larger than the cluster.
func TestWide(t *testing.T) {
	bag := gang(2, 0, 50, 10, 0)
	bag.Stages[0].Gang = false
	waits := map[float64]bool{} // job 2, after the last event of an instant
	look := func(s *threesigma.Scheduler, now float64) { waits[now] = s.Waits(2) }
	r := run(t, threesigma.Config{Interval: 5 * second}, []int{4, 4}, look, gang(1, 0, 7, 100, 101), bag)
	if !r.job(1).MetDeadline() || !r.job(2).Done() {
		t.Errorf("job 1 ended at %v, job 2: %v", r.job(1).Ended.Seconds(), r.job(2).Outcome)
	}
	// The one core beside the gang serves the bag meanwhile.
	if r.starts[2][0] != 0 || r.starts[2][1] != 10 {
		t.Errorf("tasks of the bag start at %v", r.starts[2])
	}
	if !waits[0] || !waits[10] {
		t.Errorf("when a task of the bag has started, the others wait by the plan: %v at 0 s, %v at 10 s, want true", waits[0], waits[10])
	}
}

func nothingStarves(t *testing.T) {
	c := threesigma.Config{BestEffort: threesigma.BestEffort{Horizon: second}}
	r := run(t, c, []int{1}, nil, gang(1, 0, 1, 3000, 0), gang(2, 0, 1, 300, 0), gang(3, 0, 1, 20, 0))
	for i := range r.Jobs {
		if !r.Jobs[i].Done() {
			t.Errorf("job %d: %v", r.Jobs[i].ID, r.Jobs[i].Outcome)
		}
	}
}

func lateJobs(t *testing.T) {
	for _, giveUp := range []bool{false, true} {
		c := threesigma.Config{Interval: 5 * second, GiveUpLate: giveUp, Overestimate: threesigma.Overestimate{Handling: threesigma.Never}}
		r := run(t, c, []int{1}, nil, gang(1, 0, 1, 100, 99), gang(2, 0, 1, 10, 0))
		if done := r.job(1).Done(); done == giveUp || !r.job(2).Done() {
			t.Errorf("give up %t: job 1 %v, job 2 %v", giveUp, r.job(1).Outcome, r.job(2).Outcome)
		}
	}
}

func overestimated(t *testing.T) {
	for _, test := range []struct {
		handling threesigma.Handling
		met      bool
	}{{threesigma.Never, false}, {threesigma.Adaptive, true}, {threesigma.Always, true}} {
		b := &book{of: map[policy.JobID]central.Distribution{1: forecast.Known(90)}}
		c := threesigma.Config{Forecast: b, GiveUpLate: true, Overestimate: threesigma.Overestimate{Handling: test.handling}}
		r := run(t, c, []int{1}, nil, gang(1, 0, 1, 30, 50))
		if r.job(1).MetDeadline() != test.met {
			t.Errorf("%v: %v", test.handling, r.job(1).Outcome)
		}
	}
}

func underestimated(t *testing.T) {
	b := &book{of: map[policy.JobID]central.Distribution{1: forecast.Known(20), 2: forecast.Known(10)}}
	var planned []float64
	look := func(s *threesigma.Scheduler, now float64) {
		if at, ok := s.Planned(2); ok && s.Last().Time.Seconds() == now {
			planned = append(planned, at.Seconds())
		}
	}
	r := run(t, threesigma.Config{Forecast: b, NoPreemption: true}, []int{1}, look, gang(1, 0, 1, 95, 0), gang(2, 1, 1, 10, 0))
	// At 10 s it ends at 20; at 20 one cycle later, at 30; then 2 cycles after
	// that, at 50, 4 after that, at 90, and 8, at 170.
	if want := []float64{20, 30, 50, 90, 170}; !slices.Equal(slices.Compact(planned), want) {
		t.Errorf("planned for %v, want %v", slices.Compact(planned), want)
	}
	if got := r.starts[2][0]; got < 95 || got > 105 {
		t.Errorf("started at %v", got)
	}
}

// Where nothing is known, jobs with deadlines go first, and the others make room.
func TestNothingKnown(t *testing.T) {
	c := threesigma.Config{Forecast: &book{}, Interval: second}
	r := run(t, c, []int{2}, nil, gang(1, 0, 2, 100, 0), gang(2, 5, 2, 20, 1000), gang(3, 5, 1, 20, 0))
	if len(r.kills[1]) != 1 || r.starts[2][0] != 5 || r.starts[3][0] < 25 {
		t.Errorf("kills %v, starts %v", r.kills, r.starts)
	}
}

// What is out of range is named.
func TestConfig(t *testing.T) {
	for name, c := range map[string]threesigma.Config{
		"Interval":           {Interval: -1},
		"Window.Width":       {Window: threesigma.Window{Width: math.NaN()}},
		"Window.Slots":       {Window: threesigma.Window{Slots: -1}},
		"BestEffort.Value":   {BestEffort: threesigma.BestEffort{Value: math.Inf(1)}},
		"BestEffort.Horizon": {BestEffort: threesigma.BestEffort{Horizon: -1}},
		"Candidates":         {Candidates: -1},
		"Iterations":         {Iterations: -1},
		"Threshold":          {Overestimate: threesigma.Overestimate{Threshold: 2}},
		"Handling":           {Overestimate: threesigma.Overestimate{Handling: 3}},
		"Tail":               {Overestimate: threesigma.Overestimate{Tail: math.Inf(1)}},
	} {
		if _, err := threesigma.NewScheduler(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Of more jobs than can be looked at, the narrow ones get some of the places, and so what is free.
func TestCandidates(t *testing.T) {
	jobs := []*workload.Job{gang(1, 0, 3, 500, 0)}
	for id := policy.JobID(2); id < 30; id++ {
		jobs = append(jobs, gang(id, 1, 4, 10, 0))
	}
	jobs = append(jobs, gang(30, 2, 1, 10, 0))
	r := run(t, threesigma.Config{Candidates: 8}, []int{4}, nil, jobs...)
	if got := r.starts[30][0]; got > 20 {
		t.Errorf("the narrow job starts at %v", got)
	}
}

// A job is judged anew when there are nodes where it would not be late, and not given up before.
func TestLateUntilNodesCome(t *testing.T) {
	job := gang(1, 0, 1, 100, 150)
	job.Stages[0].Prefer, job.Stages[0].Elsewhere = []policy.PartitionID{2}, 2
	b := &book{of: map[policy.JobID]central.Distribution{1: forecast.Known(100)}}
	s := must(t, threesigma.NewScheduler, threesigma.Config{Forecast: b, GiveUpLate: true, Overestimate: threesigma.Overestimate{Handling: threesigma.Never}})
	var actions []policy.Action
	tell := func(ev policy.Event) {
		t.Helper()
		var err error
		if actions, err = s.Step(&ev, actions); err != nil {
			t.Fatal(err)
		}
	}
	of := policy.Copy{Task: policy.Task{Job: 1}}
	tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 0.1}})
	tell(policy.Event{Time: 1e9, Kind: policy.Submitted, Copy: of, Job: &job.Job, More: true})
	tell(policy.Event{Time: 1e9, Kind: policy.Ready, Copy: of})
	if !s.Late(1) || slices.ContainsFunc(actions, func(a policy.Action) bool { return a.Kind == policy.GiveUp }) {
		t.Errorf("on the slow node: late %v, actions %v", s.Late(1), actions)
	}
	tell(policy.Event{Time: 1e9, Kind: policy.Refused, Copy: of, Partition: 1, Again: true})
	tell(policy.Event{Time: 2e9, Kind: policy.Joined, Node: 2, Info: &policy.Node{ID: 2, Partition: 2, Cores: 1, Speed: 1}})
	actions = nil
	for at := policy.Time(11e9); at < 60e9 && len(actions) < 4; at += 10e9 {
		tell(policy.Event{Time: at, Kind: policy.Woken})
		if i := slices.IndexFunc(actions, func(a policy.Action) bool { return a.Kind == policy.Start }); i >= 0 {
			if actions[i].Partition != 2 {
				t.Errorf("started in partition %d", actions[i].Partition)
			}
			return
		}
	}
	t.Errorf("never started: %v", actions)
}

// Whether a history is believed goes by the nodes that suit the job best.
func TestBelievedWhereFast(t *testing.T) {
	b := &book{of: map[policy.JobID]central.Distribution{1: forecast.Known(100)}}
	s := must(t, threesigma.NewScheduler, threesigma.Config{Forecast: b})
	seen := false
	w := &watch{Scheduler: s, ran: &ran{starts: map[policy.JobID][]float64{}, kills: map[policy.JobID][]float64{}}, each: func(float64) {
		if s.Utility(1).At(0) > 0 {
			seen = true
			if tail := s.Utility(1).At(71); tail != 0 {
				t.Errorf("on a node twice as fast it is worth %v after its deadline, want 0", tail)
			}
		}
	}}
	runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1, Speed: 2})}, []*workload.Job{gang(1, 0, 1, 100, 70)}, w)
	if !seen {
		t.Error("the job has no utility")
	}
}

// A task that is wider than all nodes waits for another node, and there are no cycles and no alarms meanwhile.
func TestWiderThanAllNodes(t *testing.T) {
	s := must(t, threesigma.NewScheduler, threesigma.Config{})
	tell := func(ev policy.Event) []policy.Action {
		actions, err := s.Step(&ev, nil)
		if err != nil {
			t.Fatal(err)
		}
		return actions
	}
	for id := policy.NodeID(1); id <= 2; id++ {
		tell(policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: 1, Speed: 1}})
	}
	of := policy.Copy{Task: policy.Task{Job: 1}}
	tell(policy.Event{Kind: policy.Submitted, Copy: of, More: true, Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 2}}}})
	actions := tell(policy.Event{Kind: policy.Ready, Copy: of})
	actions = append(actions, tell(policy.Event{Time: 10e9, Kind: policy.Woken})...)
	if last := s.Last(); len(actions) > 0 || last.N != 1 || last.Jobs != 0 || last.Err != nil {
		t.Errorf("actions %v, the last cycle was %+v, want none, and one cycle without jobs or error", actions, last)
	}
	actions = tell(policy.Event{Time: 20e9, Kind: policy.Joined, Node: 3, Info: &policy.Node{ID: 3, Partition: 1, Cores: 2, Speed: 1}})
	if len(actions) != 1 || actions[0].Kind != policy.Start {
		t.Errorf("actions %v when a wider node has joined, want a Start", actions)
	}
}

// A job that is late stays behind what was submitted before, also when its next stage is ready, or when its runtimes become
// known. There is one core, one job a cycle is looked at, and every task takes 10 s.
func TestLateJobStaysLate(t *testing.T) {
	for _, test := range []struct {
		name     string
		deadline float64
		stages   []uint32
		forecast central.Forecast
	}{
		{"next stage", 12, []uint32{2, 1}, nil},
		{"known later", 5, []uint32{3}, &book{of: map[policy.JobID]central.Distribution{1: forecast.Known(10)}}},
	} {
		late := gang(2, 0, 1, 10, test.deadline)
		late.Stages, late.Runtimes = nil, nil
		for i, tasks := range test.stages {
			st := policy.Stage{Tasks: tasks, Cores: 1}
			if i > 0 {
				st.Reads = []policy.Dep{{Stage: uint32(i - 1)}}
			}
			late.Stages = append(late.Stages, st)
			late.Runtimes = append(late.Runtimes, slices.Repeat([]policy.Duration{10 * second}, int(tasks)))
		}
		learn := func(_ *threesigma.Scheduler, now float64) {
			if b, ok := test.forecast.(*book); ok && now == 10 {
				b.of[2] = forecast.Known(10)
			}
		}
		r := run(t, threesigma.Config{Forecast: test.forecast, Candidates: 1}, []int{1}, learn, gang(1, 0, 1, 10, 0), late)
		if want := []float64{20}; !slices.Equal(r.starts[1], want) {
			t.Errorf("%s: the job without deadline starts at %v, the late one at %v, want %v", test.name, r.starts[1], r.starts[2], want)
		}
	}
}
