package policytest

import (
	"runtime"
	"runtime/metrics"
)

// goroutinesCreated returns how many goroutines this program has ever started.
func goroutinesCreated() uint64 {
	sample := [1]metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	metrics.Read(sample[:])
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0 // this runtime does not count them
	}
	return sample[0].Value.Uint64()
}

// mallocs returns how many objects this program has ever allocated.
func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
