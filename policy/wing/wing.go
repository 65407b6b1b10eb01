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
//   - [NewLookup]: value per compute time, from a store of medians by template and by user. With
//     aggregate values it is Wing-Agg, and with each job's own value only Wing-Direct.
//   - [NewMIL]: the value that is left when the job would complete, per compute time, which falls as
//     time passes. With functions that know what dependents lose it is Wing-MIL.
//   - [Fixed]: any function of a job; with the true values it is the Oracle of one of these.
//   - [NewRaise]: any of these, but a job goes no later than what is predicted to read its output.
//
// The values come from a log of reads and writes, by package pipeline below this one, or from
// elsewhere: what a Ranker needs are functions of a job.
//
// [Advise] is for people: it says which jobs are set up badly, and why, and what to change.
//
// With the values that package pipeline finds in use, in a Live of dag/value, the policy of the paper is
//
//	lookup, err := wing.NewLookup(wing.LookupConfig{Efficiency: live.Aggregate})
//	...
//	scheduler, err := wing.NewScheduler(wing.Config{Ranker: lookup, Queues: queues})
//
// # Formulae
//
// With own(j) the value of a job's own output, and N(d) the number of jobs that d reads, a job
// is worth
//
//	agg(j) = own(j) + Σ agg(d)/N(d)   over the jobs d that read j
//
// which value.Aggregate of dag/value computes. Wing's Algorithm 1 finds the same by joins: Example (Algorithm1) of
// dag/value has it line by line. With that, and the compute time, which is aggregated likewise, a job goes by
//
//	median of agg over the past jobs of its template / median of their compute time
//
// or, if its template does not recur, over the past ad-hoc jobs of its user. MIL goes by V(now
// + runtime)/work, where V is what the job is worth if it completes then.
//
// # What to expect
//
// What a job is worth matters where cores are few, and what depends on it matters most with one queue: with a fifth of the
// cores Wing-MIL attains 87 % of the value, and priorities of users 68 %. docs/wing.md has what was measured.
//
// # When not to use it
//
// Without jobs that recur, or without a log of what they read, the past tells nothing:
// [ByPriority] is then all there is. With cores enough for everybody any order will do.
// Deadlines of single jobs are for package threesigma. Nothing is preempted, so
// what is urgent waits for cores like the rest.
//
// # Cost
//
// To rank a job by a lookup takes one or two look-ups in a map, once. A step takes time
// logarithmic in the jobs that wait; to find out what jobs are worth is done aside, see
// package pipeline.
//
// # Source
//
// Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
// dependencies for better cluster scheduling", OSDI 2020, sections 5 to 7. Sections named in this
// package are those of this paper.
package wing
