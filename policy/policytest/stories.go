package policytest

import (
	"testing"
	"time"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

const s = time.Second

func at(seconds float64) policy.Time { return saturate.To[policy.Time](seconds * 1e9) }

// bag is a job of one stage whose tasks run for the given times.
func bag(id policy.JobID, submitted float64, runtimes ...policy.Duration) *workload.Job {
	return &workload.Job{
		Job: policy.Job{
			ID: id, Submitted: at(submitted),
			Stages: []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: 1}},
		},
		Runtimes: [][]policy.Duration{runtimes},
	}
}

func gang(j *workload.Job) *workload.Job {
	j.Stages[0].Gang = true
	return j
}

// each sets what each task of the job's first stage takes.
func each(j *workload.Job, cores int32, memory int64) *workload.Job {
	j.Stages[0].Cores, j.Stages[0].Memory = cores, memory
	return j
}

// then adds a stage that reads the one before it.
func then(j *workload.Job, pipe bool, runtimes ...policy.Duration) *workload.Job {
	last := uint32(len(j.Stages) - 1)
	j.Stages = append(j.Stages, policy.Stage{
		Tasks: uint32(len(runtimes)), Cores: 1, Reads: []policy.Dep{{Stage: last, Pipe: pipe}},
	})
	j.Runtimes = append(j.Runtimes, runtimes)
	return j
}

func reads(j *workload.Job, wait bool, inputs ...policy.JobID) *workload.Job {
	j.Inputs = &policy.Inputs{Jobs: inputs, Wait: wait}
	return j
}

func jobs(js ...*workload.Job) []*workload.Job { return js }

// story makes a scene on two nodes of two cores, unless change says otherwise.
func story(name string, js func() []*workload.Job, change func(*sim.Config)) testCase {
	return testCase{name, func(_ *testing.T, c *Config) *finding {
		sc := scene{jobs: js(), config: sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 2})}}
		if change != nil {
			change(&sc.config)
		}
		return sc.run(c)
	}}
}

// storyCases are short: what a policy may meet, one thing each, but for what the random scenes find as soon. In all of
// them every job that is not taken back, nor without its input, can finish.
func storyCases() []testCase {
	threeJobs := func() []*workload.Job {
		return jobs(bag(1, 0, 4*s, 4*s, 4*s, 4*s, 4*s, 4*s), bag(2, 1, 3*s, 3*s), bag(3, 2, s))
	}
	return []testCase{
		story("no job", func() []*workload.Job { return nil }, nil),
		story("one task", func() []*workload.Job { return jobs(bag(1, 0, 5*s)) }, nil),
		story("three jobs", threeJobs, nil),
		story("tasks that take no time", func() []*workload.Job { return jobs(bag(1, 0, 0, 0, 0, 0, 0), bag(2, 0, 0), bag(3, 5, 0)) }, nil),
		// Two cores are free, one on each node: a Start of the second job is refused until
		// two of a node are.
		story("free cores on different nodes", func() []*workload.Job {
			return jobs(bag(1, 0, 10*s, s, 10*s, s), each(bag(2, 2, s), 2, 0), bag(3, 30, s))
		}, nil),
		// Cores alone do not decide.
		story("memory runs out", func() []*workload.Job {
			return jobs(each(bag(1, 0, 5*s, 5*s, 5*s), 1, 6), each(bag(2, 1, s, s), 1, 3))
		}, func(c *sim.Config) { c.Nodes = sim.Cluster(sim.Partition{Nodes: 2, Cores: 2, Memory: 8}) }),
		story("node with the data lacks a resource", func() []*workload.Job {
			j := bag(1, 0, s, s)
			j.Stages[0].Needs = []policy.Need{{Name: "gpu", Amount: 1000}}
			j.Stages[0].Holders, j.Stages[0].Elsewhere = []policy.NodeID{1, 1}, 1.5
			return jobs(j)
		}, func(c *sim.Config) { c.Nodes[1].Offers = []policy.Offer{{Name: "gpu", Amount: 1000}} }),
		story("gang", func() []*workload.Job { return jobs(bag(1, 0, 3*s), gang(bag(2, 1, 2*s, s, 2*s, s)), bag(3, 2, s, s)) }, nil),
		story("stages", func() []*workload.Job {
			return jobs(then(then(bag(1, 0, s, 2*s), false, s, s, s), false, s), bag(2, 1, s))
		}, nil),
		story("pipeline that fills the cluster", func() []*workload.Job { return jobs(then(bag(1, 0, 5*s), true, s, s, s, s, s, s)) }, nil),
		story("input lost while its readers take all cores", func() []*workload.Job { return jobs(then(bag(1, 0, 3*s), true, s, s, s)) }, func(c *sim.Config) {
			c.Delay, c.Faults.Outages = s, []sim.Outage{{Node: 1, At: at(1.5)}}
		}),
		story("jobs that read jobs", func() []*workload.Job {
			return jobs(bag(1, 0, 5*s), reads(bag(2, 1, s), true, 1), reads(bag(3, 1, s), false, 1), reads(bag(4, 9, s), true, 1, 3), reads(bag(5, 9, s), false, 2))
		}, nil),

		story("job taken back", threeJobs, func(c *sim.Config) {
			c.Faults.Cancels = []sim.Cancel{{Job: 1, At: at(1)}, {Job: 3, At: at(2)}}
		}),
		story("tasks that fail", threeJobs, func(c *sim.Config) { c.Faults.Seed, c.Faults.TaskFailure = 2, 0.4 }),
		story("node lost under the only task", func() []*workload.Job { return jobs(bag(1, 0, 5*s)) }, func(c *sim.Config) {
			c.Nodes, c.Faults.Outages = c.Nodes[:1], []sim.Outage{{Node: 1, At: at(2), For: s}}
		}),
		story("all nodes lost and back", threeJobs, func(c *sim.Config) {
			c.Faults.Outages = []sim.Outage{{Node: 1, At: at(3), For: 9 * s}, {Node: 2, At: at(3), For: 5 * s}}
		}),
		story("node that comes late", func() []*workload.Job { return jobs(bag(1, 0, s), gang(bag(2, 0, s, s, s, s))) }, func(c *sim.Config) {
			c.Faults.Outages = []sim.Outage{{Node: 2, At: at(0), For: 7 * s}}
		}),
		story("all nodes come late", threeJobs, func(c *sim.Config) {
			c.Faults.Outages = []sim.Outage{{Node: 1, At: at(0), For: 20 * s}, {Node: 2, At: at(0), For: 30 * s}}
		}),
		story("node lost while a start is on its way", threeJobs, func(c *sim.Config) {
			c.Delay = 2 * s
			c.Faults.Outages = []sim.Outage{{Node: 1, At: at(1), For: 10 * s}, {Node: 2, At: at(20), For: s}}
		}),
		story("restarts in a row", threeJobs, func(c *sim.Config) { c.Faults.Restarts = []policy.Time{at(0), at(3), at(3), at(3.5)} }),
		story("restart while a node is gone", threeJobs, func(c *sim.Config) {
			c.Faults.Restarts = []policy.Time{at(4)}
			c.Faults.Outages = []sim.Outage{{Node: 2, At: at(3), For: 5 * s}}
		}),
		story("restart after failures", threeJobs, func(c *sim.Config) {
			c.Faults.Seed, c.Faults.TaskFailure, c.Faults.Restarts = 2, 0.4, []policy.Time{at(2), at(4), at(6)}
		}),
	}
}
