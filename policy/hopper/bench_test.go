package hopper

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
)

// benchJobs draws jobs of a mean of some 30 tasks, most of them small, in a number of classes.
func benchJobs(n, classes int) []Demand {
	r := rand.New(rand.NewPCG(5, 5))
	jobs := make([]Demand, n)
	for i := range jobs {
		tail := 1.2 + 0.7*float64(i%classes)/float64(classes)
		jobs[i] = Demand{Tasks: math.Ceil(10 * math.Pow(1-r.Float64(), -1/1.5)), Tail: tail, Weight: 1}
	}
	return jobs
}

// slotsFor returns some slots for jobs: a third of the tasks, or three for each.
func slotsFor(jobs []Demand, load string) float64 {
	tasks := 0.0
	for _, d := range jobs {
		tasks += d.Tasks
	}
	if load == "high" {
		return math.Floor(tasks / 3)
	}
	return 3 * tasks
}

func benchSizes(b *testing.B, run func(b *testing.B, jobs []Demand, slots float64)) {
	for _, n := range []int{100, 1000, 10_000, 100_000, 1_000_000} {
		for _, classes := range []int{1, 8} {
			for _, load := range []string{"high", "low"} {
				b.Run(fmt.Sprintf("jobs=%d/classes=%d/load=%s", n, classes, load), func(b *testing.B) {
					jobs := benchJobs(n, classes)
					b.ReportAllocs()
					run(b, jobs, slotsFor(jobs, load))
				})
			}
		}
	}
}

// An event is the end of a task, and its job's share after it. A job whose last task ends comes again.
func BenchmarkPool(b *testing.B) {
	benchSizes(b, func(b *testing.B, jobs []Demand, slots float64) {
		p := newPool(b, slots, 0.1)
		for i, d := range jobs {
			if err := p.Set(policy.JobID(i), d); err != nil {
				b.Fatal(err)
			}
		}
		left := make([]float64, len(jobs))
		for i := range left {
			left[i] = jobs[i].Tasks
		}
		r := rand.New(rand.NewPCG(5, 6))
		for b.Loop() {
			i := r.IntN(len(jobs))
			d := jobs[i]
			if left[i]--; left[i] == 0 {
				left[i] = d.Tasks
			}
			d.Tasks = left[i]
			if err := p.Set(policy.JobID(i), d); err != nil {
				b.Fatal(err)
			}
			if _, ok := p.Share(policy.JobID(i)); !ok {
				b.Fatal("job is not there")
			}
		}
	})
}

// A turner is a pool all of whose slots are in use, by jobs that all want more.
type turner struct {
	pool       *Pool
	jobs       []Demand
	left, used []float64
	rand       *rand.Rand
	asked      [3]int // how often Next was asked, for whole slots, for parts, for any
}

func newTurner(tb testing.TB, jobs []Demand, slots float64) *turner {
	n := len(jobs)
	t := &turner{newPool(tb, slots, 0.1), jobs, make([]float64, n), make([]float64, n), rand.New(rand.NewPCG(5, 6)), [3]int{}}
	for i, d := range jobs {
		t.left[i] = d.Tasks
		t.set(tb, i)
	}
	free := slots
	for i := range jobs {
		share, _ := t.pool.Share(policy.JobID(i))
		t.used[i] = math.Floor(share)
		t.use(tb, i)
		free -= t.used[i]
	}
	for ; free >= 1; free-- {
		t.next(tb)
	}
	return t
}

func (t *turner) set(tb testing.TB, i int) {
	d := t.jobs[i]
	d.Tasks = t.left[i]
	if err := t.pool.Set(policy.JobID(i), d); err != nil {
		tb.Fatal(err)
	}
}

func (t *turner) use(tb testing.TB, i int) {
	if err := t.pool.Use(policy.JobID(i), t.used[i], true); err != nil {
		tb.Fatal(err)
	}
}

// next gives a slot to the job whose turn it is.
func (t *turner) next(tb testing.TB) {
	for i, short := range [...]float64{1 - 1e-9, 1e-9, math.Inf(-1)} {
		t.asked[i]++
		if id, ok := t.pool.Next(short); ok {
			t.used[id]++
			t.use(tb, int(id))
			return
		}
	}
	tb.Fatal("no job wants the slot")
}

// end ends a task of some job that has a slot, and gives that slot away.
func (t *turner) end(tb testing.TB) {
	i := t.rand.IntN(len(t.jobs))
	for t.used[i] == 0 {
		i = t.rand.IntN(len(t.jobs))
	}
	if t.left[i]--; t.left[i] == 0 {
		t.left[i] = t.jobs[i].Tasks
	}
	t.set(tb, i)
	t.used[i]--
	t.use(tb, i)
	if _, ok := t.pool.Share(policy.JobID(i)); !ok {
		tb.Fatal("job is not there")
	}
	t.next(tb)
}

// An event is the end of a task, all that the pool is told and asked of it, and the next slot given away.
func BenchmarkPoolTurn(b *testing.B) {
	benchSizes(b, func(b *testing.B, jobs []Demand, slots float64) {
		t := newTurner(b, jobs, slots)
		for b.Loop() {
			t.end(b)
		}
	})
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

func BenchmarkAllocateWhole(b *testing.B) {
	benchSizes(b, func(b *testing.B, jobs []Demand, slots float64) {
		var whole []int
		var err error
		for b.Loop() {
			if whole, err = AllocateWhole(whole[:0], int(slots), jobs); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEpsilonFair(b *testing.B) {
	jobs := benchJobs(10_000, 1)
	for _, load := range []string{"high", "low"} {
		b.Run("load="+load, func(b *testing.B) {
			slots := slotsFor(jobs, load)
			b.ReportAllocs()
			var shares []float64
			var err error
			for b.Loop() {
				if shares, err = EpsilonFair(shares[:0], slots, 0.1, jobs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
