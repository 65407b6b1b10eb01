// Package lakes holds the benchmarks of packages dag/provenance, dag and dag/value on logs of a
// data lake as large as the paper's: from files that a user would have, to what each job is worth.
//
//	go test ./examples/lab/lakes -run '^$' -bench . -benchtime 1x -timeout 2h -full
//
// Without -full the logs are a hundredth of these, for a look at what has changed. With it the
// largest take 6 GB on disk and 9 GB of memory.
//
// # Figures
//
// Seconds of a processor of 2.5 GHz, those of the garbage collector beside it included, in each step:
//
//	days  jobs       operations  dependencies  read   join   graph  aggregate  classify  memory
//	7     279,000    3.4 mio.    1.1 mio.      7 s    2.7 s  0.1 s  0.03 s               0.7 GiB
//	90    3,993,000  42.4 mio.   15.6 mio.     158 s  61 s   5.2 s  1.2 s      16 s      8.4 GiB
package lakes
