package baseline

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// classes is a heavy-tailed workload, cut into short jobs and long ones.
type classes struct {
	jobs   []*workload.Job
	cutoff policy.Duration
	nodes  int     // of one core
	share  float64 // of the work in long jobs
	short  map[policy.JobID]bool
}

// newClasses sizes a cluster of one-core nodes for a load. A tenth of the jobs is long.
func newClasses(t testing.TB, g workload.HeavyTail, load float64) *classes {
	t.Helper()
	source, err := g.Source()
	if err != nil {
		t.Fatal(err)
	}
	c := &classes{short: map[policy.JobID]bool{}}
	var means []policy.Duration
	for j, err := range source {
		if err != nil {
			t.Fatal(err)
		}
		c.jobs = append(c.jobs, j)
		means = append(means, meanTask(j))
	}
	slices.Sort(means)
	c.cutoff = means[len(means)*9/10]
	work, long := 0.0, 0.0
	for _, j := range c.jobs {
		c.short[j.ID] = meanTask(j) < c.cutoff
		work += j.Work()
		if !c.short[j.ID] {
			long += j.Work()
		}
	}
	span := c.jobs[len(c.jobs)-1].Submitted.Seconds()
	c.nodes, c.share = int(work/span/load), long/work
	return c
}

func meanTask(j *workload.Job) (mean policy.Duration) {
	for _, d := range j.Runtimes[0] {
		mean += d / policy.Duration(len(j.Runtimes[0]))
	}
	return mean
}

// run returns the completion times of the short jobs and of the long ones, sorted, in
// seconds.
func (c *classes) run(t testing.TB, make func(policy.Truth) (policy.Scheduler, error)) (short, long []float64) {
	t.Helper()
	jobs, truth := workload.Split(c.jobs)
	p, err := make(truth)
	if err != nil {
		t.Fatal(err)
	}
	r, err := sim.Run(t.Context(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: c.nodes, Cores: 1}), Jobs: jobs, Truth: truth, Delay: time.Millisecond / 2,
	}, p)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Jobs {
		j := &r.Jobs[i]
		if !j.Done() {
			t.Fatalf("job %d ended as %v", j.ID, j.Outcome)
		}
		if c.short[j.ID] {
			short = append(short, j.JCT().Seconds())
		} else {
			long = append(long, j.JCT().Seconds())
		}
	}
	slices.Sort(short)
	slices.Sort(long)
	return short, long
}

func at(sorted []float64, percent int) float64 { return sorted[(len(sorted)-1)*percent/100] }

func seeded() rand.Source { return rand.NewPCG(1, 2) }

func (c *classes) sparrow(policy.Truth) (policy.Scheduler, error) {
	return NewSparrow(SparrowConfig{Src: seeded()})
}

func (c *classes) hawk(truth policy.Truth) (policy.Scheduler, error) {
	return NewHawk(HawkConfig{Src: seeded(), Estimate: MeanRuntime(truth), Cutoff: c.cutoff, LongShare: c.share})
}

func (c *classes) eagle(truth policy.Truth) (policy.Scheduler, error) {
	return NewEagle(EagleConfig{Src: seeded(), Estimate: MeanRuntime(truth), Cutoff: c.cutoff, LongShare: c.share})
}

func (c *classes) bigC(truth policy.Truth) (policy.Scheduler, error) {
	return NewBigC(BigCConfig{Estimate: MeanRuntime(truth), Cutoff: c.cutoff})
}

// At high load short jobs end sooner under Eagle than under Sparrow, where they wait behind
// long ones: as published (Eagle, section 5). The nodes are divided by the work of the classes.
//
// The slowest are nearly level at load 0.9: the 99th percentile is 932 s against 941 s. It is
// the limit on overtaking that costs so much: with none it is 548 s.
func TestShortJobsUnderEagleAndSparrow(t *testing.T) {
	g := workload.DefaultHeavyTail()
	g.Swing = 0
	for _, test := range []struct {
		load     float64
		percents []int
	}{{0.7, []int{50, 90, 99}}, {0.8, []int{50, 90, 99}}, {0.9, []int{50, 90, 99}}} {
		c := newClasses(t, g, test.load)
		eagle, _ := c.run(t, c.eagle)
		sparrow, _ := c.run(t, c.sparrow)
		for _, p := range test.percents {
			if e, s := at(eagle, p), at(sparrow, p); !(e < s) {
				t.Errorf("load %v: percentile %d of short jobs is %.1f s under Eagle, want less than Sparrow's %.1f s", test.load, p, e, s)
			}
		}
	}
}
