package main

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"

	"example.com/augur/examples/internal/parts"
	"example.com/augur/policy"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
)

// systemNames returns the names of 3Sigma's systems.
func systemNames() (names []string) {
	for _, s := range threesigma.Systems() {
		names = append(names, s.String())
	}
	return names
}

// rows runs policies and returns the rows of the report, in their order.
func rows(t *testing.T, policies []string, args ...string) (report, []row) {
	t.Helper()
	out, _, err := compare(t, append([]string{"-json", "-policies", strings.Join(policies, ",")}, args...)...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	var r report
	if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Policies) != len(policies) {
		t.Fatalf("%v: %d policies, error %v; want %d", args, len(r.Policies), err, len(policies))
	}
	return r, r.Policies
}

// Each system runs only if it is named.
func TestThreesigmaNames(t *testing.T) {
	for _, name := range systemNames() {
		chosen, err := choose(name)
		if err != nil {
			t.Fatal(err)
		}
		if chosen[0].learn == nil {
			t.Errorf("%s is among all", name)
		}
	}
}

// All systems do all jobs and miss fewer deadlines than first come, first served, where jobs wait; and each does what
// no other does, with one seed or another.
func TestThreesigma(t *testing.T) {
	seeds := []string{"1", "2", "3"}
	if testing.Short() {
		seeds = seeds[:1]
	}
	names := systemNames()
	alike := make(map[[2]string]int)
	for _, seed := range seeds {
		r, rows := rows(t, append([]string{"fifo"}, names...), "-workload", "e2e", "-jobs", "200", "-nodes", "128", "-seed", seed, "-3sigma", "threshold=0.5")
		fifo, rows := rows[0], rows[1:]
		for i, p := range rows {
			if p.Done != r.Jobs || p.Failed != 0 {
				t.Errorf("seed %s: under %s %d jobs are done and %d failed, want %d and none", seed, p.Policy, p.Done, p.Failed, r.Jobs)
			}
			if *p.MissRate >= *fifo.MissRate {
				t.Errorf("seed %s: %s misses %v of the deadlines, fifo %v; want less", seed, p.Policy, *p.MissRate, *fifo.MissRate)
			}
			for _, other := range rows[:i] {
				if *p.MeanJCT == *other.MeanJCT {
					alike[[2]string{other.Policy, p.Policy}]++
				}
			}
		}
	}
	for pair, n := range alike {
		if n == len(seeds) && !testing.Short() {
			t.Errorf("%s and %s do the same", pair[0], pair[1])
		}
	}
}

// Only the systems that go by history learn from the past, each job once.
func TestThreesigmaLearns(t *testing.T) {
	for _, system := range threesigma.Systems() {
		asked := 0
		s := setting{truth: nothing{}, past: func() (workload.Source, error) {
			asked++
			return workload.Of(nil), nil
		}}
		if _, err := underThreesigma(system)(s); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{false: 1}[system == threesigma.Prio || system == threesigma.PointPerfEst]; asked != want {
			t.Errorf("%v asks %d times for the past, want %d", system, asked, want)
		}
	}
}

type nothing struct{}

func (nothing) Runtime(policy.Copy) (policy.Duration, bool) { return 0, false }

// What jobs of the past ran is in the unit of what the scheduler learns of those that end.
func TestMeanUnit(t *testing.T) {
	const s = time.Second
	job := workload.Job{
		Job:      policy.Job{Stages: []policy.Stage{{Tasks: 3, Cores: 1}, {Tasks: 2, Cores: 4, Gang: true}}},
		Runtimes: [][]policy.Duration{{1 * s, 2 * s, 6 * s}, {11 * s, 4 * s}},
	}
	if got, want := parts.MeanUnit(&job), (1.+2+6+11)/4; got != want {
		t.Errorf("the mean is %v s, want %v: three tasks and a gang", got, want)
	}
}

// What -3sigma says reaches the systems: it changes what comes out under those that are named, and nothing where it
// plays no part.
func TestThreesigmaParameters(t *testing.T) {
	if testing.Short() {
		t.Skip("five runs")
	}
	names := []string{"fifo", "3sigma", "point-perf", "3s-prio"}
	means := func(spec string) map[string]float64 {
		means := make(map[string]float64)
		_, rows := rows(t, names, "-workload", "e2e", "-jobs", "150", "-nodes", "128", "-seed", "3", "-3sigma", spec)
		for _, p := range rows {
			means[p.Policy] = *p.MeanJCT
		}
		return means
	}
	before := means("")
	if again := means(threesigmaExample); !maps.Equal(again, before) {
		t.Errorf("%s: %v, want the default's %v", threesigmaExample, again, before)
	}
	for _, test := range []struct{ spec, changes, same string }{
		{"interval=1m", "3sigma point-perf 3s-prio", "fifo"},
		{"candidates=1", "3sigma point-perf 3s-prio", "fifo"},
		{"threshold=1,tail=1s", "3sigma", "fifo point-perf 3s-prio"},
	} {
		after := means(test.spec)
		for name := range strings.FieldsSeq(test.changes) {
			if after[name] == before[name] {
				t.Errorf("%s, %s: mean of %v as without; want another", test.spec, name, after[name])
			}
		}
		for name := range strings.FieldsSeq(test.same) {
			if after[name] != before[name] {
				t.Errorf("%s, %s: mean of %v, %v before; want the same", test.spec, name, after[name], before[name])
			}
		}
	}
}

// The interval is the width of a slot unless another is given.
func TestParseThreesigma(t *testing.T) {
	c, err := parseThreesigma("interval=30s,tail=10m,horizon=2h,late=giveup,preempt=no,slots=12,candidates=7,iterations=9,value=0.5,threshold=0.1")
	want := threesigma.Config{
		Interval: 30 * time.Second, Window: threesigma.Window{Slots: 12},
		Overestimate: threesigma.Overestimate{Threshold: 0.1, Tail: 600},
		BestEffort:   threesigma.BestEffort{Value: 0.5, Horizon: 2 * time.Hour},
		GiveUpLate:   true, NoPreemption: true, Candidates: 7, Iterations: 9,
	}
	same := c.Interval == want.Interval && c.Window == want.Window && c.Overestimate == want.Overestimate && c.BestEffort == want.BestEffort &&
		c.GiveUpLate == want.GiveUpLate && c.NoPreemption == want.NoPreemption && c.Candidates == want.Candidates && c.Iterations == want.Iterations
	if err != nil || !same {
		t.Errorf("got %+v, %v; want %+v", c, err, want)
	}
	if c, err := parseThreesigma("width=1500ms"); err != nil || c.Window.Width != 1.5 {
		t.Errorf("a width of %v s, %v; want 1.5", c.Window.Width, err)
	}
}
