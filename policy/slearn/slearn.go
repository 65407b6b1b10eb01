// Package slearn schedules the shortest job first by estimates of its total runtime, which it learns from a few of
// the job's own tasks. Most callers take the whole policy:
//
//	scheduler, err := slearn.NewScheduler(slearn.Config{}) // a policy.Scheduler
//
// and let package host drive it, or step it as package policy says. If jobs are much shorter or longer than 1,000 core-seconds, set
// Config.Queues.First to what a short job takes.
//
// # What happens
//
//   - A job is submitted. If it has less than three tasks it goes to queue 0. Of others some random tasks are the pilots, which wait
//     in queue 1, the second highest; the rest waits until the pilots have ended, or takes cores that nobody else wants.
//   - The last pilot ends. The job joins the tail of the queue of its estimated work: short jobs go to high queues.
//   - A core is free. It goes to the queue with the least service divided by its weight, and there to the first job. So no queue
//     starves. Until a task ends, its queue is charged with what is expected of it, and then with what it took.
//   - The job ends. Its completion time, divided by its total runtime, counts in the score of the ratio of pilots that it had, the mean
//     of its last 100.
//
// # Other estimators
//
// [Scheduler] is GS, the paper's generic scheduler, over any forecast: [NewForecast] of an [Estimator], or those of package
// forecast. The systems that the paper compares are
//
//	SLearn     Sampling, the default              some tasks first
//	3Sigma     History                            estimates from history, at once
//	3SigmaTL   History with a ThinLimit           ... and thin jobs bypass
//	PointEst   History with Median                ... and points in place of distributions
//	Oracle     forecast.Truth                     the true runtimes
//	LAS        forecast.Nothing                   least attained service
//
// [DAG] samples jobs of several stages, [Hybrid] corrects history by pilots, and [Chooser] takes one way or the other, job by job.
//
// # Formulae
//
// A job of n tasks with c cores each first runs m = max(1, ratio·n) of them, rounded, if n is at least 3. Adaptive
// sampling takes the ratio, of 1 to 5 %, that did best lately ([Sampling]). If the pilots ran for x_1 to x_m seconds,
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
