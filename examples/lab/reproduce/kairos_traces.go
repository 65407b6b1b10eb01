package main

import (
	"math"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// A bigTrace is one of the two traces that Kairos is compared on with Eagle, and what is
// known of it.
type bigTrace struct {
	figure, name   string
	cutoff         policy.Duration // from which mean task duration on a job is long
	share          float64         // of the nodes, that Eagle opens to long jobs
	quantum        policy.Duration
	long, work     float64 // % of jobs that are long, and of the work in them (Table 2)
	saved          float64 // % of short jobs' P99, at most
	lessAdd, added float64 // % to long jobs' P99, at least and at most
	file           string  // of the part that is in public
	dense          float64 // s, from which on that part is whole
	busy           float64 // nodes, for jobs that are generated
}

var bigTraces = []bigTrace{
	{"Fig. 8", "Google", 1_129_532e6, 0.83, 10_000e9, 10.00, 83, 55, 11, 33, "GOOG_subtrace.tr.gz", 1_470_000, 1500},
	{"Fig. 9", "Yahoo", 90_581_100e3, 0.98, 100e9, 9.41, 98, 85, 14, 50, "YH1_sub.tr.gz", 132_400, 4000},
}

// read reads a trace, from where it is whole.
func (t *bigTrace) read(file string) ([]*workload.Job, error) {
	r, err := trace.Open(file, trace.ReaderConfig{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	jobs, err := workload.ReadAll(r.Jobs())
	if err != nil {
		return jobs, err
	}
	return workload.Window(jobs, policy.Time(t.dense*1e9), jobs[len(jobs)-1].Submitted+1)
}

// generate draws so many jobs with the shares of Table 2: of jobs that are long, and of the work
// that these have. The rest is ours. Arrivals are a Poisson process; a job has 20.5 tasks on
// average, an exponential rounded up. The mean duration of its tasks is uniform in
// its logarithm from a fiftieth of the cutoff to 0.6 of it if the job is short; if it is
// long it is Pareto's of index 1.2 from twice the cutoff, up to twenty times it. The tasks
// themselves are uniform from half of that to one and a half, so no job comes to be on the
// wrong side of the cutoff. Then the long jobs are widened until they have their share of
// the work, and the gaps are such that t.busy nodes are: as long jobs are wide, short ones
// would find no place on few nodes.
func (t *bigTrace) generate(seed uint64, jobs int) []*workload.Job {
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
		s.long = float64(i) < float64(jobs)*t.long/100
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
	gap := work[0] / (1 - share) / float64(jobs) / t.busy
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

// nodesFor returns how many nodes of one core make the jobs a load: what their tasks could do
// until the last arrival, on nodes without end, over what the nodes can do until then. Of
// tasks that run for days in a part of a trace of hours, the rest is no load there.
func nodesFor(jobs []*workload.Job, load float64) int {
	end := jobs[len(jobs)-1].Submitted
	work := 0.0
	for _, j := range jobs {
		left := end.Sub(j.Submitted)
		for _, stage := range j.Runtimes {
			for _, d := range stage {
				work += min(d, left).Seconds()
			}
		}
	}
	return int(math.Ceil(work / end.Sub(jobs[0].Submitted).Seconds() / load))
}
