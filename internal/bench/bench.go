// Package bench holds the benchmarks that compare the library with others of its kind, side
// by side in one run, and tests of its results against theirs. It is a module of its own, so
// that the library does not depend on them:
//
//	go test -bench .
//
// It needs a C++ compiler for DuckDB, and a minute to link it. The traces are found as package
// internal/traces says.
package bench
