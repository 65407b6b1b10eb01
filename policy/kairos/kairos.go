// Package kairos schedules without any estimate of how long tasks run: Kairos, least attained
// service on every node under a centre that keeps their queues short.
//
// A task that has run for a short time so far is likely to end soon, if runtimes are
// heavy-tailed, and one that has run for long is likely to go on. So each node serves the
// tasks that it holds by least attained service: [Node], Algorithm 1 of the paper, makes a
// new task run at once, in the place of the one that has run the longest, and lets tasks of
// equal service take turns.
//
// LAS works best where short tasks meet long ones, and cannot work for tasks that have not
// come to a node. So the centre, [Central], Algorithm 2, gives nodes a few more tasks than
// they have cores, as many to each, and prefers those whose tasks vary the least so far.
//
// Both are plain types that any host can drive, without the contract of package policy: a
// worker pool needs a Node and no more, if its tasks stop when they are told to (as processes do;
// see examples/nodehost) or after each slice of their work (as goroutines may; see the pool among
// the examples). [Scheduler] is both together behind the contract; start that from
// [DefaultConfig]. For hosts that place tasks themselves, and ask where, there is an [Advisor].
//
// To read it, begin with node.go, and go on with the other files of the Node; then central.go and
// its like, and last scheduler.go, which says who tells whom what.
//
// # Formulae
//
// With A(i) the service that task i has attained up to now, and W the quantum: a task that
// comes takes an idle core, or else that of the running task with the greatest A. When a task
// ends, the suspended one with the least A goes on. At the end of a quantum of task i, the
// suspended task j with the least A takes its core if
//
//	A(j) ≤ A(i)
//
// so that tasks of equal service take turns. A task that has had no service for 3·W goes next.
// The centre sends a task to the node with the least
//
//	tasks - N, then variance of A over its tasks, then ID
//
// of the nodes with fewer than N + Q tasks, for N cores and a queue of Q; else the task waits.
//
// # When not to use it
//
// Where runtimes are known or can be learnt, as from jobs that recur or have many tasks, an
// order by them does without preemption (packages slearn and predict). Where all tasks take
// about as long, those of equal service only delay one another: let them run to their end. It
// is not for services that run for ever, nor for tasks that cannot be suspended or whose
// memory cannot stay meanwhile, nor for gangs and tasks of several cores, which it refuses.
//
// # Cost
//
// An event takes a [Node] O(log n) time for n tasks and cores, and a [Central] O(log m) for
// node IDs up to m; neither allocates in the steady state. A change of task costs the host
// what suspending costs it; there is at most one for each quantum of each core and one for
// each task that comes or ends.
//
// # Source
//
// Kairos: P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Kairos: preemptive data center
// scheduling without runtime estimates", SoCC 2018. Sections and lines of algorithms named in this
// package are those of this paper.
package kairos
