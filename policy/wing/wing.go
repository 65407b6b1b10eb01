// Package wing orders jobs by what they are worth to those that read their output. In a data
// lake jobs read what other jobs wrote, and no scheduler is told. Priorities that users set know
// little of it: a job that many wait for may come last. Wing looks up, for each job, the value that
// hangs on it and all that follows from it, by what the log of the past says.
//
// A [Scheduler] is the policy: queues of organisations that share the cluster, a job that is first in
// its queue if its priority is greatest, and gangs that start whole or not at all. What the
// priority is, a [Ranker] says:
//
//   - [ByPriority]: what the user said. The paper calls this PRIO.
//   - [Lookup]: value per compute time, from a store of medians by template and by user. With
//     aggregate values it is Wing-Agg, and with each job's own value only Wing-Direct.
//   - [MIL]: the value that is left when the job would complete, per compute time, which falls as
//     time passes. With functions that know what dependents lose it is Wing-MIL.
//   - [Fixed]: any function of a job; with the true values it is the Oracle of one of these.
//   - [Raise]: any of these, but a job goes no later than what is predicted to read its output.
//
// The values come from packages dag/provenance and dag/value, or from elsewhere: what a Ranker
// needs are interfaces of one or two methods, declared here.
//
// [Advise] is for people: it says which jobs are set up badly, and why, and what to change.
//
// # Source
//
// A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
// dependencies for better cluster scheduling", OSDI 2020.
package wing
