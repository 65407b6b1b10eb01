package central_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A counted forecast counts how often it is asked. What a stage takes depends on its number and, if grows is set, on how
// much of it has finished.
type counted struct {
	central.Forecast
	grows bool
	n     int
}

func (c *counted) Runtime(j *central.Job, stage uint32) (central.Distribution, bool) {
	c.n++
	return forecast.Known(c.mean(j, stage)), true
}

func (c *counted) mean(j *central.Job, stage uint32) float64 {
	if c.grows {
		return 1 + 3*float64(j.Stages[stage].Finished)
	}
	return 1 + float64(stage%7)
}

type fixed struct{ *counted }

func (fixed) Fixed() bool { return true }

type alike struct{ *counted }

func (alike) Alike(j *central.Job, stage uint32) bool { return j.Stages[stage].Finished == 0 }

// An auditor is FIFO, and holds Work and Left to sums over all stages at each Update.
type auditor struct {
	central.Order
	t       *testing.T
	of      *counted
	books   central.Books
	updates int
}

func (a *auditor) Bind(b central.Books) error {
	a.books = b
	return a.Order.Bind(b)
}

func (a *auditor) Update(j *central.Job, u central.Usage) {
	a.Order.Update(j, u)
	a.updates++
	work, left := 0.0, 0.0
	for i := range j.Stages {
		s := &j.Job.Stages[i]
		work += a.of.mean(j, uint32(i)) * float64(s.Cores) * float64(s.Tasks)
		left += a.of.mean(j, uint32(i)) * float64(s.Cores) * float64(s.Tasks-j.Stages[i].Finished)
	}
	if got, ok := a.books.Work(j); !ok || math.Abs(got-work) > 1e-9*work {
		a.t.Errorf("the work of job %d is %v, %v, want %v", j.Job.ID, got, ok, work)
	}
	if got, ok := a.books.Left(j); !ok || math.Abs(got-left) > 1e-9*(1+work) {
		a.t.Errorf("of job %d %v is left, %v, want %v", j.Job.ID, got, ok, left)
	}
}

// Work and Left are sums over all stages, and an event does not ask about all of them again.
func TestWork(t *testing.T) {
	const stages = 300
	j := &workload.Job{Job: policy.Job{ID: 1}}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range stages {
		s := policy.Stage{Tasks: 1 + rng.Uint32N(3), Cores: 1 + rng.Int32N(3)}
		if i > 10 && rng.IntN(2) > 0 {
			s.Reads = []policy.Dep{{Stage: rng.Uint32N(uint32(i))}}
		}
		j.Stages = append(j.Stages, s)
		j.Runtimes = append(j.Runtimes, make([]policy.Duration, s.Tasks))
		for k := range j.Runtimes[i] {
			j.Runtimes[i][k] = policy.Duration(second) * policy.Duration(1+rng.IntN(9))
		}
	}
	for _, test := range []struct {
		name  string
		grows bool
		of    func(c *counted) central.Forecast
		most  int // of the calls of Runtime, for each Update
	}{
		{"fixed", false, func(c *counted) central.Forecast { return fixed{c} }, 2},
		{"alike", true, func(c *counted) central.Forecast { return alike{c} }, 40}, // about those that run in part
		{"neither", true, func(c *counted) central.Forecast { return c }, 2 * stages},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &counted{Forecast: forecast.Nothing(), grows: test.grows}
			a := &auditor{Order: baseline.FIFO(), t: t, of: c}
			p := jobtest.Must(central.New(central.Config{Turn: a, Forecast: test.of(c)}))
			jobs, truth := workload.SplitSource(workload.Of([]*workload.Job{j}))
			if _, err := sim.Run(t.Context(), sim.Config{
				Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 4, Speed: 1}), Jobs: jobs, Truth: truth, MaxFailures: 100,
				Faults: sim.Faults{Seed: 1, TaskFailure: 0.1},
			}, p); err != nil {
				t.Fatal(err)
			}
			if c.n > test.most*a.updates {
				t.Errorf("%d Updates asked about %d stages, want at most %d each", a.updates, c.n, test.most)
			}
		})
	}
}
