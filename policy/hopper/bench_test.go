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
	for _, n := range []int{100, 1000, 10_000, 100_000} {
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
