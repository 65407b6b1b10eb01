package provenance

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// JobsCSV reads a table of jobs. The first row names the columns, which may be in any order:
//
//	job        an ID, any text, unique                                  required
//	submitted  time                                                     required
//	completed  time, at least submitted; empty: its end is not known
//	state      running, complete (or done), failed, or noinput (or missing);
//	           empty: complete if completed is given, running if not
//	name       the template is made of it; empty: the template of the ID
//	user       any text
//	org        organisation, or the queue of jobs, any text
//	priority   a number, more is more urgent; empty: 0
//	compute    resource-seconds used, a number from 0; empty: 0
//
// Other columns are ignored, and blanks around values. [ReaderConfig] can map these columns to other names. A time is a
// number since the epoch, in seconds or in ReaderConfig.Unit, without exponent and with decimals down
// to the nanosecond, or a text such as 2020-11-04T13:00:00Z (RFC 3339) if the epoch is 1970. Columns are separated by
// commas, semicolons, tabs or bars, whichever the first row has most of, and values with such stand in double quotes. Errors
// name the file. They are a [*RowError], or that of in.
func (r *Reader) JobsCSV(file string, in io.Reader) error {
	return r.csv(file, in, "jobs", jobColumns, []string{"job", "submitted"}, func(get func(string) string, c *clock) *problem {
		id := get("job")
		if id == "" {
			return &problem{"job has no ID", ""}
		}
		_, job := r.log.IDs.Find(id)
		if _, run := r.runIDs.Find(id); job || run {
			return &problem{"job comes twice", id}
		}
		var (
			j  Job
			ok bool
		)
		if j.Submitted, ok = r.time(get("submitted")); !ok {
			return &problem{"submitted" + noTime, strconv.Quote(get("submitted"))}
		}
		if p := r.check(c, j.Submitted); p != nil {
			return p
		}
		ended := get("completed") != ""
		if ended {
			if j.Completed, ok = r.time(get("completed")); !ok {
				return &problem{"completed" + noTime, strconv.Quote(get("completed"))}
			}
			if j.Completed < j.Submitted {
				return &problem{"job completes before it is submitted", id}
			}
			j.State = Complete
		}
		if s := get("state"); s != "" {
			if j.State, ok = stateNames[s]; !ok {
				return &problem{"state is none of running, complete, done, failed, noinput, missing", strconv.Quote(s)}
			}
			if ended != (j.State != Running) {
				return &problem{"state does not agree with completed", fmt.Sprintf("%s, %q", s, get("completed"))}
			}
		}
		var p *problem
		if j.Priority, p = number("priority", get("priority"), math.Inf(-1)); p != nil {
			return p
		}
		if j.Compute, p = number("compute", get("compute"), 0); p != nil {
			return p
		}
		template := r.template(get("name"))
		if template == "" {
			template = Template(id)
		}
		j.Template = r.log.Templates.Number(template)
		j.User = r.log.Users.Number(get("user"))
		j.Org = r.log.Orgs.Number(get("org"))
		r.log.IDs.Number(id)
		r.log.Jobs = append(r.log.Jobs, j)
		return nil
	})
}

// noTime says of a column what a time is.
const noTime = " is no time such as 2026-03-02T10:00:00Z, or number such as 1772445600"

var (
	jobColumns = []string{"job", "submitted", "completed", "state", "name", "user", "org", "priority", "compute"}
	opColumns  = []string{"time", "op", "file", "job"}
	stateNames = map[string]State{"running": Running, "complete": Complete, "done": Complete, "failed": Failed, "noinput": NoInput, "missing": NoInput}
)

// OpsCSV reads a table of operations. [Reader.JobsCSV] must have read the jobs before. Columns:
//
//	time  as in Reader.JobsCSV
//	op    read or write by a job, download or upload by a user
//	file  any text
//	job   ID of the job; empty for download and upload
//
// All columns are required. Rows may come in any order; rows of one instant count in their order. The
// error is like that of [Reader.JobsCSV].
func (r *Reader) OpsCSV(file string, in io.Reader) error {
	return r.csv(file, in, "operations", opColumns, opColumns, func(get func(string) string, c *clock) *problem {
		op := Op{Job: User}
		var ok bool
		if op.Time, ok = r.time(get("time")); !ok {
			return &problem{"time" + noTime, strconv.Quote(get("time"))}
		}
		kind, id, name := get("op"), get("job"), get("file")
		user := false
		switch kind {
		case "read":
		case "write":
			op.Kind = Write
		case "download":
			user = true
		case "upload":
			op.Kind, user = Write, true
		default:
			return &problem{"op is none of read, write, download, upload", strconv.Quote(kind)}
		}
		if user != (id == "") {
			return &problem{"job is needed by read and write, and by nothing else", fmt.Sprintf("%s by %q", kind, id)}
		} else if !user {
			if op.Job, ok = r.log.IDs.Find(id); !ok {
				return &problem{"job is in no table of jobs read before", id}
			}
		}
		if name == "" {
			return &problem{"file has no name", ""}
		}
		if p := r.check(c, op.Time); p != nil {
			return p
		}
		op.File = r.log.Files.Number(name)
		r.log.Ops = append(r.log.Ops, op)
		return nil
	})
}

// csv calls take for each row, with a function that returns the value of a column, or "" if the table has no such column.
func (r *Reader) csv(file string, in io.Reader, table string, columns, required []string, take func(get func(string) string, c *clock) *problem) error {
	text := bufio.NewReaderSize(in, 1<<16)
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		text.Discard(3)
	}
	rows := csv.NewReader(text)
	first, _ := text.Peek(1 << 12)
	first, _, _ = bytes.Cut(first, []byte("\n"))
	for _, c := range ";\t|" {
		if bytes.Count(first, []byte(string(c))) > bytes.Count(first, []byte(string(rows.Comma))) {
			rows.Comma = c
		}
	}
	rows.FieldsPerRecord, rows.ReuseRecord = -1, true
	header, err := rows.Read()
	if err == io.EOF {
		return fmt.Errorf("%s: the file is empty, want a row that names the columns", file)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	width, at := len(header), slices.Repeat([]int{-1}, len(columns)) // where each column is, if it is
	for c, column := range columns {
		name := cmp.Or(r.config.Columns[table+"."+column], r.config.Columns[column], column)
		for i, title := range header {
			if !strings.EqualFold(strings.TrimSpace(title), name) {
				continue
			}
			if at[c] >= 0 {
				return &RowError{file, 1, "column comes twice", name}
			}
			at[c] = i
		}
		mapped := name != column
		if at[c] < 0 && (mapped || slices.Contains(required, column)) {
			if mapped {
				name += ", which Columns has for " + column
			}
			return &RowError{file, 1, "column is missing", name}
		}
	}
	var (
		clock clock
		row   []string
	)
	get := func(column string) string {
		if i := at[slices.Index(columns, column)]; i >= 0 {
			return strings.TrimSpace(row[i])
		}
		return ""
	}
	for {
		row, err = rows.Read()
		if err == io.EOF {
			return nil
		}
		r.rows++
		line, p := 0, (*problem)(nil)
		if bad, ok := errors.AsType[*csv.ParseError](err); ok {
			line, p = bad.StartLine, &problem{"row is no CSV", bad.Err.Error()}
		} else if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		} else if line, _ = rows.FieldPos(0); len(row) != width {
			p = &problem{"row has another number of values than the first", fmt.Sprintf("%d, not %d", len(row), width)}
		} else {
			p = take(get, &clock)
		}
		if p != nil {
			if err := r.drop(file, line, p); err != nil {
				return err
			}
		}
	}
}

// number reads a finite decimal number of at least the given one; an empty text is 0.
func number(column, s string, least float64) (float64, *problem) {
	if s == "" {
		return 0, nil
	}
	x, err := strconv.ParseFloat(s, 64)
	decimal := strings.Trim(s, "0123456789+-.eE") == "" // ParseFloat also takes 1_000, 0x1p4, inf and nan
	if err != nil || !decimal || !(x >= least) {
		allowed := " is no finite number such as 4.5"
		if least == 0 {
			allowed = " is no finite number from 0, such as 4.5"
		}
		return 0, &problem{column + allowed, strconv.Quote(s)}
	}
	return x, nil
}

// WriteJobsCSV writes the jobs as a table that [Reader.JobsCSV] reads, without ReaderConfig.Template. Times are calendar
// times, as of a log whose epoch is 1970. Priorities must be finite, and blanks around names are lost.
func (l *Log) WriteJobsCSV(w io.Writer) error {
	return writeCSV(w, jobColumns, len(l.Jobs), func(row []string, i int) []string {
		j := &l.Jobs[i]
		completed := ""
		if j.State != Running {
			completed = j.Completed.calendar()
		}
		return append(row, l.IDs.Name(uint32(i)), j.Submitted.calendar(), completed, j.State.String(), l.Templates.Name(j.Template),
			l.Users.Name(j.User), l.Orgs.Name(j.Org), strconv.FormatFloat(j.Priority, 'g', -1, 64), strconv.FormatFloat(j.Compute, 'g', -1, 64))
	})
}

// WriteOpsCSV writes the operations as a table that [Reader.OpsCSV] reads, as [Log.WriteJobsCSV] writes the jobs.
func (l *Log) WriteOpsCSV(w io.Writer) error {
	return writeCSV(w, opColumns, len(l.Ops), func(row []string, i int) []string {
		op := &l.Ops[i]
		kind, job := op.Kind.String(), ""
		switch {
		case op.Job != User:
			job = l.IDs.Name(op.Job)
		case op.Kind == Read:
			kind = "download"
		default:
			kind = "upload"
		}
		return append(row, op.Time.calendar(), kind, l.Files.Name(op.File), job)
	})
}

func writeCSV(w io.Writer, columns []string, rows int, append func(row []string, i int) []string) error {
	table := csv.NewWriter(w)
	table.Write(columns)
	var row []string
	for i := range rows {
		row = append(row[:0], i)
		table.Write(row)
	}
	table.Flush()
	return table.Error()
}

// calendar writes an instant as calendar time.
func (t Time) calendar() string { return time.Unix(0, int64(t)).UTC().Format(time.RFC3339Nano) }
