package probing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

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
	return NewSparrow(Config{Src: seeded()})
}

func (c *classes) hawk(truth policy.Truth) (policy.Scheduler, error) {
	return NewHawk(Config{Src: seeded(), Estimate: MeanRuntime(truth), Cutoff: c.cutoff, LongShare: c.share})
}

func (c *classes) eagle(truth policy.Truth) (policy.Scheduler, error) {
	return NewEagle(Config{Src: seeded(), Estimate: MeanRuntime(truth), Cutoff: c.cutoff, LongShare: c.share})
}

func (c *classes) bigC(truth policy.Truth) (policy.Scheduler, error) {
	return NewBigC(BigCConfig{Estimate: MeanRuntime(truth), Cutoff: c.cutoff})
}

// singly is Sparrow with one probe a task, so that nothing is bound late.
func (c *classes) singly(policy.Truth) (policy.Scheduler, error) {
	return NewSparrow(Config{Src: seeded(), ProbeRatio: 1})
}

// Short jobs end sooner under Eagle than under Hawk, sooner under Hawk than under Sparrow, where they wait behind long
// ones, and sooner under Sparrow than with one probe a task: as published ("at most percentiles", as Eagle's abstract
// says). The nodes are divided by the work of the classes.
//
// One workload tells little: of ten with 5,000 jobs and load 0.9, Eagle's 99th percentile is 93 % below Sparrow's in one
// and 52 % above it in another. So what is compared is by how many per cent the first is below the second on the same
// jobs; the mean of ten must be above half the width of its 95 % interval, wherever it is so by a quarter both with 2,000
// jobs and with 5,000:
//
//	                        2,000 jobs, as here           5,000 jobs
//	load                    P50      P90      P99         P50      P90      P99
//	0.7  Eagle, Sparrow     63 ± 9   66 ± 10  40 ± 23     69 ± 8   75 ± 9   55 ± 27
//	0.7  Hawk, Sparrow      43 ± 7   42 ± 12  32 ± 19     47 ± 6   53 ± 16  36 ± 22
//	0.7  Sparrow, one each  78 ± 6   76 ± 11  80 ± 6      84 ± 5   77 ± 12  81 ± 8
//	0.9  Eagle, Sparrow     83 ± 7   62 ± 21  36 ± 24     89 ± 4   63 ± 29  33 ± 33
//	0.9  Eagle, Hawk        58 ± 11  47 ± 21  20 ± 19     69 ± 8   50 ± 22  27 ± 18
//	0.9  Hawk, Sparrow      61 ± 11  29 ± 17  19 ± 24     64 ± 9   37 ± 24  15 ± 27
//
// So at load 0.9 it is open whether the slowest of the short jobs gain over Sparrow. The limit on overtaking costs
// them most: without it, under Eagle, they end 50 ± 34 % sooner than under Sparrow, with 5,000 jobs.
func TestShortJobsByClass(t *testing.T) {
	if testing.Short() {
		t.Skip("runs 70 simulations")
	}
	type maker = func(*classes, policy.Truth) (policy.Scheduler, error)
	policies := map[string]maker{
		"Eagle": (*classes).eagle, "Hawk": (*classes).hawk, "Sparrow": (*classes).sparrow, "one probe a task": (*classes).singly,
	}
	const workloads, student = 10, 2.262 // of 9 degrees of freedom, for 95 %
	g := workload.DefaultHeavyTail()
	g.Swing, g.Jobs = 0, 2000
	for _, load := range []struct {
		of    float64
		pairs []comparison
	}{
		{0.7, []comparison{
			{"Eagle", "Sparrow", []int{50, 90, 99}},
			{"Hawk", "Sparrow", []int{50, 90, 99}},
			{"Sparrow", "one probe a task", []int{50, 90, 99}},
		}},
		{0.9, []comparison{
			{"Eagle", "Sparrow", []int{50, 90}},
			{"Eagle", "Hawk", []int{50, 90}},
			{"Hawk", "Sparrow", []int{50, 90}},
		}},
	} {
		short := map[string][][]float64{} // by policy and workload
		for g.Seed = 1; g.Seed <= workloads; g.Seed++ {
			c := newClasses(t, g, load.of)
			for name, p := range policies {
				if !slices.ContainsFunc(load.pairs, func(p comparison) bool { return p.first == name || p.second == name }) {
					continue
				}
				s, _ := c.run(t, func(truth policy.Truth) (policy.Scheduler, error) { return p(c, truth) })
				short[name] = append(short[name], s)
			}
		}
		for _, pair := range load.pairs {
			for _, percent := range pair.percents {
				var below []float64
				for i, first := range short[pair.first] {
					below = append(below, 100*(1-at(first, percent)/at(short[pair.second][i], percent)))
				}
				mean, sd := stat.MeanStdDev(below, nil)
				if half := student * sd / math.Sqrt(workloads); !(mean > half) {
					t.Errorf("load %v: percentile %d of short jobs under %s is below that under %s by %.1f ± %.1f %%, want all of that above 0 %%",
						load.of, percent, pair.first, pair.second, mean, half)
				}
			}
		}
	}
}

// comparison is of percentiles under two policies.
type comparison struct {
	first, second string
	percents      []int
}
