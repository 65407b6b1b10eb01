// Package provenance finds data dependencies between jobs in a log of file operations: which jobs read the files that other
// jobs wrote. Most callers read a log and join it:
//
//	r, err := provenance.NewReader(provenance.ReaderConfig{})
//	err = r.OpenLineage("events.jsonl", file) // or JobsCSV and OpsCSV
//	found, err := r.Take().Find(0)            // dependencies between jobs, and downloads of their output
//
// Package policy/wing/pipeline does all the steps from a log to a scheduler. These are the ones of this package:
//
//   - A [Reader] builds a [Log] of jobs and operations, each a [Read] or a [Write] of a file by a job or a [User]. A log from
//     another source is a list of [Op] for [Find].
//   - [Log.Find], or [Find], joins reads with writes by rules J1 to J4: a read depends on the last write to its file before it,
//     if a job made that write, if that job was submitted before the reader, and if the write is within a window.
//     [Lineage.Graph] makes a [dag.Graph] of the result.
//   - [Template] decides which jobs are executions of one program, and [Classify] finds recurrence, by rules C1 to C5: which
//     templates are submitted again and again, and which dependencies are hard.
//   - [Train] learns from recurring dependencies which templates will depend on a job, and when.
//
// Jobs, files, templates and all other names are numbered from 0. Instants are nanoseconds since an epoch that the caller
// chooses. Nothing here is safe for concurrent use while one goroutine changes it.
//
// # When not to use it
//
// If a workflow system knows the dependencies, use those. This package finds who did read what
// during the log, not who may. It sees only file operations: data passed in another way (a message,
// a table changed in place) leave no trace. It does not look into files: a job that reads a part of
// a file depends on all of it. To find recurrence it needs a log of some months: see [ClassConfig].
//
// # Cost
//
// [Find] takes O(n log n) time for n operations of 24 bytes. [Classify] and [Train] take O(n log n) for n
// jobs and dependencies.
//
// # Source
//
// Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job dependencies for better
// cluster scheduling", OSDI 2020, sections 2 to 4.2: its profiler. For indirect dependencies see packages dag and dag/value.
package provenance

import (
	"fmt"
	"math"
	"time"
)

// A Time is an instant, in nanoseconds since the caller's epoch.
type Time int64

// Sub returns the duration from u to t, saturated at the limits of a Duration.
func (t Time) Sub(u Time) time.Duration {
	d := t - u
	switch {
	case t >= u && d < 0:
		return math.MaxInt64
	case t < u && d >= 0:
		return math.MinInt64
	}
	return time.Duration(d)
}

// User takes the place of a job if a user, and not a job, reads or writes a file: a download or an upload.
const User uint32 = math.MaxUint32

// An OpKind is the kind of an operation.
type OpKind uint8

const (
	Read  OpKind = iota // if by a user, a download
	Write               // if by a user, an upload, after which no job is the writer of the file
)

// String returns the name of the kind.
func (k OpKind) String() string {
	switch k {
	case Read:
		return "read"
	case Write:
		return "write"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// An Op is an operation on a file. It takes 24 bytes.
type Op struct {
	Time Time
	Job  uint32 // or User
	File uint32
	Kind OpKind
}
