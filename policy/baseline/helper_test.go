package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

const s = time.Second

// bag makes a job of one-core tasks.
var bag = jobtest.Bag

// gang makes a job of one gang of one-core tasks, as batch systems run them.
func gang(id policy.JobID, submitted policy.Duration, width uint32, runtime, requested policy.Duration) *workload.Job {
	runtimes := make([]policy.Duration, width)
	for i := range runtimes {
		runtimes[i] = runtime
	}
	j := bag(id, submitted, runtimes...)
	j.Stages[0].Gang = true
	j.Requested = requested
	return j
}

// batch makes jobs that load so many cores. All are gangs that run for at most as long as
// requested, or, if wild, any of what breaks that: bags, jobs that request nothing or too
// little.
func batch(seed uint64, n, cores int, wild bool) (jobs []*workload.Job) {
	rng := rand.New(rand.NewPCG(seed, 8))
	now := policy.Duration(0)
	for id := policy.JobID(1); id <= policy.JobID(n); id++ {
		now += policy.Duration(rng.IntN(12)) * s
		width := uint32(1 + rng.IntN(cores))
		if rng.IntN(3) > 0 {
			width = uint32(1 + rng.IntN(max(1, cores/4)))
		}
		runtime := policy.Duration(1+rng.IntN(20)) * s
		requested := runtime + policy.Duration(rng.IntN(3)*rng.IntN(20))*s
		if !wild {
			jobs = append(jobs, gang(id, now, width, runtime, requested))
			continue
		}
		switch rng.IntN(6) {
		case 0:
			requested = 0
		case 1:
			requested = max(1, requested/4)
		}
		j := gang(id, now, width, runtime, requested)
		if rng.IntN(3) == 0 {
			j.Stages[0].Gang, j.Stages[0].Cores = false, int32(1+rng.IntN(3))
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// simulate runs jobs under a policy on what config has besides.
func simulate(t testing.TB, config sim.Config, jobs []*workload.Job, p policy.Scheduler) (*sim.Result, error) {
	config.Jobs, config.Truth = workload.Split(jobs)
	return sim.Run(t.Context(), config, p)
}

// watch shows each step of a policy to a function.
type watch struct {
	policy.Scheduler
	see func(*policy.Event, []policy.Action) error
}

func (w watch) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	n := len(actions)
	actions, err := w.Scheduler.Step(ev, actions)
	if err == nil {
		err = w.see(ev, actions[n:])
	}
	return actions, err
}

// promises are what EASY reserved for jobs of one unit when they became the first, by what they request, and how it was kept.
type promises struct {
	slack                    float64
	reserved, overtook, late int // late: after the reservation, in the slack
}

// watch returns a policy over FIFO that fails when a job starts after the end of its slack. It shows a function each job that gets a
// reservation.
func (k *promises) watch(p *central.Scheduler, filler *easy, see func(first *central.Job)) policy.Scheduler {
	promised := map[policy.JobID]policy.Time{}
	latest := policy.JobID(0)
	return watch{p, func(ev *policy.Event, actions []policy.Action) error {
		for _, a := range actions {
			if a.Kind != policy.Start {
				continue
			}
			if at, ok := promised[a.Copy.Job]; ok && ev.Time > at {
				k.late++
				end := at.Add(policy.Duration(k.slack * float64(p.View().Job(a.Copy.Job).Job.Requested)))
				if ev.Time > end {
					return fmt.Errorf("job %d starts at %v, and was promised %v with a slack until %v", a.Copy.Job, ev.Time.Seconds(), at.Seconds(), end.Seconds())
				}
			}
			if a.Copy.Job < latest {
				k.overtook++
			}
			latest = max(latest, a.Copy.Job)
		}
		if r := filler.reserved; r.job != 0 && promised[r.job] == 0 {
			promised[r.job] = r.at
			k.reserved++
			see(p.View().Job(r.job))
		}
		return nil
	}}
}

// waitingJobs is the story of n jobs of so many tasks that come while all is busy, and of
// one core that is then there.
func waitingJobs(n int, tasks uint32) (story []policy.Event) {
	for id := policy.JobID(1); id <= policy.JobID(n); id++ {
		c := policy.Copy{Task: policy.Task{Job: id}}
		story = append(story,
			policy.Event{Kind: policy.Submitted, Copy: c, Job: &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}}},
			policy.Event{Kind: policy.Ready, Copy: c})
	}
	return append(story, policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
}

// same is a truth in which all tasks run for the same time.
type same policy.Duration

func (d same) Runtime(policy.Copy) (policy.Duration, bool) { return policy.Duration(d), true }

func must[P any](p P, err error) P {
	if err != nil {
		panic(err)
	}
	return p
}

// fickle is a forecast that changes at random with events about a job. Often it knows nothing of a stage.
type fickle struct {
	rng     *rand.Rand
	jobs    policy.Table[policy.JobID, []float64] // by stage: the median, s, 0 if it knows nothing
	changes int                                   // of stages of which something runs
}

// forecasts returns two forecasts that say the same: none at all, or, for every second four seeds, fickle ones.
func forecasts(seed uint64) (a, b central.Forecast) {
	if seed/4%2 == 0 {
		return nil, nil
	}
	return &fickle{rng: rand.New(rand.NewPCG(seed, 9))}, &fickle{rng: rand.New(rand.NewPCG(seed, 9))}
}

func (*fickle) Bind(central.Books) error { return nil }

func (f *fickle) Note(ev *policy.Event, j *central.Job) error {
	switch {
	case j == nil:
	case ev.Kind == policy.Ended:
		f.jobs.Delete(j.Job.ID)
	case ev.Kind == policy.Submitted:
		stages := make([]float64, len(j.Stages))
		f.jobs.Put(j.Job.ID, &stages)
		for i := range stages {
			stages[i] = f.draw()
		}
	case f.rng.IntN(3) == 0:
		stages := *f.jobs.Get(j.Job.ID)
		i := f.rng.IntN(len(stages))
		stages[i] = f.draw()
		if j.Cores > 0 {
			f.changes++
		}
	}
	return nil
}

func (f *fickle) draw() float64 {
	return []float64{0, 0, 0.001, 1, 3.5, 8, 20, 40, math.Inf(1)}[f.rng.IntN(9)]
}

func (f *fickle) Runtime(j *central.Job, stage uint32) (central.Distribution, bool) {
	x := (*f.jobs.Get(j.Job.ID))[stage]
	return twice(x), x > 0
}

// twice is a distribution: half of x, x, twice and four times that, with probabilities 2/8, 3/8, 2/8 and 1/8, so that x is the median.
type twice float64

func (d twice) Mean() float64 { return math.NaN() }

func (d twice) CDF(x float64) float64 {
	switch {
	case x < float64(d)/2:
		return 0
	case x < float64(d):
		return 0.25
	case x < 2*float64(d):
		return 0.625
	case x < 4*float64(d):
		return 0.875
	}
	return 1
}

func (d twice) Quantile(p float64) float64 {
	switch {
	case p <= 0.25:
		return float64(d) / 2
	case p <= 0.625:
		return float64(d)
	case p <= 0.875:
		return 2 * float64(d)
	}
	return 4 * float64(d)
}

// staged adds a stage to some jobs, which reads the first or is ready when that is.
func staged(jobs []*workload.Job) []*workload.Job {
	for i, j := range jobs {
		if i%3 > 0 {
			continue
		}
		stage := policy.Stage{Tasks: uint32(1 + i%5), Cores: 1, Gang: i%4 == 0}
		if i%2 == 0 {
			stage.Reads = []policy.Dep{{Stage: 0}}
		}
		runtimes := make([]policy.Duration, stage.Tasks)
		for k := range runtimes {
			runtimes[k] = policy.Duration(1+(i+5*k)%9) * s
		}
		j.Stages, j.Runtimes = append(j.Stages, stage), append(j.Runtimes, runtimes)
	}
	return jobs
}
