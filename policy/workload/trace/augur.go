package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// augurParser reads the format augur: JSON lines, each a [workload.Job], with times in
// nanoseconds. IDs increase from line to line.
func augurParser(*ReaderConfig) (parser, error) { return &eachLine{parse: parseAugur}, nil }

func parseAugur(_ *interned, line []byte) (*workload.Job, *problem) {
	if p := tooManyParts(line); p != nil {
		return nil, p
	}
	j := new(workload.Job)
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(j); err != nil {
		return nil, &problem{notJob, cut(err.Error())}
	}
	// More would take a closing bracket that is too much for the end.
	if _, err := dec.Token(); err != io.EOF {
		return nil, &problem{notJob, "more follows on the line"}
	}
	return j, nil
}

const notJob = "not a job in JSON"

func looksAugur(first []byte) bool {
	return len(first) > 0 && first[0] == '{' && !looksWFCommons(first)
}

// Write writes jobs in the format augur, one per line, without buffering. A [Reader] reads the same jobs. So
// IDs must increase from job to job, and no time may be beyond 1e9 s. IDs increase in the order of a reader or
// a generator, but not always after [workload.ReadAll]. Write stops at the first job that is not allowed, of
// which it writes nothing, or at an error of the source or of w. It replaces invalid UTF-8 as [json.Marshal]
// does.
//
// The format has no version: every line names its fields, and a reader refuses unknown names.
func Write(w io.Writer, jobs workload.Source) error {
	if w == nil || jobs == nil {
		return errors.New("trace: Write to a writer, or of a source, that is nil")
	}
	var row bytes.Buffer
	enc := json.NewEncoder(&row)
	last := policy.JobID(0)
	for j, err := range jobs {
		if err == nil {
			err = j.Validate()
		}
		if err != nil {
			return err
		}
		row.Reset()
		if err := encode(enc, &row, j, last); err != nil {
			return fmt.Errorf("trace: job %d: %w", j.ID, err)
		}
		if _, err := w.Write(row.Bytes()); err != nil {
			return err
		}
		last = j.ID
	}
	return nil
}

// encode encodes a valid job as a row, if a reader would accept it after the job with ID last.
func encode(enc *json.Encoder, row *bytes.Buffer, j *workload.Job, last policy.JobID) error {
	if p := beyond(j, last); p != nil {
		return p
	}
	if err := enc.Encode(j); err != nil {
		return err
	}
	p := tooManyParts(row.Bytes())
	if row.Len() > maxLine {
		p = tooLong(row.Bytes())
	}
	if p != nil {
		return p
	}
	return nil
}
