package pipeline

// Values are those of the jobs by themselves.
func (r *Result) Values() []float64 { return r.value }
