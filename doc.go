// Package augur is a library of cluster-scheduling predictors and policies. It splits five published systems, SLearn,
// 3Sigma, Wing, Kairos and Hopper, into small packages. A scheduler, an operator, a worker pool or a simulator
// can use these one by one or combine them.
//
// A host owns the machines, the clock and the network; augur owns the decisions. Nothing in it reads a clock, starts
// a goroutine or draws from a global source of randomness. There are two exceptions. A predictor draws a
// secret that keys its hash, and no prediction depends on it. And policy/pool and policy/host are hosts: they run goroutines
// and read a clock.
//
// # Packages
//
//	histogram          the distribution of a stream in constant memory
//	estimate           estimators, scores, posteriors, fits and intervals from samples
//	predict            runtimes of new jobs from history
//	queue              priority queue with handles, multi-level queue, weighted and hierarchical sharing
//	dag                directed acyclic graphs
//	dag/provenance     dependencies between jobs, from logs of their reads and writes: Wing
//	dag/value          the value of jobs with everything that depends on them: Wing
//	policy             the contract between a host and a policy, and its vocabulary
//	policy/check       a checker of hosts and policies, by the rules of the contract
//	policy/advise      advice of a policy to a host that decides for itself
//	policy/journal     a log of a policy's events, with which it survives a crash
//	policy/central     a central scheduler made of parts
//	policy/forecast    runtimes for these parts: from requests, history, a job's own tasks
//	policy/gittins     the Gittins index: one order that uses what SLearn, 3Sigma, Wing and Kairos each know
//	policy/preempt     stops jobs that can be saved for jobs of a much better rank
//	policy/baseline    FIFO, Fair, SRPT, LAS, EASY, ...: the policies to compare with
//	policy/slearn      shortest job first by runtimes learnt from pilots or history: SLearn
//	policy/threesigma/plan
//	                   what starts where and when, as an optimisation problem, and solvers: 3Sigma
//	policy/threesigma  plans for deadlines, by distributions of runtimes: 3Sigma
//	policy/kairos      least attained service on every node: Kairos
//	policy/hopper      slots shared among jobs that copy slow tasks: Hopper
//	policy/wing        jobs by the value of what depends on them, in organisations' queues: Wing
//	policy/wing/pipeline
//	                   the inputs of policy/wing, from a log of reads and writes: Wing
//	policy/pool        a worker pool of goroutines that learns how long tasks take
//	policy/workload    jobs with their true runtimes, scaled to a load
//	policy/workload/trace
//	                   jobs read from traces
//	policy/catalog       policies by name, such as index-easy: any turn with any forecast, copy rule, place and node
//	policy/sim         a simulated cluster, which is a host
//	policy/experiment  policies compared over seeds, loads, or windows of a log, with paired intervals
//	policy/policytest  the tests that any policy must pass, yours too
//	policy/host        the engine between a policy and a program: jobs, machines, and a journal of both
//	policy/host/hosttest
//	                   the tests that any machine of policy/host must pass
//	examples           programs; examples/compare runs policies side by side, examples/predict predictors
//	examples/choose    describes a workload, and advises a policy
//	examples/page      a comparison as a page of HTML
//	examples/lab       comparison and reproduction: jobs as papers describe theirs (paper), Sparrow, Hawk,
//	                   Eagle and Big-C (probing), the systems that 3Sigma was compared with (sigma) and an
//	                   external solver for it (cbc), the experiments of the papers (reproduce), and their figures
//
// A package imports only packages above it in this list; a policy never imports another policy, except baseline.
//
// # The first program
//
// README.md has four programs to begin with, and docs a guide of a page for each kind of user. To see policies at
// work, run in the folder of augur
//
//	go run ./examples/compare
//
// and to see how well runtimes can be predicted,
//
//	go run ./examples/predict
//
// To write an experiment of your own, start from the example of this page, in example_test.go: it generates jobs, runs two
// policies over them in a simulated cluster, and compares the two. To plug a policy into a real scheduler, read package policy: the
// host calls Step with each event and carries out the actions that Step returns.
//
// # Nil
//
// A constructor returns an error if a function or a random source that its Config needs is nil. A function that reads
// or writes a whole file returns an error if its reader or writer is nil. Functions without an error result, and
// those that are called for each event, do not check: a nil argument or receiver panics there, unless a comment says
// what it means.
//
// # When not to use it
//
// augur only decides: it starts no processes and installs nothing. If you want a batch system or a cluster manager to
// install, take another project; you may plug augur in there. Policies count whole cores, memory and named resources
// such as GPUs; Kairos and the policies of probing count only cores and memory. Until v1.0.0 a release may change
// exported names; CHANGELOG.md then says so.
//
// # Cost
//
// Each package documents its time and memory. Calls for each event allocate nothing in the steady state, unless their
// comments say otherwise.
//
// # Source
//
// The five systems. The packages cite their papers section by section:
//
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning
//     for cluster job scheduling", NSDI 2022 (extended version).
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
//     distribution-based cluster scheduling for runtime uncertainty", technical
//     report CMU-PDL-17-107, 2017.
//   - Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing
//     inter-job dependencies for better cluster scheduling", OSDI 2020.
//   - Kairos: P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Kairos: preemptive data
//     center scheduling without runtime estimates", SoCC 2018.
//   - Hopper: X. Ren, "Speculation-aware resource allocation for cluster schedulers", master's
//     thesis, California Institute of Technology, 2015.
package augur
