// Package paper generates jobs like those that the papers of the five systems were evaluated with.
//
// [SLearn], [E2E], [Kairos], [Hopper] and [Lake] are named after a system or a workload of its paper. Start
// from the Default functions and the named ones beside them, such as [Google11], [Facebook] and [DefaultLake],
// and change what you like. Source yields the jobs that are to be scheduled, and History, where there is one,
// earlier ones that a predictor learns from; a [LakeLog] has both and what happened besides:
//
//	source, err := paper.Facebook().Source()
//	...
//	jobs, truth := workload.SplitSource(source)
//
// The same values give the same jobs. Errors name the field that is outside its range, and what is allowed.
//
// # When not to use it
//
// The generators are made after what papers say of their traces, and each says what of it is
// published and what is made up: for a cluster of your own, read its log with package trace. To compare
// policies on jobs that favour none of the papers, take [workload.HeavyTail] or [workload.Mixed].
//
// # Cost
//
// A generator that must know its load beforehand draws its jobs twice, or makes all of them first, and says
// which. A job takes 8 bytes for each runtime, beside its description.
//
// # Source
//
// Each generator names the sections of these papers that it follows:
//
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for
//     cluster job scheduling", NSDI 2022 (extended version).
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
//     distribution-based cluster scheduling for runtime uncertainty", EuroSys 2018
//     (CMU-PDL-17-107).
//   - Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
//     dependencies for better cluster scheduling", OSDI 2020.
//   - Kairos: P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Kairos: preemptive data center
//     scheduling without runtime estimates", SoCC 2018.
//   - Hopper: X. Ren, "Speculation-aware resource allocation for cluster schedulers", master's
//     thesis, California Institute of Technology, 2015.
package paper

import "fmt"

// A field is one of a generator, with what is allowed.
type field struct {
	name    string
	x       any
	ok      bool
	allowed string
}

// check returns an error about the first field that is not as it must be.
func check(generator string, fields ...field) error {
	for _, f := range fields {
		if !f.ok {
			return fmt.Errorf("paper: %s.%s is %v, want %s", generator, f.name, f.x, f.allowed)
		}
	}
	return nil
}
