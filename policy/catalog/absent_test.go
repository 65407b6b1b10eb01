package catalog

import (
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// bag returns a job of like tasks that come at once.
func bag(id policy.JobID, at, runtime time.Duration, tasks int, stage policy.Stage) *workload.Job {
	stage.Tasks, stage.Cores = uint32(tasks), max(1, stage.Cores)
	j := &workload.Job{Job: policy.Job{ID: id, Submitted: policy.Time(at), Requested: runtime, Attrs: []policy.Attr{{Name: "user", Value: string(rune('a' + id%3))}}, Stages: []policy.Stage{stage}}}
	j.Runtimes = [][]policy.Duration{make([]policy.Duration, tasks)}
	for i := range j.Runtimes[0] {
		j.Runtimes[0][i] = runtime
	}
	return j
}

// run runs jobs under a spec and returns how they went, by ID.
func run(t *testing.T, spec string, config sim.Config, jobs ...*workload.Job) map[policy.JobID]sim.JobRecord {
	t.Helper()
	l, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	config.Jobs, config.Truth = workload.Split(jobs)
	s, err := l.New(Setting{Truth: config.Truth, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	result, err := sim.Run(t.Context(), config, s)
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	by := make(map[policy.JobID]sim.JobRecord)
	for _, j := range result.Jobs {
		by[j.ID] = j
	}
	return by
}

// What only a node could hold that has left holds up nobody, under any turn: jobs 3 to 7, of a core each, start at once beside 8
// free cores. When the node is back the job runs.
func TestAbsentNodeHoldsUpNobody(t *testing.T) {
	large := sim.Partition{Nodes: 1, Cores: 8, Memory: 200, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 1}}}
	for _, scene := range []struct {
		name  string
		tasks int
		stage policy.Stage
	}{
		{"memory", 1, policy.Stage{Memory: 150}},
		{"cores of one node", 1, policy.Stage{Cores: 6}},
		{"a GPU", 1, policy.Stage{Needs: []policy.Need{{Name: "gpu", Amount: 1000}}}},
		{"a gang", 12, policy.Stage{Gang: true}},
	} {
		for _, name := range append(turns.names(), "fair-easy", "fifo-conservative", "index-easy", "fifo+grass", "fair@kairos", "fair@adaptive") {
			l, err := Parse(name)
			if err != nil || l.Lake() || l.Node != "" && scene.name != "memory" {
				continue
			}
			for _, back := range []time.Duration{0, 1000 * time.Second} {
				if name == "3sigma" && back == 0 {
					continue // its cycles go on until the simulator gives up
				}
				config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 4, Memory: 100}, large)}
				config.Faults.Outages = []sim.Outage{{Node: 3, At: policy.Time(10 * time.Second), For: back}}
				jobs := []*workload.Job{bag(1, 0, 5*time.Second, 1, policy.Stage{}), bag(2, 20*time.Second, 5*time.Second, scene.tasks, scene.stage)}
				for id := policy.JobID(3); id < 8; id++ {
					jobs = append(jobs, bag(id, 30*time.Second, 10*time.Second, 1, policy.Stage{}))
				}
				got := run(t, name, config, jobs...)
				for id := policy.JobID(3); id < 8; id++ {
					if j := got[id]; j.Outcome != policy.Done || j.Ended > policy.Time(60*time.Second) {
						t.Errorf("%s, %s, away for %v: job %d is %v at %v s, want Done by 60 s", scene.name, name, back, id, j.Outcome, j.Ended.Seconds())
					}
				}
				if j := got[2]; (j.Outcome == policy.Done) != (back > 0) || back > 0 && j.Ended > policy.Time(1200*time.Second) {
					t.Errorf("%s, %s, away for %v: job 2 is %v at %v s", scene.name, name, back, j.Outcome, j.Ended.Seconds())
				}
			}
		}
	}
}

// A user has all GPUs for ten hours and another waits for one. Jobs that need cores only do not wait with it.
func TestCoresPassWhatLacksGPUs(t *testing.T) {
	gpu := policy.Stage{Needs: []policy.Need{{Name: "gpu", Amount: 1000}}}
	for _, name := range turns.names() {
		l, err := Parse(name)
		if err != nil || l.Lake() || name == "3sigma" {
			continue
		}
		config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 64, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 8}}})}
		jobs := []*workload.Job{bag(1, 0, 10*time.Hour, 8, gpu), bag(2, time.Minute, time.Minute, 1, gpu), bag(3, time.Minute, time.Minute, 4, gpu)}
		for id := policy.JobID(4); id < 24; id++ {
			jobs = append(jobs, bag(id, 2*time.Minute, time.Minute, 1, policy.Stage{}))
		}
		got := run(t, name, config, jobs...)
		for id := policy.JobID(4); id < 24; id++ {
			if j := got[id]; j.FirstStart > policy.Time(10*time.Minute) {
				t.Errorf("%s: job %d, of a core, starts at %v s, want it at once", name, id, j.FirstStart.Seconds())
			}
		}
		if j := got[2]; j.Ended > policy.Time(11*time.Hour) {
			t.Errorf("%s: job 2 ends at %v s, want it to have a GPU of the first that is free", name, j.Ended.Seconds())
		}
	}
}
