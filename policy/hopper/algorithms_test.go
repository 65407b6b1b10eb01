package hopper

import (
	"fmt"
	"math"
	"slices"
	"strings"
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
	printed := func(by func(float64, []Demand) []float64) allocator {
		return func(slots float64, jobs []Demand) ([]float64, error) { return by(slots, jobs), nil }
	}
	single, pipelined, twoTails := printed(naiveSinglePhase), printed(naivePipelined), printed(naiveTwoTails)
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
	const heavy = 1.25 // C is 2/1.64 * sqrt(0.64/0.25) * T1
	c := 2 / 1.64 * 1.6 * 4
	mixed := append(jobsOf(heavy, 4), jobsOf(1.64, 6)...)

	for _, test := range []struct {
		name  string
		by    allocator
		slots float64
		jobs  []Demand
		want  []float64
	}{
		// Section 2.3: Hopper gives job A 5 of the 6 slots.
		{"section 2.3", single, 6, jobsOf(1.6, 4, 6), []float64{5, 1}},
		{"as many tasks", single, 8, jobsOf(1.6, 4, 4), []float64{5, 3}},
		{"later job first", single, 6, jobsOf(1.6, 6, 4), []float64{1, 5}},
		{"slots enough", single, 20, jobsOf(1.6, 4, 6), []float64{8, 12}},
		{"a job done", single, 20, jobsOf(1.6, 0, 6), []float64{0, 20}},
		{"no slots", single, 0, jobsOf(1.6, 4, 6), []float64{0, 0}},
		{"no jobs", single, 9, nil, nil},
		{"no tasks", single, 9, jobsOf(1.6, 0, 0), []float64{0, 0}},
		{"tail 2.5", single, 6, jobsOf(2.5, 4, 6), []float64{4, 2}},
		{"tail 2.5, slots enough", single, 20, jobsOf(2.5, 4, 6), []float64{8, 12}},

		{"fair, case 1", fair(0.5), 8, jobsOf(1.6, 4, 6, 1, 8), []float64{4.75, 1, 1.25, 1}},
		{"fair, floor 0.9 * 3", fair(0.1), 6, jobsOf(1.6, 4, 6), []float64{3.3, 2.7}},
		{"fair, all alike", fair(0), 6, jobsOf(1.6, 4, 6), []float64{3, 3}},
		{"fair, case 2", fair(0.2), 30, jobsOf(1.6, 1, 4, 5), []float64{8, 22 * 4. / 9, 22 * 5. / 9}},
		{"fair, a job done", fair(0), 6, jobsOf(1.6, 4, 0, 6), []float64{3, 0, 3}},

		// Algorithm 3, case 1: V of the first is 1.25 * 4 * sqrt(4/1) = 10.
		{"pipelined, case 1", pipelined, 9, weights(jobsOf(1.6, 4, 6), 4, 1), []float64{9, 0}},
		// As printed the job of weight 1 has all that it wants, and the one of weight 4 the rest.
		{"pipelined, case 2", pipelined, 12, weights(jobsOf(1.6, 4, 6), 4, 1), []float64{4.5, 7.5}},
		{"all, the same", allocate, 12, weights(jobsOf(1.6, 4, 6), 4, 1), []float64{10, 2}},
		{"pipelined, case 4", pipelined, 35, weights(jobsOf(1.6, 4, 6), 4, 1), []float64{20, 15}},
		// Weights 4, 4 and 1: the first two have virtual sizes 5 beside each other, 10 beside the third.
		{"pipelined, case 3", pipelined, 15, weights(jobsOf(1.6, 4, 4, 8), 4, 4, 1), []float64{7.5, 7.5, 0}},
		{"pipelined, downstream first", pipelined, 5, downstream(jobsOf(1.6, 4, 6), 9), []float64{0, 5}},
		{"pipelined, weight 0", pipelined, 5, weights(jobsOf(1.6, 4, 6), 0, 1), []float64{0, 5}},
		{"pipelined, all weights 0", pipelined, 20, weights(jobsOf(1.6, 4, 6), 0, 0), []float64{8, 12}},

		{"two tails, case 1", twoTails, c - 1, mixed, []float64{c - 1, 0}},
		{"two tails, case 2", twoTails, c + 3, mixed, []float64{c, 3}},
		{"two tails, case 3", twoTails, 31, mixed, []float64{31 * 8 / 15.5, 31 * 7.5 / 15.5}},
		{"two tails, but one", twoTails, 6, jobsOf(1.6, 4, 6), []float64{5, 1}},
		{"two tails, no jobs", twoTails, 6, nil, nil},

		{"all, downstream orders", allocate, 6, downstream(jobsOf(1.6, 4, 6), 9), []float64{0, 6}},
		{"all, weight 0", allocate, 5, weights(jobsOf(1.6, 4, 6), 0, 1), []float64{0, 5}},
		{"all, all weights 0", allocate, 20, weights(jobsOf(1.6, 4, 6), 0, 0), []float64{8, 12}},
		{"all, no jobs", allocate, 9, nil, nil},
		{"all, no tasks", allocate, 9, jobsOf(1.6, 0, 0), []float64{0, 0}},
		{"all, no slots", allocate, 0, jobsOf(1.6, 4, 6), []float64{0, 0}},
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

func TestHeaviestAndLightestTails(t *testing.T) {
	for _, tail := range []float64{1.0001, 1.9999, 2, 2.5} {
		for _, slots := range []float64{0, 1, 6, 8, 20, 1e9} {
			jobs := jobsOf(tail, 4, 6, 0, 1)
			want := naiveSinglePhase(slots, jobs)
			checkShares(t, slots, jobs, want)
			if got, err := Allocate(nil, slots, jobs); err != nil || !near(got, want) {
				t.Errorf("tail %v, %v slots: got %v, %v, want %v", tail, slots, got, err, want)
			}
		}
	}
}

func TestAMillionJobsForOneSlot(t *testing.T) {
	if testing.Short() {
		t.Skip("sorts a million jobs twice")
	}
	jobs := make([]Demand, 1_000_000)
	for i := range jobs {
		jobs[i] = Demand{Tasks: float64(5 + i%1000*7919%1000), Tail: 1.5, Weight: 1}
	}
	jobs[777_777].Tasks = 3
	shares, err := Allocate(nil, 1, jobs)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := AllocateWhole(nil, 1, jobs)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range whole {
		if want := i == 777_777; (x == 1) != want || !want && x != 0 || float64(x) != shares[i] {
			t.Errorf("job %d has %d slots, and a share of %v", i, x, shares[i])
		}
	}
}

func TestAllocatorsRefuse(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := func() []Demand { return jobsOf(1.5, 4, 6) }
	bad := map[string]func(*Demand){
		"Tail 1":        func(d *Demand) { d.Tail = 1 },
		"no Tail":       func(d *Demand) { d.Tail = 0 },
		"Tail NaN":      func(d *Demand) { d.Tail = nan },
		"Tail Inf":      func(d *Demand) { d.Tail = inf },
		"Tasks -1":      func(d *Demand) { d.Tasks = -1 },
		"Tasks NaN":     func(d *Demand) { d.Tasks = nan },
		"Weight Inf":    func(d *Demand) { d.Weight = inf },
		"Weight -1":     func(d *Demand) { d.Weight = -1 },
		"Downstream":    func(d *Demand) { d.Downstream = nan },
		"Floor -1":      func(d *Demand) { d.Floor = -1 },
		"Floor too big": func(d *Demand) { d.Floor = 1e16 },
	}
	for name, by := range map[string]func([]float64, float64, []Demand) ([]float64, error){
		"Allocate": Allocate,
		"EpsilonFair": func(shares []float64, slots float64, jobs []Demand) ([]float64, error) {
			return EpsilonFair(shares, slots, 0.1, jobs)
		},
	} {
		for _, slots := range []float64{-1, nan, inf} {
			if got, err := by([]float64{7}, slots, good()); err == nil || !near(got, []float64{7}) {
				t.Errorf("%s, %v slots: got %v, %v, want an error", name, slots, got, err)
			}
		}
		for what, spoil := range bad {
			jobs := good()
			spoil(&jobs[1])
			if name == "EpsilonFair" && strings.HasPrefix(what, "Floor") {
				continue // it has floors of its own
			}
			if got, err := by([]float64{7}, 9, jobs); err == nil || !near(got, []float64{7}) {
				t.Errorf("%s, %s: got %v, %v, want an error", name, what, got, err)
			}
		}
	}
	floors := good()
	floors[0].Floor = 10
	for name, err := range map[string]error{
		"epsilon -0.1": refused(EpsilonFair(nil, 9, -0.1, good())),
		"epsilon 1.1":  refused(EpsilonFair(nil, 9, 1.1, good())),
		"epsilon NaN":  refused(EpsilonFair(nil, 9, nan, good())),
		"floors":       refused(Allocate(nil, 9, floors)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func refused(got []float64, err error) error {
	if len(got) > 0 {
		return fmt.Errorf("shares are %v beside the error %w", got, err)
	}
	return err
}
