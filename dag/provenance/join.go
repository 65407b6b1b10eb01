package provenance

import (
	"fmt"
	"time"
)

// JoinConfig says which reads are joined with which writes. Submitted is required.
type JoinConfig struct {
	// Window is the longest time from a write to a read that depends on it, > 0; 0 means 30
	// days. The authors would rather have had 31, to see all that recurs monthly.
	Window time.Duration
	// Submitted returns when a job was submitted, and false if there is no such job.
	Submitted func(job uint32) (Time, bool)
}

// SubmittedAt returns a function for a [JoinConfig] that looks jobs up in a list.
func SubmittedAt(times []Time) func(job uint32) (Time, bool) {
	return func(job uint32) (Time, bool) {
		if int64(job) >= int64(len(times)) {
			return 0, false
		}
		return times[job], true
	}
}

// A Join finds what each read depends on, while operations come in order of time. These are
// its rules:
//
//	J1  A read depends on a write that is not after it. Of a write and a read at one
//	    instant the write is first, in whatever order they come.
//	J2  It depends on the last write to the file before it only. Of two writes at one
//	    instant the later is the one that comes later. A user's write counts: nothing
//	    depends on what it has replaced, nor on itself.
//	J3  It depends on nothing if that write is longer ago than the window.
//	J4  Nor if the writer was not submitted before the reader. So dependencies have no
//	    cycles. In particular a job does not depend on itself.
//
// A read for which J2's write fails J3 or J4 does not fall back on an earlier one. What users
// download is credited to its writer by J1 to J3.
//
// It holds the files written in about the last two windows, some 50 to 90 bytes each, and the reads
// of one instant. An operation takes O(1) time and, once these have room, allocates nothing.
//
// # Source
//
// Wing, section 4.2: rules 1 to 3. J4 and what happens at one instant are ours; the paper
// is silent on both.
type Join struct {
	window    uint64
	submitted func(uint32) (Time, bool)
	started   bool
	flushed   bool // no more operations at now
	now       Time
	turn      Time // the recent writes are not before this
	recent    map[uint32]write
	older     map[uint32]write // nothing here is needed once a window has passed since turn
	waiting   []read           // of the instant now, since a write may still come before them
	counts    Counts
}

type write struct {
	at, submitted Time
	job           uint32
}

type read struct {
	job, file uint32
	submitted Time
}

// Counts says what has become of the operations.
type Counts struct {
	Writes    int64 // by jobs
	Uploads   int64 // writes by users
	Reads     int64 // by jobs, and of these:
	Depend    int64 //   those that depend on a job
	Own       int64 //   of what the job itself wrote
	Backward  int64 //   of what a job wrote that was submitted not before the reader
	Foreign   int64 //   of what a user wrote, or was not written within the window
	Downloads int64 // reads by users, and of these:
	Credited  int64 //   those of what a job wrote
}

// NewJoin returns a join that has seen no operations. The error names the field that is not
// allowed.
func NewJoin(c JoinConfig) (*Join, error) {
	if c.Window < 0 {
		return nil, fmt.Errorf("provenance: Window is %v, want above 0, or 0 for 30 days", c.Window)
	}
	if c.Submitted == nil {
		return nil, fmt.Errorf("provenance: Submitted is nil, want a function")
	}
	if c.Window == 0 {
		c.Window = 30 * 24 * time.Hour
	}
	return &Join{
		window:    uint64(c.Window),
		submitted: c.Submitted,
		recent:    make(map[uint32]write),
		older:     make(map[uint32]write),
	}, nil
}

// Add takes the next operation. It appends to uses what is known now, and returns the longer
// slice: reads of an instant become known with the first operation after it, in the order in
// which they came. It is an error if the operation is before an earlier one, or at
// an instant that was flushed, or names a job that is not known or a kind that does not exist; the
// operation is then left out.
func (j *Join) Add(uses []Use, op Op) ([]Use, error) {
	if op.Kind > Write {
		return uses, fmt.Errorf("provenance: %v, want kind read or write", op)
	}
	if j.started && (op.Time < j.now || op.Time == j.now && j.flushed) {
		return uses, op.late(j.now)
	}
	var submitted Time
	if op.Job != User {
		var ok bool
		if submitted, ok = j.submitted(op.Job); !ok {
			return uses, fmt.Errorf("provenance: %v, which is no job", op)
		}
	}
	if !j.started {
		j.started, j.now, j.turn = true, op.Time, op.Time
	}
	if op.Time > j.now {
		uses = j.settle(uses)
		j.now, j.flushed = op.Time, false
		j.forget()
	}
	if op.Kind == Write {
		j.recent[op.File] = write{op.Time, submitted, op.Job}
		if op.Job == User {
			j.counts.Uploads++
		} else {
			j.counts.Writes++
		}
		return uses, nil
	}
	j.waiting = append(j.waiting, read{op.Job, op.File, submitted})
	return uses, nil
}

// Flush appends to uses the reads of the last instant, and returns the longer slice. The next
// operation must be after that instant.
func (j *Join) Flush(uses []Use) []Use {
	j.flushed = true
	return j.settle(uses)
}

// Counts returns what has become of the operations so far, but for reads that wait for their
// instant to end.
func (j *Join) Counts() Counts { return j.counts }

// settle joins the reads of the instant that is over.
func (j *Join) settle(uses []Use) []Use {
	for _, r := range j.waiting {
		w, ok := j.recent[r.file]
		if !ok {
			w, ok = j.older[r.file]
		}
		made := ok && w.job != User && since(j.now, w.at) <= j.window
		if r.job == User {
			j.counts.Downloads++
			if !made {
				continue
			}
			j.counts.Credited++
		} else {
			j.counts.Reads++
			switch {
			case !made:
				j.counts.Foreign++
				continue
			case w.job == r.job:
				j.counts.Own++
				continue
			case w.submitted >= r.submitted:
				j.counts.Backward++
				continue
			}
			j.counts.Depend++
		}
		uses = append(uses, Use{w.job, r.job, r.file, j.now})
	}
	j.waiting = j.waiting[:0]
	return uses
}

// forget drops the older writes when no read can depend on them any more.
func (j *Join) forget() {
	if since(j.now, j.turn) > j.window {
		j.recent, j.older = j.older, j.recent
		clear(j.recent)
		j.turn = j.now
	}
}

// since returns the time from u to t, which is not before it. It fits, whatever they are.
func since(t, u Time) uint64 { return uint64(t) - uint64(u) }
