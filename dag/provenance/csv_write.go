package provenance

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// WriteJobsCSV writes the jobs as a table that [Reader.JobsCSV] reads, with a Unit of a nanosecond. What
// it has for a name is the template, since a Log has no more, and for the ID of a job that has none its
// number. The error is that of w, or names a job with a number that means nothing, which JobsCSV would
// refuse; what comes before it is then written. The table has no number of a version: its first row names
// the columns, and a reader goes by these names.
func (l *Log) WriteJobsCSV(w io.Writer) error {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return writeCSV(w, jobColumns, len(l.Jobs), func(i int) ([]string, error) {
		j := &l.Jobs[i]
		if err := j.check(); err != nil {
			return nil, fmt.Errorf("job %d %w", i, err)
		}
		if math.IsInf(j.Priority, 0) {
			return nil, fmt.Errorf("job %d has priority %v, want a finite number in a table", i, j.Priority)
		}
		completed := ""
		if j.State != Running {
			completed = nanoseconds(j.Completed)
		}
		return []string{
			l.id(uint32(i)), nanoseconds(j.Submitted), completed, j.State.String(),
			l.Templates.Name(j.Template), l.Users.Name(j.User), l.Orgs.Name(j.Org), number(j.Priority), number(j.Compute),
		}, nil
	})
}

// WriteOpsCSV writes the operations as a table that [Reader.OpsCSV] reads, after the jobs and likewise. The error
// may name an operation besides, of no kind, or on a file or by a job that is not in the log.
func (l *Log) WriteOpsCSV(w io.Writer) error {
	return writeCSV(w, opColumns, len(l.Ops), func(i int) ([]string, error) {
		op := l.Ops[i]
		if op.Kind > Write || int64(op.File) >= int64(l.Files.Len()) || op.Job != User && int64(op.Job) >= int64(len(l.Jobs)) {
			return nil, fmt.Errorf("operation %d, a %v, is none of the log", i, op)
		}
		kind, job := op.Kind.String(), ""
		switch {
		case op.Job != User:
			job = l.id(op.Job)
		case op.Kind == Read:
			kind = "download"
		default:
			kind = "upload"
		}
		return []string{nanoseconds(op.Time), kind, l.Files.Name(op.File), job}, nil
	})
}

func nanoseconds(t Time) string { return strconv.FormatInt(int64(t), 10) }

// id returns what a table calls a job.
func (l *Log) id(job uint32) string {
	if id := l.IDs.Name(job); id != "" {
		return id
	}
	return strconv.FormatUint(uint64(job), 10)
}

func writeCSV(w io.Writer, columns []string, rows int, row func(i int) ([]string, error)) error {
	if w == nil {
		return errors.New("provenance: a table is written to a writer that is nil")
	}
	table := csv.NewWriter(w)
	err := table.Write(columns)
	for i := 0; i < rows && err == nil; i++ {
		var values []string
		if values, err = row(i); err == nil {
			err = table.Write(values)
		}
	}
	table.Flush()
	if err == nil {
		err = table.Error()
	}
	if err != nil {
		return fmt.Errorf("provenance: %w", err)
	}
	return nil
}
