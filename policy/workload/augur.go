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
func augurParser() func(line []byte) (*Job, *problem) { return parseAugur }

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

func looksAugur(first []byte) bool { return len(first) > 0 && first[0] == '{' }

// maxParts bounds the objects, arrays and nulls of a row: decoded, each takes up to 40
// times the memory of its text.
const maxParts = 1 << 18

// tooManyParts counts them; those inside strings count too, which does no harm.
func tooManyParts(line []byte) *problem {
	n := 0
	for _, part := range []string{"{", "[", "null"} {
		n += bytes.Count(line, []byte(part))
	}
	if n > maxParts {
		return &problem{"more than 2^18 objects, arrays and nulls", fmt.Sprint(n)}
	}
	return nil
}

// A Writer writes jobs in augur's own form, one a line.
type Writer struct {
	w    io.Writer
	last policy.JobID
}

// NewWriter returns a writer to w. It does not buffer.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes a job. What it accepts, a [Reader] reads; so IDs must increase from call
// to call, and no time may be beyond 1e9 s. If the error is about the job, nothing has
// been written. Text that is not UTF-8 is mended as [json.Marshal] does.
func (w *Writer) Write(j *Job) error {
	if err := j.Validate(); err != nil {
		return err
	}
	line, err := json.Marshal(j)
	if err != nil {
		return fmt.Errorf("workload: job %d: %w", j.ID, err)
	}
	line = append(line, '\n')
	p := beyond(j, w.last)
	if p == nil {
		p = tooManyParts(line)
	}
	if p == nil && len(line) > maxLine {
		p = tooLong(line)
	}
	if p != nil {
		return fmt.Errorf("workload: job %d: %w", j.ID, p)
	}
	if _, err := w.w.Write(line); err != nil {
		return err
	}
	w.last = j.ID
	return nil
}
