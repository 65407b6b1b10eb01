package sim_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// stream makes jobs of about 30 tasks with exponential runtimes around 60 s, arriving so
// that so many cores are loaded by nine tenths, one by one as they are asked for.
func stream(cores, tasks int) workload.Source {
	return func(yield func(*workload.Job, error) bool) {
		rng := rand.New(rand.NewPCG(1, 2))
		gap := 30 * 60 / (0.9 * float64(cores)) // mean time between jobs, s
		now, id := 0.0, policy.JobID(0)
		for left := tasks; left > 0; {
			now += rng.ExpFloat64() * gap
			id++
			runtimes := make([]policy.Duration, min(1+rng.IntN(59), left))
			left -= len(runtimes)
			for i := range runtimes {
				runtimes[i] = policy.Duration(rng.ExpFloat64() * 60e9)
			}
			if !yield(bag(id, policy.Duration(now*1e9), runtimes...), nil) {
				return
			}
		}
	}
}

// BenchmarkFIFO is the simulator with its checker under the cheapest policy, on nodes of
// four cores at load 0.9: events told to the policy per second, and, in the middle of the
// run, live bytes per task that runs or waits, less those of the idle cluster, but with the
// jobs and their runtimes. Records of jobs that have ended are not kept.
func BenchmarkFIFO(b *testing.B) {
	for _, nodes := range []int{100, 1000, 10_000, 100_000} {
		tasks := min(100*nodes, 2_000_000)
		b.Run(fmt.Sprintf("nodes=%d/tasks=%d", nodes, tasks), func(b *testing.B) {
			b.ReportAllocs()
			events := int64(0)
			for b.Loop() {
				events += simulate(b, nodes, tasks, nil).Events
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(bytesPerTask(b, nodes, tasks), "B/task")
		})
	}
}

func simulate(tb testing.TB, nodes, tasks int, progress func(events int64, c *counter)) *sim.Result {
	jobs, truth := workload.SplitSource(stream(4*nodes, tasks))
	c := &counter{Scheduler: baseline.NewFIFO()}
	config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: nodes, Cores: 4}), Jobs: jobs, Truth: truth}
	config.Ended = func(*sim.JobRecord) {}
	var p policy.Scheduler = c.Scheduler
	if progress != nil {
		config.Progress = func(_ int, events int64) { progress(events, c) }
		p = c
	}
	r, err := sim.Run(context.Background(), config, p)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// counter is a FIFO that counts the tasks that run or wait.
type counter struct {
	*central.Scheduler
	live int
}

func (c *counter) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	switch ev.Kind {
	case policy.Ready:
		c.live++ // set right below
	case policy.Submitted:
		c.live += ev.Job.Tasks() - 1
	case policy.Finished:
		c.live--
	}
	return c.Scheduler.Step(ev, actions)
}

// bytesPerTask measures the heap in the middle of a run, and of a run of one task.
func bytesPerTask(b *testing.B, nodes, tasks int) float64 {
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	// The idle cluster is one to which all nodes have joined and no job has come.
	var idle float64
	base := heap()
	atJoin := &watcher{Scheduler: baseline.NewFIFO()}
	atJoin.see = func(ev *policy.Event) {
		if ev.Kind == policy.Submitted && idle == 0 {
			idle = heap() - base
		}
	}
	jobs, truth := workload.SplitSource(stream(4*nodes, 1))
	config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: nodes, Cores: 4}), Jobs: jobs, Truth: truth}
	if _, err := sim.Run(context.Background(), config, atJoin); err != nil {
		b.Fatal(err)
	}
	atJoin, jobs, truth, config = nil, nil, nil, sim.Config{}

	perTask := 0.0
	base = heap()
	simulate(b, nodes, tasks, func(events int64, c *counter) {
		if perTask == 0 && events > int64(tasks) { // of two events a task
			perTask = (heap() - base - idle) / float64(c.live)
		}
	})
	return perTask
}

type watcher struct {
	*central.Scheduler
	see func(*policy.Event)
}

func (w *watcher) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	w.see(ev)
	return w.Scheduler.Step(ev, actions)
}
