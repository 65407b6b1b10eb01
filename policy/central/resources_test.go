package central_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// gpuJobs are bags and gangs that need parts of GPUs, whole ones, or a link.
func gpuJobs(seed uint64, n int) (jobs []*workload.Job) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		stage := policy.Stage{Tasks: uint32(1 + rng.IntN(4)), Cores: int32(1 + rng.IntN(2)), Gang: rng.IntN(3) == 0}
		if rng.IntN(4) > 0 {
			stage.Needs = append(stage.Needs, policy.Need{Name: "gpu", Amount: []int64{250, 400, 1000, 2000}[rng.IntN(4)]})
		}
		if rng.IntN(3) == 0 {
			stage.Needs = append(stage.Needs, policy.Need{Name: "link", Amount: int64(1 + rng.IntN(3000))})
		}
		j := &workload.Job{Job: policy.Job{
			ID: policy.JobID(i + 1), Submitted: policy.Time(i) * 1e9, Requested: 30e9, Stages: []policy.Stage{stage},
			Attrs: []policy.Attr{{Name: "user", Value: fmt.Sprint(rng.IntN(3))}},
		}, Runtimes: [][]policy.Duration{make([]policy.Duration, stage.Tasks)}}
		for k := range j.Runtimes[0] {
			j.Runtimes[0][k] = policy.Duration(1+rng.IntN(20)) * 1e9
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func gpuCluster() []policy.Node {
	return sim.Cluster(
		sim.Partition{Nodes: 3, Cores: 8, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 4}, {Name: "link", Amount: 8000}}},
		sim.Partition{Nodes: 2, Cores: 8, Offers: []policy.Offer{{Name: "link", Amount: 4000}, {Name: "gpu", Amount: 2000, Devices: 1}}},
		sim.Partition{Nodes: 2, Cores: 6},
	)
}

// The books say of the named resources of each node, of the cluster and of each job what the simulator says, whatever fails
// and whoever chooses the nodes, as long as no news is under way.
func stocksAgreeWithTheHost(t *testing.T) {
	for name, c := range map[string]func() central.Config{
		"host":  func() central.Config { return central.Config{Turn: baseline.FIFO()} },
		"least": func() central.Config { return central.Config{Turn: baseline.FIFO(), Place: baseline.LeastLoaded()} },
		"easy":  func() central.Config { return central.Config{Turn: baseline.FIFO(), Fill: baseline.EASY()} },
		"fit":   func() central.Config { return central.Config{Turn: baseline.FIFO(), Place: baseline.BestFit()} },
		"fgd": func() central.Config {
			return central.Config{Turn: baseline.Fair(), Place: baseline.LeastFragmentation()}
		},
		"DRF":     func() central.Config { drf, _ := baseline.DRF(baseline.DRFConfig{}); return central.Config{Turn: drf} },
		"fastest": func() central.Config { return central.Config{Turn: baseline.Fair(), Place: baseline.Fastest()} },
	} {
		compared := 0
		for seed := range uint64(20) {
			p, err := central.New(c())
			if err != nil {
				t.Fatal(err)
			}
			config := sim.Config{Nodes: gpuCluster(), Faults: sim.Faults{Seed: seed, TaskFailure: 0.05, MeanUp: 300e9, MeanDown: 30e9}}
			if seed%3 == 2 {
				config.Delay = 5e8
			}
			var truth policy.Truth
			config.Jobs, truth = workload.Split(gpuJobs(seed, 60))
			config.Truth = truth
			config.Pause = func(st *sim.State, now, due policy.Time) {
				if due == now || config.Delay > 0 {
					return
				}
				compared++
				all, rest := map[string]int64{}, map[string]int64{}
				for id := policy.NodeID(1); id <= 7; id++ {
					cores, _, want, up := st.Room(id)
					if !up {
						want = nil
					}
					if got := p.View().Stock(id); stockText(got) != stockText(want) {
						t.Fatalf("%s, seed %d: at %v s node %d has free %v, want %v", name, seed, now.Seconds(), id, stockText(got), stockText(want))
					}
					// The largest node has 8 cores, 4 GPUs and 8 links.
					most, left := map[string]float64{"gpu": 4000, "link": 8000}, 0.0
					if up {
						left = float64(cores) / 8
					}
					for o, free := range want.All {
						all[o.Name] += o.All()
						for _, x := range free {
							rest[o.Name] += x
							left += float64(x) / most[o.Name]
						}
					}
					if got := p.View().Left(id); math.Abs(got-left) > 1e-9 {
						t.Fatalf("%s, seed %d: at %v s %v is left of node %d, want %v", name, seed, now.Seconds(), got, id, left)
					}
				}
				used := map[string]int64{}
				for _, j := range p.View().Jobs() {
					for i, x := range j.Resources {
						used[p.View().Resources()[i].Name] += x
					}
				}
				for _, r := range p.View().Resources() {
					if r.All != all[r.Name] || r.Free != rest[r.Name] {
						t.Fatalf("%s, seed %d: at %v s the nodes have %d of %d of %s free, want %d of %d", name, seed, now.Seconds(), r.Free, r.All, r.Name, rest[r.Name], all[r.Name])
					}
					if r.All-r.Free != used[r.Name] {
						t.Fatalf("%s, seed %d: at %v s jobs have %d of %s, and the books %d of %d are free", name, seed, now.Seconds(), used[r.Name], r.Name, r.Free, r.All)
					}
				}
			}
			result, err := sim.Run(t.Context(), config, p)
			if err != nil {
				t.Fatalf("%s, seed %d: %v", name, seed, err)
			}
			done := 0
			for i := range result.Jobs {
				if result.Jobs[i].Outcome == policy.Done {
					done++
				}
			}
			if done < 40 {
				t.Errorf("%s, seed %d: %d of 60 jobs are done", name, seed, done)
			}
		}
		if compared < 500 {
			t.Errorf("%s: compared %d times, want more", name, compared)
		}
	}
}

func stockText(s *policy.Stock) (text string) {
	for o, free := range s.All {
		text += fmt.Sprint(o.Name, free)
	}
	return text
}
