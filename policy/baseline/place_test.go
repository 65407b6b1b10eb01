package baseline

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A scanned placer looks at all nodes besides, at each task.
type scanned struct {
	central.Placer
	t       *testing.T
	best    *best
	further *int // tasks that were placed by the heap
}

func (p scanned) Note(ev *policy.Event, j *central.Job) {
	p.Placer.(interface {
		Note(ev *policy.Event, j *central.Job)
	}).Note(ev, j)
}

func (p scanned) Where(j *central.Job, stage uint32) central.Where {
	got := p.Placer.Where(j, stage)
	if want := p.best.scan(&j.Job.Stages[stage]); got.Node != want {
		p.t.Errorf("a task of stage %d of job %d starts on node %d, want %d", stage, j.Job.ID, got.Node, want)
	}
	if len(p.best.nodes) > 0 {
		*p.further++
	}
	return got
}

// Of equal tasks that start at once, each goes where it would if the placer looked at all nodes again.
func TestPlacersOfManyTasks(t *testing.T) {
	for name, place := range map[string]central.Placer{
		"LeastLoaded": LeastLoaded(), "Fastest": Fastest(), "LeastVariance": LeastVariance(), "BestFit": BestFit(), "LeastFragmentation": LeastFragmentation(),
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			var parts []sim.Partition
			for range 9 {
				parts = append(parts, sim.Partition{Nodes: 1 + rng.IntN(4), Cores: 1 + rng.Int32N(9), Speed: 1 + float64(rng.IntN(3)), Offers: offer(uint8(1 + rng.IntN(3)))})
			}
			var list []*workload.Job
			for id := range policy.JobID(40) {
				j := &workload.Job{Job: policy.Job{ID: id + 1, Submitted: policy.Time(s * policy.Duration(5*id))}}
				for range 1 + rng.IntN(3) {
					st := policy.Stage{Tasks: 1 + rng.Uint32N(30), Cores: 1 + rng.Int32N(2), Elsewhere: float64(1 + rng.IntN(2))}
					st.Prefer = []policy.PartitionID{policy.PartitionID(1 + rng.IntN(len(parts)))}
					if rng.IntN(3) == 0 {
						st.Needs = []policy.Need{{Name: "gpu", Amount: []int64{300, 500, 1000}[rng.IntN(3)]}}
					}
					runtimes := make([]policy.Duration, st.Tasks)
					for i := range runtimes {
						runtimes[i] = s * policy.Duration(1+rng.IntN(20))
					}
					j.Stages, j.Runtimes = append(j.Stages, st), append(j.Runtimes, runtimes)
				}
				list = append(list, j)
			}
			var b *best
			switch p := place.(type) {
			case *best:
				b = p
			case *variance:
				b = &p.best
			case *leastFragmentation:
				b = &p.best
			}
			further := 0
			p := must(central.New(central.Config{Turn: FIFO(), Place: scanned{place, t, b, &further}}))
			jobs, truth := workload.Split(list)
			if _, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(parts...), Jobs: jobs, Truth: truth}, p); err != nil {
				t.Fatal(err)
			}
			if further < 100 {
				t.Errorf("%d tasks start right after equal ones, want 100 or more", further)
			}
		})
	}
}
