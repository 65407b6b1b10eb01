// Package baseline holds the policies that everything is compared with: [FIFO], [Fair],
// [SRPT], [LAS], [DRF], [Priority] and [Random], and of batch systems [EASY], [Conservative]
// and [Multifactor]. These are central, and they never preempt. All but those of batch systems
// start a task as soon as there is room for the one whose turn it is.
//
// [Sparrow], [Hawk] and [Eagle] are distributed: nodes have queues, and jobs send them probes.
// The two last go by estimates of what tasks take, and so does [BigC], which is central and
// preempts.
//
// Those of batch systems go by policy.Job.Requested, which many traces and all generated
// workloads leave at 0: then EASY and Conservative are FIFO. To try them on such jobs, let
// Request of policy/workload fill it in.
//
// They also show how a policy is written. Read fifo.go first, from top to bottom: most of
// the others differ from it only in the order of the jobs.
package baseline
