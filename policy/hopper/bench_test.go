package hopper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/queue"
)

// A step host answers every Start at once and does nothing else that costs time: one node, as
// many live jobs at any time, of log-uniform sizes, in nine groups with tails of their own.
type stepHost struct {
	p      policy.Scheduler
	rng    *rand.Rand
	now    policy.Time
	agenda *queue.Heap[stepEvent]
	seq    uint64
	jobs   policy.Table[policy.JobID, stepJob]
	spare  []*stepJob
	last   policy.JobID
	tasks  int // finished
	copies int // beside the first of a task
	ev     policy.Event
	taken  [2][]policy.Action // answers that were not carried out yet
}

type stepJob struct {
	job   policy.Job
	tasks []stepTask
	tail  float64
	left  int
}

// stepTask is the copies of a task that run.
type stepTask []stepCopy

type stepCopy struct {
	n             uint32
	started, ends policy.Time
}

type stepEvent struct {
	at     policy.Time
	seq    uint64
	report bool
	copy   policy.Copy
}

func newStepHost(tb testing.TB, p policy.Scheduler, jobs, cores int) *stepHost {
	h := &stepHost{p: p, rng: rand.New(rand.NewPCG(1, uint64(jobs)))}
	h.agenda = queue.NewHeap(func(a, b stepEvent) int {
		switch {
		case a.at != b.at:
			return int(min(1, max(-1, a.at-b.at)))
		case a.report != b.report:
			if b.report {
				return -1
			}
			return 1
		case a.seq < b.seq:
			return -1
		}
		return 1
	})
	for range jobs {
		h.submit(tb)
	}
	h.ev = policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{
		ID: 1, Cores: int32(cores), Memory: int64(cores) << 30, Speed: 1, Partition: 1,
	}}
	h.step(tb)
	return h
}

// step tells of h.ev and carries out what is wanted.
func (h *stepHost) step(tb testing.TB) {
	h.ev.Time = h.now
	actions, err := h.p.Step(&h.ev, h.taken[0][:0])
	if err != nil {
		tb.Fatal(err)
	}
	h.taken[0] = actions
	for i := 0; i < len(h.taken[0]); i++ {
		a := h.taken[0][i]
		j := h.jobs.Get(a.Copy.Job)
		switch a.Kind {
		case policy.Report:
			h.seq++
			h.agenda.Push(stepEvent{at: a.At, seq: h.seq, report: true, copy: a.Copy})
		case policy.Start:
			task := &j.tasks[a.Copy.Index]
			if len(*task) > 0 {
				h.copies++
			}
			ratio := min(100, math.Pow(1-h.rng.Float64(), -1/j.tail))
			ends := h.now + policy.Time(10e9*ratio)
			*task = append(*task, stepCopy{a.Copy.N, h.now, ends})
			h.seq++
			h.agenda.Push(stepEvent{at: ends, seq: h.seq, copy: a.Copy})
			h.ev = policy.Event{Time: h.now, Kind: policy.Started, Copy: a.Copy, Node: 1, More: i < len(h.taken[0])-1}
			more, err := h.p.Step(&h.ev, h.taken[1][:0])
			if err != nil {
				tb.Fatal(err)
			}
			h.taken[0] = append(h.taken[0], more...)
			h.taken[1] = more
		default:
			tb.Fatalf("the host cannot %v", a.Kind)
		}
	}
}

func (h *stepHost) submit(tb testing.TB) {
	h.last++
	var j *stepJob
	if n := len(h.spare); n > 0 {
		j, h.spare = h.spare[n-1], h.spare[:n-1]
	} else {
		j = &stepJob{}
	}
	group := h.rng.IntN(len(stepGroups))
	j.tail = 1.1 + 0.1*float64(group)
	j.left = int(math.Pow(128, h.rng.Float64()))
	for len(j.tasks) < j.left {
		j.tasks = append(j.tasks, nil)
	}
	j.job = policy.Job{
		ID: h.last, Submitted: h.now, Attrs: stepGroups[group][:],
		Stages: []policy.Stage{{Tasks: uint32(j.left), Cores: 1, Memory: 1 << 28}},
	}
	h.jobs.Put(h.last, j)
	h.ev = policy.Event{Kind: policy.Submitted, Job: &j.job, Copy: policy.Copy{Task: policy.Task{Job: h.last}}, More: true}
	h.step(tb)
	h.ev = policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: h.last}}}
	h.step(tb)
}

var stepGroups = func() (groups [9][1]policy.Attr) {
	for i := range groups {
		groups[i] = [1]policy.Attr{{Name: "group", Value: fmt.Sprint(i)}}
	}
	return groups
}()

// next runs until the next task has ended, and what ends with it.
func (h *stepHost) next(tb testing.TB) {
	for {
		e, ok := h.agenda.Pop()
		if !ok {
			tb.Fatal("nothing runs")
		}
		h.now = e.at
		j := h.jobs.Get(e.copy.Job)
		if j == nil {
			continue
		}
		task := &j.tasks[e.copy.Index]
		k := 0
		for k < len(*task) && (*task)[k].n != e.copy.N {
			k++
		}
		if k == len(*task) {
			continue
		}
		service := policy.Duration(h.now - (*task)[k].started)
		if e.report {
			next, _ := h.agenda.Peek()
			h.ev = policy.Event{
				Kind: policy.Progress, Copy: e.copy, Node: 1, Service: service, More: next.report && next.at == h.now,
				Value: service.Seconds() / policy.Duration((*task)[k].ends-(*task)[k].started).Seconds(),
			}
			h.step(tb)
			continue
		}
		j.left--
		h.tasks++
		others := append((*task)[:k], (*task)[k+1:]...)
		*task = (*task)[:0]
		h.ev = policy.Event{Kind: policy.Finished, Copy: e.copy, Node: 1, Service: service, More: len(others) > 0 || j.left == 0}
		h.step(tb)
		for i, c := range others {
			h.ev = policy.Event{
				Kind: policy.Killed, Copy: policy.Copy{Task: e.copy.Task, N: c.n}, Node: 1,
				Service: policy.Duration(h.now - c.started), More: i < len(others)-1 || j.left == 0,
			}
			h.step(tb)
		}
		if j.left == 0 {
			h.ev = policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: e.copy.Job}}, Outcome: policy.Done, More: true}
			h.step(tb)
			h.jobs.Delete(e.copy.Job)
			h.spare = append(h.spare, j)
			h.submit(tb)
		}
		return
	}
}

// One decision: the end of a task, the Start that follows, and what comes with them: reports, if
// there is a rule, copies, jobs that end and jobs that come.
func BenchmarkSchedulerStep(b *testing.B) {
	grass, err := hopper.NewGRASS(hopper.GRASSConfig{})
	if err != nil {
		b.Fatal(err)
	}
	for _, rule := range []hopper.Speculator{nil, grass} {
		for _, jobs := range []int{100, 1_000, 10_000} {
			for _, tt := range []struct {
				name   string
				change func(*setting)
			}{
				{"SRPT", func(s *setting) { s.rival = fewest }},
				{"Fair", func(s *setting) { s.rival = fair }},
				{"VirtualSizes", func(*setting) {}},
				{"VirtualSizes,group", func(s *setting) { s.Group = "group" }},
			} {
				name := fmt.Sprintf("rule=%t/jobs=%d/%s", rule != nil, jobs, tt.name)
				b.Run(name, func(b *testing.B) {
					s := setting{Config: hopper.DefaultConfig()}
					s.Rule, s.Period = rule, 3*time.Second
					tt.change(&s)
					h := newStepHost(b, newLine(b, s), jobs, 3200)
					for range 20_000 {
						h.next(b)
					}
					h.tasks, h.copies = 0, 0
					b.ReportAllocs()
					for b.Loop() {
						h.next(b)
					}
					b.ReportMetric(float64(h.copies)/float64(h.tasks), "copies/op")
				})
			}
		}
	}
}

// speculators are the rules with their defaults.
func speculators(t testing.TB) map[string]hopper.Speculator {
	t.Helper()
	simple, err := hopper.NewSimple(hopper.SimpleConfig{Delay: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	grass, err := hopper.NewGRASS(hopper.GRASSConfig{})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]hopper.Speculator{
		"Simple": simple, "LATE": newLATE(t, hopper.LATEConfig{}), "Mantri": newMantri(t, hopper.MantriConfig{}),
		"GS": hopper.GS{}, "RAS": hopper.RAS{}, "GRASS": grass,
	}
}

// straggling returns a tracker of so many tasks that run, and as many that are finished, with
// runtimes of a Pareto tail of 1.5 and at least 10 s, at the instant 30 s; all have reported.
func straggling(t testing.TB, tasks int) *hopper.Tracker {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	tracker := &hopper.Tracker{}
	for task := range uint32(2 * tasks) {
		runtime := 10 * math.Pow(1-rng.Float64(), -1/1.5)
		began := policy.Time(rng.Int64N(int64(20 * second)))
		service := policy.Duration(30*second - began)
		err := tracker.Start(began, task, 0, 0)
		if err == nil && task%2 == 0 {
			err = tracker.Finish(task, policy.Duration(runtime*1e9))
		} else if err == nil {
			err = tracker.Report(30*second, task, 0, service, min(1, service.Seconds()/runtime))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return tracker
}

// A question on one phase, among so many tasks that run and as many that are finished.
func BenchmarkNext(b *testing.B) {
	rules := speculators(b)
	for _, name := range []string{"Simple", "LATE", "Mantri", "GS", "RAS", "GRASS"} {
		for _, tasks := range []int{10, 100, 1000} {
			b.Run(fmt.Sprintf("%s/tasks=%d", name, tasks), func(b *testing.B) {
				b.ReportAllocs()
				phase := straggling(b, tasks).Phase(30*second, tasks, tasks)
				ok := false
				for b.Loop() {
					_, ok = rules[name].Next(phase, hopper.Room{Slots: 1000})
				}
				if !ok && tasks > 10 {
					b.Error("no copy is wanted")
				}
			})
		}
	}
}

func TestNothingAllocatesInTheSteadyState(t *testing.T) {
	tracker := straggling(t, 100)
	round := func() {
		for _, err := range []error{
			tracker.Start(30*second, 4, 1, 0), tracker.Report(31*second, 4, 1, time.Second, 0.5),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		tracker.Phase(31*second, 10, 100)
		tracker.Restarted(4)
		tracker.End(4, 1)
	}
	round()
	if got := testing.AllocsPerRun(100, round); got > 0 {
		t.Errorf("Tracker: %v allocations", got)
	}
	tracker = straggling(t, 100)
	phase := tracker.Phase(31*second, 10, 100)
	for name, rule := range speculators(t) {
		question := func() { rule.Next(phase, hopper.Room{Slots: 1000}) }
		question()
		if got := testing.AllocsPerRun(100, question); got > 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}
