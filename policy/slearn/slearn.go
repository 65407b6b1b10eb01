// Package slearn schedules jobs by estimates of their total runtime: with GS, the generic scheduler of SLearn, and the
// estimators that its paper compares.
//
// [GS] puts each job into a queue by its total runtime, as a forecast says it. The [Forecast] of an [Estimator] says
// it at once ([History]), after some of the job's tasks have run as pilots ([Sampling], which is SLearn, [Hybrid] and
// [DAG]), or one way or the other ([Chooser]). Those of package forecast go as well: with Truth, GS is the Oracle of
// the paper, and with Nothing it is its LAS, since a job of unknown runtime goes by the service that it has attained.
// A short job is in a high queue; the queues share the cluster by weights, so that no queue starves. SLearn itself is
//
//	sampling, err := slearn.NewSampling(slearn.SamplingConfig{Src: rand.NewPCG(1, 2)})
//	...
//	gs, err := slearn.NewGS(slearn.GSConfig{Forecast: slearn.NewForecast(sampling)}) // a policy.Scheduler
//
// To read it, begin with gs.go and job.go, where a job goes from queue to queue, and estimator.go,
// what an Estimator is asked; then sampling.go. The other estimators have a file each.
//
// # Formulae
//
// A job of n tasks with c cores each runs m = max(1, ratio·n) of them first, rounded, if n is
// at least 3; adaptive sampling chooses a ratio of 1 to 5 % by which did best lately ([Sampling]). If the pilots ran for
// x_1 to x_m seconds, its work is taken for
//
//	n · c · (x_1 + ... + x_m)/m
//
// core-seconds. With the first threshold Q and the growth E it is then in queue 0 if that is
// less than Q, and else in the queue i with
//
//	Q·E^(i-1) ≤ work < Q·E^i
//
// The weight of queue i is Decay^-i, and the next core goes to the queue that has had the
// least service by its weight. By default Q is 1,000 core-seconds, E and Decay are 10, and
// there are ten queues.
//
// # When not to use it
//
// Pilots cost the job a delay where cores are scarce. They pay if the tasks of a job are alike
// and wide jobs matter; jobs of one or two tasks gain nothing. Where jobs recur with like
// runtimes history costs no delay, and a policy that knows deadlines and distributions
// (package threesigma) can do more with it. Tasks are not preempted: a cluster that is full of
// long tasks is not freed for short ones, as it is under package kairos.
//
// # Cost
//
// A step takes time logarithmic in the number of queues and, where a job begins or ceases to
// wait, of jobs; it allocates only when a job comes, is ready or ends. To choose pilots takes
// time in proportion to the tasks of the stage.
//
// # Source
//
// SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for
// cluster job scheduling", NSDI 2022 (extended version), sections 3 to 7. Sections named in this
// package are those of the extended version.
package slearn
