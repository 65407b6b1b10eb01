// Package augur is a library of cluster-scheduling predictors and policies. Five
// published systems, SLearn, 3Sigma, Wing, Kairos and Hopper, are taken apart into small
// packages that a scheduler, an operator, a worker pool or a simulator can use one by one
// or wire together.
//
// A host owns the machines, the clock and the network; augur owns the decisions. Nothing
// in it reads a clock, starts a goroutine or draws from a global source of randomness; but a
// predictor draws the secret that keys its hash, on which no prediction depends.
//
// # Packages
//
//	histogram          the distribution of a stream in constant memory
//	estimate           what samples tell: estimators, scores, posteriors, fits, intervals
//	predict            what history tells of a new job
//	queue              priority queue with handles, multi-level queue, weighted and hierarchical sharing
//	dag                directed acyclic graphs
//	dag/provenance     which jobs depend on which, from logs of what they read and wrote: Wing
//	dag/value          what jobs are worth by all that depends on them: Wing
//	policy             the contract between a host and a policy, and its vocabulary
//	policy/advise      advice of a policy to a host that decides for itself
//	policy/journal     what a policy was told, kept, so that it survives a crash
//	policy/view        the books of a central policy
//	policy/central     a central scheduler made of parts
//	policy/forecast    what its parts know of runtimes: requests, history, a job's own tasks
//	policy/gittins     the Gittins index: one turn for what all five papers know
//	policy/baseline    FIFO, Fair, SRPT, LAS, EASY, ...: what everything is compared with
//	policy/slearn      shortest job first by runtimes learnt from pilots or history: SLearn
//	policy/threesigma/plan
//	                   what starts where and when, as an optimisation problem, and solvers: 3Sigma
//	policy/threesigma  plans for deadlines, by distributions of runtimes: 3Sigma
//	policy/kairos      least attained service on every node: Kairos
//	policy/hopper      slots shared among jobs that copy slow tasks: Hopper
//	policy/wing        jobs by the value of what depends on them, in organisations' queues: Wing
//	policy/wing/pipeline
//	                   what that asks for, from a log of what jobs read and wrote: Wing
//	policy/pool        a worker pool of goroutines that learns how long tasks take
//	policy/workload    jobs with the truth about them, brought to a load
//	policy/workload/trace
//	                   jobs read from traces
//	policy/workload/paper
//	                   jobs generated after what papers say of theirs
//	policy/sim         a simulated cluster, which is a host
//	policy/policytest  the tests that any policy must pass, yours too
//	examples           programs; examples/compare runs policies side by side,
//	                   examples/predict predictors, examples/reproduction/reproduce papers
//
// Packages import those above them in this list, and no others; a policy never imports
// another policy, save baseline.
//
// # The first program
//
// README.md has three programs to begin with, and docs a guide of a page for each kind of user. To see policies at work, run
//
//	go run example.com/augur/examples/compare
//
// and to see how well runtimes can be predicted,
//
//	go run example.com/augur/examples/predict
//
// To write an experiment of your own, start from the example of this page: it generates
// jobs, runs two policies over them in a simulated cluster, and compares the two. To plug
// a policy into a real scheduler, read package policy: the host calls Step with what
// happened and carries out what comes back.
//
// # Nil
//
// A function or a source of randomness that a Config needs is refused by the constructor if it is nil, and so is a reader
// or a writer that is nil by what reads or writes a whole file. What returns no error, and what is told of each event,
// does not look: a nil there panics, as that of a receiver does, unless a comment says what it means.
//
// # When not to use it
//
// It decides and does nothing: whoever wants a batch system or a cluster manager to install
// has to look elsewhere, and may plug this in there. Of resources, policies know whole cores
// and memory. Until v1.0.0 a release may change what is exported; CHANGELOG.md then says so.
//
// # Cost
//
// Each package says what it takes, in time and memory. What is called for each event is
// made to allocate nothing in the steady state, and says so where it does.
//
// # Source
//
// The five systems, whose papers the packages cite section by section:
//
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning
//     for cluster job scheduling", NSDI 2022 (extended version).
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
//     distribution-based cluster scheduling for runtime uncertainty", EuroSys 2018
//     (CMU-PDL-17-107).
//   - Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing
//     inter-job dependencies for better cluster scheduling", OSDI 2020.
//   - Kairos: P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Kairos: preemptive data
//     center scheduling without runtime estimates", SoCC 2018.
//   - Hopper: X. Ren, "Speculation-aware resource allocation for cluster schedulers", master's
//     thesis, California Institute of Technology, 2015, and SIGCOMM 2015.
package augur
