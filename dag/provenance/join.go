package provenance

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/augur/dag"
)

// A Dependency says that job To read what job From wrote.
type Dependency struct {
	From, To uint32
	Files    uint32 // how many files
	Reads    uint32 // how many times, at least Files
	First    Time   // when first
}

// A Download is one of a file that a job wrote.
type Download struct {
	Job  uint32 // that wrote the file
	Time Time   // when the user read it
}

// Found is what a log tells of the jobs in it.
type Found struct {
	Dependencies []Dependency // by From, and then by To
	Downloads    []Download   // by Job, and then by Time
}

// Find finds what each read depends on, by these rules:
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
// Operations may come in any order of time; those of one instant count in the order of the list. Submitted
// says when each job was submitted. Window is the longest time from a write to a read that depends on it,
// > 0; 0 means 30 days. The authors would rather have had 31, to see all that recurs monthly.
// It is an error if an operation names a job that is not in submitted, or has no known kind.
//
// It takes O(n log n) time for n operations, and 24 bytes for each read that depends on a write.
//
// # Source
//
// Wing, section 4.2: rules 1 to 3. J4 and what happens at one instant are ours; the paper
// is silent on both.
func Find(ops []Op, submitted []Time, window time.Duration) (*Found, error) {
	if window < 0 {
		return nil, fmt.Errorf("provenance: Window is %v, want above 0, or 0 for 30 days", window)
	}
	window = cmp.Or(window, 30*24*time.Hour)
	for _, op := range ops {
		if op.Kind > Write {
			return nil, fmt.Errorf("provenance: %v, want kind read or write", op)
		}
		if op.Job != User && int64(op.Job) >= int64(len(submitted)) {
			return nil, fmt.Errorf("provenance: %v, which is no job", op)
		}
	}
	var (
		f    Found
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

// writesFirst returns operations in order of time, and those of one instant with writes before reads: the list itself if
// it is so already.
func writesFirst(ops []Op) []Op {
	order := func(a, b Op) int { return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(b.Kind, a.Kind)) }
	if slices.IsSortedFunc(ops, order) {
		return ops
	}
	return slices.SortedStableFunc(slices.Values(ops), order)
}

// A use is a read by job to of what job from wrote.
type use struct {
	from, to, file uint32
	read           Time
}

// count makes one dependency of all uses between two jobs. It sorts uses.
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

// Of returns the downloads of what a job wrote, by time. It takes O(log n) time.
func (f *Found) Of(job uint32) []Download {
	at := func(job uint64) int {
		i, _ := slices.BinarySearchFunc(f.Downloads, job, func(d Download, job uint64) int {
			return cmp.Compare(uint64(d.Job), job)
		})
		return i
	}
	lo, hi := at(uint64(job)), at(uint64(job)+1)
	return f.Downloads[lo:hi:hi]
}

// Graph returns the dependencies as a graph over so many jobs, whose numbers are below that. The
// error, of [dag.New], says which number is not.
func (f *Found) Graph(jobs int) (*dag.Graph, error) {
	edges := make([]dag.Edge, len(f.Dependencies))
	for i, d := range f.Dependencies {
		edges[i] = dag.Edge{From: d.From, To: d.To}
	}
	return dag.New(jobs, edges)
}

// since returns the time from u to t, which is not before it. It fits, whatever they are.
func since(t, u Time) uint64 { return uint64(t) - uint64(u) }
