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
func augurParser() func(line []byte) (*Job, *problem) {
	last := policy.JobID(0)
	return func(line []byte) (*Job, *problem) {
		j := new(Job)
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(j); err != nil {
			return nil, &problem{"not a job in JSON", err.Error()}
		}
		if dec.More() {
			return nil, &problem{"not a job in JSON", "more follows on the line"}
		}
		if j.ID <= last || j.ID > maxID {
			return nil, &problem{"ID does not increase, or is above 2^28", fmt.Sprintf("%d after %d", j.ID, last)}
		}
		last = j.ID
		if s := policy.Duration(j.Submitted).Seconds(); s < -maxSeconds || s > maxSeconds {
			return nil, &problem{"submission is beyond 1e9 s", fmt.Sprintf("%v s", s)}
		}
		for i, tasks := range j.Runtimes {
			for k, d := range tasks {
				if s := d.Seconds(); s < 0 || s > maxSeconds {
					return nil, &problem{"runtime is not in 0 to 1e9 s", fmt.Sprintf("stage %d, task %d: %v s", i, k, s)}
				}
			}
		}
		return j, nil
	}
}

// maxID bounds the IDs of a file: tables by ID grow with the largest.
const maxID = 1 << 28

func looksAugur(first []byte) bool { return len(first) > 0 && first[0] == '{' }

// A Writer writes jobs in augur's own form, one a line.
type Writer struct{ enc *json.Encoder }

// NewWriter returns a writer to w. It does not buffer.
func NewWriter(w io.Writer) *Writer { return &Writer{json.NewEncoder(w)} }

// Write writes a job. IDs must increase from call to call for the result to be readable.
func (w *Writer) Write(j *Job) error {
	if err := j.Validate(); err != nil {
		return err
	}
	return w.enc.Encode(j)
}
