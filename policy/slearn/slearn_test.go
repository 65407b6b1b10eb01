package slearn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/estimate"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// What GS and its forecasts promise.
func TestPromises(t *testing.T) {
	t.Run("GS starts what its definition says", againstDefinition)
	t.Run("pilots go first, and the other tasks when these have told", pilotsFirst)
	t.Run("a job has the mean of its pilots times the cores of all tasks", samplingEstimates)
	t.Run("pilots that give no estimate leave their job to go by attained service", noEstimate)
	t.Run("after a restart, pilots that ran or are finished need not run again", pilotsAfterRestart)
	t.Run("history learns only from jobs that ended well, and thin jobs bypass", historyLearnsFromWhatIsDone)
	t.Run("the adaptive ratio is that of Fig. 4, whatever completion times come, in any order", ratioByHand)
}

const s = time.Second

// bag makes a job of one-core tasks.
var bag = jobtest.Bag

// plans is an Estimator that does as it is told.
type plans func(j *policy.Job) Plan

func (p plans) Plan(j *policy.Job, _ policy.Time) (Plan, error) { return p(j), nil }

func (p plans) Work(j *policy.Job, _ policy.Time, pilots []float64) float64 {
	return mean(pilots) * width(j)
}

func (p plans) Ended(*policy.Job, Record) error { return nil }

func mean(list []float64) (m float64) {
	for _, x := range list {
		m += x / float64(len(list))
	}
	return m
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

// mixed makes jobs of all sorts: some wide, many short, a few long, some with a second stage,
// which may be a gang.
func mixed(seed uint64, jobs int) (list []*workload.Job, plan plans) {
	rng := rand.New(rand.NewPCG(seed, 7))
	now := 0.0
	all := make(map[policy.JobID]Plan)
	for i := range policy.JobID(jobs) {
		id := i + 1
		if seed%2 == 0 {
			id = policy.JobID(jobs) - i // in which order of submission and of IDs differ
		}
		now += rng.ExpFloat64() * 6
		tasks := 1 + rng.IntN(12)
		scale := math.Exp(1.5 * rng.NormFloat64())
		runtimes := make([]policy.Duration, tasks)
		work := 0.0
		for i := range runtimes {
			runtimes[i] = policy.Duration(1e9 * scale * (0.5 + rng.Float64()))
			work += runtimes[i].Seconds()
		}
		j := bag(id, policy.Duration(now*1e9), runtimes...)
		j.Stages[0].Cores = int32(1 + rng.IntN(3))
		j.Stages[0].Memory = int64(rng.IntN(4))
		if rng.IntN(4) == 0 {
			second := policy.Stage{Tasks: uint32(1 + rng.IntN(4)), Cores: 1, Gang: rng.IntN(2) == 0, Reads: []policy.Dep{{}}}
			j.Stages = append(j.Stages, second)
			j.Runtimes = append(j.Runtimes, slices.Repeat([]policy.Duration{policy.Duration(1e9 * scale)}, int(second.Tasks)))
			work += float64(second.Tasks) * scale
		}
		list = append(list, j)
		switch rng.IntN(5) {
		case 0:
			all[id] = Plan{Work: work * float64(j.Stages[0].Cores)}
		case 1:
			all[id] = Plan{Bypass: true}
		case 2:
			all[id] = Plan{When: Never}
		default:
			n := 1 + rng.IntN(min(tasks, 4))
			all[id] = Plan{When: Later, Pilots: n, Tasks: rng.Perm(tasks)[:n]}
		}
	}
	return list, func(j *policy.Job) Plan { return all[j.ID] }
}

// troubled is a cluster of sixteen cores with memory for most, on which copies fail, jobs are
// cancelled and, if it has several nodes, these are lost.
func troubled(seed uint64, jobs []*workload.Job) sim.Config {
	rng := rand.New(rand.NewPCG(seed, 8))
	js, truth := workload.Split(jobs)
	c := sim.Config{Jobs: js, Truth: truth, Faults: sim.Faults{Seed: seed, TaskFailure: 0.05}}
	for range len(jobs) / 10 {
		j := jobs[rng.IntN(len(jobs))]
		c.Faults.Cancels = append(c.Faults.Cancels, sim.Cancel{Job: j.ID, At: j.Submitted.Add(policy.Duration(rng.ExpFloat64() * 1e10))})
	}
	c.Nodes = sim.Cluster(sim.Partition{Nodes: 1, Cores: 16})
	if seed%2 == 1 {
		c.Nodes = sim.Cluster(sim.Partition{Nodes: 2, Cores: 5, Memory: 9, Speed: 1.7}, sim.Partition{Nodes: 2, Cores: 3, Memory: 6, Speed: 0.3})
		c.Faults.MeanUp, c.Faults.MeanDown = 200*s, 10*s
		c.Delay = policy.Duration(seed%3) * s / 4
	}
	return c
}

func userJob(id policy.JobID, user string, tasks uint32) *policy.Job {
	return &policy.Job{ID: id, Attrs: []policy.Attr{{Name: "user", Value: user}}, Stages: []policy.Stage{{Tasks: tasks, Cores: 2}}}
}

func moments(runtimes ...float64) (m estimate.Moments) {
	for _, x := range runtimes {
		if err := m.Add(x); err != nil {
			panic(err)
		}
	}
	return m
}

// learn teaches an estimator a job by the runtimes of its tasks in seconds.
func learn(e Estimator, j *policy.Job, runtimes ...float64) error {
	var list []policy.Duration
	for _, x := range runtimes {
		list = append(list, policy.Duration(x*1e9))
	}
	return NewForecast(e).Learn(j, list, 0)
}

func newHistory(c HistoryConfig) *History {
	c.Predictor = jobtest.Must(predict.New(predict.Config{Features: []string{"user"}}))
	return jobtest.Must(NewHistory(c))
}
