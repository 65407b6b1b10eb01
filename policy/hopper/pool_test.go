package hopper

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// A naivePool is a pool by its definition: EpsilonFair of jobs that stand in the order of their places.
type naivePool struct {
	slots, epsilon float64
	jobs           []pooled
}

func (n *naivePool) shares(t *testing.T) []float64 {
	t.Helper()
	slices.SortFunc(n.jobs, func(a, b pooled) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.id, b.id)) })
	demands := make([]Demand, len(n.jobs))
	for i, j := range n.jobs {
		demands[i] = Demand{Tasks: j.size, Tail: 2, Weight: 1}
	}
	shares, err := EpsilonFair(nil, n.slots, n.epsilon, demands)
	if err != nil {
		t.Fatal(err)
	}
	return shares
}

// walkPool does to a pool and to a naive one what choose says, which returns a number from 0 to n-1.
func walkPool(t *testing.T, steps int, choose func(n int) int) (tight, loose int) {
	sizes := []float64{0, 1, 2, 3, 7, 7, 12, 1000, 4096}
	epsilon := float64(choose(5)) / 4
	p, n := pool{epsilon: epsilon}, naivePool{epsilon: epsilon}
	last := policy.JobID(0)
	if choose(2) > 0 { // several blocks
		for range 3 * mostInBlock {
			last++
			j := pooled{place{sizes[int(last)%len(sizes)] * float64(last%5), last}, float64(last % 11)}
			p.put(place{id: last}, j)
			n.jobs = append(n.jobs, j)
		}
	}
	for range steps {
		k := -1
		if len(n.jobs) > 0 {
			k = choose(len(n.jobs))
		}
		switch what := choose(10); {
		case what == 0:
			n.slots = float64(choose(4)) * float64(choose(4000)) * float64(1+99*choose(2))
			p.setSlots(n.slots)
		case what < 4 || k < 0:
			last++
			j := pooled{place{sizes[choose(len(sizes))], last}, float64(choose(40))}
			p.put(place{id: last}, j)
			n.jobs = append(n.jobs, j)
		case what == 4:
			p.put(n.jobs[k].place, pooled{})
			n.jobs = slices.Delete(n.jobs, k, k+1)
		default:
			was, j := n.jobs[k].place, &n.jobs[k]
			if choose(2) > 0 {
				j.size = sizes[choose(len(sizes))] + float64(choose(3))
			}
			if j.used = float64(choose(40)); choose(3) == 0 {
				j.used = math.Inf(1)
			}
			p.put(was, *j)
		}
		want, wants := n.shares(t), 0
		for i, j := range n.jobs {
			if got := p.share(j.place); !(math.Abs(got-want[i]) <= 1e-9*max(1, n.slots)) {
				t.Fatalf("%v slots, epsilon %v, %+v: job %d has %v, want %v", n.slots, epsilon, n.jobs, j.id, got, want[i])
			}
			if j.size > 0 && j.used <= maxAmount {
				wants++
			}
		}
		if !math.IsInf(p.edge.size, 1) {
			tight++
		} else {
			loose++
		}
		if p.wants != wants {
			t.Fatalf("%d jobs want a slot, want %d", p.wants, wants)
		}
		for _, short := range []float64{shortPart * grain, 3, anybody} {
			var ids []policy.JobID
			for _, j := range n.jobs {
				if j.size > 0 && p.share(j.place)-j.used >= short {
					ids = append(ids, j.id)
				}
			}
			if got := slices.Collect(p.waiting(short)); !slices.Equal(got, ids) {
				t.Fatalf("short by %v: got %v, want %v, of %+v", short, got, ids, n.jobs)
			}
			if id, ok := p.next(short); ok != (len(ids) > 0) || ok && id != ids[0] {
				t.Fatalf("short by %v: next is %v, %v, want the first of %v", short, id, ok, ids)
			}
		}
	}
	return tight, loose
}

func TestPoolIsEpsilonFairAtEveryStep(t *testing.T) {
	tight, loose := 0, 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(4, seed))
		a, b := walkPool(t, 100, r.IntN)
		tight, loose = tight+a, loose+b
	}
	if tight < 1000 || loose < 1000 {
		t.Errorf("%d times slots were few and %d times many, want 1000 of each", tight, loose)
	}
}

func FuzzPool(f *testing.F) {
	f.Add([]byte{3, 0, 2, 5, 0, 1, 6, 0, 4, 1, 0, 0, 2, 200, 8, 0, 3, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		walkPool(t, len(data)/3, func(n int) int {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return int(b) * n / 256
		})
	})
}

// benchSizes runs a benchmark with jobs of a mean of some 30 tasks, most of them small, and slots for a third of their
// tasks, or three for each.
func benchSizes(b *testing.B, run func(b *testing.B, jobs []Demand, slots float64)) {
	for _, n := range []int{100, 1000, 10_000} {
		r := rand.New(rand.NewPCG(5, 5))
		jobs, tasks := make([]Demand, n), 0.0
		for i := range jobs {
			jobs[i] = Demand{Tasks: math.Ceil(10 * math.Pow(1-r.Float64(), -1/1.5)), Tail: 1.2 + 0.1*float64(i%8), Weight: 1}
			tasks += jobs[i].Tasks
		}
		for load, slots := range map[string]float64{"high": math.Floor(tasks / 3), "low": 3 * tasks} {
			b.Run(fmt.Sprintf("jobs=%d/load=%s", n, load), func(b *testing.B) {
				b.ReportAllocs()
				run(b, slices.Clone(jobs), slots)
			})
		}
	}
}

// An event is the end of a task, and whose turn the next slot is, of jobs that have all that they are to have. A job
// whose last task ends comes again.
func BenchmarkPool(b *testing.B) {
	benchSizes(b, func(b *testing.B, jobs []Demand, slots float64) {
		p := pool{slots: slots * grain, epsilon: 0.1}
		all := make([]pooled, len(jobs))
		for i, d := range jobs {
			all[i] = pooled{place{d.Tasks * grain, policy.JobID(i)}, d.Tasks * grain}
			p.put(place{}, all[i])
		}
		r := rand.New(rand.NewPCG(5, 6))
		for b.Loop() {
			i := r.IntN(len(jobs))
			j, was := &all[i], all[i].place
			if j.size -= grain; j.size == 0 {
				j.size = jobs[i].Tasks * grain
			}
			p.put(was, *j)
			was, j.used = j.place, p.share(j.place)
			p.put(was, *j)
			p.next(shortPart * grain)
		}
	})
}

// A job that comes and goes, and comes again, allocates nothing.
func TestPoolAllocatesNothing(t *testing.T) {
	var p pool
	j := pooled{place{grain, 1}, 0}
	if n := testing.AllocsPerRun(100, func() {
		p.put(place{id: 1}, j)
		p.put(j.place, pooled{})
	}); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkAllocate(b *testing.B) {
	benchSizes(b, func(b *testing.B, jobs []Demand, slots float64) {
		for i := range jobs {
			jobs[i].Floor = 0.9 * slots / float64(len(jobs))
		}
		var shares []float64
		var err error
		for b.Loop() {
			if shares, err = Allocate(shares[:0], slots, jobs); err != nil {
				b.Fatal(err)
			}
		}
	})
}
