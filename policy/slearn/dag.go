package slearn

import (
	"errors"

	"example.com/augur/policy"
)

// DAGConfig describes a [DAG].
type DAGConfig struct {
	Sampling SamplingConfig // how pilots of the first stage are chosen

	// History predicts the mean runtimes of the other stages; required, with HistoryConfig.Stages set. It learns the
	// jobs that end.
	History *History

	// Plain takes history's predictions for the other stages unchanged. Default false: they are multiplied by the
	// ratio of what pilots and history say of the first stage. That corrects an outdated history for the whole job,
	// and adds noise if stages vary independently.
	Plain bool
}

// DAG is the [Estimator] for jobs of several stages: it samples the first stage and uses history for the others.
// Otherwise, and for jobs of one stage, it does as [Sampling].
//
// [History] with HistoryConfig.Stages is 3Sigma-DAG, and PointEst-DAG with Median; LAS-DAG is a [Scheduler] that knows
// nothing.
//
// # Source
//
// SLearn, section 6: SLearn-DAG.
type DAG struct {
	sampling *Sampling
	config   DAGConfig
}

// NewDAG returns a DAG. It returns an error that names the field that is out of range.
func NewDAG(c DAGConfig) (*DAG, error) {
	if c.History == nil || !c.History.config.Stages {
		return nil, errors.New("slearn: DAGConfig.History does not learn stages, want one with HistoryConfig.Stages set")
	}
	s, err := NewSampling(c.Sampling)
	if err != nil {
		return nil, err
	}
	return &DAG{s, c}, nil
}

// Plan implements [Estimator], as [Sampling] does.
func (d *DAG) Plan(j *policy.Job, now policy.Time) (Plan, error) { return d.sampling.Plan(j, now) }

// Work implements [Estimator]. A stage that history does not know counts with the mean runtime of the pilots.
func (d *DAG) Work(j *policy.Job, now policy.Time, pilots []float64) float64 {
	all := d.sampling.Work(j, now, pilots)
	sampled := all / width(j)
	first, at := firstStage(j), j.Calendar(now)
	ratio := 1.0
	if known, ok := d.config.History.stage(j, first, at); ok && known > 0 && !d.config.Plain {
		ratio = sampled / known
	}
	work := sampled * stageWidth(j, first)
	for i := range uint32(len(j.Stages)) {
		if i == first {
			continue
		}
		mean, ok := d.config.History.stage(j, i, at)
		if mean *= ratio; !ok {
			mean = sampled
		}
		work += mean * stageWidth(j, i)
	}
	if checkWork(j, work) != nil {
		return all
	}
	return work
}

// Ended implements [Estimator].
func (d *DAG) Ended(j *policy.Job, r Record) error {
	if err := d.config.History.Ended(j, r); err != nil {
		return err // before anything is learnt
	}
	return d.sampling.Ended(j, r)
}
