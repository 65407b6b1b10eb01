// Package wing orders jobs by what they are worth to the jobs that read their output. In a data lake jobs read what
// other jobs wrote, but nobody tells the scheduler. Users set priorities without knowing these dependencies, so a job
// that many others need may come last. Wing looks up the value of each job, including everything that depends on it,
// in a log of the past.
//
// A [Scheduler] is the policy. Organisations have queues that share the cluster by guaranteed shares. Each queue
// serves the job with the greatest priority first, and a gang starts whole or not at all. A [Ranker] computes the
// priority:
//
//   - [ByPriority]: what the user set. The paper calls this PRIO.
//   - [NewLookup]: value per compute time, looked up in a store of medians by template and by user. With aggregate
//     values it is Wing-Agg, and with each job's own value only it is Wing-Direct.
//   - [NewMIL] (Millennium): what the job's output would still be worth if the job started now and ran to its end,
//     divided by its compute time. It falls as time passes. If the worth includes that of the jobs that read the
//     output, it is Wing-MIL.
//   - [Fixed]: any function of a job. With the true values it is an Oracle.
//   - [NewRaise]: another Ranker, but a job has at least the priority of the jobs that are predicted to read its
//     output.
//
// A Ranker needs only functions of a job. Package pipeline computes them from a log of reads and writes; they may
// also come from elsewhere. With the values of package pipeline in a Live of dag/value, the policy of the paper is
//
//	lookup, err := wing.NewLookup(wing.LookupConfig{Efficiency: live.Priority})
//	...
//	scheduler, err := wing.NewScheduler(wing.Config{Ranker: lookup, Queues: queues})
//
// For people, examples/lineage reports which jobs are set up badly, why, and what to change.
//
// # Formulae
//
// Let own(j) be the value of job j's own output, such as how often it is downloaded, and N(d) the number of jobs that d
// reads. Job j is then worth
//
//	agg(j) = own(j) + Σ agg(d)/N(d)   over the jobs d that read j
//
// value.Aggregate of dag/value computes this, and value.Windowed counts only those jobs d that come within a window
// after j. Without the window, jobs early in a log would have more dependents than equal jobs at its end, so the store
// of medians is built with it. Wing's Algorithm 1 does the same with joins: Example (Algorithm1) of dag/value shows it
// line by line. Compute time is aggregated in the same way. The priority of a job is then
//
//	median of agg over the past jobs of its template / median of their aggregated compute time
//
// or, if its template does not recur, the same over the past ad-hoc jobs of its user. MIL uses
// V(now + runtime of the job) / compute time, where V is what the job is worth if it completes then.
//
// # What to expect
//
// The order matters if cores are scarce, and knowing the dependents matters most in a single queue. docs/wing.md has
// measurements.
//
// # When not to use it
//
// The past says nothing if jobs do not recur or there is no log of what they read: [ByPriority] is then all there is.
// If there are cores enough for everybody, any order will do. Package threesigma is for deadlines of single jobs.
// Nothing is preempted, so an urgent job waits for cores like the rest.
//
// # Cost
//
// Ranking a job by a lookup takes one or two map look-ups, once. A step takes time logarithmic in the number of
// waiting jobs. The values are computed offline, see package pipeline.
//
// # Source
//
// Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
// dependencies for better cluster scheduling", OSDI 2020, sections 5 to 7. Sections named in this
// package are those of this paper.
package wing
