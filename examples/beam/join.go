package main

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"example.com/augur/dag/provenance"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Pair]())
	beam.RegisterType(reflect.TypeFor[Reads]())
	register.DoFn4x1[string, func(*int64) bool, func(*Op) bool, func(string, Op), error](&knowJob{})
	register.Iter1[int64]()
	register.Iter1[Op]()
	register.DoFn4x1[string, func(*Op) bool, func(Pair, Reads), func(string, float64), error](&joinFile{})
	register.Emitter2[Pair, Reads]()
	register.Emitter2[string, float64]()
	register.Function2x1(addReads)
}

// A Pair is two jobs, of which Down depends on Up, directly or not.
type Pair struct{ Up, Down string }

// Reads says what of the one job was read by the other, as provenance.Dependency does.
type Reads struct {
	Files, Reads int64
	First        int64 // nanoseconds
}

// addReads puts together what was read of disjoint sets of files.
func addReads(a, b Reads) Reads {
	return Reads{a.Files + b.Files, a.Reads + b.Reads, min(a.First, b.First)}
}

// join finds the dependencies, KV<Pair, Reads>, and the downloads credited to jobs, KV<job,
// number>, the latter one or more for a job that has any. Of ops the first are by jobs and the
// second by users, as read returns them.
//
// The rules of provenance.Find, J1 to J4, look at one file and at when the jobs that use it were
// submitted. So operations first learn the latter, in a join by job, and then come together
// by file; and what holds within a file is decided by the library itself.
func (c *config) join(s beam.Scope, submitted beam.PCollection, ops [2]beam.PCollection) (deps, downloads beam.PCollection) {
	s = s.Scope("join")
	known := beam.ParDo(s, &knowJob{}, beam.CoGroupByKey(s, submitted, ops[0]))
	files := beam.GroupByKey(s, beam.Flatten(s, known, ops[1]))
	found, downloads := beam.ParDo2(s, &joinFile{c.Window}, files)
	return beam.CombinePerKey(s, addReads, found), downloads
}

// knowJob tells the operations of a job when it was submitted. Operations are not held.
type knowJob struct{}

func (*knowJob) ProcessElement(job string, submitted func(*int64) bool, ops func(*Op) bool, emit func(string, Op)) error {
	var (
		at, again int64
		op        Op
	)
	known := submitted(&at)
	if known && submitted(&again) {
		return fmt.Errorf("job %q comes twice in the tables of jobs", job)
	}
	for ops(&op) {
		if !known {
			return fmt.Errorf("%s:%d: job %q is not known", op.Table, op.Line, job)
		}
		op.Submitted = at
		emit(op.File, op)
	}
	return nil
}

// joinFile joins the reads of one file with its writes. It holds its operations.
type joinFile struct{ Window time.Duration }

func (f *joinFile) ProcessElement(_ string, ops func(*Op) bool, depend func(Pair, Reads), download func(string, float64)) error {
	var (
		all       []Op
		op        Op
		jobs      provenance.Names
		submitted []provenance.Time // of jobs, by number
		numbered  []provenance.Op
	)
	for ops(&op) {
		all = append(all, op)
	}
	slices.SortFunc(all, func(a, b Op) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Part, b.Part))
	})
	for _, op := range all {
		o := provenance.Op{Time: provenance.Time(op.Time), Job: provenance.User}
		if op.Write {
			o.Kind = provenance.Write
		}
		if op.Job != "" {
			o.Job = jobs.Number(op.Job)
			if int(o.Job) == len(submitted) {
				submitted = append(submitted, provenance.Time(op.Submitted))
			}
		}
		numbered = append(numbered, o)
	}
	found, err := provenance.Find(numbered, submitted, f.Window)
	if err != nil {
		return err
	}
	for _, d := range found.Dependencies {
		depend(Pair{jobs.Name(d.From), jobs.Name(d.To)}, Reads{int64(d.Files), int64(d.Reads), int64(d.First)})
	}
	for _, d := range found.Downloads {
		download(jobs.Name(d.Job), 1)
	}
	return nil
}
