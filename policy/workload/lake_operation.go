package workload

import (
	"bufio"
	"cmp"
	"io"
	"iter"
	"slices"
	"strconv"

	"example.com/augur/policy"
)

// LakeAction is what is done with a file.
type LakeAction uint8

// What is done with files.
const (
	LakeRead     LakeAction = iota // by a job
	LakeWrite                      // by a job
	LakeDownload                   // by a user
)

// String returns the name of the action.
func (a LakeAction) String() string {
	switch a {
	case LakeRead:
		return "read"
	case LakeWrite:
		return "write"
	case LakeDownload:
		return "download"
	}
	return "LakeAction(" + strconv.Itoa(int(a)) + ")"
}

// A LakeOperation is something that was done with a file. Files may be written by many jobs,
// one after another; those that no job of the log wrote come from outside or from before.
type LakeOperation struct {
	At     policy.Time
	Action LakeAction
	Job    policy.JobID // 0 if it is a download
	User   string
	File   string
}

// lakeOp is an operation in few bytes.
type lakeOp struct {
	at     policy.Time
	job    int32 // whose file it is
	by     int32 // that reads or writes it; of a download, the user
	file   int8  // of the job; -1: the latest of its template, -2: from outside
	action LakeAction
}

// operations returns all operations in order of time, writes first.
func (l *LakeLog) operations() []lakeOp {
	g := l.lake
	rng := lakeRNG(g.Seed, 1)
	ops := make([]lakeOp, 0, 2*len(g.reads)+len(l.downloads)+2*len(g.jobs))
	for i := l.before; i < len(g.jobs); i++ {
		j := &g.jobs[i]
		for _, at := range l.Downloads(l.id(i)) {
			user := j.user
			if of := g.users[j.org]; rng.IntN(4) > 0 {
				user = of[rng.IntN(len(of))]
			}
			ops = append(ops, lakeOp{at: at, job: int32(i), by: user, file: int8(rng.IntN(int(j.files))), action: LakeDownload})
		}
		if j.failed {
			continue
		}
		for _, up := range g.reads[j.from:j.to] {
			u := &g.jobs[up]
			if j.latest && u.template >= 0 && g.templates[u.template].latest {
				ops = append(ops, lakeOp{at: j.submitted, job: up, by: int32(i), file: -1, action: LakeRead})
				continue
			}
			for f := range u.files {
				if f == 0 || rng.IntN(2) == 0 {
					ops = append(ops, lakeOp{at: j.submitted, job: up, by: int32(i), file: int8(f), action: LakeRead})
				}
			}
		}
		if j.from == j.to {
			ops = append(ops, lakeOp{at: j.submitted, job: int32(i), by: int32(i), file: -2, action: LakeRead})
		}
		for f := range j.files {
			ops = append(ops, lakeOp{at: j.completed, job: int32(i), by: int32(i), file: int8(f), action: LakeWrite})
		}
		if j.template >= 0 && g.templates[j.template].latest {
			ops = append(ops, lakeOp{at: j.completed, job: int32(i), by: int32(i), file: -1, action: LakeWrite})
		}
	}
	first := func(a LakeAction) int {
		if a == LakeWrite {
			return 0
		}
		return 1
	}
	slices.SortFunc(ops, func(a, b lakeOp) int {
		if a.at != b.at {
			return cmp.Compare(a.at, b.at)
		}
		return cmp.Or(cmp.Compare(first(a.action), first(b.action)), cmp.Compare(a.job, b.job), cmp.Compare(a.by, b.by), cmp.Compare(a.file, b.file))
	})
	return ops
}

// Operations yields what was done with files, in order of time, and of one instant writes
// first: reads when a job is submitted, writes when it is done, and downloads. Jobs whose
// input was missing do nothing. It first makes all, 24 bytes each, anew at each call.
func (l *LakeLog) Operations() iter.Seq[LakeOperation] {
	return func(yield func(LakeOperation) bool) {
		var name []byte
		for _, op := range l.operations() {
			o := LakeOperation{At: op.at, Action: op.action}
			if op.action == LakeDownload {
				o.User = l.users[op.by]
			} else {
				o.Job, o.User = l.id(int(op.by)), l.users[l.lake.jobs[op.by].user]
			}
			name = l.appendFile(name[:0], &op)
			o.File = string(name)
			if !yield(o) {
				return
			}
		}
	}
}

// WriteOperations writes what Operations yields, as CSV with the columns time (nanoseconds
// since instant 0), action (read, write or download), job (empty for a download), user and
// file. A Reader of dag/provenance reads it if it is told that its op is called action here, and
// that its unit of time is a nanosecond. The error is that of w.
func (l *LakeLog) WriteOperations(w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<16)
	row := []byte("time,action,job,user,file\n")
	for o := range l.Operations() {
		if _, err := b.Write(row); err != nil {
			return err
		}
		row = append(strconv.AppendInt(row[:0], int64(o.At), 10), ',')
		row = append(append(row, o.Action.String()...), ',')
		if o.Job != 0 {
			row = strconv.AppendUint(row, uint64(o.Job), 10)
		}
		row = append(append(append(row, ','), o.User...), ',')
		row = append(append(row, o.File...), '\n')
	}
	b.Write(row) // Flush tells the error
	return b.Flush()
}

// WriteRecords writes what Records yields, as CSV with the columns job, name, user,
// organisation, submitted and completed (nanoseconds since instant 0), outcome (done, or missing
// if input was), priority and coreseconds. A Reader of dag/provenance reads it if it is told
// that org, state and compute are called organisation, outcome and coreseconds here, and that its
// unit of time is a nanosecond; the example Experiment of package pipeline does. The error is
// that of w.
func (l *LakeLog) WriteRecords(w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<16)
	row := []byte("job,name,user,organisation,submitted,completed,outcome,priority,coreseconds\n")
	for r := range l.Records() {
		if _, err := b.Write(row); err != nil {
			return err
		}
		row = append(strconv.AppendUint(row[:0], uint64(r.ID), 10), ',')
		row = append(append(append(row, r.Name...), ','), r.User...)
		row = append(append(append(row, ','), r.Organisation...), ',')
		row = append(strconv.AppendInt(row, int64(r.Submitted), 10), ',')
		row = append(strconv.AppendInt(row, int64(r.Completed), 10), ',')
		outcome := "done,"
		if r.MissingInput {
			outcome = "missing,"
		}
		row = append(strconv.AppendFloat(append(row, outcome...), r.Priority, 'g', -1, 64), ',')
		row = append(strconv.AppendFloat(row, r.CoreSeconds, 'g', -1, 64), '\n')
	}
	b.Write(row)
	return b.Flush()
}
