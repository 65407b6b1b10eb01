package workload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"example.com/augur/policy"
)

// augurParser reads augur's own form: JSON lines, a [Job] each, with times in
// nanoseconds. IDs increase from line to line.
func augurParser(*ReaderConfig) (parser, error) { return eachLine(parseAugur), nil }

func parseAugur(line []byte) (*Job, *problem) {
	if p := tooManyParts(line); p != nil {
		return nil, p
	}
	j := new(Job)
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(j); err != nil {
		return nil, &problem{"not a job in JSON", cut(err.Error())}
	}
	// More would take a closing bracket that is too much for the end.
	if _, err := dec.Token(); err != io.EOF {
		return nil, &problem{"not a job in JSON", "more follows on the line"}
	}
	return j, nil
}

func looksAugur(first []byte) bool {
	return len(first) > 0 && first[0] == '{' && !looksWFCommons(first)
}

// A Writer writes jobs in augur's own form, one a line.
type Writer struct {
	w    io.Writer
	row  bytes.Buffer
	enc  *json.Encoder // to row
	last policy.JobID
}

// NewWriter returns a writer to w. It does not buffer.
func NewWriter(w io.Writer) *Writer {
	wr := &Writer{w: w}
	wr.enc = json.NewEncoder(&wr.row)
	return wr
}

// Write writes a job. What it accepts, a [Reader] reads as the same job; so IDs must
// increase from call to call, as they do in the order of a source of this package but not
// always in that of [ReadAll], and no time may be beyond 1e9 s. If the error is about the
// job, nothing has been written. Text that is not UTF-8 is mended as [json.Marshal] does.
func (w *Writer) Write(j *Job) error {
	if err := j.Validate(); err != nil {
		return err
	}
	if p := beyond(j, w.last); p != nil {
		return fmt.Errorf("workload: job %d: %w", j.ID, p)
	}
	w.row.Reset()
	if err := w.enc.Encode(j); err != nil {
		return fmt.Errorf("workload: job %d: %w", j.ID, err)
	}
	p := tooManyParts(w.row.Bytes())
	if w.row.Len() > maxLine {
		p = tooLong(w.row.Bytes())
	}
	if p != nil {
		return fmt.Errorf("workload: job %d: %w", j.ID, p)
	}
	if _, err := w.w.Write(w.row.Bytes()); err != nil {
		return err
	}
	w.last = j.ID
	return nil
}
