// Package provenance finds out which jobs read what other jobs wrote, from a log of the
// operations on their files.
//
// Jobs that share files depend on one another, and schedulers seldom know of it. A log of
// operations, each a [Read] or a [Write] of a file by a job or by a [User], tells. The way from
// there to what a scheduler can use:
//
//   - A [Reader] puts together a [Log] from tables of CSV or from events of OpenLineage, and the Log
//     writes such tables. A log from elsewhere is a list of [Op].
//   - [Log.Find], or [Find], joins reads with writes, and returns the dependencies between jobs and
//     the downloads of what they wrote.
//   - [Classify] finds recurrence: which templates are submitted again and again, and which dependencies are
//     hard. Its rules C1 to C5 are in classify.go. What makes two jobs one template is in template.go ([Template]).
//   - [Train] learns from recurring dependencies which templates will depend on a job, and when;
//     [Evaluate] says how well.
//   - [Observe] reports what owners of jobs should know: priorities that do not fit, jobs that fail
//     if an input is late, and others that might as well be run later.
//
// Jobs, files, templates and whatever else has a name are numbered from 0; jobs are the nodes of a
// [dag.Graph], which [Found.Graph] makes. Instants are nanoseconds since an epoch that the caller chooses.
// Nothing here is safe for concurrent use while one goroutine changes it.
//
// From operations to a graph:
//
//	found, err := provenance.Find(ops, times, 30*24*time.Hour)
//	...
//	g, err := found.Graph(len(times))
//
// # Rules
//
// A read depends on the last write to its file before it, if a job wrote that, which was
// submitted before the reader, and if it is no longer ago than a window, by default 30 days:
// rules J1 to J4 of [Find]. Of the jobs of template u that have become old enough, the share
// that jobs of template d have read is how likely d is to read the next one, and the median of
// the times that it took is when.
//
// # When not to use it
//
// Where a workflow system knows the dependencies, take its word: what is found here is who did
// read what, in the time of the log, and not who may. It sees only what is in the log, so data
// that pass by another way (a message, a table that is changed in place under a name of its
// own) leave no trace; nor does it look into files, so that a job depends on all of a file of
// which it reads a part. What recurs needs a log of some months: [ClassConfig] says how many.
//
// # Cost
//
// [Find] takes O(n log n) time for n operations of 24 bytes. [Classify], [Train] and [Observe] take
// O(n log n) for n jobs and dependencies.
//
// # Source
//
// Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
// dependencies for better cluster scheduling", OSDI 2020, sections 2 to 4.2: its profiler. What it
// does beyond direct dependencies is for packages dag and dag/value.
package provenance

import (
	"fmt"
	"math"
	"time"
)

// A Time is an instant, in nanoseconds since the caller's epoch.
type Time int64

// Sub returns the span from u to t, or the longest that there is, if it is longer.
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

// User stands in the place of a job where a user reads or writes a file, not from a job: a
// download or an upload.
const User uint32 = math.MaxUint32

// An OpKind says what an operation does.
type OpKind uint8

const (
	Read  OpKind = iota // by a user, a download
	Write               // by a user, an upload; the file is then no job's any more
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
