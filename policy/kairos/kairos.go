// Package kairos schedules without any estimate of how long tasks run: Kairos, least attained
// service on every node under a centre that keeps their queues short.
//
// A task that has run for a short time so far is likely to end soon, if runtimes are
// heavy-tailed, and one that has run for long is likely to go on. So each node serves the
// tasks that it holds by least attained service: [Node], Algorithm 1 of the paper, makes a
// new task run at once, in the place of the one that has run the longest, and lets tasks of
// equal service take turns.
//
// A Node is a plain type that any host can drive, without the contract of package policy:
// one worker pool that may suspend its tasks needs no more. Start with [NewNode]. It is not
// for services that run for ever, nor for tasks that cannot be suspended.
//
// # Source
//
// P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Kairos: preemptive data center
// scheduling without runtime estimates", SoCC 2018. Sections and lines of algorithms named
// in this package are those of this paper.
package kairos
