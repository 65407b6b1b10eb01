// Package paper generates jobs like those of the evaluations in the papers of the five systems.
//
// [SLearn], [E2E], [Kairos], [Hopper] and [Lake] are named after a system or a workload of its paper. Start
// from the Default functions and named workloads such as [Google11], [Facebook] and [DefaultLake], and change
// fields as you like. Source returns the jobs to schedule. History, if there is one, returns earlier jobs for
// a predictor to learn from. A [LakeLog] has both, and also what happened in the log:
//
//	source, err := paper.Facebook().Source()
//	...
//	jobs, truth := workload.SplitSource(source)
//
// The same values give the same jobs. Errors name the field that is outside its range, and what is allowed.
//
// # When not to use it
//
// The generators follow what the papers say about their traces. Each comment says what is published
// and what is ours. For your own cluster, read its log with package trace. To compare policies on jobs
// that favour none of the papers, use [workload.HeavyTail], or [Mixed], which combines what all of them deal with.
//
// # Cost
//
// A generator that must know its load in advance draws its jobs twice or makes all of them first; its
// comment says which. A job takes 8 bytes for each runtime, beside its description.
//
// # Source
//
// Each generator names the sections of these papers that it follows:
//
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for
//     cluster job scheduling", NSDI 2022 (extended version).
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
//     distribution-based cluster scheduling for runtime uncertainty", technical
//     report CMU-PDL-17-107, 2017.
//   - Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
//     dependencies for better cluster scheduling", OSDI 2020.
//   - Kairos: P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Kairos: preemptive data center
//     scheduling without runtime estimates", SoCC 2018.
//   - Hopper: X. Ren, "Speculation-aware resource allocation for cluster schedulers", master's
//     thesis, California Institute of Technology, 2015.
package paper

import "fmt"

// A field is a field of a generator and its allowed range.
type field struct {
	name    string
	x       any
	ok      bool
	allowed string
}

// check returns an error that names the first field outside its range.
func check(generator string, fields ...field) error {
	for _, f := range fields {
		if !f.ok {
			return fmt.Errorf("paper: %s.%s is %v, want %s", generator, f.name, f.x, f.allowed)
		}
	}
	return nil
}
