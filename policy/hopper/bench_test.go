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

// An event is as in BenchmarkPool; the job has a slot less, then the next slot goes to the job whose
// turn it is, that misses a whole slot or else a part of one, or else is lent.
func BenchmarkPoolTurn(b *testing.B) {
	benchSizes(b, func(b *testing.B, jobs []Demand, slots float64) {
		p := newPool(b, slots, 0.1)
		use := func(i policy.JobID, used []float64) {
			if err := p.Use(i, used[i], true); err != nil {
				b.Fatal(err)
			}
		}
		left, used := make([]float64, len(jobs)), make([]float64, len(jobs))
		for i, d := range jobs {
			left[i] = d.Tasks
			if err := p.Set(policy.JobID(i), d); err != nil {
				b.Fatal(err)
			}
		}
		for i := range jobs { // all have what is their due, rounded down
			share, _ := p.Share(policy.JobID(i))
			used[i] = math.Floor(share)
			use(policy.JobID(i), used)
		}
		r := rand.New(rand.NewPCG(5, 6))
		for b.Loop() {
			i := r.IntN(len(jobs))
			for used[i] == 0 {
				i = r.IntN(len(jobs))
			}
			d := jobs[i]
			if left[i]--; left[i] == 0 {
				left[i] = d.Tasks
			}
			d.Tasks = left[i]
			if err := p.Set(policy.JobID(i), d); err != nil {
				b.Fatal(err)
			}
			used[i]--
			use(policy.JobID(i), used)
			if _, ok := p.Share(policy.JobID(i)); !ok {
				b.Fatal("job is not there")
			}
			id, ok := p.Next(1 - 1e-9)
			if !ok {
				id, ok = p.Next(1e-9)
			}
			if !ok {
				id, ok = p.Next(math.Inf(-1))
			}
			if !ok {
				b.Fatal("no job wants the slot")
			}
			used[id]++
			use(id, used)
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
