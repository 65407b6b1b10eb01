package probing

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/traces"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// Completion times under Eagle are within 4 % of those that the simulator of its authors has, on the part of Yahoo's
// trace that is whole, 2,895 jobs of 119,483 tasks.
//
// As there, runtimes are cut to whole seconds, and so are the means of the uncut ones, which are the estimates. A
// message takes 0.5 ms. Jobs are long from 90.5811 s on, and 98 % of the nodes are open to them. A task has 2
// probes, a job at least 20, and a probe may be bypassed for 5 times its estimate.
//
// The nodes of that simulator read from memory how many tasks of a job have not started. Nodes that are told of it in
// messages, as ours are, come as near, but for the P90 of short jobs at the load where it is steepest: with a fourth
// more nodes it is 65 s and not 460.
func TestEagleIsAsItsAuthorsHaveIt(t *testing.T) {
	if testing.Short() {
		t.Skip("runs 12 simulations")
	}
	const seeds, near = 2, 0.04
	c, estimate := yahoo(t)
	for _, test := range []struct {
		nodes  int
		theirs [6]float64 // P50, P90 and P99 of short jobs, then of long ones, s
		above  float64    // by how much the P90 of short jobs may be above theirs where nodes are told
	}{
		{4300, [6]float64{22, 65, 424, 916, 2706, 6467}, near},
		{3450, [6]float64{28, 460, 1237, 1340, 2993, 6634}, 0.15},
		{2700, [6]float64{1289, 2142, 2575, 4376, 6172, 10998}, near},
	} {
		for _, reads := range []bool{true, false} {
			t.Run(fmt.Sprintf("nodes=%d/reads=%v", test.nodes, reads), func(t *testing.T) {
				c.nodes = test.nodes
				var ours [6]float64
				for seed := range uint64(seeds) {
					short, long := c.run(t, func(policy.Truth) (policy.Scheduler, error) {
						p, err := NewEagle(Config{Src: rand.NewPCG(seed, 2), Estimate: estimate, Cutoff: c.cutoff, LongShare: 0.98})
						if reads {
							return reader{p}, err
						}
						return p, err
					})
					for i, percent := range []int{50, 90, 99} {
						ours[i] += at(short, percent) / seeds
						ours[3+i] += at(long, percent) / seeds
					}
				}
				for i := range ours {
					most := near
					if !reads && i == 1 {
						most = test.above
					}
					if d := ours[i]/test.theirs[i] - 1; !(d >= -near && d <= most) {
						t.Errorf("percentile %d is %+.1f %% above theirs, want %+.0f to %+.0f %%: %.0f s, theirs %.0f s",
							i, 100*d, -100*near, 100*most, ours, test.theirs)
					}
				}
			})
		}
	}
}

// yahoo returns the jobs, and estimates of their tasks.
func yahoo(t *testing.T) (*classes, Estimator) {
	t.Helper()
	r, err := trace.Open(traces.Path(t, "eagle_format/YH1_sub.tr.gz"), trace.ReaderConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	jobs, err := workload.ReadAll(r.Jobs())
	if err != nil {
		t.Fatal(err)
	}
	if jobs, err = workload.Window(jobs, policy.Time(132_400*s), jobs[len(jobs)-1].Submitted+1); err != nil {
		t.Fatal(err)
	}
	c := &classes{jobs: jobs, cutoff: 90_581_100 * time.Microsecond, short: map[policy.JobID]bool{}}
	means := map[policy.JobID]policy.Duration{}
	for _, j := range jobs {
		means[j.ID] = meanTask(j).Truncate(s)
		c.short[j.ID] = means[j.ID] < c.cutoff
		for i, d := range j.Runtimes[0] {
			j.Runtimes[0][i] = d.Truncate(s)
		}
	}
	return c, func(j *policy.Job) (policy.Duration, bool) { return means[j.ID], true }
}

// A reader is Eagle whose nodes read from memory how many tasks of each job have not started.
type reader struct{ *Scheduler }

func (r reader) Part(n *policy.Node) policy.Scheduler {
	return readingPart{r.Scheduler.Part(n).(*part), r.Scheduler}
}

type readingPart struct {
	*part
	centre *Scheduler
}

func (r readingPart) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	for _, probes := range [][]probe{r.queue.probes, r.held} {
		for i := range probes {
			probes[i].left = 0
			if j := r.centre.view.jobs.Get(probes[i].job); j != nil {
				probes[i].left = uint32(j.Waiting)
			}
		}
	}
	return r.part.Step(ev, actions)
}
