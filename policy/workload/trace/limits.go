package trace

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/augur/internal/limits"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A trace may come from anywhere: these bounds, and those of package limits, keep a small file from taking much memory or from
// making times that overflow.
const (
	maxLine    = 1 << 24 // bytes of a row; the longest one of the Google trace of Hawk and Eagle has 57,462
	maxParts   = 1 << 18 // objects, arrays and nulls of a row of JSON: decoded, each takes up to 40 times the memory of its text
	maxColumns = 1 << 16 // of a table: each takes 24 bytes, and the text of one may be a comma
)

// beyond returns a problem if a valid job exceeds what a file may hold. last is the ID of the job before it.
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

// parts counts the parts of a JSON text. It also counts what looks like one in a string, which does no harm.
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

// A few bytes of a trace may stand for much memory: a row with 2^20 tasks, or a file that gzip has made a thousand
// times smaller. So the memory of all jobs of a reader is bounded, besides that of each row.
const (
	defaultBudget = 1 << 29 // the sample of SWIM with the most tasks, 26,700,000, takes .43e9 bytes
	// bytesOfTask is what a task takes: its runtime, and as much of a program that runs the jobs, for package sim and
	// its checker keep 4 bytes each of every task that is there.
	bytesOfTask = 8 + 8
	// budgetPerByte is what each byte of the files adds to the budget, so that a long trace does not run out of
	// it: a job of one task takes about 600 bytes, and at least 7 in real traces, packed.
	budgetPerByte = 1 << 7
)

// A budget bounds the memory of the jobs of a reader.
type budget struct {
	most   int64 // bytes, beyond budgetPerByte for each of the files
	read   int64 // bytes of the files, as they are stored
	spent  int64 // bytes, by the jobs yielded
	parser *parsing
}

func newBudget(c *ReaderConfig, p *parsing) (budget, error) {
	if c.Budget < 0 {
		return budget{}, fmt.Errorf("trace: ReaderConfig.Budget is %d, want at least 1 byte, or 0 for 2^29", c.Budget)
	}
	b := budget{most: c.Budget, parser: p}
	if b.most == 0 {
		b.most = defaultBudget
	}
	return b, nil
}

// spend charges the next job, nil if there is none, and returns a problem if the budget is exceeded.
func (b *budget) spend(j *workload.Job) *problem {
	if j != nil {
		b.spent += weight(j)
	}
	taken := b.spent + b.parser.held
	// A file has fewer bytes than 2^56.
	if taken-budgetPerByte*b.read <= b.most {
		return nil
	}
	detail := fmt.Sprintf("they take %d bytes, want at most %d and %d for each of the %d bytes read; a greater Budget allows more", taken, b.most, budgetPerByte, b.read)
	if j != nil {
		detail = fmt.Sprintf("with job %d, of %d tasks, %s", j.ID, j.Tasks(), detail)
	}
	return &problem{"the jobs are over the Budget of the reader", detail}
}

// weight returns the approximate memory of a job in bytes, in a program that runs it.
func weight(j *workload.Job) int64 {
	n := 400 + len(j.Queue) + len(j.Name)
	for _, a := range j.Attrs {
		n += 32 + len(a.Name) + len(a.Value)
	}
	if j.Inputs != nil {
		n += 4 * len(j.Inputs.Jobs)
	}
	for i := range j.Stages {
		s := &j.Stages[i]
		n += 128 + 24*len(s.Needs) + bytesOfTask*len(j.Runtimes[i]) + 8*len(s.Reads) + 4*len(s.Prefer) + 4*len(s.Holders)
	}
	if j.Luck != nil {
		n += 8*len(j.Luck.Ratios) + 8*len(j.Luck.Base)
	}
	return int64(n)
}

// A counter counts the bytes read.
type counter struct {
	of io.Reader
	n  int64 // since it was last taken note of
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.of.Read(p)
	c.n += int64(n)
	return n, err
}
