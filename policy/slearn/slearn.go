// Package slearn schedules jobs by estimates of their total runtime: GS, the generic
// scheduler of SLearn, with the estimators that its paper compares.
//
// [GS] puts each job into a queue by its total runtime, as an [Estimator] says it: at once
// ([Oracle], [History]), after some of its tasks have run as pilots ([Sampling], which is
// SLearn, [Hybrid] and [DAG]), one way or the other ([Chooser]), or never ([LAS]: then it goes by
// the service that the job has attained). A short job is in a high queue; the queues share the
// cluster by weights, so that no queue starves.
//
// # Source
//
// A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for
// cluster job scheduling", NSDI 2022, and its extended version, sections 3 to 7. Sections
// named in this package are those of the extended version.
package slearn
