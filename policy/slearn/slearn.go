// Package slearn schedules the shortest job first by estimates of its total runtime, which it learns from a few of
// the job's own tasks. Most callers take the whole policy:
//
//	scheduler, err := slearn.NewScheduler(slearn.Config{}) // a policy.Scheduler
//
// It has GS, the generic scheduler of SLearn, and the estimators that its paper compares.
//
// [Scheduler] puts each job into a queue by its estimated work: short jobs go to high queues, and the queues share the
// cluster by weights, so that no queue starves. The estimate comes from the [Forecast] of an [Estimator]. [History]
// has it at once. [Sampling], which is SLearn, first runs some of the job's tasks as pilots, and so do [Hybrid] and
// [DAG]. [Chooser] takes one way or the other. The forecasts of package forecast work too: with Truth, GS is the
// Oracle of the paper. With Nothing it is its LAS, since a job of unknown runtime goes by attained service. SLearn
// itself is
//
//	sampling, err := slearn.NewSampling(slearn.SamplingConfig{Src: rand.NewPCG(1, 2)})
//	...
//	gs, err := slearn.NewScheduler(slearn.Config{Forecast: slearn.NewForecast(sampling)}) // a policy.Scheduler
//
// To read the code, begin with gs.go and job.go, where a job moves from queue to queue, and estimator.go, the
// interface of an Estimator; then read sampling.go. The other estimators have a file each.
//
// # Formulae
//
// A job of n tasks with c cores each first runs m = max(1, ratio·n) of them, rounded, if n is at least 3. Adaptive
// sampling chooses a ratio of 1 to 5 % that did best lately ([Sampling]). If the pilots ran for x_1 to x_m seconds,
// its work is estimated as
//
//	n · c · (x_1 + ... + x_m)/m
//
// core-seconds. With the first threshold Q and the growth E the job is in queue 0 if that is less than Q, and else in
// the queue i with
//
//	Q·E^(i-1) ≤ work < Q·E^i
//
// The weight of queue i is Decay^-i, and the next core goes to the queue with the least service divided by its
// weight. By default Q is 1,000 core-seconds, E and Decay are 10, and there are ten queues.
//
// # When not to use it
//
// Pilots delay the job if cores are scarce. They pay if the tasks of a job are alike and wide jobs matter; jobs of
// one or two tasks gain nothing. If jobs recur with similar runtimes, history costs no delay, and a policy that knows
// deadlines and distributions (package threesigma) can do more with it. Tasks are not preempted: a cluster full of
// long tasks is not freed for short ones, as it is under package kairos.
//
// # Cost
//
// A step takes time logarithmic in the number of queues. If a job begins or stops waiting, it is also logarithmic in
// the number of jobs. It allocates only when a job comes, is ready or ends. Choosing pilots takes time in proportion
// to the tasks of the stage.
//
// # Source
//
// SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for
// cluster job scheduling", NSDI 2022 (extended version), sections 3 to 7. Sections named in this
// package are those of the extended version.
package slearn
