package provenance

// Young is the number of predictions that were left out since the log ends too soon.
func (e *Evaluation) Young() int { return e.young }

// Worst are the examples of a report, in numbers.
type Worst struct {
	Inversions  [][4]int       // templates up and down, inverted dependencies and all
	Risks       [][2]int       // jobs, missed
	Crossing    []int          // dependencies
	Components  [][2]int       // first job, jobs
	Postponable [][][2]float64 // by shift: jobs, compute
}

func (r *Report) Worst() (w Worst) {
	for _, x := range r.worst.inversions {
		w.Inversions = append(w.Inversions, [4]int{int(x.up), int(x.down), x.inverted.N, x.inverted.Of})
	}
	for _, x := range r.worst.risks {
		w.Risks = append(w.Risks, [2]int{x.jobs, x.missed})
	}
	for _, x := range r.worst.crossing {
		w.Crossing = append(w.Crossing, x.dependencies)
	}
	for _, x := range r.worst.components {
		w.Components = append(w.Components, [2]int{int(x.first), x.jobs})
	}
	for _, templates := range r.worst.postponable {
		var some [][2]float64
		for _, x := range templates {
			some = append(some, [2]float64{float64(x.jobs), x.compute})
		}
		w.Postponable = append(w.Postponable, some)
	}
	return w
}
