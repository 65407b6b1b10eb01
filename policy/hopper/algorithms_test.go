package hopper

import (
	"math"
	"slices"
	"testing"
)

// jobsOf returns jobs of one tail and of weight 1.
func jobsOf(tail float64, tasks ...float64) []Demand {
	jobs := make([]Demand, len(tasks))
	for i, t := range tasks {
		jobs[i] = Demand{Tasks: t, Tail: tail, Weight: 1}
	}
	return jobs
}

func near(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) <= 1e-12*max(1, math.Abs(y)) })
}

// EpsilonFair has floors of its own: those that jobs say play no part.
func TestEpsilonFairLooksAtNoFloor(t *testing.T) {
	jobs := jobsOf(1.6, 4, 6)
	want, err := EpsilonFair(nil, 6, 0.5, jobs)
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		jobs[i].Floor = 6
	}
	if got, err := EpsilonFair(nil, 6, 0.5, jobs); err != nil || !near(got, want) || jobs[1].Floor != 6 {
		t.Errorf("got %v, %v, and %+v left, want %v and the jobs as they were", got, err, jobs, want)
	}
}

// With 2/β = 1.25 a job of 4 tasks has virtual size 5, and one of 6 tasks 7.5.
func TestSharesByHand(t *testing.T) {
	type allocator func(slots float64, jobs []Demand) ([]float64, error)
	fair := func(epsilon float64) allocator {
		return func(slots float64, jobs []Demand) ([]float64, error) { return EpsilonFair(nil, slots, epsilon, jobs) }
	}
	allocate := func(slots float64, jobs []Demand) ([]float64, error) { return Allocate(nil, slots, jobs) }
	weights := func(jobs []Demand, weights ...float64) []Demand {
		for i := range weights {
			jobs[i].Weight = weights[i]
		}
		return jobs
	}
	downstream := func(jobs []Demand, work ...float64) []Demand {
		for i := range work {
			jobs[i].Downstream = work[i]
		}
		return jobs
	}
	for _, test := range []struct {
		name  string
		by    allocator
		slots float64
		jobs  []Demand
		want  []float64
	}{
		// Section 2.3: Hopper gives job A 5 of the 6 slots.
		{"section 2.3", allocate, 6, jobsOf(1.6, 4, 6), []float64{5, 1}},
		{"as many tasks", allocate, 8, jobsOf(1.6, 4, 4), []float64{5, 3}},
		{"later job first", allocate, 6, jobsOf(1.6, 6, 4), []float64{1, 5}},
		{"slots enough", allocate, 20, jobsOf(1.6, 4, 6), []float64{8, 12}},
		{"a job done", allocate, 20, jobsOf(1.6, 0, 6), []float64{0, 20}},
		{"no slots", allocate, 0, jobsOf(1.6, 4, 6), []float64{0, 0}},
		{"no jobs", allocate, 9, nil, nil},
		{"no tasks", allocate, 9, jobsOf(1.6, 0, 0), []float64{0, 0}},
		{"tail 2.5", allocate, 6, jobsOf(2.5, 4, 6), []float64{4, 2}},
		{"tail 2.5, slots enough", allocate, 20, jobsOf(2.5, 4, 6), []float64{8, 12}},

		{"fair, case 1", fair(0.5), 8, jobsOf(1.6, 4, 6, 1, 8), []float64{4.75, 1, 1.25, 1}},
		{"fair, floor 0.9 * 3", fair(0.1), 6, jobsOf(1.6, 4, 6), []float64{3.3, 2.7}},
		{"fair, all alike", fair(0), 6, jobsOf(1.6, 4, 6), []float64{3, 3}},
		{"fair, case 2", fair(0.2), 30, jobsOf(1.6, 1, 4, 5), []float64{8, 22 * 4. / 9, 22 * 5. / 9}},
		{"fair, a job done", fair(0), 6, jobsOf(1.6, 4, 0, 6), []float64{3, 0, 3}},

		{"all, downstream orders", allocate, 6, downstream(jobsOf(1.6, 4, 6), 9), []float64{0, 6}},
		{"all, weight 0", allocate, 5, weights(jobsOf(1.6, 4, 6), 0, 1), []float64{0, 5}},
		{"all, all weights 0", allocate, 20, weights(jobsOf(1.6, 4, 6), 0, 0), []float64{8, 12}},
		{"weights", allocate, 12, weights(jobsOf(1.6, 4, 6), 4, 1), []float64{10, 2}},
		// Beyond 4 slots the first job is worth 1/(β-1) = 1/3 of a task a slot.
		{"all, tails 2.5 and 4", allocate, 10, append(jobsOf(4, 4), jobsOf(2.5, 6)...), []float64{4, 6}},
		{"all, tail 4 first", allocate, 5, append(jobsOf(4, 4), jobsOf(1.9999, 6)...), []float64{0, 5}},
	} {
		got, err := test.by(test.slots, test.jobs)
		if err != nil || !near(got, test.want) {
			t.Errorf("%s: got %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}
