package hopper

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/augur/policy"
)

// pooledShares are the shares of jobs in a pool, numbered from 0.
func pooledShares(slots, epsilon float64, jobs []Demand) ([]float64, error) {
	p, err := NewPool(PoolConfig{Slots: slots, Epsilon: epsilon})
	if err != nil {
		return nil, err
	}
	for i, d := range jobs {
		if err := p.Set(policy.JobID(i), d); err != nil {
			return nil, err
		}
	}
	shares := make([]float64, len(jobs))
	for i := range jobs {
		shares[i], _ = p.Share(policy.JobID(i))
	}
	return shares, nil
}

// What each allocator gives at the edges of what it may be asked; with -v it is printed. Jobs have 4, 6
// and 10 tasks, and share 12 slots, if nothing else is said. V is Level times tasks.
func TestEdges(t *testing.T) {
	names := []string{"Allocate", "Pool", "EpsilonFair 0.1", "Pool 0.1"}
	by := []func(float64, []Demand) ([]float64, error){
		func(slots float64, jobs []Demand) ([]float64, error) { return Allocate(nil, slots, jobs) },
		func(slots float64, jobs []Demand) ([]float64, error) { return pooledShares(slots, 1, jobs) },
		func(slots float64, jobs []Demand) ([]float64, error) { return EpsilonFair(nil, slots, 0.1, jobs) },
		func(slots float64, jobs []Demand) ([]float64, error) { return pooledShares(slots, 0.1, jobs) },
	}
	type answer struct {
		shares []float64 // the first ones
		err    string    // part of the error
	}
	none := answer{}
	give := func(shares ...float64) answer { return answer{shares: shares} }
	fail := func(part string) answer { return answer{err: part} }
	both := func(whole, floors answer) []answer { return []answer{whole, whole, floors, floors} }
	all := func(a answer) []answer { return both(a, a) }
	weights := func(jobs []Demand, weights ...float64) []Demand {
		for i, w := range weights {
			jobs[i].Weight = w
		}
		return jobs
	}
	many := jobsOf(1.6, make([]float64, 100_000)...)
	for i := range many {
		many[i].Tasks = float64(1 + i%1000)
	}
	const nearOne, nearTwo = 2 / 1.0001, 2 / 1.9999 // levels

	for _, test := range []struct {
		name  string
		slots float64
		jobs  []Demand
		want  []answer
	}{
		// V is 8, 12 and 20, almost; the floor is 3.6, and 1.2 slots are beyond the floors.
		{"tail 1.0001", 12, jobsOf(1.0001, 4, 6, 10), both(give(4*nearOne, 12-4*nearOne, 0), give(4.8, 3.6, 3.6))},
		// V is 4, 6 and 10, almost.
		{"tail 1.9999", 12, jobsOf(1.9999, 4, 6, 10),
			both(give(4*nearTwo, 6*nearTwo, 12-10*nearTwo), give(4*nearTwo, 12-3.6-4*nearTwo, 3.6))},
		// V is T.
		{"tail 2", 12, jobsOf(2, 4, 6, 10), both(give(4, 6, 2), give(4, 4.4, 3.6))},
		{"tail 2.5", 12, jobsOf(2.5, 4, 6, 10), both(give(4, 6, 2), give(4, 4.4, 3.6))},
		{"tail 1", 12, jobsOf(1, 4, 6, 10), all(fail("Tail is 1, must be > 1, at most 1e+100"))},
		// In proportion to tasks, for any tail.
		{"tail 1.0001, many slots", 200, jobsOf(1.0001, 4, 6, 10), both(give(40, 60, 100), give(60, 60, 80))},
		// V is 5, 7.5 and 12.5. The job without weight has its floor, and nothing more.
		{"weight 0 of the first", 12, weights(jobsOf(1.6, 4, 6, 10), 0), both(give(0, 7.5, 4.5), give(3.6, 4.8, 3.6))},
		{"weight 0 of all", 12, weights(jobsOf(1.6, 4, 6, 10), 0, 0, 0), both(give(5, 7, 0), give(4.8, 3.6, 3.6))},
		{"0 slots", 0, jobsOf(1.6, 4, 6, 10), all(give(0, 0, 0))},
		{"0 slots, tail 2.5", 0, jobsOf(2.5, 4), all(give(0))},
		{"0 jobs", 12, nil, all(none)},
		// The floor is 5.4, as of two jobs. V of the first is less.
		{"no tasks of the second", 12, jobsOf(1.6, 4, 0, 10), both(give(5, 0, 7), give(5.4, 0, 6.6))},
		{"no tasks of any", 12, jobsOf(1.6, 0, 0, 0), all(give(0, 0, 0))},
		{"-1 slots", -1, jobsOf(1.6, 4), all(fail("lots is -1"))},
		{"-1 tasks", 12, jobsOf(1.6, 4, -1), all(fail("job 1: Tasks is -1"))},
		// V of the first is 1.25. The floor is 9e-6, and a tenth of a slot is beyond the floors.
		{"1 slot, 100,000 jobs", 1, many, both(give(1, 0, 0), give(0.1+9e-6, 9e-6, 9e-6))},
		{"a million slots, 1 job", 1e6, jobsOf(1.6, 4), all(give(1e6))},
		{"1e15 slots and tasks", 1e15, jobsOf(1.6, 1e15), all(give(1e15))},
	} {
		for i, want := range test.want {
			got, err := by[i](test.slots, test.jobs)
			if want.err != "" || err != nil {
				t.Logf("%s: %s: error: %v", test.name, names[i], err)
				if err == nil || want.err == "" || !strings.Contains(err.Error(), want.err) {
					t.Errorf("%s: %s: got error %v, want %q", test.name, names[i], err, want.err)
				}
				continue
			}
			checkShares(t, test.slots, test.jobs, got)
			first, more := got[:len(want.shares)], ""
			if len(got) > len(first) {
				more = fmt.Sprintf(" and %d more", len(got)-len(first))
			}
			t.Logf("%s: %s: %v slots are %.6g%s", test.name, names[i], test.slots, first, more)
			for k, x := range first {
				if math.Abs(x-want.shares[k]) > 1e-12*max(1, test.slots) {
					t.Errorf("%s: %s: got %v, want %v", test.name, names[i], first, want.shares)
					break
				}
			}
		}
	}
}
