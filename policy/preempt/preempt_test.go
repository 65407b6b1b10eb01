package preempt

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// byIndex makes the turn that most callers have.
func byIndex() (central.Order, error) { return gittins.NewTurn(gittins.Config{}) }

// by makes one of jobs that come first, with other ranks.
func by(rank func(j *policy.Job, now policy.Time, attained float64) (float64, policy.Time)) func() (central.Order, error) {
	return func() (central.Order, error) { return &ranker{Order: baseline.FIFO(), rank: rank}, nil }
}

// turns are those that the filler is tested with: the index, and ranks that are drawn anew every 100 s.
var turns = []struct {
	name string
	make func() (central.Order, error)
}{
	{"index", byIndex},
	{"drawn", by(func(j *policy.Job, now policy.Time, _ float64) (float64, policy.Time) {
		const period = 100e9
		return 5 * rand.New(rand.NewPCG(uint64(j.ID), uint64(now/period))).Float64(), (now/period + 1) * period
	})},
}

// inOrder is the rank of a job whose ID says when it is its turn.
func inOrder(j *policy.Job, _ policy.Time, _ float64) (float64, policy.Time) {
	return float64(j.ID), policy.Never
}

// behind puts a filler behind a turn, over what jobs tell of themselves.
func behind(turn func() (central.Order, error), fill central.Filler) (*central.Scheduler, error) {
	order, err := turn()
	if err != nil {
		return nil, err
	}
	beliefs, err := forecast.NewBeliefs(forecast.BeliefsConfig{})
	if err != nil {
		return nil, err
	}
	return central.New(central.Config{Turn: order, Forecast: beliefs, Fill: fill})
}

// scheduler is behind with the filler of this package.
func scheduler(turn func() (central.Order, error), c Config) (*central.Scheduler, *filler, error) {
	fill, err := NewFiller(c)
	if err != nil {
		return nil, nil, err
	}
	s, err := behind(turn, fill)
	return s, fill.(*filler), err
}

// Whatever happens, the filler keeps to the contract, forgets nothing and allocates nothing in the steady state.
func TestConformance(t *testing.T) {
	for _, turn := range turns {
		t.Run(turn.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
				s, _, err := scheduler(turn.make, Config{Exempt: 1, Idle: 0.01})
				return s, err
			}})
		})
	}
}

func TestConfig(t *testing.T) {
	_, _, err := scheduler(func() (central.Order, error) { return baseline.FIFO(), nil }, Config{})
	if want := "an order without ranks, want a central.Ranker, such as gittins.NewTurn returns"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("behind FIFO: error %v, want %q", err, want)
	}
	for _, test := range []struct {
		config Config
		want   string
	}{
		{Config{Margin: 0.5}, "Config.Margin is 0.5, want a finite number of at least 1"},
		{Config{Margin: math.Inf(1)}, "Config.Margin is +Inf"},
		{Config{Exempt: 0.5}, "Config.Exempt is 0.5, want 1 to 1e9"},
		{Config{Idle: 1.5}, "Config.Idle is 1.5, want above 0, at most 1"},
		{Config{Margin: 1, Exempt: 1, Idle: 1}, ""},
	} {
		_, err := NewFiller(test.config)
		if got := fmt.Sprint(err); (err != nil) != (test.want != "") || !strings.Contains(got, test.want) {
			t.Errorf("%+v: error %v, want %q", test.config, err, test.want)
		}
	}
}

// job makes a job that can be saved, of tasks that run for so many seconds.
func job(id policy.JobID, submitted float64, s policy.Stage, runtime float64) *workload.Job {
	s.Saves = true
	j := &workload.Job{Job: policy.Job{ID: id, Submitted: policy.Time(submitted * 1e9), Stages: []policy.Stage{s}}}
	j.Runtimes = [][]policy.Duration{slices.Repeat([]policy.Duration{policy.Duration(runtime * 1e9)}, int(s.Tasks))}
	return j
}

// A watcher checks every stop of a policy by what the policy has heard.
type watcher struct {
	*central.Scheduler
	t       *testing.T
	exempt  float64
	stages  map[policy.JobID][]policy.Stage
	works   map[policy.Copy]policy.Time
	stopped map[policy.Copy]bool
	saved   map[policy.Task]policy.Duration
	failed  map[policy.Task]int // stops without a save
	stops   map[policy.Task]int // with one
	first   []policy.JobID      // that were stopped at the first instant at which any was
	at      policy.Time         // that instant
	node    policy.NodeID       // that the last Start has named
	lost    int                 // copies that ended otherwise than by a stop
	then    func()
}

func (w *watcher) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	switch c := ev.Copy; {
	case ev.Kind == policy.Submitted:
		w.stages[c.Job] = ev.Job.Stages
	case ev.Kind == policy.Started:
		w.works[c] = ev.Time
		if ev.Service > 0 {
			w.works[c] = ev.Time.Add(w.stages[c.Job][c.Stage].Reload)
		}
	case ev.Kind.End():
		switch {
		case !w.stopped[c] || ev.Kind != policy.Killed:
		case ev.Saved > w.saved[c.Task]:
			w.stops[c.Task]++
		default:
			w.failed[c.Task]++
		}
		if ev.Kind != policy.Finished && !w.stopped[c] {
			w.lost++
		}
		w.saved[c.Task] = max(w.saved[c.Task], ev.Saved)
		delete(w.works, c)
	}
	n, began := len(actions), len(w.first) > 0
	actions, err := w.Scheduler.Step(ev, actions)
	for _, a := range actions[n:] {
		if a.Kind == policy.Start {
			w.node = a.Node
		}
		if a.Kind != policy.Kill {
			continue
		}
		stage := &w.stages[a.Copy.Job][a.Copy.Stage]
		works, runs := w.works[a.Copy]
		served := ev.Time.Sub(works).Seconds()
		switch least := math.Ldexp(w.exempt*max(1, stage.Reload.Seconds()), w.failed[a.Copy.Task]); {
		case !a.Save || !stage.Saves || !runs || w.stopped[a.Copy]:
			w.t.Errorf("%v s: %+v of stage %+v, runs %v, stopped before %v", ev.Time.Seconds(), a, stage, runs, w.stopped[a.Copy])
		case served < least-1e-6:
			w.t.Errorf("%v s: %v is stopped after %v s, want %v s at least", ev.Time.Seconds(), a.Copy, served, least)
		}
		w.stopped[a.Copy] = true
		if !began {
			w.first, w.at = append(w.first, a.Copy.Job), ev.Time
		}
	}
	if w.then != nil {
		w.then()
	}
	return actions, err
}

// run runs jobs under a watched filler.
func run(t *testing.T, turn func() (central.Order, error), list []*workload.Job, config sim.Config, c Config, then func(p *filler)) (*sim.Result, *watcher) {
	t.Helper()
	var truth policy.Truth
	config.Jobs, truth = workload.Split(list)
	config.Truth = truth
	s, fill, err := scheduler(turn, c)
	if err != nil {
		t.Fatal(err)
	}
	w := &watcher{
		Scheduler: s, t: t, exempt: cmp.Or(c.Exempt, 10), stages: make(map[policy.JobID][]policy.Stage), works: make(map[policy.Copy]policy.Time),
		stopped: make(map[policy.Copy]bool), saved: make(map[policy.Task]policy.Duration), failed: make(map[policy.Task]int), stops: make(map[policy.Task]int),
	}
	if then != nil {
		w.then = func() { then(fill) }
	}
	r, err := sim.Run(t.Context(), config, w)
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// A stream of short jobs stops a long one as often as the bound says and no more: on one core a job of 36,000 s, 3,000 jobs of 10 s,
// one a minute, and a reload of 60 s.
func TestAdversary(t *testing.T) {
	stage := policy.Stage{Tasks: 1, Cores: 1, Reload: time.Minute}
	turn := by(func(j *policy.Job, _ policy.Time, _ float64) (float64, policy.Time) {
		return -float64(min(j.ID, 2)), policy.Never // the long one is last
	})
	list := []*workload.Job{job(1, 0, stage, 36_000)}
	for i := range 3_000 {
		list = append(list, job(policy.JobID(i+2), float64(60*(i+1)), stage, 10))
	}
	for _, test := range []struct{ exempt, least, most float64 }{{5, 100, 120}, {10, 50, 60}, {20, 25, 30}} {
		r, w := run(t, turn, list, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})}, Config{Exempt: test.exempt}, nil)
		stops := float64(w.stops[policy.Task{Job: 1}])
		if stops < test.least || stops > test.most { // T/(gρ)
			t.Errorf("exempt %v: %v stops, want %v to %v", test.exempt, stops, test.least, test.most)
		}
		if m := r.Metrics(); m.Reloaded > 36_000/test.exempt || m.Reloaded != 60*stops {
			t.Errorf("exempt %v: reloaded for %v s after %v stops, want 60 s each and %v s at most", test.exempt, m.Reloaded, stops, 36_000/test.exempt)
		}
	}
}

// On a host where every save fails, the stops of all units together are few: eight for each doubling of the exempt time, and those
// of units that ran before. Each of the 50 long jobs alone could be stopped eleven times.
func TestEverySaveFails(t *testing.T) {
	stage := policy.Stage{Tasks: 1, Cores: 1, Reload: time.Second}
	turn := by(func(j *policy.Job, _ policy.Time, _ float64) (float64, policy.Time) {
		return -float64(min(j.ID, 51)) / 10, policy.Never // the first of the long ones are last
	})
	var list []*workload.Job
	for i := range 3_000 {
		runtime := 10.0
		if i < 50 {
			runtime = 2_000
		}
		list = append(list, job(policy.JobID(i+1), float64(20*i), stage, runtime))
	}
	config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}), Faults: sim.Faults{SaveFails: 1}}
	_, w := run(t, turn, list, config, Config{Exempt: 1}, nil)
	stops, most := 0, 8*(1+math.Ceil(math.Log2(2_000)))+2
	for _, n := range w.failed {
		stops += n
	}
	if stops < 40 || float64(stops) > most {
		t.Errorf("%d stops, want 40 to %v", stops, most)
	}
}

// random draws jobs of gangs and of wide tasks. Most can be saved, and a third have two stages.
func random(rng *rand.Rand, n int, wide bool) (list []*workload.Job) {
	at := 0.0
	for i := range n {
		at += rng.ExpFloat64() * 15
		s := policy.Stage{Tasks: 1 + rng.Uint32N(6), Cores: 1, Gang: rng.IntN(2) == 0, Reload: policy.Duration(rng.IntN(8)) * time.Second}
		if wide && rng.IntN(2) == 0 {
			s.Tasks, s.Cores, s.Memory = 1+rng.Uint32N(2), 1+rng.Int32N(3), rng.Int64N(3)
		}
		j := job(policy.JobID(i+1), at, s, math.Floor(math.Exp(rng.Float64()*6)))
		if rng.IntN(5) == 0 {
			j.Stages[0].Saves, j.Stages[0].Reload = false, 0
		}
		if rng.IntN(3) == 0 {
			j.Stages = append(j.Stages, policy.Stage{Tasks: 1 + rng.Uint32N(3), Cores: 1, Saves: true, Reload: time.Second, Reads: []policy.Dep{{Stage: 0}}})
			j.Runtimes = append(j.Runtimes, slices.Repeat(j.Runtimes[0][:1], int(j.Stages[1].Tasks)))
		}
		list = append(list, j)
	}
	return list
}

// Whatever goes wrong, no unit is stopped in its exempt time, which doubles with each save that fails. So a unit is stopped at most T/(gρ)
// times with a save and 1 + log2(T/(gρ)) times without one, and if nothing is lost the reloads take at most a g-th of the service.
func TestBounds(t *testing.T) {
	again := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		list := random(rng, 60, seed%2 == 1)
		nodes := sim.Cluster(sim.Partition{Nodes: 2, Cores: 4, Memory: 6}, sim.Partition{Nodes: 1, Cores: 4, Memory: 6, Speed: 0.5})
		config := sim.Config{Nodes: nodes, SaveCost: policy.Duration(rng.IntN(3)) * time.Second, Delay: policy.Duration(seed%3) * 100 * time.Millisecond}
		switch seed % 4 {
		case 2:
			config.Faults = sim.Faults{Seed: seed, SaveFails: 0.5}
		case 3:
			config.Faults = sim.Faults{Seed: seed, SaveFails: 0.2, TaskFailure: 0.02, TaskEviction: 0.02, MeanUp: 20 * time.Minute, MeanDown: time.Minute, ActionLate: 0.1, MeanSlip: time.Second}
		}
		c := Config{Exempt: 1 + 4*rng.Float64(), Idle: 0.05 + rng.Float64()/3}
		r, w := run(t, turns[seed/4%2].make, list, config, c, nil)
		service, reloaded, stops := 0.0, 0.0, 0
		for _, j := range r.Jobs {
			service, reloaded, stops = service+j.Service, reloaded+j.Reloaded, stops+j.Stops
		}
		if stops == 0 {
			t.Errorf("seed %d: nothing was stopped, want something", seed)
		}
		if w.lost == 0 && reloaded > service/c.Exempt {
			t.Errorf("seed %d: reloaded for %v core-seconds, want at most %v/%v", seed, reloaded, service, c.Exempt)
		}
		for i, j := range list {
			for k := range j.Stages {
				intervals := j.Runtimes[k][0].Seconds() / 0.5 / (c.Exempt * max(1, j.Stages[k].Reload.Seconds())) // on the slow node
				for n := range j.Stages[k].Units() {
					task := policy.Task{Job: policy.JobID(i + 1), Stage: uint32(k), Index: n}
					saved, not := w.stops[task], w.failed[task]
					if not > 1 {
						again++
					}
					if float64(saved) > intervals || not > 0 && float64(not) > 1+math.Log2(intervals) {
						t.Errorf("seed %d: %v, which is as long as %v exempt times, is stopped %d times with a save and %d times without", seed, task, intervals, saved, not)
					}
				}
			}
		}
	}
	if again < 20 {
		t.Errorf("saves of %d units failed twice, want 20", again)
	}
}

// Without a stage that saves, all is as EASY does it.
func TestNothingSaves(t *testing.T) {
	list := random(rand.New(rand.NewPCG(1, 4)), 200, false)
	for _, j := range list {
		for i := range j.Stages {
			j.Stages[i].Saves, j.Stages[i].Reload = false, 0
		}
	}
	config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 3, Cores: 4})}
	got, _ := run(t, byIndex, list, config, Config{}, nil)
	var truth policy.Truth
	config.Jobs, truth = workload.Split(list)
	config.Truth = truth
	s, err := behind(byIndex, baseline.EASY())
	if err != nil {
		t.Fatal(err)
	}
	want, err := sim.Run(t.Context(), config, s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Jobs {
		if got.Jobs[i].Ended != want.Jobs[i].Ended {
			t.Errorf("job %d ends at %v s, want %v s", want.Jobs[i].ID, got.Jobs[i].Ended.Seconds(), want.Jobs[i].Ended.Seconds())
		}
	}
}

// A ranker ranks jobs by a function.
type ranker struct {
	central.Order
	view *central.View
	rank func(j *policy.Job, now policy.Time, attained float64) (float64, policy.Time)
}

func (r *ranker) Bind(b central.Books) error {
	r.view = b.View
	return r.Order.Bind(b)
}

func (r *ranker) Rank(j *central.Job, attained float64) (float64, policy.Time) {
	return r.rank(j.Job, r.view.Now(), attained)
}

// The Turn is told what a running copy has attained, in core-seconds at speed 1: also what it took over, and not while it reloads.
func TestAttained(t *testing.T) {
	of1 := make(map[policy.Time]float64)
	turn := by(func(j *policy.Job, now policy.Time, attained float64) (float64, policy.Time) {
		if j.ID == 1 {
			of1[now] = attained
		}
		return -float64(j.ID), now.Add(time.Second)
	})
	two := policy.Stage{Tasks: 2, Cores: 1, Gang: true, Reload: 10 * time.Second}
	list := []*workload.Job{job(1, 0, two, 1000), job(2, 5, two, 10), job(3, 20, two, 10), job(4, 45, two, 10)}
	run(t, turn, list, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2, Speed: 2})}, Config{Exempt: 2}, nil)
	// It runs until 20 s, and goes on from 40 speed-1 seconds of each task at 30 s, when the jobs 3 and 2 have run for 5 s each.
	if got, ok := of1[45e9]; !ok || got != 2*(40+2*5) {
		t.Errorf("at 45 s the job has attained %v core-seconds (asked: %v), want 100; all: %v", got, ok, of1)
	}
}

// A unit is stopped as soon as its exempt time has ended and the ranks say so, although nothing else happens then.
func TestAlarms(t *testing.T) {
	for _, test := range []struct {
		name            string
		before, after   [2]float64  // the ranks of what runs and of what waits, from 5 s on and
		turns, exempted policy.Time // from here on; and the exempt time
		want            policy.Time
	}{
		{"the exempt time ends", [2]float64{9, 5}, [2]float64{9, 5}, policy.Never, 20e9, 20e9},
		{"what runs falls behind", [2]float64{1, 5}, [2]float64{9, 5}, 50e9, 20e9, 50e9},
		{"what runs falls behind while it is exempt", [2]float64{1, 5}, [2]float64{9, 5}, 10e9, 20e9, 20e9},
		{"what waits gets ahead", [2]float64{9, 20}, [2]float64{9, 5}, 50e9, 20e9, 50e9},
	} {
		turn := by(func(j *policy.Job, now policy.Time, _ float64) (float64, policy.Time) {
			before, after := test.before[j.ID-1], test.after[j.ID-1]
			if now >= test.turns || before == after {
				return after, policy.Never
			}
			return before, test.turns
		})
		stage := policy.Stage{Tasks: 1, Cores: 1, Reload: 2 * time.Second}
		list := []*workload.Job{job(1, 0, stage, 100), job(2, 5, stage, 100)}
		c := Config{Exempt: test.exempted.Seconds() / 2}
		_, w := run(t, turn, list, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})}, c, nil)
		if !slices.Equal(w.first, []policy.JobID{1}) || w.at != test.want {
			t.Errorf("%s: jobs %v are stopped at %v s, want job 1 at %v s", test.name, w.first, w.at.Seconds(), test.want.Seconds())
		}
	}
}

// Behind more jobs than a plan looks at first, one that fits starts, and so does one that fills the cluster better.
func TestLooksAtAll(t *testing.T) {
	for _, test := range []struct {
		cores  int32
		idle   float64
		widths []uint32
		want   []policy.JobID // the first to start
		starts int
	}{
		{4, 0.1, slices.Concat([]uint32{2}, slices.Repeat([]uint32{3}, 200), []uint32{2}), []policy.JobID{1, 202}, 2},
		{194, 0.005, append(slices.Repeat([]uint32{3}, 64), 100), []policy.JobID{65, 1}, 32},
	} {
		s, _, err := scheduler(by(inOrder), Config{Idle: test.idle})
		if err != nil {
			t.Fatal(err)
		}
		var actions []policy.Action
		send := func(ev policy.Event) {
			if actions, err = s.Step(&ev, actions); err != nil {
				t.Fatal(err)
			}
		}
		send(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: test.cores, Speed: 1}})
		for i, width := range test.widths {
			j := job(policy.JobID(i+1), 0, policy.Stage{Tasks: width, Cores: 1, Gang: true}, 10).Job
			of := policy.Copy{Task: policy.Task{Job: j.ID}}
			send(policy.Event{Kind: policy.Submitted, More: true, Copy: of, Job: &j})
			send(policy.Event{Kind: policy.Ready, More: i < len(test.widths)-1, Copy: of})
		}
		var started []policy.JobID
		for _, a := range actions {
			started = append(started, a.Copy.Job)
		}
		if len(started) != test.starts || !slices.Equal(started[:2], test.want) {
			t.Errorf("%d cores: jobs %v start, want %d, of these first %v", test.cores, started, test.starts, test.want)
		}
	}
}

// A job that the host found no room for tries one unit at a time, and what no node can hold holds up nothing, not even its own job.
func TestRefusedTriesAlone(t *testing.T) {
	s, _, err := scheduler(by(inOrder), Config{})
	if err != nil {
		t.Fatal(err)
	}
	starts := func(ev policy.Event) (n int) {
		t.Helper()
		actions, err := s.Step(&ev, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range actions {
			if a.Kind == policy.Start {
				n++
			}
		}
		return n
	}
	j := job(1, 0, policy.Stage{Tasks: 4, Cores: 2}, 10).Job
	starts(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 4, Speed: 1}})
	starts(policy.Event{Kind: policy.Joined, Node: 2, Info: &policy.Node{ID: 2, Partition: 1, Cores: 4, Speed: 1}})
	starts(policy.Event{Kind: policy.Submitted, More: true, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: &j})
	if n := starts(policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: 1}}}); n != 4 {
		t.Fatalf("%d units start, want 4", n)
	}
	for i := range uint32(4) {
		starts(policy.Event{Kind: policy.Refused, More: i < 3, Again: true, Copy: policy.Copy{Task: policy.Task{Job: 1, Index: i}}})
	}
	if n := starts(policy.Event{Kind: policy.Woken}); n != 1 {
		t.Errorf("%d units start after all were refused, want 1", n)
	}
	if n := starts(policy.Event{Kind: policy.Woken}); n != 0 {
		t.Errorf("%d more units start before that is answered, want none", n)
	}
	starts(policy.Event{Kind: policy.Joined, Node: 3, Info: &policy.Node{ID: 3, Partition: 1, Cores: 4, Speed: 1}})
	k := job(2, 0, policy.Stage{Tasks: 1, Cores: 5}, 10).Job
	k.Stages = append(k.Stages, policy.Stage{Tasks: 1, Cores: 1})
	starts(policy.Event{Kind: policy.Submitted, More: true, Copy: policy.Copy{Task: policy.Task{Job: 2}}, Job: &k})
	starts(policy.Event{Kind: policy.Ready, More: true, Copy: policy.Copy{Task: policy.Task{Job: 2}}})
	if n := starts(policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: 2, Stage: 1}}}); n != 1 {
		t.Errorf("%d units start beside one that no node can hold, want 1", n)
	}
}

// A revised is a Forecast that says when it has changed.
type revised struct {
	central.Forecast
	times uint64
}

func (r *revised) Revision() uint64 { return r.times }

// When the Forecast has changed, the Turn is asked again about jobs that wait.
func TestRevision(t *testing.T) {
	ranks := map[policy.JobID]float64{1: 1, 2: 5, 3: 6}
	turn, _ := by(func(j *policy.Job, _ policy.Time, _ float64) (float64, policy.Time) { return ranks[j.ID], policy.Never })()
	know := &revised{Forecast: forecast.Nothing()}
	fill, err := NewFiller(Config{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := central.New(central.Config{Turn: turn, Forecast: know, Fill: fill})
	if err != nil {
		t.Fatal(err)
	}
	step := func(ev policy.Event) []policy.Action {
		t.Helper()
		actions, err := s.Step(&ev, nil)
		if err != nil {
			t.Fatal(err)
		}
		return actions
	}
	of := func(id policy.JobID) policy.Copy { return policy.Copy{Task: policy.Task{Job: id}} }
	step(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
	for id := policy.JobID(1); id <= 3; id++ {
		j := job(id, 0, policy.Stage{Tasks: 1, Cores: 1}, 10).Job
		step(policy.Event{Kind: policy.Submitted, More: true, Copy: of(id), Job: &j})
		step(policy.Event{Kind: policy.Ready, Copy: of(id)})
	}
	step(policy.Event{Kind: policy.Started, Copy: of(1), Node: 1})
	ranks[2], ranks[3], know.times = 6, 5, 1
	if a := step(policy.Event{Kind: policy.Finished, Copy: of(1), Node: 1}); len(a) == 0 || a[0].Kind != policy.Start || a[0].Copy.Job != 3 {
		t.Errorf("the actions are %+v, want a Start of job 3", a)
	}
}

// Jobs that come and go while none can be saved leave nothing behind.
func TestForgetsJobs(t *testing.T) {
	list := random(rand.New(rand.NewPCG(1, 5)), 200, false)
	for i, j := range list {
		j.Submitted = policy.Time(i) * 1e13
		for k := range j.Stages {
			j.Stages[k].Saves, j.Stages[k].Reload = false, 0
		}
	}
	most := 0
	run(t, byIndex, list, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 3, Cores: 4})}, Config{}, func(p *filler) { most = max(most, len(p.stale)+len(p.ended)) })
	if most > 10 {
		t.Errorf("the filler remembers %d jobs that come one after another, want 10 at most", most)
	}
}
