// Package lakes holds the benchmarks of packages dag/provenance, dag and dag/value on logs of a
// data lake as large as the paper's: from files that a user would have, to what each job is worth.
//
//	go test -run '^$' -bench . -benchtime 1x -timeout 2h -full .
//
// Without -full the logs are a hundredth of these, for a look at what has changed. With it the
// largest take 6 GB on disk and 9 GB of memory.
//
// # Figures
//
// Seconds of a processor of 2.5 GHz, those of the garbage collector beside it included, in each step
// from a stream of numbered operations, and from CSV:
//
//	days  jobs       operations  dependencies  from    read  join   graph  aggregate  classify  memory
//	7     279,000    3.4 mio.    1.1 mio.      stream        2.3 s  0.1 s  0.02 s               0.3 GiB
//	                                           CSV     7 s   2.7 s  0.1 s  0.03 s               0.7 GiB
//	90    3,993,000  42.4 mio.   15.6 mio.     stream        51 s   2.4 s  0.5 s                3.4 GiB
//	                                           CSV     158 s 61 s   5.2 s  1.2 s      16 s      8.4 GiB
//
// With the number of operations the join becomes slower, since its tables outgrow the caches: of 90
// days it takes 0.7 µs for each of 0.4 or 4 million operations, and 1.2 µs of 42 million. For the
// same reason the graph takes 70 ns for each of 1.6 million dependencies and 150 ns of 16 million.
// In the aggregation it is about 30 ns of either. Classifying a tenth of the 90 days takes 1 s, and
// 0.5 GiB with the log.
package lakes
