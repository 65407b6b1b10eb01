package trace

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"example.com/augur/internal/limits"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A trace may come from anywhere: these bounds, and those of package limits, keep a small file from
// taking much memory or from making times that overflow.
const (
	// maxLine bounds the bytes of a row, so that a file without ends of lines does not
	// take all memory. The longest row of the Google trace of Hawk and Eagle has 57,462.
	maxLine = 1 << 24
	// maxParts bounds the objects, arrays and nulls of a row of JSON: decoded, each takes
	// up to 40 times the memory of its text.
	maxParts = 1 << 18
	// maxColumns bounds the columns of a table: each takes 24 bytes, and the text of one may be a comma.
	maxColumns = 1 << 16
)

// beyond says what in a valid job is more than a file may hold, if the ID of the job
// before it is last.
func beyond(j *workload.Job, last policy.JobID) *problem {
	const most = policy.Duration(limits.Seconds * 1e9)
	if j.ID <= last || j.ID > limits.ID {
		return &problem{"ID does not increase, or is above 2^28", fmt.Sprintf("%d after %d", j.ID, last)}
	}
	if t := policy.Duration(j.Submitted); t < -most || t > most {
		return &problem{"submission is beyond 1e9 s", fmt.Sprintf("%v s", t.Seconds())}
	}
	if j.SLO != nil {
		if t := policy.Duration(j.SLO.Deadline); t < -most || t > most {
			return &problem{"deadline is beyond 1e9 s", fmt.Sprintf("%v s", t.Seconds())}
		}
	}
	for i, tasks := range j.Runtimes {
		for k, d := range tasks {
			if d > most {
				return &problem{"runtime is above 1e9 s", fmt.Sprintf("stage %d, task %d: %v s", i, k, d.Seconds())}
			}
		}
	}
	if j.Luck != nil {
		for i, d := range j.Luck.Base {
			if d > most {
				return &problem{"base of luck is above 1e9 s", fmt.Sprintf("stage %d: %v s", i, d.Seconds())}
			}
		}
	}
	return nil
}

func tooLong(row []byte) *problem {
	return &problem{"the row is longer than 2^24 bytes", "it begins with " + quote(row)}
}

func tooManyParts(row []byte) *problem {
	if n := parts(row); n > maxParts {
		return &problem{"more than 2^18 objects, arrays and nulls", strconv.Itoa(n)}
	}
	return nil
}

// parts counts the parts of a text of JSON, and what looks like one in a string, which does
// no harm.
func parts(text []byte) int {
	n := 0
	for _, part := range []string{"{", "[", "null"} {
		n += bytes.Count(text, []byte(part))
	}
	return n
}

// quote and cut bound the text of an error.
func quote(text []byte) string { return strconv.Quote(string(text[:min(len(text), 40)])) }

func cut(text string) string {
	if len(text) <= 200 {
		return text
	}
	return strings.ToValidUTF8(text[:200], "") + " ..."
}
