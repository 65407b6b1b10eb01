package hopper_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A host tells a scheduler what the test wants told, and answers nothing by itself.
type host struct {
	t       *testing.T
	s       *line
	now     policy.Time
	actions []policy.Action // the answer to the last event
	starts  []policy.JobID  // of all Starts
}

func (h *host) step(ev policy.Event, more bool) {
	h.t.Helper()
	ev.Time, ev.More = h.now, more
	actions, err := h.s.Step(&ev, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	h.actions = actions
	for _, a := range actions {
		if a.Kind == policy.Start {
			h.starts = append(h.starts, a.Copy.Job)
		}
	}
}

// submit submits a job, all of whose stages are ready.
func (h *host) submit(id policy.JobID, stages []policy.Stage, more bool, attrs ...policy.Attr) {
	h.t.Helper()
	c := policy.Copy{Task: policy.Task{Job: id}}
	h.step(policy.Event{Kind: policy.Submitted, Copy: c, Job: &policy.Job{ID: id, Submitted: h.now, Stages: stages, Attrs: attrs}}, true)
	for i := range stages {
		c.Stage = uint32(i)
		h.step(policy.Event{Kind: policy.Ready, Copy: c}, more || i < len(stages)-1)
	}
}

func (h *host) copy(kind policy.EventKind, c policy.Copy, service policy.Duration, more bool) {
	h.t.Helper()
	h.step(policy.Event{Kind: kind, Copy: c, Node: 1, Service: service}, more)
}

// always wants another copy of the first task that runs, until three do.
type always struct{}

func (always) Next(p *hopper.Phase, _ hopper.Room) (hopper.Move, bool) {
	for i := range p.Running {
		if p.Running[i].Copies < 3 {
			return hopper.Move{Kind: hopper.Duplicate, Task: p.Running[i].Task}, true
		}
	}
	return hopper.Move{}, false
}

func newHost(t *testing.T, cores int32, s setting) *host {
	t.Helper()
	h := &host{t: t, s: newLine(t, s)}
	h.step(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Cores: cores, Speed: 1, Partition: 1}}, false)
	return h
}

func copyOf(job policy.JobID, index, n uint32) policy.Copy {
	return policy.Copy{Task: policy.Task{Job: job, Index: index}, N: n}
}

// If the only copy of a task is lost at the instant at which the rule has wanted another, there is
// nothing to copy: the task starts again, once.
func TestSchedulerLostBeforeCopied(t *testing.T) {
	h := newHost(t, 2, setting{rival: fewest, Config: asking(always{}, time.Second)})
	h.submit(1, []policy.Stage{{Tasks: 2, Cores: 1}}, false)
	h.copy(policy.Started, copyOf(1, 0, 0), 0, true)
	h.copy(policy.Started, copyOf(1, 1, 0), 0, false)
	h.now = second
	h.step(policy.Event{Kind: policy.Progress, Copy: copyOf(1, 0, 0), Node: 1, Service: time.Second, Value: 0.1}, false)
	if len(h.actions) != 1 {
		t.Fatalf("no slot is free: got %v, want a Report", h.actions)
	}
	h.step(policy.Event{Kind: policy.Lost, Copy: copyOf(1, 0, 0), Node: 1, Again: true}, false)
	if len(h.actions) != 1 || h.actions[0].Copy != copyOf(1, 0, 1) || h.actions[0].Kind != policy.Start {
		t.Errorf("the copy was lost: got %v, want one Start of the task", h.actions)
	}
	h.copy(policy.Finished, copyOf(1, 1, 0), time.Second, false)
	if len(h.actions) != 0 {
		t.Errorf("the other task has finished: got %v, want nothing", h.actions)
	}
}

// Reports are a period apart from the first event on, wherever the host's epoch is.
func TestSchedulerReports(t *testing.T) {
	for _, begin := range []policy.Time{0, 2.5e9, -7.25e9, -1e18} {
		h := &host{t: t, s: newLine(t, setting{rival: fewest, Config: asking(always{}, 3*time.Second)}), now: begin}
		h.step(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Cores: 1, Speed: 1, Partition: 1}}, false)
		h.submit(1, []policy.Stage{{Tasks: 1, Cores: 1}}, false)
		for _, test := range []struct{ now, want policy.Time }{{0, 3e9}, {1e9, 3e9}, {3e9, 6e9}, {8e9, 9e9}} {
			h.now = begin + test.now
			kind := policy.Progress
			if test.now == 0 {
				kind = policy.Started
			}
			h.copy(kind, copyOf(1, 0, 0), policy.Duration(test.now), false)
			if want := begin + test.want; len(h.actions) != 1 || h.actions[0].Kind != policy.Report || h.actions[0].At != want {
				t.Errorf("from %v s on, after %v s: %v, want a Report at %v s", begin.Seconds(), test.now.Seconds(), h.actions, want.Seconds())
			}
		}
	}
}

// A Started of a copy whose task has finished meanwhile, and one that is refused, leave nothing behind.
func TestSchedulerLateAnswers(t *testing.T) {
	h := newHost(t, 3, allocators(always{}, time.Second, 1)[0])
	h.submit(1, []policy.Stage{{Tasks: 2, Cores: 1}}, false)
	h.copy(policy.Started, copyOf(1, 0, 0), 0, true)
	h.copy(policy.Started, copyOf(1, 1, 0), 0, false)
	slots := func(wantSlots, wantCopies int64) {
		t.Helper()
		if e, _ := h.s.Explain(1); e.Slots != wantSlots || e.Copies != wantCopies {
			t.Errorf("%d slots, %d of copies, want %d, %d", e.Slots, e.Copies, wantSlots, wantCopies)
		}
	}
	slots(2, 0)
	h.now = second
	h.step(policy.Event{Kind: policy.Progress, Copy: copyOf(1, 0, 0), Node: 1, Service: time.Second, Value: 0.1}, false)
	slots(3, 1)
	h.copy(policy.Finished, copyOf(1, 0, 0), time.Second, false)
	slots(2, 1) // the rule is asked again at the next report
	h.copy(policy.Started, copyOf(1, 0, 1), 0, false)
	if len(h.actions) != 0 {
		t.Errorf("a copy of a finished task: got %v", h.actions)
	}
	h.copy(policy.Killed, copyOf(1, 0, 1), 0, false)
	slots(1, 0)
	h.now = 2 * second
	h.step(policy.Event{Kind: policy.Progress, Copy: copyOf(1, 1, 0), Node: 1, Service: 2 * time.Second, Value: 0.1}, false)
	slots(3, 2)
	h.copy(policy.Refused, copyOf(1, 1, 1), 0, false)
	slots(2, 1)
	h.copy(policy.Refused, copyOf(1, 1, 2), 0, false)
	slots(1, 0)
	// A job that ends while it is reported.
	h.now = 3 * second
	h.step(policy.Event{Kind: policy.Progress, Copy: copyOf(1, 1, 0), Node: 1, Service: 3 * time.Second, Value: 0.1}, true)
	h.copy(policy.Killed, copyOf(1, 1, 0), 3*time.Second, true)
	h.step(policy.Event{Kind: policy.Ended, Copy: copyOf(1, 0, 0), Outcome: policy.Cancelled}, false)
	if len(h.actions) != 0 {
		t.Errorf("after the job: got %v", h.actions)
	}
	if _, ok := h.s.Explain(1); ok {
		t.Error("the job has ended, and has slots")
	}
}

// The Start of a copy that is Refused because its task has finished leaves cores that others have
// waited for, though nothing else happens.
func TestSchedulerRefusedCopyOfFinishedTask(t *testing.T) {
	h := newHost(t, 2, setting{rival: fewest, Config: asking(always{}, time.Second)})
	stages := []policy.Stage{{Tasks: 1, Cores: 1}, {Tasks: 1, Cores: 2, Reads: []policy.Dep{{Stage: 0}}}}
	h.step(policy.Event{Kind: policy.Submitted, Copy: copyOf(1, 0, 0), Job: &policy.Job{ID: 1, Stages: stages}}, true)
	h.step(policy.Event{Kind: policy.Ready, Copy: copyOf(1, 0, 0)}, false)
	h.copy(policy.Started, copyOf(1, 0, 0), 0, false)
	h.now = second
	h.step(policy.Event{Kind: policy.Progress, Copy: copyOf(1, 0, 0), Node: 1, Service: time.Second, Value: 0.1}, false)
	h.copy(policy.Finished, copyOf(1, 0, 0), time.Second, true)
	last := policy.Copy{Task: policy.Task{Job: 1, Stage: 1}}
	h.step(policy.Event{Kind: policy.Ready, Copy: last}, false)
	if len(h.actions) != 0 {
		t.Fatalf("one core is promised to a copy: got %v, want nothing", h.actions)
	}
	h.copy(policy.Refused, copyOf(1, 0, 1), 0, false)
	if len(h.actions) != 1 || h.actions[0].Kind != policy.Start || h.actions[0].Copy != last {
		t.Fatalf("the copy is refused: got %v, want a Start of %v", h.actions, last)
	}
	h.step(policy.Event{Kind: policy.Refused, Copy: last, Again: true}, false)
	if len(h.actions) != 0 {
		t.Errorf("what is wanted is refused: got %v, want nothing (No circles)", h.actions)
	}
}

// asked notes what the rule is told.
type asked struct {
	phase hopper.Phase
	room  hopper.Room
	times int
}

func (a *asked) Next(p *hopper.Phase, r hopper.Room) (hopper.Move, bool) {
	a.phase, a.room = *p, r
	a.times++
	return hopper.Move{}, false
}

// What is expected of another copy is what the rule is told; and the finished tasks of a replay
// whose service is not known are not said to have taken no time.
func TestSchedulerTellsRule(t *testing.T) {
	rule := &asked{}
	c := asking(rule, time.Second)
	c.Epsilon = 1
	c.Expected = func(task policy.Task) float64 {
		if task.Index == 1 {
			return 7
		}
		return math.NaN()
	}
	h := newHost(t, 8, setting{Config: c})
	stages := []policy.Stage{{Tasks: 6, Cores: 2}}
	first := copyOf(1, 0, 0)
	replay := func(ev policy.Event) {
		ev.Replay = true
		h.step(ev, false)
	}
	replay(policy.Event{Kind: policy.Submitted, Copy: first, Job: &policy.Job{ID: 1, Stages: stages}})
	replay(policy.Event{Kind: policy.Ready, Copy: first})
	replay(policy.Event{Kind: policy.Finished, Copy: copyOf(1, 0, 0)})
	replay(policy.Event{Kind: policy.Started, Copy: copyOf(1, 1, 0), Node: 1, Service: 4 * time.Second})
	replay(policy.Event{Kind: policy.Started, Copy: copyOf(1, 2, 0), Node: 1, Service: 4 * time.Second})
	replay(policy.Event{Kind: policy.Started, Copy: copyOf(1, 2, 1), Node: 1, Service: time.Second})
	h.step(policy.Event{Kind: policy.Restored}, false)
	h.now = second
	h.step(policy.Event{Kind: policy.Progress, Copy: copyOf(1, 1, 0), Node: 1, Service: 5 * time.Second, Value: 0.5}, false)
	if rule.times != 1 {
		t.Fatalf("the rule was asked %d times, want once", rule.times)
	}
	p := &rule.phase
	if len(p.Finished) != 0 || len(p.Running) != 3 || p.Waiting != 2 || p.New != 7 {
		t.Errorf("finished %d, running %d, waiting %d, t_new %v, want 0, 3, 2 and 7", len(p.Finished), len(p.Running), p.Waiting, p.New)
	}
	if p.Running[0].New != 7 || !math.IsNaN(p.Running[1].New) || p.Running[1].Copies != 2 {
		t.Errorf("tasks run: %+v", p.Running)
	}
	if rule.room != (hopper.Room{Slots: 8, Copies: 2}) { // a task and its copy take two slots each
		t.Errorf("room is %+v, want 8 slots and copies in 2 of them", rule.room)
	}
}

// A rule is told of the slots that the job is to have: all of them under Hopper, and the ones that it has with the one
// that is free under SRPT. Of a stage whose tasks take several cores it is told the same, on as many more.
func TestSchedulerTellsRuleSlots(t *testing.T) {
	rule := &asked{}
	for i, want := range []int{16, 4} {
		s := allocators(rule, time.Second, 1)[i]
		for _, width := range []int32{1, 2, 7} {
			h := newHost(t, 16*width, s)
			h.submit(1, []policy.Stage{{Tasks: 3, Cores: width}}, false)
			for i := range uint32(3) {
				h.copy(policy.Started, copyOf(1, i, 0), 0, i < 2)
			}
			h.now = second
			h.step(policy.Event{Kind: policy.Progress, Copy: copyOf(1, 1, 0), Node: 1, Service: time.Second, Value: 0.5}, false)
			if got := rule.phase.Slots; got != want {
				t.Errorf("%s: tasks of %d cores: told of %d slots, want %d", s.name, width, got, want)
			}
		}
	}
}

func TestSchedulerConfig(t *testing.T) {
	for _, tt := range []struct {
		field  string
		change func(*hopper.Config)
	}{
		{"Config.CopyWhen", func(c *hopper.Config) { c.CopyWhen = 3 }},
		{"Config.CopyWhen", func(c *hopper.Config) { c.CopyWhen = central.AfterAll }},
		{"SpeculationConfig.Period", func(c *hopper.Config) { c.Period = -time.Second }},
		{"SpeculationConfig.Loss", func(c *hopper.Config) { c.Loss = -0.1 }},
		{"SpeculationConfig.Loss", func(c *hopper.Config) { c.Loss = math.NaN() }},
		{"TurnConfig.Epsilon", func(c *hopper.Config) { c.Epsilon = 1.1 }},
		{"TurnConfig.Epsilon", func(c *hopper.Config) { c.Epsilon = math.NaN() }},
		{"TurnConfig.Locality", func(c *hopper.Config) { c.Locality = 2 }},
		{"TurnConfig.Dampening", func(c *hopper.Config) { c.Dampening = 2 }},
		{"TurnConfig.Dampening", func(c *hopper.Config) { c.Dampening = math.NaN() }},
		{"TurnConfig.Tail", func(c *hopper.Config) { c.Tail = 1 }},
	} {
		c := paper()
		tt.change(&c)
		s, err := hopper.NewScheduler(c)
		if s != nil || err == nil || !strings.HasPrefix(err.Error(), "hopper: "+tt.field+" is ") {
			t.Errorf("%s: got %v, want an error that names it", tt.field, err)
		}
	}
	if _, err := hopper.NewScheduler(paper()); err != nil {
		t.Error(err)
	}
	if _, err := hopper.NewScheduler(hopper.Config{}); err != nil {
		t.Error(err)
	}
}

// mostCopies is how many copies of a task each of speculators lets run at once.
var mostCopies = map[string]int{"Simple": 2, "LATE": 2, "Mantri": 3, "GS": 16, "RAS": 16, "GRASS": 16}

// stragglerCopies runs a job on 1,000 cores: others tasks finish after a service of runtime, and every copy of one
// more would run for 10 hours. It returns the largest number of copies of that one which run at once in 100 periods.
func stragglerCopies(t *testing.T, s setting, others uint32, runtime policy.Duration) int {
	t.Helper()
	h := newHost(t, 1000, s)
	h.submit(1, []policy.Stage{{Tasks: others + 1, Cores: 1}}, false)
	live := map[uint32]policy.Time{} // when each copy of the straggler started, by its number
	var order []uint32
	most := 0
	carryOut := func() {
		t.Helper()
		for actions := h.actions; len(actions) > 0; actions = actions[1:] {
			switch a := actions[0]; {
			case a.Kind == policy.Kill:
				delete(live, a.Copy.N)
				h.copy(policy.Killed, a.Copy, policy.Duration(h.now), false)
			case a.Kind == policy.Start && a.Copy.Index == others:
				live[a.Copy.N] = h.now
				order = append(order, a.Copy.N)
				most = max(most, len(live))
				h.copy(policy.Started, a.Copy, 0, false)
			case a.Kind == policy.Start:
				h.copy(policy.Started, a.Copy, 0, false)
			default:
				continue // a Report, which comes at every period anyway
			}
			actions = append(actions, h.actions...)
		}
	}
	carryOut()
	h.now += policy.Time(runtime)
	for i := range others {
		h.copy(policy.Finished, copyOf(1, i, 0), runtime, false)
		carryOut()
	}
	for range 100 {
		h.now += policy.Time(s.Period)
		for i, n := range order {
			if began, ok := live[n]; ok {
				service := policy.Duration(h.now - began)
				h.step(policy.Event{
					Kind: policy.Progress, Copy: copyOf(1, others, n), Node: 1, Service: service, Value: service.Hours() / 10,
				}, i < len(order)-1)
			}
		}
		carryOut()
	}
	return most
}

func schedulerBoundsCopies(t *testing.T) {
	for name, rule := range speculators(t) {
		for _, s := range allocators(rule, 3*time.Second, 0.1)[:2] {
			for _, tt := range []struct {
				name    string
				others  uint32
				runtime policy.Duration
			}{{"one task of 0 s", 1, 0}, {"tasks of 0 s", 50, 0}, {"tasks of 1 s", 50, time.Second}} {
				if got, most := stragglerCopies(t, s, tt.others, tt.runtime), mostCopies[name]; got > most || got < 2 {
					t.Errorf("%s, %s, %s: a task has %d copies at once, want 2 to %d", name, s.name, tt.name, got, most)
				}
			}
		}
	}
}

// The straggler runs for a day on a node of its own. Its copies go to another node, where they are killed by the rule,
// run into the job's time limit, or are lost with the node each minute.
func schedulerBoundsLives(t *testing.T) {
	var flaps []sim.Outage
	for at := 50 * second; at < 20_000*second; at += 60 * second {
		flaps = append(flaps, sim.Outage{Node: 2, At: at, For: time.Second})
	}
	for name, rule := range speculators(t) {
		for _, tt := range []struct {
			name  string
			limit policy.Duration
			flaps []sim.Outage
			want  policy.Outcome
		}{{"drops", 0, nil, policy.Done}, {"a time limit", 50 * time.Second, nil, policy.TimedOut}, {"losses", 0, flaps, policy.Done}} {
			j := &workload.Job{Job: policy.Job{ID: 1, Requested: tt.limit, Limited: tt.limit > 0, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}},
				Runtimes: [][]policy.Duration{{100_000 * time.Second, 10 * time.Second, 10 * time.Second, 10 * time.Second}}}
			config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}, sim.Partition{Nodes: 1, Cores: 31}),
				Faults: sim.Faults{Outages: tt.flaps}}
			for _, s := range allocators(rule, 30*time.Second, 0.1)[:2] {
				got := runtest.Run(t, config, []*workload.Job{j}, newLine(t, s)).Jobs[0]
				if most := 4 + 15; got.Outcome != tt.want || got.Copies > most {
					t.Errorf("%s, %s, %s: the job is %v after %d copies, want %v and at most %d", name, s.name, tt.name, got.Outcome, got.Copies, tt.want, most)
				}
			}
		}
	}
}

// If the host says t_new, the copy that has just started runs for that too, whatever the mean of the finished tasks
// is, or if there is none: one Step starts at most one more copy of a task.
func TestSchedulerExpectedBoundsCopies(t *testing.T) {
	for name, rule := range speculators(t) {
		for _, expected := range []float64{0, 1, 15} {
			for _, tt := range []struct {
				name    string
				runtime policy.Duration // of the other task; 0: it runs, too
			}{{"nothing finished", 0}, {"mean 20 s", 20 * time.Second}, {"mean 10 ms", 10 * time.Millisecond}} {
				c := paper()
				c.Rule, c.Expected = rule, func(policy.Task) float64 { return expected }
				h := newHost(t, 100, setting{Config: c})
				h.submit(1, []policy.Stage{{Tasks: 2, Cores: 1}}, false)
				h.copy(policy.Started, copyOf(1, 0, 0), 0, true)
				h.copy(policy.Started, copyOf(1, 1, 0), 0, false)
				if tt.runtime > 0 {
					h.now = policy.Time(tt.runtime)
					h.copy(policy.Finished, copyOf(1, 1, 0), tt.runtime, false)
				}
				for n := range 3 {
					h.now = policy.Time(21+3*n) * second
					starts := map[uint32]int{}
					for range 2 { // the second report says nothing new
						h.step(policy.Event{
							Kind: policy.Progress, Copy: copyOf(1, 0, 0), Node: 1, Service: policy.Duration(h.now), Value: 0.01,
						}, false)
						for _, a := range h.actions {
							if a.Kind == policy.Start {
								starts[a.Copy.Index]++
							}
						}
					}
					for task, started := range starts {
						if started > 1 {
							t.Errorf("%s, t_new %v s, %s: %d copies of task %d at %v s, want at most one",
								name, expected, tt.name, started, task, h.now.Seconds())
						}
					}
					if name == "GS" && n == 0 && starts[0] == 0 {
						t.Errorf("%s, t_new %v s, %s: no copy of task 0", name, expected, tt.name)
					}
				}
			}
		}
	}
}

// All copies of a task take 300 s, where 100 s are forecast. When n of them have reported so, at 3n s, another one is expected to
// take 300^(n/(n+1)) * 100^(1/(n+1)) s. For n = 9 that is 268.8 s, before the first one ends in 273 s, and for n = 10 it is 271.5
// and not before 270. By the forecast alone there would be 16 copies. Two tasks that have ended count too, so that it has 9.
func TestReportsCorrectForecast(t *testing.T) {
	for _, test := range []struct {
		want     int
		runtimes []policy.Duration
	}{{10, []policy.Duration{300e9}}, {9 + 2, []policy.Duration{300e9, 3e9, 3e9}}} {
		rule := jobtest.Must(hopper.NewGRASS(hopper.GRASSConfig{Waves: math.Inf(1)}))
		copies := jobtest.Must(hopper.NewSpeculation(hopper.SpeculationConfig{Rule: rule, Period: 3 * time.Second}))
		p := jobtest.Must(central.New(central.Config{Turn: baseline.FIFO(), Forecast: forecast.Requested(), Copy: copies}))
		job := jobtest.Bag(1, 0, test.runtimes...)
		job.Requested = 100 * time.Second
		result := runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 100})}, []*workload.Job{job}, p)
		if got := result.Metrics().Copies; got != test.want {
			t.Errorf("runtimes %v: %d copies, want %d", test.runtimes, got, test.want)
		}
	}
}

// endless always wants another copy of the first task that runs.
type endless struct{}

func (endless) Next(p *hopper.Phase, _ hopper.Room) (hopper.Move, bool) {
	return hopper.Move{Task: p.Running[0].Task}, true
}

// A rule without a bound has 16 copies of a task at most, over its life.
func TestSchedulerBoundsEndlessRule(t *testing.T) {
	for _, s := range allocators(endless{}, 3*time.Second, 0.1)[:2] {
		if got := stragglerCopies(t, s, 1, time.Second); got != 16 {
			t.Errorf("%s: a task has %d copies at once, want 16", s.name, got)
		}
	}
}

// gentle says that it never kills.
type gentle struct{ endless }

func (gentle) Kills() bool { return false }

// A rule of one's own may return Restart and Drop, which nodes with queues cannot follow, unless it says that it does not.
func TestSpeculationKills(t *testing.T) {
	mantri := jobtest.Must(hopper.NewMantri(hopper.MantriConfig{}))
	for _, test := range []struct {
		rule hopper.Speculator
		want bool
	}{
		{nil, false}, {jobtest.Must(hopper.NewGRASS(hopper.GRASSConfig{})), false}, {jobtest.Must(hopper.NewLATE(hopper.LATEConfig{})), false},
		{mantri, true}, {struct{ hopper.Speculator }{mantri}, true}, {endless{}, true}, {gentle{}, false},
	} {
		s := jobtest.Must(hopper.NewSpeculation(hopper.SpeculationConfig{Rule: test.rule, Period: time.Second}))
		if got := s.Kills(); got != test.want {
			t.Errorf("%T: Kills = %v, want %v", test.rule, got, test.want)
		}
	}
}
