package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// Deadlines turns a share of the jobs of any workload into SLO jobs, as the evaluation of
// 3Sigma does. Each SLO job gets a deadline with some slack, relative to its runtime:
//
//	deadline = submission + (1 + slack) × runtime
//
// where the runtime is [Job.Ideal]. It may also prefer a part of the cluster. All other jobs are best effort. Start from
// [DefaultDeadlines]. [Deadlines.Source] refuses values outside their range.
//
// # Source
//
// 3Sigma, section 5. The utility is ours: the paper gives none.
type Deadlines struct {
	Seed    uint64
	Share   float64   // of the jobs that become SLO jobs, 0 to 1
	Slack   []float64 // equally likely, at least one, each finite and ≥ 0
	Utility float64   // of each SLO job that is done in time, 0 to policy.MaxUtility

	// Partitions are those of the cluster, none of them twice; empty: no job prefers any.
	Partitions []policy.PartitionID
	// Prefer is the share of the partitions that an SLO job prefers, above 0, to 1. This
	// many, rounded half up but at least one, are drawn for each job.
	Prefer    float64
	Elsewhere float64 // factor by which it runs longer on others, finite, ≥ 1
}

// DefaultDeadlines returns the parameters of 3Sigma's evaluation: half of the jobs are SLO jobs, with slacks of 20, 40, 60
// and 80 %. They prefer 75 % of the cluster and run 1.5 times as long elsewhere, once you set Partitions.
func DefaultDeadlines() Deadlines {
	return Deadlines{
		Seed: 1, Share: 0.5, Slack: []float64{0.2, 0.4, 0.6, 0.8}, Utility: 1,
		Prefer: 0.75, Elsewhere: 1.5,
	}
}

func (d *Deadlines) validate() error {
	if err := check("Deadlines", []option{
		{"Share", d.Share, d.Share >= 0 && d.Share <= 1, "0 to 1"},
		{"Slack", d.Slack, len(d.Slack) > 0, "at least one"},
		{"Utility", d.Utility, d.Utility >= 0 && d.Utility <= policy.MaxUtility, "0 to 1e+12"},
		{"Prefer", d.Prefer, d.Prefer > 0 && d.Prefer <= 1, "above 0, to 1"},
		{"Elsewhere", d.Elsewhere, finite(d.Elsewhere) && d.Elsewhere >= 1, "finite, at least 1"},
	}); err != nil {
		return err
	}
	for i, x := range d.Slack {
		if !(finite(x) && x >= 0) {
			return fmt.Errorf("workload: Deadlines.Slack[%d] is %v, want finite, at least 0", i, x)
		}
	}
	for i, p := range d.Partitions {
		if p == 0 || p > policy.MaxID || slices.Contains(d.Partitions[:i], p) {
			return fmt.Errorf("workload: Deadlines.Partitions[%d] is %d, want 1 to 2^24-1, none twice", i, p)
		}
	}
	return nil
}

// Source returns the jobs of another source with deadlines, one by one and in its order. They are new jobs, which share
// unchanged parts with the old ones. Source replaces the SLOs of all jobs and, if there are Partitions, the preferences of
// SLO jobs. What is drawn for a job depends only on the seed and its ID; with a greater share, the SLO jobs of a smaller
// share stay the same. The error names the field that is outside its range. The source ends at a job that is not valid, and
// at a deadline beyond 1e9 s.
func (d Deadlines) Source(jobs Source) (Source, error) {
	if err := d.validate(); err != nil {
		return nil, err
	}
	d.Slack, d.Partitions = slices.Clone(d.Slack), slices.Clone(d.Partitions)
	return changed(jobs, d.date), nil
}

func (d *Deadlines) date(old *Job) (*Job, error) {
	j := *old
	rng := draws(d.Seed, deadlineStream, j.ID)
	if rng.Float64() >= d.Share {
		j.SLO = nil
		return &j, nil
	}
	slack := d.Slack[rng.IntN(len(d.Slack))]
	ideal := j.Ideal()
	extra := math.Round(float64(ideal) * slack)
	deadline := float64(j.Submitted) + float64(ideal) + extra
	if most := limits.Seconds * 1e9; math.Abs(float64(j.Submitted)) > most || deadline > most {
		return nil, fmt.Errorf("workload: job %d, submitted at %g s to run for %v, would get its deadline at %g s by a slack of %v, want both within 1e9 s of instant 0",
			j.ID, j.Submitted.Seconds(), ideal, deadline/1e9, slack)
	}
	j.SLO = &policy.SLO{Deadline: j.Submitted.Add(ideal + saturate.To[policy.Duration](extra)), Utility: d.Utility}
	if len(d.Partitions) > 0 {
		prefer := d.preferred(rng)
		j.Stages = slices.Clone(j.Stages)
		for i := range j.Stages {
			j.Stages[i].Prefer, j.Stages[i].Elsewhere = prefer, d.Elsewhere
		}
	}
	return &j, nil
}

// preferred draws a share of the partitions, in their order.
func (d *Deadlines) preferred(rng *rand.Rand) []policy.PartitionID {
	n := max(1, saturate.To[int](math.Floor(d.Prefer*float64(len(d.Partitions))+0.5)))
	prefer := make([]policy.PartitionID, 0, n)
	for i, p := range d.Partitions {
		if rng.IntN(len(d.Partitions)-i) < n-len(prefer) {
			prefer = append(prefer, p)
		}
	}
	return prefer
}
