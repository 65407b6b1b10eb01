// Package value computes the value of jobs from the use of their output: other jobs read it, and users download what those
// write. To compute the aggregate values of jobs from their own values:
//
//	worth, err := value.Aggregate(nil, g, own) // by job
//
// If package dag/provenance analysed the log, g is the Graph of its Lineage, and own holds the number of Downloads of each job.
// Package policy/wing/pipeline does all of this for a scheduler.
//
// Nobody may download the output of a job that feeds the most important report. A scheduler that knows only the job's own value
// would delay it. So every job hands its value back to the jobs whose output it reads, an equal part to each, and they hand it
// back in turn. With own(j) the own value of job j, and N(d) the number of jobs whose output d reads,
//
//	agg(j) = own(j) + Σ agg(d)/N(d)  over the jobs d that read j directly
//
// So the aggregates of the jobs that read no other job add up to the own values of all jobs. Wing's own pseudocode, Algorithm 1,
// finds agg by joins of tables: Example (Algorithm1), in example_algorithm1_test.go, has it line by line beside [Aggregate].
//
//   - [Paths] aggregates anything else over the paths to dependents: the number of downstream jobs, the greatest priority,
//     the longest path.
//   - [Windowed] counts only the dependents within a window of the same length for each job, since a log contains fewer
//     dependents of a late job than of an early one.
//   - A [Store] keeps medians over past jobs by template and user, so that a scheduler can look them up for the next job:
//     median of agg / median of the compute time, aggregated in the same way. [Build] one from the results of Windowed, keep it
//     in a [Live], in which a new Store can replace it at any time, and call [Live.Priority]. It also keeps the [Spread] of
//     runtimes, dependencies and dependents.
//   - A [Function] is a utility function: the value that is left if the job completes late, when users have downloaded an older
//     output and jobs that need the output have failed.
//
// Jobs are the nodes of a [dag.Graph], numbered from 0. An edge leads from the job that writes to the job that reads. Instants
// are nanoseconds since an epoch that the caller chooses. So is the unit of value: the paper counts downloads.
//
// # When not to use it
//
// A job's value is shared equally among its inputs. If one input is known to matter more, this is
// the wrong sum. Values need a log of recurring jobs: nothing is known about the first run of a
// program. If every job is worth the same, schedule by size instead.
//
// # Cost
//
// [Aggregate] takes O(n + m) time for n jobs and m dependencies. [Windowed] takes a pass for each job over its dependents
// within the window, about 0.1 µs for each dependent. This is the most expensive part, and WindowConfig.MinWeight bounds it.
// A look-up in a [Store] takes one or two map look-ups; a Store takes about 700 bytes per profile.
//
// # Source
//
// Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job dependencies for better
// cluster scheduling", OSDI 2020. Sections and figures named in this package are those of this paper.
package value
