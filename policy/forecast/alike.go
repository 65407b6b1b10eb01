package forecast

import "example.com/augur/policy/central"

// Alike reports that all stages of a job have the same prediction. See [central.Forecast].
func (*lastTwo) Alike(*central.Job, uint32) bool { return true }

// Alike reports whether nothing of a stage has run: such stages have the same distribution. See [central.Forecast].
func (b *Beliefs) Alike(j *central.Job, stage uint32) bool {
	s := &b.jobs.Get(j.Job.ID).stages[stage]
	return s.n == 0 && s.run.copies == 0
}
