package hopper_test

import (
	"math"
	"strconv"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/paper"
)

// fitted is what a fit to the longest share, top, of many runtimes comes to, if the longest takes at
// most bound times the shortest: 1 / E[ln x/q | x > q], with q the runtime that the share
// is longer than. Without a bound it is the tail.
func fitted(tail, top, bound float64) float64 {
	if bound == 0 {
		return tail
	}
	// P(x > q) = (q^-tail - bound^-tail) / (1 - bound^-tail), and the logarithm of x/q is
	// exponential, cut off at ln r, r = bound/q.
	cut := math.Pow(bound, -tail)
	q := math.Pow(top*(1-cut)+cut, -1/tail)
	r := bound / q
	return 1 / (1/tail - math.Log(r)/(math.Pow(r, tail)-1))
}

// Tails of groups are learnt from the tasks that end, while copies of the slowest of them cut these
// short. A fit to k runtimes has a standard error of tail/sqrt(k). Of 36 fits that are right, one is
// off by more than 3.63 of these in one run of a hundred, and a mean of nine by more than 3/sqrt(9)
// in 400 runs once.
func TestSchedulerLearnsTails(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, tt := range []struct {
		name  string
		rule  string
		bound float64
	}{
		{"no copies", "", 0}, {"GRASS", "GRASS", 0}, {"GRASS, bounded", "GRASS", 100},
		{"Mantri", "Mantri", 0}, // kills copies that run for long, too
	} {
		t.Run(tt.name, func(t *testing.T) {
			const window, top = 4000, 0.1
			c := hopper.DefaultConfig()
			c.Rule, c.Group, c.Locality = nil, "group", 0
			if tt.rule != "" {
				c.Rule = speculators(t)[tt.rule]
			}
			s, err := hopper.NewScheduler(c)
			if err != nil {
				t.Fatal(err)
			}
			s.LearnFinely(window, top)
			tails := map[string]float64{}
			watch := watcher{s, func(ev *policy.Event) {
				if j := ev.Job; ev.Kind == policy.Submitted {
					group, _ := j.Attr("group")
					e, _ := s.Explain(j.ID)
					tails[group] = e.Tail
				}
			}}
			h := facebook(500, func(h *paper.Hopper) {
				h.Pipe, h.MostStages, h.Nodes, h.Cores, h.Bound = false, 1, 50, 16, tt.bound
				h.Shares = [5]float64{0, 0, 1, 0, 0} // 51 to 150 tasks: the median of a stage says enough
			})
			source, err := h.Source()
			if err != nil {
				t.Fatal(err)
			}
			all, err := workload.ReadAll(source)
			if err != nil {
				t.Fatal(err)
			}
			for g := range 9 { // once all that straggles is over, a job says the tail of its group
				id := policy.JobID(len(all) + 1)
				all = append(all, &workload.Job{
					Job: policy.Job{
						ID: id, Submitted: policy.Time(1e9) * second, Attrs: []policy.Attr{{Name: "group", Value: "g" + strconv.Itoa(g)}},
						Stages: []policy.Stage{{Tasks: 1, Cores: 1}},
					},
					Runtimes: [][]policy.Duration{{1e9}},
				})
			}
			jobs, truth := workload.Split(all)
			if _, err := sim.Run(t.Context(), sim.Config{
				Jobs: jobs, Truth: truth, Nodes: sim.Cluster(sim.Partition{Nodes: 50, Cores: 16}),
			}, watch); err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for g := range 9 {
				got := tails["g"+strconv.Itoa(g)]
				want := fitted(1+0.1*float64(g+1), top, tt.bound)
				off := (got - want) / (want / math.Sqrt(window*top))
				sum += off
				t.Logf("tail %.1f: %.3f, want %.3f: off by %.1f standard errors", 1+0.1*float64(g+1), got, want, off)
				if math.Abs(off) > 3.63 {
					t.Errorf("tail %.1f: got %.3f, want %.3f", 1+0.1*float64(g+1), got, want)
				}
			}
			if math.Abs(sum/9) > 1 {
				t.Errorf("tails are off by %.1f standard errors in the mean", sum/9)
			}
		})
	}
}

// grouped has no copies, and learns tails from few tasks.
var grouped = setting{Config: hopper.Config{VirtualSizesConfig: hopper.VirtualSizesConfig{
	Epsilon: 1, Group: "group",
}}}

// A new tail reaches the jobs of its group that were there before: one job, of this group or another,
// is looked at for each task that finishes.
func TestSchedulerTailsReachJobs(t *testing.T) {
	h := newHost(t, 10, grouped)
	h.s.hopper.LearnFrom(10, 10)
	stages := []policy.Stage{{Tasks: 10, Cores: 1}}
	const jobs = 6
	for id := policy.JobID(1); id <= jobs; id++ {
		c := policy.Copy{Task: policy.Task{Job: id}}
		job := &policy.Job{ID: id, Stages: stages, Attrs: []policy.Attr{{Name: "group", Value: []string{"b", "a"}[id%2]}}}
		h.step(policy.Event{Kind: policy.Submitted, Copy: c, Job: job}, true)
		h.step(policy.Event{Kind: policy.Ready, Copy: c}, id < jobs)
	}
	reached := func() (n int) {
		for id := policy.JobID(1); id <= jobs; id++ {
			if e, ok := h.s.Explain(id); ok && e.Tail != hopper.HomogeneousTail {
				n++
			}
		}
		return n
	}
	finished := 0
	for index := range uint32(10) { // of job 1, with all of its tasks in the 10 slots
		h.copy(policy.Started, copyOf(1, index, 0), 0, false)
	}
	for index := range uint32(10) {
		h.copy(policy.Finished, copyOf(1, index, 0), policy.Duration(1+index)*time.Second, false)
	}
	for ; ; finished++ {
		if got, want := reached(), min(1+finished/2, jobs/2); got != want {
			t.Fatalf("%d tasks after the change: %d jobs have the new tail, want %d", finished, got, want)
		}
		if finished == jobs {
			return
		}
		h.copy(policy.Started, copyOf(2, uint32(finished), 0), 0, true)
		h.copy(policy.Finished, copyOf(2, uint32(finished), 0), time.Second, false)
	}
}

// Tasks that read through a pipe end when their input does, which says nothing of tails.
func TestSchedulerLearnsNoPipes(t *testing.T) {
	for _, pipe := range []bool{false, true} {
		h := newHost(t, 11, grouped)
		h.s.hopper.LearnFrom(10, 10)
		h.submit(1, []policy.Stage{{Tasks: 10, Cores: 1, Reads: []policy.Dep{{Stage: 1, Pipe: pipe}}}, {Tasks: 1, Cores: 1}}, false)
		h.copy(policy.Started, policy.Copy{Task: policy.Task{Job: 1, Stage: 1}}, 0, true)
		for index := range uint32(10) {
			h.copy(policy.Started, copyOf(1, index, 0), 0, true)
		}
		for index := range uint32(10) {
			h.copy(policy.Finished, copyOf(1, index, 0), policy.Duration(1+index)*time.Second, false)
		}
		if e, _ := h.s.Explain(1); (e.Tail != hopper.HomogeneousTail) == pipe {
			t.Errorf("pipe %t: the tail is %v", pipe, e.Tail)
		}
	}
}

// A watcher sees what a policy is told, after it was told.
type watcher struct {
	*hopper.Scheduler
	see func(ev *policy.Event)
}

func (w watcher) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := w.Scheduler.Step(ev, actions)
	w.see(ev)
	return actions, err
}
