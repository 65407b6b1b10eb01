package probing

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A Start that is on its way while its node is lost and comes back is carried out there, and BigC's
// counts are those of the node.
func TestBigCStartsOnANodeThatIsBack(t *testing.T) {
	for name, cutoff := range map[string]policy.Duration{"short": 100 * s, "long": s} {
		jobs := bagOf(1, 0, 10, 2)
		js, err := truthOf([]*workload.Job{jobs})
		if err != nil {
			t.Fatal(err)
		}
		p := must(NewBigC(BigCConfig{Estimate: MeanRuntime(js), Cutoff: cutoff}))
		config := sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}), Delay: 2 * s,
			Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: policy.Time(s / 2), For: s / 2}}},
		}
		r, err := simulate(t, config, []*workload.Job{jobs}, p)
		if err != nil {
			t.Fatal(err)
		}
		if n := &p.nodes[1]; n.free != 2 || n.running != 0 || p.used != [2]int64{} {
			t.Errorf("%s: %d cores are free, %d run, %v are used, want 2, 0 and none", name, n.free, n.running, p.used)
		}
		if r.Jobs[0].Copies != 2 {
			t.Errorf("%s: %d copies, want 2: the Starts were to arrive after the node was back", name, r.Jobs[0].Copies)
		}
	}
}
