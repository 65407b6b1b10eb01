package provenance

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/augur/dag"
)

// A Dependency means that job To read files that job From wrote.
type Dependency struct {
	From, To uint32
	Files    uint32 // number of files
	Reads    uint32 // number of reads, at least Files
	First    Time   // first read
}

// A Download is a read of a job's file by a user.
type Download struct {
	Job  uint32 // the job that wrote the file
	Time Time   // time of the read
}

// A Lineage is the use of jobs' output in a log.
type Lineage struct {
	Dependencies []Dependency // ordered by From, then by To
	Downloads    []Download   // ordered by Job, then by Time
}

// Find finds the write on which each read depends, by these rules:
//
//	J1  A read depends on a write at the same time or earlier. At one instant, writes come
//	    before reads, whatever their order in the list.
//	J2  It depends only on the last such write to its file. Of two writes at one instant,
//	    the later one in the list is the last. A user's write counts: later reads depend
//	    neither on it nor on the writes that it replaced.
//	J3  It depends on nothing if that write is longer ago than the window.
//	J4  It depends on nothing if the writer was not submitted before the reader. So there
//	    are no cycles, and no job depends on itself.
//
// If that write fails J3 or J4, the read does not fall back on an earlier write. By J1 to J3 a user's
// download is credited to the job that wrote the file.
//
// ops may be in any order of time; operations of one instant count in the order of the list. submitted
// holds the time of submission of each job. window is the longest time from a write to a read that
// depends on it, > 0; 0 means 30 days. The authors recommend 31, to see all that recurs monthly. Find
// returns an error if an operation has an unknown kind or names a job that is not in submitted.
//
// It takes O(n log n) time for n operations, and 24 bytes for each read that depends on a write.
//
// # Source
//
// Wing, section 4.2: rules 1 to 3. J4 and what happens at one instant are ours; the paper is silent on both.
func Find(ops []Op, submitted []Time, window time.Duration) (*Lineage, error) {
	if window < 0 {
		return nil, fmt.Errorf("provenance: Window is %v, want above 0, or 0 for 30 days", window)
	}
	window = cmp.Or(window, 30*24*time.Hour)
	for i, op := range ops {
		if op.Kind > Write {
			return nil, fmt.Errorf("provenance: operation %d is of kind %d, want Read or Write", i, op.Kind)
		}
		if op.Job != User && int64(op.Job) >= int64(len(submitted)) {
			return nil, fmt.Errorf("provenance: operation %d is by job %d, want a job below %d, or User", i, op.Job, len(submitted))
		}
	}
	var (
		f    Lineage
		uses []use
		last = make(map[uint32]Op) // the last write to each file
	)
	for _, op := range writesFirst(ops) { // J1
		if op.Kind == Write {
			last[op.File] = op
			continue
		}
		w, written := last[op.File] // J2
		switch {
		case !written || w.Job == User || since(op.Time, w.Time) > uint64(window): // J3
		case op.Job == User:
			f.Downloads = append(f.Downloads, Download{w.Job, op.Time})
		case submitted[w.Job] < submitted[op.Job]: // J4
			uses = append(uses, use{w.Job, op.Job, op.File, op.Time})
		}
	}
	f.Dependencies = count(uses)
	slices.SortStableFunc(f.Downloads, func(a, b Download) int { return cmp.Compare(a.Job, b.Job) })
	return &f, nil
}

// writesFirst returns operations in order of time, at one instant writes before reads. If the list is in this order, it
// returns the list itself.
func writesFirst(ops []Op) []Op {
	order := func(a, b Op) int { return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(b.Kind, a.Kind)) }
	if slices.IsSortedFunc(ops, order) {
		return ops
	}
	return slices.SortedStableFunc(slices.Values(ops), order)
}

// A use is a read by job to of a file that job from wrote.
type use struct {
	from, to, file uint32
	read           Time
}

// count joins all uses between two jobs to one dependency. It sorts uses.
func count(uses []use) (deps []Dependency) {
	slices.SortFunc(uses, func(a, b use) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.file, b.file))
	})
	for i, u := range uses {
		samePair := i > 0 && u.from == uses[i-1].from && u.to == uses[i-1].to
		if !samePair {
			deps = append(deps, Dependency{From: u.from, To: u.to, First: u.read})
		}
		d := &deps[len(deps)-1]
		if !samePair || u.file != uses[i-1].file {
			d.Files++
		}
		d.Reads++
		d.First = min(d.First, u.read)
	}
	return deps
}

// Of returns the downloads of a job's files, in order of time. It takes O(log n) time.
func (f *Lineage) Of(job uint32) []Download {
	at := func(job uint64) int {
		i, _ := slices.BinarySearchFunc(f.Downloads, job, func(d Download, job uint64) int {
			return cmp.Compare(uint64(d.Job), job)
		})
		return i
	}
	lo, hi := at(uint64(job)), at(uint64(job)+1)
	return f.Downloads[lo:hi:hi]
}

// Graph returns the dependencies as a graph of the given number of jobs. The error is that of
// [dag.New], if a dependency has a greater job number.
func (f *Lineage) Graph(jobs int) (*dag.Graph, error) {
	edges := make([]dag.Edge, len(f.Dependencies))
	for i, d := range f.Dependencies {
		edges[i] = dag.Edge{From: d.From, To: d.To}
	}
	return dag.New(jobs, edges)
}

// since returns the time from u to t, for u ≤ t. It cannot overflow.
func since(t, u Time) uint64 { return uint64(t) - uint64(u) }
