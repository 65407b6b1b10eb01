package journal_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/journal"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A simulation is run under a journal, and then the policy is there again with all that it was told.
func ExampleJournal_Scheduler() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	open := func() *journal.Journal {
		j, err := journal.Open(filepath.Join(dir, "events"), journal.Config{
			New: func(map[string][]byte) (policy.Scheduler, error) { return baseline.NewFIFO(), nil },
		})
		if err != nil {
			log.Fatal(err)
		}
		return j
	}

	j := open()
	jobs, truth := workload.Split([]*workload.Job{{
		Job:      policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}},
		Runtimes: [][]policy.Duration{{time.Second, time.Second}},
	}})
	result, err := sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: jobs, Truth: truth}, j.Scheduler())
	if err != nil {
		log.Fatal(err)
	}
	if err := j.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("the run took", time.Duration(result.End), "and", result.Events, "events")

	j = open()
	events, cut := j.Restored()
	fmt.Printf("%d events restored, %d bytes cut off\n", events, cut)
	if err := j.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// the run took 2s and 8 events
	// 8 events restored, 0 bytes cut off
}
