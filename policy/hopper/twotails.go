package hopper

import (
	"fmt"
	"math"
)

// TwoTails appends to shares the slots of each job by Algorithm 4, for two classes of jobs,
// whose tails are β1 < β2. With T1 and T2 the tasks of all jobs of a class, and
// C = 2/β2 * sqrt((β2-1)/(β1-1)) * T1, class 1 has
//
//	S                      if S ≤ C
//	C                      if C < S ≤ C + 2/β2 * T2
//	S * u1 / (u1 + u2)     if S > C + 2/β2 * T2, with u = T / sqrt(β-1)
//
// and class 2 the rest. Within a class the slots go by [SinglePhase], or, if weights of the class
// differ, by [Pipelined]. No allocation has a greater sum of rates, if weights do not differ
// (Theorem 3). It reads all fields but Floor. Tails must be at most 2, and not more than two; for
// others see [Allocate]. If there is one tail only, its class has all slots. It takes O(n log n) time and
// allocates 16 bytes for each job.
//
// # Source
//
// Hopper, section 4.2, Algorithm 4.
func TwoTails(shares []float64, slots float64, jobs []Demand) ([]float64, error) {
	if err := check(slots, jobs); err != nil {
		return shares, err
	}
	light, heavy := 0.0, math.Inf(1) // the tails
	for i := range jobs {
		tail := jobs[i].Tail
		if tail > 2 {
			return shares, fmt.Errorf("hopper: job %d: Tail is %v, must be at most 2", i, tail)
		}
		light, heavy = max(light, tail), min(heavy, tail)
	}
	tasks := [2]float64{} // of heavy, of light
	for i := range jobs {
		switch jobs[i].Tail {
		case heavy:
			tasks[0] += jobs[i].Tasks
		case light:
			tasks[1] += jobs[i].Tasks
		default:
			return shares, fmt.Errorf("hopper: job %d: Tail is %v, must be %v or %v, as of others: there may be two",
				i, jobs[i].Tail, heavy, light)
		}
	}
	shares, mine := extend(shares, len(jobs))
	first := slots
	switch c := float64(Level(light) * math.Sqrt((light-1)/(heavy-1)) * tasks[0]); {
	case slots <= c, tasks[1] == 0:
	case slots <= c+float64(Level(light)*tasks[1]):
		first = c
	default:
		u1, u2 := tasks[0]/math.Sqrt(heavy-1), tasks[1]/math.Sqrt(light-1)
		first = slots * (u1 / (u1 + u2))
	}
	within(mine, first, heavy, jobs)
	if light != heavy {
		within(mine, slots-first, light, jobs)
	}
	return shares, nil
}

// within sets the shares of the jobs of a tail.
func within(shares []float64, slots, tail float64, jobs []Demand) {
	order := picked(jobs, func(d *Demand) (float64, bool) { return d.Tasks, d.Tail == tail && d.Tasks > 0 })
	weighted, alike := false, true
	for _, r := range order {
		weighted = weighted || jobs[r.job].Weight > 0
		alike = alike && jobs[r.job].Weight == jobs[order[0].job].Weight
	}
	if alike {
		fair(shares, slots, 1, jobs, order)
		return
	}
	pipelined(shares, slots, jobs, weighted, picked(jobs, func(d *Demand) (float64, bool) {
		return d.Order(), d.Tail == tail && d.counts(weighted)
	}))
}
