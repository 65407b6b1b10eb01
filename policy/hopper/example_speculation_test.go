package hopper_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// In each of 600 jobs, one task of four takes 30 s and the others 2 s. If that is because of its input, a copy takes as long and
// never wins: the Speculation soon starts few. If the task straggles, its copy takes 2 s, and each job gets one.
func ExampleSpeculation() {
	for _, straggles := range []bool{false, true} {
		for _, loss := range []float64{math.Inf(1), 0} {
			rule, err1 := hopper.NewGRASS(hopper.GRASSConfig{})
			copies, err2 := hopper.NewSpeculation(hopper.SpeculationConfig{Rule: rule, Period: time.Second, Loss: loss})
			p, err3 := central.New(central.Config{Turn: baseline.FIFO(), Copy: copies})
			if err1 != nil || err2 != nil || err3 != nil {
				log.Fatal(err1, err2, err3)
			}
			var list []*workload.Job
			for i := range 600 {
				j := &workload.Job{
					Job:      policy.Job{ID: policy.JobID(i + 1), Submitted: policy.Time(i) * 40e9, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}},
					Runtimes: [][]policy.Duration{{2e9, 30e9, 2e9, 2e9}},
				}
				if straggles {
					j.Luck = &workload.Luck{Ratios: []float64{1}, Base: []policy.Duration{2e9}}
				}
				list = append(list, j)
			}
			jobs, truth := workload.Split(list)
			result, err := sim.Run(context.Background(), sim.Config{
				Nodes: sim.Cluster(sim.Partition{Nodes: 8, Cores: 1}), Jobs: jobs, Truth: truth,
			}, p)
			if err != nil {
				log.Fatal(err)
			}
			m := result.Metrics()
			fmt.Printf("straggles: %-5v Loss: %-4v %4d copies waste %.1f %% of the service\n", straggles, loss, m.Copies-600*4, 100*m.Wasted/result.Busy)
		}
	}
	// Output:
	// straggles: false Loss: +Inf 4200 copies waste 82.9 % of the service
	// straggles: false Loss: 0      50 copies waste 5.5 % of the service
	// straggles: true  Loss: +Inf  600 copies waste 33.3 % of the service
	// straggles: true  Loss: 0     600 copies waste 33.3 % of the service
}
