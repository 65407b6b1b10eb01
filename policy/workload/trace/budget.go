package trace

import (
	"fmt"
	"io"

	"example.com/augur/policy/workload"
)

// A few bytes of a trace may stand for much memory: a row that says that its job has 2^20 tasks, or a file that
// gzip has made a thousand times smaller. So what all jobs of a reader take is bounded, beside what each row may be.
const (
	defaultBudget = 1 << 29 // the sample of SWIM with the most tasks, 26,700,000, takes 2^28 bytes
	// budgetPerByte is what each byte of the files adds to the budget, so that no long trace runs out of it:
	// a job of one task takes 600 bytes or so, and at least 7 in the real traces, packed.
	budgetPerByte = 1 << 7
)

// A budget is how much memory the jobs of a reader may take.
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

// spend takes note of the next job, nil if there is none, and says what is wrong if the budget is overrun.
func (b *budget) spend(j *workload.Job) *problem {
	if j != nil {
		b.spent += weight(j)
	}
	taken := b.spent + b.parser.bytes
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

// weight returns about how many bytes a job takes.
func weight(j *workload.Job) int64 {
	n := 400 + len(j.Queue)
	for _, a := range j.Attrs {
		n += 32 + len(a.Name) + len(a.Value)
	}
	if j.Inputs != nil {
		n += 4 * len(j.Inputs.Jobs)
	}
	for i := range j.Stages {
		s := &j.Stages[i]
		n += 128 + 8*len(j.Runtimes[i]) + 8*len(s.Reads) + 4*len(s.Prefer) + 4*len(s.Holders)
	}
	if j.Luck != nil {
		n += 8*len(j.Luck.Ratios) + 8*len(j.Luck.Base)
	}
	return int64(n)
}

// A counter counts the bytes that are read.
type counter struct {
	of io.Reader
	n  int64 // since it was last taken note of
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.of.Read(p)
	c.n += int64(n)
	return n, err
}
