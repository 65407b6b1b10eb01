// Package provenance finds data dependencies between jobs in a log of file operations: which jobs
// read the files that other jobs wrote.
//
// Jobs that share files depend on one another, but schedulers seldom know it. A log of operations
// shows it, each a [Read] or a [Write] of a file by a job or a [User]. These are the steps from the
// log to a scheduler:
//
//   - A [Reader] builds a [Log] from CSV tables or from OpenLineage events. The Log can write such
//     tables. A log from another source is a list of [Op].
//   - [Log.Find], or [Find], joins reads with writes. It returns the dependencies between jobs and the
//     downloads of their output.
//   - [Classify] finds recurrence: which templates are submitted again and again, and which dependencies are hard. Its
//     rules C1 to C5 are in classify.go. [Template], in template.go, decides which jobs share a template.
//   - [Train] learns from recurring dependencies which templates will depend on a job, and when.
//     [Evaluate] scores the predictions.
//
// Jobs, files, templates and all other names are numbered from 0. Jobs are the nodes of a [dag.Graph],
// which [Lineage.Graph] builds. Instants are nanoseconds since an epoch that the caller chooses. Nothing
// here is safe for concurrent use while one goroutine changes it.
//
// From operations to a graph:
//
//	found, err := provenance.Find(ops, times, 30*24*time.Hour)
//	...
//	g, err := found.Graph(len(times))
//
// # Rules
//
// A read depends on the last write to its file before it, if a job made that write, if that job was
// submitted before the reader, and if the write is within a window, by default 30 days: rules J1 to
// J4 of [Find]. The probability that template d reads the next job of template u is a share: of
// the jobs of u that are older than the median time to dependency, those that some job of d has read. The predicted time until then is the median
// of the past times.
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
// Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
// dependencies for better cluster scheduling", OSDI 2020, sections 2 to 4.2: its profiler. For
// indirect dependencies see packages dag and dag/value.
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

// User takes the place of a job if a user, and not a job, reads or writes a file: a download or an
// upload.
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

// String returns the operation in words.
func (op Op) String() string {
	if op.Job == User {
		return fmt.Sprintf("%v of file %d by a user at %d ns", op.Kind, op.File, op.Time)
	}
	return fmt.Sprintf("%v of file %d by job %d at %d ns", op.Kind, op.File, op.Job, op.Time)
}
