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
// Both are plain types that any host can drive, without the contract of package policy: one
// worker pool that may suspend its tasks needs a Node and no more. [Scheduler] is both
// together behind the contract. It is not for services that run for ever, nor for tasks that
// cannot be suspended.
//
// # Source
//
// P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Kairos: preemptive data center
// scheduling without runtime estimates", SoCC 2018. Sections and lines of algorithms named
// in this package are those of this paper.
package kairos
