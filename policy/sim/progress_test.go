package sim_test

import (
	"math"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// reporter is a FIFO that asks for the progress of every copy, every second.
type reporter struct {
	*central.Scheduler
	heard func(*policy.Event)
}

func (r *reporter) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := r.Scheduler.Step(ev, actions)
	if err == nil && (ev.Kind == policy.Started || ev.Kind == policy.Progress) {
		actions = append(actions, policy.Action{Kind: policy.Report, Copy: ev.Copy, At: ev.Time.Add(s)})
	}
	if r.heard != nil {
		r.heard(ev)
	}
	return actions, err
}

// straggling returns jobs of one bag of tasks whose copies differ.
func straggling(tb testing.TB, tasks int) []*workload.Job {
	runtimes := make([]policy.Duration, tasks)
	for i := range runtimes {
		runtimes[i] = 100 * s
	}
	source, err := workload.Stragglers{Seed: 1, Tail: 1.5, Bound: 50}.Source(workload.Of([]*workload.Job{bag(1, 0, runtimes...)}))
	if err != nil {
		tb.Fatal(err)
	}
	jobs, err := workload.ReadAll(source)
	if err != nil {
		tb.Fatal(err)
	}
	return jobs
}

// What a policy of the kind of LATE estimates from progress is right: a straggler's is slow,
// and service/progress - service is how long it has left.
func TestProgressOfStragglers(t *testing.T) {
	const tasks = 200
	jobs := straggling(t, tasks)
	asked := make(map[policy.Copy][]policy.Event)
	r := &reporter{Scheduler: baseline.NewFIFO(), heard: func(ev *policy.Event) {
		if ev.Kind == policy.Progress {
			asked[ev.Copy] = append(asked[ev.Copy], *ev)
		}
	}}
	run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: tasks, Cores: 1, Speed: 2})}, r, jobs...)
	for i, runtime := range jobs[0].Runtimes[0] {
		c := task(1, 0, uint32(i))
		whole := runtime.Seconds() / 2 // on a node of speed 2
		events := asked[policy.Copy{Task: c}]
		// A report at the instant of the end may come too late or find it done.
		if got, want := float64(len(events)), math.Ceil(whole)-1; got < want || got > want+1 {
			t.Errorf("%v runs for %.3f s: %v reports, want %v", c, whole, got, want)
		}
		for k, ev := range events {
			if ev.Service != policy.Duration(k+1)*s || math.Abs(ev.Value-min(1, float64(k+1)/whole)) > 1e-8 {
				t.Errorf("%v runs for %.3f s: after %d s got service %v, progress %v", c, whole, k+1, ev.Service, ev.Value)
				break
			}
			left := ev.Service.Seconds()/ev.Value - ev.Service.Seconds()
			if math.Abs(left-(whole-float64(k+1))) > 1e-6*whole {
				t.Errorf("%v: progress says that %v s are left, want %v", c, left, whole-float64(k+1))
				break
			}
		}
	}
}
