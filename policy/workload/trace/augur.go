package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// augurParser reads the format augur.
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
	if p := exactKeys(line); p != nil {
		return nil, p
	}
	return j, nil
}

const notJob = "not a job in JSON of the format augur"

func looksAugur(first []byte) bool {
	return len(first) > 0 && first[0] == '{' && !looksWFCommons(first)
}

// Write writes jobs in the format augur, one per line, without buffering. A [Reader] reads the same jobs. So IDs must
// increase from job to job, and no time may be beyond 1e9 s. IDs increase in the order of a reader or a generator, but not
// always after [workload.ReadAll]. Write stops at the first job that is not allowed, of which it writes nothing, or at an
// error of the source or of w. It replaces invalid UTF-8 as [json.Marshal] does.
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

// exactKeys checks the keys of a JSON text that has been decoded without unknown fields. encoding/json accepts keys
// in any case, and the last one of duplicate keys, so that two programs may read different jobs from one line. Here
// every key must be in lower case, as all fields are, and unique in its object.
func exactKeys(text []byte) *problem {
	var room [32][]byte
	keys := room[:0] // of the objects that are open
	var opened []int // where in keys those of each begin
	for len(text) > 0 {
		c := text[0]
		text = text[1:]
		switch c {
		case '{':
			opened = append(opened, len(keys))
		case '}':
			keys, opened = keys[:opened[len(opened)-1]], opened[:len(opened)-1]
		case '"':
			key := text[:endOfString(text)]
			text = bytes.TrimLeft(text[len(key)+1:], " \t\r\n")
			switch {
			case len(text) == 0 || text[0] != ':':
				// it is a value
			case len(bytes.Trim(key, "abcdefghijklmnopqrstuvwxyz")) > 0:
				return &problem{notJob, fmt.Sprintf("key %s is not in lower case", quote(key))}
			case slices.ContainsFunc(keys[opened[len(opened)-1]:], func(k []byte) bool { return bytes.Equal(k, key) }):
				return &problem{notJob, fmt.Sprintf("key %s comes twice", quote(key))}
			default:
				keys = append(keys, key)
			}
		}
	}
	return nil
}

// endOfString returns the index of the quote that closes a string.
func endOfString(text []byte) int {
	for at := 0; ; at++ {
		switch text[at] {
		case '"':
			return at
		case '\\':
			at++
		}
	}
}
