package plan

import "fmt"

// milp is the problem of 3Sigma's section 4.3 as the paper states it, solved by trying every assignment of the
// variables I(j,o), jobs decided in order:
//
//	greatest  Σ U(j,o)·I(j,o)                           over all jobs j and options o
//	so that   Σ I(j,o) ≤ 1                              over the options of each job
//	          Σ k(j,o,p)·R(j,o,t-start)·I(j,o) ≤ C(p,t) in each pool p and slot t
//
// It returns the greatest objective. Tests hold all solvers to it.
func milp(p *Problem) (greatest float64) {
	var decide func(j int, taken [][]float64, objective float64)
	decide = func(j int, taken [][]float64, objective float64) {
		if j == len(p.Jobs) {
			greatest = max(greatest, objective)
			return
		}
		decide(j+1, taken, objective) // I(j,o) = 0 for all options of the job
		job := &p.Jobs[j]
		for _, o := range job.Options { // I(j,o) = 1 for one of them
			if sum, ok := milpTakes(p, job, o, taken); ok {
				decide(j+1, sum, objective+o.Utility)
			}
		}
	}
	none := make([][]float64, len(p.Capacity))
	for pool, slots := range p.Capacity {
		none[pool] = make([]float64, len(slots))
	}
	decide(0, none, 0)
	return greatest
}

// milpTakes returns the left side of the last constraint if an option of a job is chosen too, and false if it is
// greater than C(p,t) somewhere. No later choice gives nodes back.
func milpTakes(p *Problem, job *Job, o Option, taken [][]float64) (sum [][]float64, ok bool) {
	profile, place := job.Profiles[o.Profile], job.Places[o.Place]
	sum = make([][]float64, len(taken))
	for pool, slots := range taken {
		sum[pool] = append([]float64(nil), slots...)
		k := 0.0 // nodes of the pool
		for _, share := range place {
			if int(share.Pool) == pool {
				k = share.Nodes
			}
		}
		for t := range slots {
			if since := t - int(o.Start); since >= 0 && since < len(profile) {
				sum[pool][t] += k * profile[since] // R
			}
			if c := p.Capacity[pool][t]; sum[pool][t] > c+c*1e-9 {
				return nil, false
			}
		}
	}
	return sum, true
}

// Two jobs want three and two of four nodes. Both run in their first slot, and in the second one with probability
// 1/4. Together they fit if one starts a slot later.
func Example_milp() {
	p := &Problem{Capacity: [][]float64{{4, 4}}}
	for _, job := range []struct{ nodes, utility float64 }{{3, 5}, {2, 3}} {
		p.Jobs = append(p.Jobs, Job{
			Profiles: [][]float64{{1, 0.25}},
			Places:   []Place{{{Pool: 0, Nodes: job.nodes}}},
			Options:  []Option{{Utility: job.utility}, {Utility: job.utility / 2, Start: 1}},
		})
	}
	fmt.Println("the greatest objective:", milp(p))
	for _, choice := range [][]int{{0, 1}, {1, 0}, {0, 0}} {
		fmt.Println(p.Value(choice))
	}
	// Output:
	// the greatest objective: 6.5
	// 6.5 <nil>
	// 5.5 <nil>
	// 0 plan: pool 0 has 4 nodes in slot 0, and the choice takes 5: 1 too many
}
