package kairos_test

import (
	"context"
	"testing"

	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// TestCostOfCentres logs what it costs that several centres do not know what the others have
// just sent, in completion times relative to those with one centre. The comment of Scheduler has
// the figures with -full.
func TestCostOfCentres(t *testing.T) {
	nodes, jobs := 100, 300
	if *full {
		nodes, jobs = 500, 10_000
	}
	run := func(centres int, gossip float64) *sim.Result {
		t.Helper()
		c := kairos.DefaultConfig()
		c.Node.Quantum, c.Central.Queue = seconds(100), 2
		c.Centres, c.Gossip, c.KeepAlive = centres, seconds(gossip), seconds(600)
		scheduler, err := kairos.NewScheduler(c)
		if err != nil {
			t.Fatal(err)
		}
		visible, truth := workload.SplitSource(trace(nodes, jobs))
		r, err := sim.Run(context.Background(), sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: nodes, Cores: 1}), Jobs: visible, Truth: truth, Delay: 500e3,
		}, scheduler)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one := run(1, 0)
	shared := map[int]float64{}
	t.Log("centres gossip | of all: mean median | job by job: mean p90")
	for _, c := range []struct {
		centres int
		gossip  float64
	}{{2, 0}, {4, 0}, {16, 0}, {2, 10}, {4, 10}, {16, 10}} {
		r := run(c.centres, c.gossip)
		cost := sim.Compare(r, one)
		if cost.Jobs != jobs {
			t.Errorf("%d centres: %d of %d jobs are done", c.centres, cost.Jobs, jobs)
		}
		median := r.Metrics().P50JCT / one.Metrics().P50JCT
		t.Logf("%7d %5.0fs | %12.3f %6.3f | %16.3f %.3f", c.centres, c.gossip, cost.RatioOfMeans, median, cost.MeanRatio, cost.P90Ratio)
		if c.gossip == 0 {
			shared[c.centres] = cost.MeanRatio
		} else if cost.MeanRatio < shared[c.centres] {
			t.Errorf("%d centres: jobs take %v times as long as with one if they gossip, and %v times if they share", c.centres, cost.MeanRatio, shared[c.centres])
		}
	}
}
