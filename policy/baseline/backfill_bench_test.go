package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// batchStream makes jobs as a batch system sees them, one by one: gangs of 1 to 256
// one-core tasks, most widths powers of two, runtimes lognormal around half an hour, of which
// users request up to eight times as much, rounded up to what one asks for.
type batchStream struct {
	rng      *rand.Rand
	gap      float64           // mean time between jobs, s
	runtimes []policy.Duration // by ID
}

var limits = []float64{600, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600, 12 * 3600, 24 * 3600, 48 * 3600, 96 * 3600}

var users = func() (users [][]policy.Attr) {
	for i := range 100 {
		users = append(users, []policy.Attr{{Name: "user", Value: fmt.Sprint(i)}})
	}
	return users
}()

func newBatchStream(cores, jobs int, load float64) *batchStream {
	st := &batchStream{rng: rand.New(rand.NewPCG(1, 2)), gap: 1}
	work := 0.0
	for range 10_000 {
		width, runtime, _ := st.draw()
		work += float64(width) * runtime
	}
	return &batchStream{rng: st.rng, gap: work / 10_000 / (load * float64(cores)), runtimes: make([]policy.Duration, jobs+1)}
}

func (st *batchStream) draw() (width int, runtime, limit float64) {
	width = 1 << int(8*st.rng.Float64()*st.rng.Float64()*1.12)
	if st.rng.IntN(4) == 0 {
		width = 1 + st.rng.IntN(2*width)
	}
	runtime = min(96*3600, 1800*math.Exp(1.5*st.rng.NormFloat64()))
	asked := runtime * (1 + 7*st.rng.Float64())
	for _, limit = range limits {
		if limit >= asked {
			break
		}
	}
	return width, runtime, limit
}

// jobs yields the jobs, once.
func (st *batchStream) jobs(yield func(*policy.Job, error) bool) {
	now := 0.0
	for id := policy.JobID(1); int(id) < len(st.runtimes); id++ {
		width, runtime, limit := st.draw()
		now += st.rng.ExpFloat64() * st.gap
		st.runtimes[id] = policy.Duration(runtime * 1e9)
		j := &policy.Job{
			ID: id, Submitted: policy.Time(now * 1e9), Requested: policy.Duration(limit * 1e9),
			Attrs:  users[st.rng.IntN(len(users))],
			Stages: []policy.Stage{{Tasks: uint32(width), Cores: 1, Gang: true}},
		}
		if !yield(j, nil) {
			return
		}
	}
}

func (st *batchStream) Runtime(c policy.Copy) (policy.Duration, bool) {
	return st.runtimes[c.Job], true
}

// BenchmarkBackfill simulates batch jobs on 16,384 cores, under its checker.
func BenchmarkBackfill(b *testing.B) {
	const cores, jobs = 16_384, 100_000
	for _, test := range all {
		switch test.name {
		case "fifo", "easy", "conservative", "multifactor":
		default:
			continue
		}
		b.Run(fmt.Sprintf("%s/jobs=%d/load=0.95", test.name, jobs), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				st := newBatchStream(cores, jobs, 0.95)
				if _, err := sim.Run(b.Context(), sim.Config{
					Nodes: sim.Cluster(sim.Partition{Nodes: cores / 128, Cores: 128}), Jobs: st.jobs, Truth: st,
				}, test.make()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
