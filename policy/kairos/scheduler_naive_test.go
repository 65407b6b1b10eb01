package kairos

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A naiveCluster is Kairos without any delay: a centre that looks at all
// nodes for each task, and an algorithm1 on each, all of which are asked what happens next.
type naiveCluster struct {
	queue   int // Q
	tie     Tie
	nodes   []*algorithm1
	heard   []*big.Rat    // what each node said last, by which ties are broken
	spoke   []policy.Time // and when
	waiting []int         // tasks at the centre
	tasks   []naiveWork
}

type naiveWork struct {
	job     int
	runtime policy.Duration
}

// run returns when each job is done.
func (s *naiveCluster) run(jobs []*workload.Job) []policy.Time {
	done, ended := make([]policy.Time, len(jobs)), make([]bool, len(s.nodes))
	for submitted := 0; ; {
		now, ok := s.next()
		if submitted < len(jobs) && (!ok || jobs[submitted].Submitted <= now) {
			now, ok = jobs[submitted].Submitted, true
		}
		if !ok {
			return done
		}
		for i, n := range s.nodes {
			n.now, n.moves, ended[i] = now, nil, false
			for _, t := range slices.Clone(n.running) {
				if w := s.tasks[t.task]; n.attained(t) == w.runtime {
					n.ends(t)
					ended[i] = true
					done[w.job] = max(done[w.job], now)
				}
			}
			n.timersFire()
		}
		for submitted < len(jobs) && jobs[submitted].Submitted == now {
			for _, runtime := range jobs[submitted].Runtimes[0] {
				s.waiting = append(s.waiting, len(s.tasks))
				s.tasks = append(s.tasks, naiveWork{submitted, runtime})
			}
			submitted++
		}
		s.dispatch()
		for i, n := range s.nodes {
			if at, ok := s.again(i); ok && (ended[i] || len(n.moves) > 0 || at <= now) {
				s.heard[i], s.spoke[i] = s.measure(n), now
			}
		}
	}
}

// next returns when something happens on a node.
func (s *naiveCluster) next() (at policy.Time, ok bool) {
	for i, n := range s.nodes {
		if again, speaks := s.again(i); speaks && len(n.running) > 0 && (!ok || again < at) {
			at, ok = again, true
		}
		for _, t := range n.running {
			for _, end := range []policy.Time{t.timer, t.start.Add(s.tasks[t.task].runtime - t.attained)} {
				if !ok || end < at {
					at, ok = end, true
				}
			}
		}
	}
	return at, ok
}

// again returns when a node speaks again if nothing happens, and false if it only has to say what the centre knows.
func (s *naiveCluster) again(i int) (at policy.Time, ok bool) {
	tasks := len(s.nodes[i].running) + len(s.nodes[i].idle)
	return s.spoke[i].Add(keepAlive), s.heard[i].Sign() != 0 || tasks > 1 || tasks == 1 && s.tie == LeastSum
}

// dispatch sends tasks to nodes: to the one with the most free places, then by measure.
func (s *naiveCluster) dispatch() {
	for len(s.waiting) > 0 {
		best, most := -1, 0
		for i, n := range s.nodes {
			tasks, _, _ := n.heartbeat()
			free := n.config.Cores + s.queue - tasks
			if free > most || free == most && free > 0 && s.heard[i].Cmp(s.heard[best]) < 0 {
				best, most = i, free
			}
		}
		if best < 0 {
			return
		}
		s.nodes[best].comes(&taskEntry{task: s.waiting[0]})
		s.waiting = s.waiting[1:]
	}
}

// measure returns the variance of the attained services of a node's tasks, or their sum.
func (s *naiveCluster) measure(n *algorithm1) *big.Rat {
	sum, squares, count := new(big.Rat), new(big.Rat), new(big.Rat).SetInt64(int64(max(1, len(n.running)+len(n.idle))))
	for _, t := range slices.Concat(n.running, n.idle) {
		x := new(big.Rat).SetInt64(int64(n.attained(t)))
		sum.Add(sum, x)
		squares.Add(squares, x.Mul(x, x))
	}
	if s.tie == LeastSum {
		return sum
	}
	mean := new(big.Rat).Quo(sum, count)
	return squares.Sub(squares.Quo(squares, count), mean.Mul(mean, mean))
}

// unevenJobs are bags of tasks, some of which are a hundred times as long as others. No two
// things happen in the same nanosecond by chance.
func unevenJobs(rng *rand.Rand, jobs int, gap policy.Duration) (list []*workload.Job) {
	now := policy.Time(0)
	for id := range jobs {
		runtimes := make([]policy.Duration, 1+rng.IntN(6))
		scale := 10e9
		if rng.IntN(5) == 0 {
			scale = 1000e9
		}
		for i := range runtimes {
			runtimes[i] = 1 + policy.Duration(rng.ExpFloat64()*scale)
		}
		list = append(list, &workload.Job{
			Job:      policy.Job{ID: policy.JobID(id + 1), Submitted: now, Stages: []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: 1}}},
			Runtimes: [][]policy.Duration{runtimes},
		})
		now = now.Add(1 + policy.Duration(rng.ExpFloat64()*float64(gap)))
	}
	return list
}

func TestSchedulerAgainstNaive(t *testing.T) {
	waited := 0 // at the centre
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 9))
		c := Config{
			Node:  NodeConfig{Quantum: 50e9, Starvation: StarvationRule(rng.IntN(3)), ArrivalsWait: rng.IntN(2) == 0},
			Queue: rng.IntN(4), Tie: Tie(rng.IntN(2)), Heartbeat: -1,
		}
		naive := &naiveCluster{queue: c.Queue, tie: c.Tie}
		if c.Queue == 0 {
			c.Queue = -1
		}
		var partitions []sim.Partition
		cores := 0
		for range 1 + rng.IntN(4) {
			p := sim.Partition{Nodes: 1 + rng.IntN(3), Cores: int32(1 + rng.IntN(4))}
			partitions = append(partitions, p)
			for range p.Nodes {
				node := c.Node
				node.Cores = int(p.Cores)
				naive.nodes = append(naive.nodes, newAlgorithm1(node))
				naive.heard = append(naive.heard, new(big.Rat))
				naive.spoke = append(naive.spoke, 0)
			}
			cores += p.Nodes * int(p.Cores)
		}
		list := unevenJobs(rng, 60, policy.Duration(900e9)/policy.Duration(cores))
		want := naive.run(list)

		jobs, truth := workload.Split(list)
		nodes := jobtest.Must(NewNodes(c))
		nodes.centre.least = -1 // every task is one that needs a look at all nodes, so the least ID breaks ties
		watch := &counted{Distributed: under(baseline.FIFO(), nodes), nodes: nodes}
		r, err := sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(partitions...), Jobs: jobs, Truth: truth}, watch)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		waited += watch.waited
		for i, job := range r.Jobs {
			if job.Ended != want[i] {
				t.Fatalf("seed %d: job %d is done at %v s, want %v s", seed, job.ID, job.Ended.Seconds(), want[i].Seconds())
			}
		}
	}
	if waited < 1000 {
		t.Errorf("jobs have waited at the centre at %d events, want 1000", waited)
	}
}

// counted counts after how many events a job waits at the centre.
type counted struct {
	*central.Distributed
	nodes  *Nodes
	waited int
}

func (c *counted) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := c.Distributed.Step(ev, actions)
	for id := range c.nodes.jobs.All() {
		if c.View().Job(id).Waiting > 0 {
			c.waited++
			break
		}
	}
	return actions, err
}
