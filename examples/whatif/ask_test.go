package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/examples/lab/probing"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
)

const second = policy.Time(time.Second)

func fifo(central.Forecast) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }

// single is a job of one task on one core.
func single(id policy.JobID, submitted policy.Time, d central.Distribution, runs ...Run) Job {
	return Job{&policy.Job{ID: id, Submitted: submitted, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}, d, runs}
}

// exponential is the distribution of a runtime with the given mean.
type exponential float64

func (m exponential) CDF(x float64) float64      { return -math.Expm1(-max(x, 0) / float64(m)) }
func (m exponential) Survival(x float64) float64 { return math.Exp(-max(x, 0) / float64(m)) }
func (m exponential) Mean() float64              { return float64(m) }
func (m exponential) Quantile(p float64) float64 { return -float64(m) * math.Log1p(-p) }

// shifted returns jobs to which all has happened as much later.
func shifted(jobs []Job, by policy.Time) []Job {
	jobs = slices.Clone(jobs)
	for i := range jobs {
		j := &jobs[i]
		spec := *j.Job
		spec.Submitted += by
		j.Job, j.Runs = &spec, slices.Clone(j.Runs)
		for k := range j.Runs {
			j.Runs[k].Started += by
			j.Runs[k].Ended += by
		}
	}
	return jobs
}

func TestKnownRuntimes(t *testing.T) {
	gang := Job{&policy.Job{ID: 3, Submitted: 50 * second, Stages: []policy.Stage{{Tasks: 2, Cores: 1, Gang: true}}}, forecast.Known(10), nil}
	bag := Job{&policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 3, Cores: 1}}}, forecast.Known(60), []Run{
		{Started: 0, Done: true, Ended: 40 * second}, // another runtime than what is left has
		{Index: 1, Started: 40 * second, Node: 1},
	}}
	chain := Job{&policy.Job{ID: 1, Stages: []policy.Stage{
		{Tasks: 1, Cores: 1}, {Tasks: 2, Cores: 1, Reads: []policy.Dep{{Stage: 0}}},
	}}, forecast.Known(35), []Run{
		{Started: 0, Done: true, Ended: 30 * second}, {Stage: 1, Started: 30 * second, Node: 2}, {Stage: 1, Index: 1, Started: 45 * second},
	}}
	for _, test := range []struct {
		name       string
		nodes      int
		jobs       []Job
		ask        policy.JobID
		start, end policy.Time
	}{
		{"behind one that runs", 1, []Job{
			single(1, 0, forecast.Known(100), Run{Started: 20 * second, Node: 1}), single(2, 30*second, forecast.Known(7)),
		}, 2, 120 * second, 127 * second},
		{"one that runs", 1, []Job{
			single(1, 0, forecast.Known(100), Run{Started: 20 * second, Node: 1}),
		}, 1, 20 * second, 120 * second},
		{"in a queue", 2, []Job{
			single(1, 0, forecast.Known(100), Run{Started: 0, Node: 1}), single(2, 0, forecast.Known(90), Run{Started: 0, Node: 2}),
			single(4, 1*second, forecast.Known(50)), single(5, 2*second, forecast.Known(5)), single(6, 3*second, forecast.Known(5)),
		}, 6, 105 * second, 110 * second},
		{"a gang that waits for all nodes", 2, []Job{
			single(1, 0, forecast.Known(100), Run{Started: 0, Node: 1}), single(2, 0, forecast.Known(90), Run{Started: 5 * second, Node: 2}), gang,
		}, 3, 100 * second, 110 * second},
		{"the rest of a bag goes first", 1, []Job{bag, single(2, 30*second, forecast.Known(7))}, 2, 160 * second, 167 * second},
		{"the second stage of a job runs", 2, []Job{chain, single(2, 45*second, forecast.Known(7))}, 2, 65 * second, 72 * second},
		{"now, and there is room", 1, []Job{single(1, 60*second, forecast.Known(7))}, 1, 60*second + 1, 67*second + 1},
		// After 60 s 3Sigma says 10 + (2^3-1)·10 s.
		{"one that has outrun its history", 1, []Job{
			single(1, 0, forecast.Known(10), Run{Started: 0, Node: 1}), single(2, 0, forecast.Known(7)),
		}, 2, 80 * second, 87 * second},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, by := range []policy.Time{0, -60 * second, -1000 * second} { // wherever the epoch is
				s := &State{60*second + by, sim.Cluster(sim.Partition{Nodes: test.nodes, Cores: 1}), shifted(test.jobs, by)}
				got, err := Outlook{Policy: fifo, Samples: 3}.Ask(t.Context(), s, test.ask)
				if err != nil {
					t.Fatal(err)
				}
				want := Answer{slices.Repeat([]policy.Time{test.start + by}, 3), slices.Repeat([]policy.Time{test.end + by}, 3)}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("shifted by %v s: got %v, want %v", by.Seconds(), got, want)
				}
			}
		})
	}
}

// In a state drawn from the distributions that it says, and under FIFO, whose order no later job can change, the
// true start is one more draw of that of the forecast: with 19 of them, as with 99, it is at most their P50 with probability
// 0.5 and at most their P90 with 0.9. The truth is worked out without the simulator.
func TestCoverageOfTrueDistributions(t *testing.T) {
	const cores, seed = 3, 7
	trials := 400
	if testing.Short() {
		trials = 100
	}
	var list []told
	for i := range trials {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		s := &State{Now: 1000 * second, Nodes: sim.Cluster(sim.Partition{Nodes: cores, Cores: 1})}
		var free []float64 // since now, s
		for c := range cores {
			mean, elapsed := exponential(1+100*rng.Float64()), 100*rng.Float64()
			s.Jobs = append(s.Jobs, single(policy.JobID(c+1), 0, mean,
				Run{Node: policy.NodeID(c + 1), Started: s.Now.Add(-policy.Duration(elapsed * 1e9))}))
			free = append(free, mean.Quantile(rng.Float64())) // it has no memory
		}
		var start, end float64
		for w := range 1 + rng.IntN(6) {
			mean := exponential(1 + 100*rng.Float64())
			s.Jobs = append(s.Jobs, single(policy.JobID(cores+w+1), s.Now, mean))
			first := slices.Index(free, slices.Min(free))
			start = free[first]
			end = start + mean.Quantile(rng.Float64())
			free[first] = end
		}
		a, err := Outlook{Policy: fifo, Samples: 19, Seed: rng.Uint64()}.Ask(t.Context(), s, s.Jobs[len(s.Jobs)-1].ID)
		if err != nil {
			t.Fatalf("trial %d: %v", i, err)
		}
		list = append(list, told{Asked: Asked{Answer: a}, start: s.Now.Add(policy.Duration(start * 1e9)), end: s.Now.Add(policy.Duration(end * 1e9))})
	}
	checkCoverage(t, list, seed)
}

func checkCoverage(t *testing.T, list []told, seed uint64) {
	t.Helper()
	o := &outcome{told: list}
	for _, a := range []kind{answerKinds[0], answerKinds[2]} {
		for i, p := range levels {
			checkShare(t, o.cover(a, i, len(list)), p, fmt.Sprintf("seed %d: the true %s came by P%.0f", seed, a.name, 100*p))
		}
	}
}

// checkShare allows three and a half standard deviations, which one count in 2000 exceeds by chance.
func checkShare(t *testing.T, c coverage, p float64, what string) {
	t.Helper()
	n := float64(c.of)
	if d := math.Abs(float64(c.by) - n*p); d > 3.5*math.Sqrt(n*p*(1-p)) {
		t.Errorf("%s in %v of %d, want about %.0f %%", what, c, c.of, 100*p)
	}
	t.Logf("%s: %v of %d", what, c, c.of)
}

func TestAskIsDeterministic(t *testing.T) {
	s := &State{Now: 10 * second, Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: []Job{
		single(1, 0, exponential(100), Run{Started: 0}), single(2, 10*second, exponential(50)),
	}}
	ask := func(seed uint64) Answer {
		a, err := Outlook{Policy: fifo, Seed: seed}.Ask(t.Context(), s, 2)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := ask(1)
	if b := ask(1); !reflect.DeepEqual(a, b) {
		t.Errorf("the same question has two answers, %v and %v", a, b)
	}
	if b := ask(2); reflect.DeepEqual(a, b) {
		t.Errorf("two seeds have the same answer, %v", a)
	}
	if !slices.IsSorted(a.Starts) || !slices.IsSorted(a.Ends) || len(a.Starts) != 99 || len(a.Ends) != 99 {
		t.Errorf("got %d starts and %d ends, or they do not increase, want 99", len(a.Starts), len(a.Ends))
	}
}

func TestAskRefuses(t *testing.T) {
	one := sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})
	fast := sim.Cluster(sim.Partition{Nodes: 1, Cores: 1, Speed: 2})
	known := forecast.Known(5)
	away := single(1, 0, known)
	away.Stages[0].Elsewhere = 2
	reads := single(1, 0, known)
	reads.Inputs = &policy.Inputs{Jobs: []policy.JobID{7}}
	wide := single(1, 0, known)
	wide.Stages[0].Cores = 2
	for _, test := range []struct {
		state State
		want  string
	}{
		{State{Nodes: fast}, "speed 2"},
		{State{Nodes: one}, "not in the state"},
		{State{Nodes: one, Jobs: []Job{away}}, "runs 2 times as long"},
		{State{Nodes: one, Jobs: []Job{reads}}, "without inputs"},
		{State{Nodes: one, Jobs: []Job{wide}}, "not done in the end"},
		{State{Nodes: one, Jobs: []Job{single(1, 0, known, Run{}), single(2, 0, known, Run{})}}, "do not fit"},
		{State{Nodes: one, Jobs: []Job{single(1, 0, forecast.Known(math.NaN()), Run{})}}, "has no values"},
	} {
		if _, err := (Outlook{Policy: fifo, Samples: 1}).Ask(t.Context(), &test.state, 1); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one with %q", err, test.want)
		}
	}
	s := &State{Nodes: one, Jobs: []Job{single(1, 0, known)}}
	for _, test := range []struct {
		f    Outlook
		want string
	}{
		{Outlook{Policy: func(central.Forecast) (policy.Scheduler, error) {
			return nil, fmt.Errorf("no such thing")
		}}, "no such thing"},
		{Outlook{Policy: func(central.Forecast) (policy.Scheduler, error) {
			return probing.NewSparrow(probing.Config{Src: rand.NewPCG(1, 1)})
		}}, "distributed"},
	} {
		if _, err := test.f.Ask(t.Context(), s, 1); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one with %q", err, test.want)
		}
	}
}

func TestQuantile(t *testing.T) {
	list := make([]policy.Time, 99)
	for i := range list {
		list[i] = policy.Time(i + 1)
	}
	for _, test := range []struct {
		p    float64
		want policy.Time
	}{{0.001, 1}, {0.5, 50}, {0.9, 90}, {1, 99}} {
		if got := Quantile(list, test.p); got != test.want {
			t.Errorf("P%v of 1 to 99 is %d, want %d", 100*test.p, got, test.want)
		}
	}
}
