package probing

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// A long task goes where it waits least when all waiting times are worked out anew.
func TestLeastWait(t *testing.T) {
	type sentTask struct {
		task     policy.Task
		job      *jobView
		estimate policy.Duration
		cores    int32
		runs     bool
		start    policy.Time
	}
	overrun := 0
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p := newEagle(func(c *Config) { c.LongShare = 1 })
		const nodes = 8
		var tasks [nodes + 1][]*sentTask
		for id := policy.NodeID(1); id <= nodes; id++ {
			p.joined(&policy.Node{ID: id, Cores: 1 << rng.IntN(3)})
		}
		now := policy.Time(0)
		for step := range 300 {
			now = now.Add(policy.Duration(rng.IntN(40)) * s)
			id := policy.NodeID(1 + rng.IntN(nodes))
			switch at := tasks[id]; {
			case len(at) == 0 || rng.IntN(3) == 0:
				stage := policy.Stage{Tasks: 1, Cores: 1 + rng.Int32N(p.nodes[id].cores)}
				j := &jobView{record: &record{Job: &policy.Job{ID: policy.JobID(step + 1), Stages: []policy.Stage{stage}}}}
				j.Own.long, j.Own.estimate = true, policy.Duration(100+rng.IntN(500))*s
				p.load(j, id, 0, now)
				tasks[id] = append(at, &sentTask{task: policy.Task{Job: j.Job.ID}, job: j, estimate: j.Own.estimate, cores: stage.Cores})
			default:
				k := rng.IntN(len(at))
				l, busy := at[k], int32(0)
				for _, o := range at {
					if o.runs {
						busy += o.cores
					}
				}
				switch {
				case !l.runs && busy+l.cores <= p.nodes[id].cores:
					l.runs, l.start = true, now
					p.runs(l.job, &policy.Event{Copy: policy.Copy{Task: l.task}, Node: id, Time: now})
				case l.runs || rng.IntN(10) == 0:
					p.unload(l.job, id, l.task, now)
					tasks[id] = slices.Delete(at, k, k+1)
				}
			}

			type key struct {
				full int
				wait float64 // s; less than any if nothing long is there
				id   policy.NodeID
			}
			var keys []key
			for id := policy.NodeID(1); id <= nodes; id++ {
				k, held := key{id: id, wait: -1}, int32(0)
				for i, l := range tasks[id] {
					left := l.estimate
					if l.runs {
						if left -= now.Sub(l.start); left < 0 {
							left = 0
							overrun++
						}
					}
					if i == 0 {
						k.wait = 0
					}
					k.wait += left.Seconds() * float64(l.cores) / float64(p.nodes[id].cores)
					held += l.cores
				}
				if held >= p.nodes[id].cores {
					k.full = 1
				}
				keys = append(keys, k)
			}
			want := slices.MinFunc(keys, func(a, b key) int {
				return cmp.Or(a.full-b.full, cmp.Compare(a.wait, b.wait), cmp.Compare(a.id, b.id))
			})
			if got := p.leastWait(&policy.Stage{Cores: 1}, now); got != want.id {
				t.Fatalf("seed %d, step %d: a long task would go to node %d, want %d: %v", seed, step, got, want.id, keys)
			}
		}
	}
	if overrun == 0 {
		t.Error("no task ran for longer than its estimate")
	}
}
