package probing

import (
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Short tasks of up to a minute have all cores if they want them.
func bigC(t *testing.T) {
	for _, test := range []struct {
		name        string
		share       float64
		cores       int32
		jobs        []*workload.Job
		want        []time.Duration // completion times
		preemptions int
	}{
		// A task of job 1 stands still for 10 s, and goes on with the work it had.
		{"work is kept", 1, 2, []*workload.Job{bagOf(1, 0, 100, 2), bagOf(2, 10, 10, 1)}, []time.Duration{110 * s, 10 * s}, 1},
		{"long jobs use what is left", 1, 4, []*workload.Job{bagOf(1, 0, 100, 4)}, []time.Duration{100 * s}, 0},
		// One core is the long job's own: the second short task waits for the first.
		{"long jobs keep their share", 0.5, 2, []*workload.Job{bagOf(1, 0, 100, 2), bagOf(2, 10, 10, 2)}, []time.Duration{120 * s, 20 * s}, 1},
		// At 10 s one of two cores goes to the long job, which has none.
		{"long jobs get their share", 0.5, 2, []*workload.Job{bagOf(1, 0, 10, 4), bagOf(2, 1, 100, 1)}, []time.Duration{30 * s, 109 * s}, 0},
		{"short jobs go first", 1, 1, []*workload.Job{bagOf(1, 0, 10, 1), bagOf(2, 1, 100, 1), bagOf(3, 2, 10, 1)}, []time.Duration{10 * s, 119 * s, 18 * s}, 0},
		{"short jobs are not preempted", 1, 1, []*workload.Job{bagOf(1, 0, 50, 1), bagOf(2, 1, 1, 1)}, []time.Duration{50 * s, 50 * s}, 0},
		{"a wide task makes room for itself", 1, 2, []*workload.Job{bagOf(1, 0, 100, 2), wide(bagOf(2, 10, 10, 1), 2)}, []time.Duration{110 * s, 10 * s}, 2},
		// Two of four cores are the long job's own, and the short task needs three.
		{"a wide task waits for what is not its share", 0.5, 4, []*workload.Job{bagOf(1, 0, 100, 4), wide(bagOf(2, 10, 10, 1), 3)}, []time.Duration{100 * s, 100 * s}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := jobtest.Must(NewBigC(BigCConfig{Estimate: asRequested, Cutoff: 61 * s, ShortShare: test.share}))
			r := runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: test.cores})}, test.jobs, p)
			preemptions := 0
			for i, j := range r.Jobs {
				preemptions += j.Preemptions
				if j.JCT() != test.want[i] {
					t.Errorf("job %d took %v, want %v", j.ID, j.JCT(), test.want[i])
				}
				if j.Wasted != 0 {
					t.Errorf("job %d lost %v core-seconds of work, want none", j.ID, j.Wasted)
				}
			}
			if preemptions != test.preemptions {
				t.Errorf("%d copies were suspended, want %d", preemptions, test.preemptions)
			}
		})
	}
}

func wide(j *workload.Job, cores int32) *workload.Job {
	j.Stages[0].Cores = cores
	return j
}

// The task that was started last stands still: that of job 2.
func TestBigCPreemptsWhatStartedLast(t *testing.T) {
	p := jobtest.Must(NewBigC(BigCConfig{Estimate: asRequested, Cutoff: 61 * s}))
	jobs := []*workload.Job{bagOf(1, 0, 100, 1), bagOf(2, 1, 100, 1), bagOf(3, 2, 10, 1)}
	r := runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2})}, jobs, p)
	if got := [...]int{r.Jobs[0].Preemptions, r.Jobs[1].Preemptions}; got != [...]int{0, 1} {
		t.Errorf("the long jobs were preempted %v times, want [0 1]", got)
	}
}

// A Start that is on its way while its node is lost and comes back is carried out there, and BigC's
// counts are those of the node.
func TestBigCStartsOnANodeThatIsBack(t *testing.T) {
	for name, cutoff := range map[string]policy.Duration{"short": 100 * s, "long": s} {
		jobs := bagOf(1, 0, 10, 2)
		js, err := truthOf([]*workload.Job{jobs})
		if err != nil {
			t.Fatal(err)
		}
		p := jobtest.Must(NewBigC(BigCConfig{Estimate: MeanRuntime(js), Cutoff: cutoff}))
		config := sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}), Delay: 2 * s,
			Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: policy.Time(s / 2), For: s / 2}}},
		}
		r := runtest.Run(t, config, []*workload.Job{jobs}, p)
		if n := p.nodes[1]; n.free != 2 || n.running != 0 || p.used != [2]int64{} {
			t.Errorf("%s: %d cores are free, %d run, %v are used, want 2, 0 and none", name, n.free, n.running, p.used)
		}
		if r.Jobs[0].Copies != 2 {
			t.Errorf("%s: %d copies, want 2: the Starts were to arrive after the node was back", name, r.Jobs[0].Copies)
		}
	}
}

func TestBigCConfig(t *testing.T) {
	for _, test := range []struct {
		config BigCConfig
		want   string
	}{
		{BigCConfig{Cutoff: 1}, "BigCConfig.Estimate is nil"},
		{BigCConfig{Estimate: asRequested}, "BigCConfig.Cutoff is 0s"},
		{BigCConfig{Estimate: asRequested, Cutoff: 1, ShortShare: 1.5}, "BigCConfig.ShortShare is 1.5, want above 0, at most 1"},
	} {
		if _, err := NewBigC(test.config); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("the error is %v, want one with %q", err, test.want)
		}
	}
}
