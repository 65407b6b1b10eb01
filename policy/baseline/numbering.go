package baseline

import "example.com/augur/policy"

// A numbering numbers the tasks of a job through all its stages. It holds the number of the first task of
// each stage; of a job of one stage it is nil.
type numbering []uint32

func newNumbering(j *policy.Job) (first numbering) {
	if len(j.Stages) == 1 {
		return nil
	}
	first = make(numbering, len(j.Stages))
	for i := 1; i < len(first); i++ {
		first[i] = first[i-1] + j.Stages[i-1].Tasks
	}
	return first
}

// of returns the number of a task.
func (first numbering) of(t policy.Task) int {
	if first == nil {
		return int(t.Index)
	}
	return int(first[t.Stage] + t.Index)
}
