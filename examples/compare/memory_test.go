package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/examples/lab/paper"
	"example.com/augur/internal/heap"
	"example.com/augur/policy"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/wing/pipeline"
	"example.com/augur/policy/workload"
)

// What a policy keeps follows the jobs that are there, and not those that have been; what it keeps
// of nodes follows the largest ID.

var endless = flag.Int("endless", 0, "`jobs`, and nodes, that come and go under each policy in the tests of memory; 0 leaves them out")

// passing makes n jobs in two halves, and one more, a week between each: so at the end of a week all are
// over that came in it. Then rest is called. Most come at load 0.5 of 20 cores, and the first eighth five times
// as fast, so that tables have grown as far as they ever will.
func passing(n int, gangs bool, rest func()) workload.Source {
	return func(yield func(*workload.Job, error) bool) {
		rng := rand.New(rand.NewPCG(1, 2))
		now := policy.Time(0)
		for id := policy.JobID(1); id <= policy.JobID(n+1); id++ {
			gap := 1.5
			if int(id) < n/8 {
				gap /= 5
			}
			now = now.Add(policy.Duration(rng.ExpFloat64() * gap * 1e9))
			first := (int(id)-1)%(n/2) == 0 && id > 1
			if first {
				now = policy.Time(2*(int(id)-1)/n) * policy.Time(7*24*time.Hour)
			}
			if !yield(passer(rng, id, now, gangs), nil) {
				return
			}
			if first { // the next one is asked for when this one comes
				rest()
			}
		}
	}
}

// passer is a job of one or two stages of 1 to 10 tasks of a second or two, of which one in 20 takes ten
// times as long. Some are gangs, some jobs read another's output, and half have a deadline.
func passer(rng *rand.Rand, id policy.JobID, now policy.Time, gangs bool) *workload.Job {
	attr := func(name string, n int) policy.Attr {
		return policy.Attr{Name: name, Value: fmt.Sprint(name, rng.IntN(n))}
	}
	j := &workload.Job{Job: policy.Job{
		ID: id, Submitted: now, At: time.Unix(1_700_000_000, int64(now)), Priority: float64(rng.IntN(5)),
		Attrs: []policy.Attr{attr("user", 5), attr("program", 10), attr("group", 5)},
	}}
	for i := range 1 + rng.IntN(2) {
		stage := policy.Stage{Tasks: uint32(1 + rng.IntN(4)), Cores: 1, Gang: rng.IntN(8) == 0 && gangs}
		if rng.IntN(4) == 0 {
			stage.Tasks = 10
		}
		if i > 0 {
			stage.Reads = []policy.Dep{{Stage: 0}}
		}
		runtimes := make([]policy.Duration, stage.Tasks)
		for k := range runtimes {
			runtimes[k] = policy.Duration((0.5 + rng.ExpFloat64()) * 1e9)
			if rng.IntN(20) == 0 {
				runtimes[k] *= 10
			}
		}
		j.Stages, j.Runtimes = append(j.Stages, stage), append(j.Runtimes, runtimes)
	}
	if id > 10 && rng.IntN(10) == 0 {
		j.Inputs = &policy.Inputs{Jobs: []policy.JobID{id - 1 - policy.JobID(rng.IntN(9))}}
	}
	if rng.IntN(2) == 0 {
		j.SLO = &policy.SLO{Deadline: now.Add(policy.Duration((1 + 60*rng.ExpFloat64()) * 1e9)), Utility: 1}
	}
	return j
}

func TestMemoryOfJobsThatEnded(t *testing.T) {
	if *endless == 0 {
		t.Skip("it takes a minute: .ci/nightly runs it")
	}
	for _, c := range contenders() {
		if strings.HasPrefix(c.Name, "oracle") { // knows jobs of the lake only, and else is as the others of Wing
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			n := *endless
			if strings.HasPrefix(c.Name, "3s") || strings.HasPrefix(c.Name, "point-") {
				n /= 4 // the cycles of 3Sigma's scheduler take their time
			}
			gangs := !strings.HasPrefix(c.Name, "kairos") && !c.classes && c.Name != "sparrow" // which refuse them
			var bytes []int64                                                                  // when the jobs of a week are over
			jobs, truth := workload.SplitSource(passing(n, gangs, func() { bytes = append(bytes, heap.InUse()) }))
			s := settingOf(t, &c, truth)
			s.ThreeSigma.Interval, s.ThreeSigma.Iterations, s.ThreeSigma.Candidates = time.Minute, 20, 50 // faster
			p, err := c.scheduler(s)
			if err != nil {
				t.Fatal(err)
			}
			outcomes := map[policy.Outcome]int{}
			config := sim.Config{
				Nodes: sim.Cluster(sim.Partition{Nodes: 5, Cores: 4}), Jobs: jobs, Truth: truth,
				Faults: sim.Faults{
					Seed: 1, MeanUp: time.Hour, MeanDown: time.Minute, TaskFailure: 0.02,
					PostLoss: 0.01, PostLate: 0.01, MeanLate: time.Second,
				},
				Ended: func(r *sim.JobRecord) { outcomes[r.Outcome]++ },
			}
			for j := range passing(n, gangs, func() {}) {
				if j.ID%50 == 0 {
					config.Faults.Cancels = append(config.Faults.Cancels, sim.Cancel{Job: j.ID, At: j.Submitted.Add(time.Second / 2)})
				}
			}
			r, err := sim.Run(t.Context(), config, p)
			if err != nil {
				t.Fatal(err)
			}
			runtime.KeepAlive(p)
			more := bytes[1] - bytes[0]
			t.Logf("%s: %d jobs, %d events: %d bytes, and %d after as many again: %.2f a job; %v", c.Name, n, r.Events, bytes[0], bytes[1], float64(more)/float64(n/2), outcomes)
			// The simulator keeps 2 bytes a job, and each table by ID 8 for 256 jobs.
			if most := int64(32<<10 + 3*n/2); more > most {
				t.Errorf("%d bytes more after %d jobs more, want at most %d", more, n/2, most)
			}
			if outcomes[policy.Done] < n*8/10 || outcomes[policy.NoInput] == 0 || outcomes[policy.Cancelled] == 0 {
				t.Errorf("jobs ended as %v, want most to be done, and some to end in other ways", outcomes)
			}
		})
	}
}

// smallLake is a lake of some 6000 jobs, and what its history tells.
var smallLake = sync.OnceValues(func() (*lakelab.Lab, error) {
	l := paper.DefaultLake()
	l.JobsPerDay, l.Load = 300, 0.05
	log, err := l.Log()
	if err != nil {
		return nil, err
	}
	return lakelab.Open(log).Learn(pipeline.Config{})
})

// settingOf returns what a policy is made for if the jobs are not those of an input.
func settingOf(t testing.TB, c *contender, truth policy.Truth) *setting {
	t.Helper()
	h := defaultHopper()
	s := &setting{
		Setting: catalog.Setting{Truth: truth, Seed: 1, Hopper: h},
		classes: classes{cutoff: 3e9, open: 0.3}, lab: smallLake,
	}
	if c.Lake {
		lab, err := s.lab()
		if err != nil {
			t.Fatal(err)
		}
		s.lake, s.Ranker = lab.Lake, s.ranker
	}
	return s
}

// Of nodes that have left for good something is kept for each ID, and nothing where the IDs of those that are
// gone are given to others, however unlike these are.
func TestMemoryOfNodesThatLeft(t *testing.T) {
	if *endless == 0 {
		t.Skip("it takes a minute: .ci/nightly runs it")
	}
	for _, c := range contenders() {
		if c.Lake {
			continue // they are wing-prio with another order of jobs
		}
		t.Run(c.Name, func(t *testing.T) {
			n := *endless
			own := heap.Of(func() policy.Scheduler { return coming(t, c, n, policy.MaxID) })
			few := heap.Of(func() policy.Scheduler { return coming(t, c, n/2, 10) })
			many := heap.Of(func() policy.Scheduler { return coming(t, c, n, 10) })
			t.Logf("%s: %.2f bytes a node with an ID of its own, else %d bytes and then %d", c.Name, float64(own)/float64(n), few, many)
			if own > 120*int64(n) {
				t.Errorf("%d bytes for %d nodes that have left, want at most 120 for each", own, n)
			}
			if many > few+8<<10 {
				t.Errorf("%d bytes for %d nodes with 10 IDs, and %d for twice as many; want about the same", few, n/2, many)
			}
		})
	}
}

// coming returns a policy that has seen n nodes come and go one after the other, with so many IDs. No two
// in a row are alike.
func coming(t *testing.T, c contender, n int, ids policy.NodeID) policy.Scheduler {
	t.Helper()
	_, truth := workload.Split(nil)
	p, err := c.scheduler(settingOf(t, &c, truth))
	if err != nil {
		t.Fatal(err)
	}
	var actions []policy.Action
	step := func(p policy.Scheduler, ev policy.Event) {
		t.Helper()
		if actions, err = p.Step(&ev, actions[:0]); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		now, id := policy.Time(i+1)*1e9, policy.NodeID(i)%ids+1
		info := &policy.Node{ID: id, Partition: policy.PartitionID(1 + i%3), Cores: int32(1 + i%8), Speed: 1 + float64(i%2)}
		joined := policy.Event{Time: now, Kind: policy.Joined, Node: id, Info: info}
		step(p, joined)
		if d, ok := p.(policy.Distributed); ok {
			step(d.Part(info), joined)
		}
		if i > 0 {
			step(p, policy.Event{Time: now, Kind: policy.Left, Node: policy.NodeID(i-1)%ids + 1})
		}
	}
	return p
}
