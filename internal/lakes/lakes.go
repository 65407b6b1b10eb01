// Package lakes holds the benchmarks of packages dag/provenance, dag and dag/value on logs of a
// data lake as large as the paper's: from files that a user would have, to what each job is worth.
//
//	go test -run '^$' -bench . -benchtime 1x -full .
//
// Without -full the logs are a hundredth of these, for a look at what has changed.
package lakes
