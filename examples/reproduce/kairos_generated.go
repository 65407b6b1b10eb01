package main

import (
	"math"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// generate draws 1,000 jobs with the shares of Table 2: of jobs that are long, and of the work
// that these have. The rest is ours. Arrivals are a Poisson process; a job has 20.5 tasks on
// average, an exponential rounded up. The mean duration of its tasks is uniform in
// its logarithm from a fiftieth of the cutoff to 0.6 of it if the job is short; if it is
// long it is Pareto's of index 1.2 from twice the cutoff, up to twenty times it. The tasks
// themselves are uniform from half of that to one and a half, so no job comes to be on the
// wrong side of the cutoff. Then the long jobs are widened until they have their share of
// the work, and the gaps are such that t.busy nodes are: as long jobs are wide, short ones
// would find no place on few nodes.
func (t *bigTrace) generate(seed uint64) []*workload.Job {
	const jobs = 1000
	rng := rand.New(rand.NewPCG(seed, 0x7461626c6532))
	type shape struct {
		long  bool
		tasks float64
		mean  float64 // s
	}
	shapes := make([]shape, jobs)
	work := [2]float64{} // of short jobs, of long ones
	cutoff := t.cutoff.Seconds()
	for i := range shapes {
		s := &shapes[i]
		s.long = float64(i) < jobs*t.long/100
		s.tasks = math.Ceil(20 * rng.ExpFloat64())
		if s.long {
			s.mean = cutoff * min(20, 2*math.Pow(1-rng.Float64(), -1/1.2))
			work[1] += s.tasks * s.mean
		} else {
			s.mean = cutoff * 0.6 * math.Pow(30, -rng.Float64())
			work[0] += s.tasks * s.mean
		}
	}
	rng.Shuffle(jobs, func(i, k int) { shapes[i], shapes[k] = shapes[k], shapes[i] })
	share := t.work / 100
	widen := work[0] / work[1] * share / (1 - share)
	gap := work[0] / (1 - share) / jobs / t.busy
	var list []*workload.Job
	now := 0.0
	for i, s := range shapes {
		if s.long {
			s.tasks = max(1, math.Round(s.tasks*widen))
		}
		now += gap * rng.ExpFloat64()
		runtimes := make([]policy.Duration, int(s.tasks))
		for k := range runtimes {
			runtimes[k] = seconds(s.mean * (0.5 + rng.Float64()))
		}
		list = append(list, &workload.Job{
			Job: policy.Job{
				ID: policy.JobID(i + 1), Submitted: policy.Time(seconds(now)),
				Stages: []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: 1}},
			},
			Runtimes: [][]policy.Duration{runtimes},
		})
	}
	return list
}

func seconds(x float64) policy.Duration { return policy.Duration(math.Round(x * 1e9)) }
