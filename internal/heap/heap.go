// Package heap measures what is kept in memory, for tests that hold doc comments to their word.
package heap

import "runtime"

// InUse returns the bytes of all that can still be reached, and of nothing else. It must be called
// when no other goroutine allocates. What a collection finds it needs to run twice for, such as what
// a [sync.Pool] holds, is gone too.
func InUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Of returns the bytes that hold what a function makes, which are no longer needed afterwards.
func Of[T any](fill func() T) int64 {
	before := InUse()
	made := fill()
	bytes := InUse() - before
	runtime.KeepAlive(made)
	return bytes
}
