// Package kairos schedules without any estimate of runtimes, on nodes that can suspend tasks: short tasks do not wait
// for long ones. Most callers call [NewAdaptive], which has no parameters:
//
//	scheduler := kairos.NewAdaptive()
//
// and let package host drive it, as examples/nodehost does for processes:
//
//	engine, err := host.Open(host.Config{New: func(string) (policy.Scheduler, error) { return kairos.NewAdaptive(), nil }})
//
// A worker pool on one machine needs only a [Node] (Algorithm 1; set Cores and Quantum), which says which tasks run, and when to
// suspend one for another: example_machine_test.go is such a program.
//
// # The algorithm
//
// If runtimes are heavy-tailed, a task that has run for a short time is likely to end soon, and one that has run for
// long is likely to go on. So each node serves its tasks by least attained service (LAS). Tasks never move to another node, and a
// long queue on one would leave cores idle elsewhere, so the centre keeps the queues of the nodes short.
//
// The paper's Kairos, [NewScheduler], has two algorithms. Algorithm 1, [Node], runs a new task at once, in the place of
// the task that has run longest. When a task has had a core for a quantum W, 50 s, the suspended task with the least service gets
// it, if that has had no more. Algorithm 2, the centre,
// sends each task to the node with the fewest tasks, at most N + Q for N cores, with Q = 4. Ties go to the node whose tasks vary
// least in attained service. W and Q must suit the jobs: jobs with very many tasks fill all places of all nodes, and
// short tasks then wait at the centre; and if W is long compared with short tasks, a preempted short task waits for W.
//
// The adaptive Kairos, [NewAdaptive], has neither W nor Q: the next task is one of the job with the fewest tasks on
// nodes. If no core is idle it may take that of a task which has run for much longer than tasks mostly take. The two share the core:
// they change places when one has had 1.5 times the service of the other, so that no task is on a node for more than 3.5 times
// its runtime. Take it, unless you want the paper's. docs/kairos.md has measurements of both.
//
// # When not to use it
//
// If runtimes are known or can be learnt, because jobs recur or have many tasks, an order by runtimes needs no preemption
// (packages gittins, slearn and predict). If all tasks take about as long, the paper's Kairos only delays them, and the
// adaptive one does as baseline.Fair. Kairos is not for services that run forever, nor for tasks that cannot be suspended or
// whose memory cannot stay meanwhile. It refuses gangs and tasks of several cores.
//
// # Cost
//
// An event of a node takes O(n) time for n tasks and cores, which are few. An event at the centre takes O(log m) time
// for m nodes, and O(m) if their memory is short. Neither allocates in the steady state. A change of task costs the
// host a suspension; there is at most one for each quantum of each core and one for each task that comes or ends.
//
// # The code
//
// algorithm1_node.go, algorithm2_centre.go and order.go are the paper's; adaptive_node.go and adaptive.go are the adaptive
// Kairos. nodes.go and part.go are the two sides of the contract, and message.go has their messages.
//
// # Source
//
// Kairos: P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Kairos: preemptive data center scheduling without runtime
// estimates", SoCC 2018. Sections and lines of algorithms named in this package are those of this paper.
package kairos

import (
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
)

// NewScheduler returns the paper's Kairos behind the contract of package policy: its nodes with first come, first served.
//
// Each task takes one core. Step returns an error for a job with gangs, with tasks of several cores or with named
// resources, and does not take the job. It ignores the partitions that a stage prefers. A node with a memory limit holds
// no more tasks, running or suspended, than it has memory for; further tasks wait there, without having begun. The centre
// considers memory only for tasks that some node could never hold: for these it looks at every node, and while none has a
// place, later jobs wait too.
func NewScheduler(c Config) (*central.Distributed, error) {
	n, err := NewNodes(c)
	if err != nil {
		return nil, err
	}
	return central.NewDistributed(central.Config{Turn: baseline.FIFO(), Node: n})
}
