package hopper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A bed is a cluster with jobs in nine groups, g0 to g8, whose tasks have tails of 1.1 to 1.9. A job is a chain of stages of
// one-core tasks, and the input of its first stage is on nodes.
type bed struct {
	jobs, nodes, cores int
	load               float64
	least, most        int // tasks of a stage
	stages             int // at most
	pipe               bool
	bound              float64 // of workload.Luck
	replicas           int
}

// small is some small jobs on 6 nodes of 4 cores.
func small(jobs int) bed {
	return bed{jobs: jobs, nodes: 6, cores: 4, load: 0.9, least: 1, most: 30, stages: 3, pipe: true, bound: 100, replicas: 3}
}

func (b bed) source(t testing.TB) workload.Source {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var jobs []*workload.Job
	work, span := 0.0, 0.0
	at := make([]float64, b.jobs)
	for i := range b.jobs {
		group := rng.IntN(9)
		mean := 20 * math.Exp(0.5*rng.NormFloat64())
		j := &workload.Job{
			Job:  policy.Job{ID: policy.JobID(i + 1), Attrs: []policy.Attr{{Name: "group", Value: fmt.Sprintf("g%d", group)}}},
			Luck: &workload.Luck{Seed: 1, Tail: 1.1 + 0.1*float64(group), Bound: b.bound},
		}
		for k := range 1 + rng.IntN(b.stages) {
			stage := policy.Stage{Tasks: uint32(float64(b.least) * math.Pow(float64(b.most)/float64(b.least), rng.Float64())), Cores: 1}
			if k > 0 {
				stage.Reads = []policy.Dep{{Stage: uint32(k - 1), Pipe: b.pipe}}
			}
			j.Stages = append(j.Stages, stage)
			j.Luck.Base = append(j.Luck.Base, policy.Duration(mean*math.Exp(rng.NormFloat64())*1e9))
		}
		j.Runtimes = j.Luck.Runtimes(&j.Job)
		jobs = append(jobs, j)
		work += j.Work()
		span += rng.ExpFloat64()
		at[i] = span
	}
	for i, j := range jobs {
		j.Submitted = policy.Time(at[i] / span * work / (b.load * float64(b.nodes*b.cores)) * 1e9)
	}
	return jobtest.Must(workload.Locality{Seed: 1, Nodes: b.nodes, Replicas: b.replicas, Elsewhere: 2}.Source(workload.Of(jobs)))
}
