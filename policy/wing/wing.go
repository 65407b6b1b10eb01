// Package wing orders jobs by what they are worth to the jobs that read their output. It needs a log that says
// which job read or wrote which file; without one it is only priorities in queues. Every week or so the values are computed from the log of the last three
// months (for a shorter one set the pipeline's Config.Classes), and the scheduler looks them up by a job's attributes template and user:
//
//	r, err := provenance.NewReader(provenance.ReaderConfig{})                // package dag/provenance
//	err = r.JobsCSV("jobs.csv", jobs)                                        // with compute times, which OpenLineage has not
//	err = r.OpsCSV("operations.csv", operations)                             // who read and wrote what
//	result, err := pipeline.Run(r.Take(), pipeline.Config{Start: s, End: e}) // package policy/wing/pipeline
//	var live value.Live                                                      // package dag/value: the values in use
//	live.Swap(result.Store)
//	lookup, err := wing.NewLookup(wing.LookupConfig{Efficiency: live.Priority})
//	scheduler, err := wing.NewScheduler(wing.Config{Ranker: lookup})
//
// A template is a recurring program: the job's name without dates and numbers of runs. Config.Queues adds the queues of organisations.
//
// In a data lake jobs read the output of others, but the scheduler does not know. Users set priorities without knowing these
// dependencies, so a job that many others need may come last. Wing looks up the value of each job, including its
// dependents, in a log of the past.
//
// A [Scheduler] is the policy. Organisations have queues that share the cluster by guaranteed shares. Next is the queue
// that uses the smallest part of its guarantee. It serves the job with the greatest priority first, an unknown one last; those behind a job
// that finds no room wait, and a gang starts whole or not at all. A [Ranker] computes the
// priority from functions of a job, whatever they come from:
//
//   - [ByPriority]: what the user set. The paper calls this PRIO.
//   - [NewLookup]: value per compute time, looked up in a store of medians by template and by user. With aggregate values
//     it is Wing-Agg: for each past job value and core-seconds are summed over it and what depends on it, as dag/value
//     says, and the priority is the median value of the template's jobs divided by their median core-seconds. With each
//     job's own value only it is Wing-Direct.
//   - [NewMIL] (Millennium): what the job's output would still be worth if the job started now and ran to its end,
//     divided by its compute time. It falls as time passes. If the worth includes that of the jobs that read the
//     output, it is Wing-MIL.
//   - [Fixed]: any function of a job. With the true values it is an Oracle.
//   - [NewRaise]: another Ranker, but a job has at least the priority of the jobs that are predicted to read its output.
//
// The aggregate value of a job is in aggregate.go of package dag/value, and Wing's Algorithm 1, line by line, in its
// example_algorithm1_test.go. For people, examples/lineage reports which jobs are set up badly, why, and what to change.
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
// Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job dependencies for better
// cluster scheduling", OSDI 2020, sections 5 to 7. Sections named in this package are those of this paper.
package wing
