package trace

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// swf reads the Standard Workload Format, and the Grid Workload Format, which is alike. A negative number means unknown.
// Columns without a name here are ignored.
//
// # Source
//
// S. Chapin, W. Cirne, D. Feitelson, J. P. Jones, S. Leutenegger, U. Schwiegelshohn, W.
// Smith and D. Talby, "Benchmarks and standards for the evaluation of parallel job
// schedulers", JSSPP 1999; version 2.2 as the Parallel Workloads Archive gives it.
type swf struct {
	parsing
	grid  bool    // it is GWF
	rows  bool    // a row of this file has been read
	unix  bool    // its submit times are Unix seconds
	start float64 // of the file, Unix seconds; 0: not known
	zero  float64 // start of the first file with a known start
	// before are the jobs of this file by their numbers, if preceding jobs count; nil: they do not.
	before map[uint64]policy.JobID
}

func swfParser(c *ReaderConfig) (parser, error) {
	s := new(swf)
	if c.Preceding {
		s.before = make(map[uint64]policy.JobID)
	}
	return s, nil
}

// The columns, from 0.
const (
	swfNumber    = 0 // of the job
	swfSubmit    = 1 // s
	swfRuntime   = 3 // s
	swfAllocated = 4 // processors
	swfWanted    = 7 // processors
	swfRequested = 8 // s
	swfMemory    = 9 // KB a processor
	swfStatus    = 10
	swfUser      = 11
	swfGroup     = 12
	swfProgram   = 13
	swfQueue     = 14
	swfPartition = 15
	swfPreceding = 16 // number of a job; some logs join several by &
	swfColumns   = 18

	// Additional columns in the dialect of the wagap logs.
	wagapNodes   = 18 // those it ran on, in braces
	wagapQueue   = 19
	wagapAsked   = 20 // number of nodes, and of processors on each: 2:ppn=8
	wagapColumns = 21
)

// swfNumbers are the columns that must be numbers, and their upper bounds.
var swfNumbers = [...]struct {
	column int
	what   string
	most   float64
	limit  string
	whole  bool
}{
	{swfSubmit, "submit time", 9e9, "9e9 s", false},
	{swfRuntime, "run time", limits.Seconds, "1e9 s", false},
	{swfAllocated, "number of processors", maxAlike, "2^20", true},
	{swfWanted, "number of requested processors", maxAlike, "2^20", true},
	{swfRequested, "requested time", limits.Seconds, "1e9 s", false},
	{swfMemory, "requested memory", 1 << 50, "2^50", false},
	{swfStatus, "status", 1 << 20, "2^20", true},
}

func (s *swf) row(line []byte) (*workload.Job, *problem) {
	switch {
	case s.grid && (line[0] == '#' || gwfTitle(line)):
		return nil, nil
	case !s.grid && line[0] == ';':
		s.header(line)
		return nil, nil
	}
	var cols [gwfColumns][]byte
	n := words(line, cols[:])
	wagap := n == wagapColumns && cols[wagapNodes][0] == '{'
	switch {
	case s.grid && n != gwfColumns:
		return nil, &problem{"columns are not 29", fmt.Sprintf("got %d", n)}
	case !s.grid && n != swfColumns && !wagap:
		return nil, &problem{"columns are not 18, or 21 with the 19th in braces", fmt.Sprintf("got %d", n)}
	}
	var x [swfStatus + 1]float64
	for i := range swfNumbers {
		c := &swfNumbers[i]
		v, ok := number(cols[c.column])
		switch text := cols[c.column]; {
		case !ok:
			return nil, &problem{c.what + " is not a number", quote(text)}
		case v > c.most:
			return nil, &problem{c.what + " is above " + c.limit, quote(text)}
		case c.whole && v != math.Trunc(v):
			return nil, &problem{c.what + " is not a whole number", quote(text)}
		}
		x[c.column] = v
	}
	if !s.rows {
		s.begin(x[swfSubmit])
	}
	processors := x[swfAllocated]
	if processors <= 0 {
		processors = x[swfWanted]
	}
	reason := ""
	switch status := x[swfStatus]; {
	case 2 <= status && status <= 4:
		reason = "part of a job that has a row for the whole"
	case x[swfRuntime] < 0 || status == 5 && x[swfRuntime] == 0:
		reason = "job did not run, or nobody knows for how long"
	case processors <= 0:
		reason = "job has no processors"
	case x[swfSubmit] < 0:
		reason = "job has no submit time"
	}
	if reason != "" {
		s.skip(reason)
		return nil, nil
	}

	j := uniform(saturate.To[int](processors), nanoseconds(x[swfRuntime]))
	if p := s.submit(j, x[swfSubmit]); p != nil {
		return nil, p
	}
	j.Name = string(cols[swfNumber])
	j.Requested = nanoseconds(max(x[swfRequested], 0))
	j.Stages[0].Gang = processors > 1
	s.attr(j, "user", cols[swfUser])
	memory := max(x[swfMemory], 0)
	if wagap {
		j.Stages[0].Memory = saturate.To[int64](math.Ceil(memory * min(nodes(cols[wagapAsked]), processors) / processors))
		j.Queue = s.texts.get(cols[wagapQueue])
	} else {
		if !s.grid {
			j.Stages[0].Memory = saturate.To[int64](memory * 1024)
		}
		s.attr(j, "group", cols[swfGroup])
		s.attr(j, "program", cols[swfProgram])
		s.attr(j, "partition", cols[swfPartition])
		if queue := cols[swfQueue]; queue[0] != '-' {
			j.Queue = s.texts.get(queue)
		}
		if s.grid {
			s.attr(j, "site", cols[gwfSite])
			s.attr(j, "vo", cols[gwfVO])
			s.attr(j, "project", cols[gwfProject])
		}
		if s.before != nil {
			return j, s.follow(j, cols[swfNumber], cols[swfPreceding])
		}
	}
	return j, nil
}

// follow lets a job wait for its preceding jobs, as far as the file has them before it. So no two jobs wait for each other.
func (s *swf) follow(j *workload.Job, number, preceding []byte) *problem {
	if preceding[0] != '-' {
		in := &policy.Inputs{Wait: true}
		for text := range bytes.SplitSeq(preceding, []byte("&")) {
			n, ok := natural(text)
			if !ok {
				return &problem{"preceding job is not a number, or several joined by &", quote(preceding)}
			}
			if id := s.before[n]; id == 0 {
				s.skip("preceding job that is not among the jobs before")
			} else {
				in.Jobs = append(in.Jobs, id)
			}
		}
		slices.Sort(in.Jobs)
		in.Jobs = slices.Compact(in.Jobs)
		if in.Jobs != nil {
			j.Inputs = in
		}
	}
	if n, ok := natural(number); ok {
		s.before[n] = s.last + 1
	}
	return nil
}

func (s *swf) end() (*workload.Job, *problem) {
	s.rows, s.unix, s.start = false, false, 0
	clear(s.before)
	return nil, nil
}

// header reads the start of the file from a comment such as "; UnixStartTime: 749458803", and its cluster, the largest of several files.
func (s *swf) header(line []byte) {
	name, value, _ := bytes.Cut(bytes.TrimLeft(line, "; \t"), []byte(":"))
	value, _ = word(bytes.TrimLeft(value, " \t"))                  // a remark may follow
	n, whole := natural(bytes.ReplaceAll(value, []byte(","), nil)) // 1,024
	whole = whole && n <= maxAlike
	switch string(bytes.TrimSpace(name)) {
	case "UnixStartTime":
		if x, ok := number(value); ok && x > 0 && x <= 9e9 {
			s.start = x
		}
	case "MaxNodes":
		if whole {
			s.nodes = max(s.nodes, int(n))
		}
	case "MaxProcs":
		if whole {
			s.procs = max(s.procs, int(n))
		}
	}
}

// begin is called with the submit time of the first row.
func (s *swf) begin(submit float64) {
	s.rows = true
	if submit > limits.Seconds {
		s.unix, s.start = true, submit
	}
	if s.zero == 0 {
		s.zero = s.start
	}
}

// submit sets the submission of a job, relative to the start of the first file.
func (s *swf) submit(j *workload.Job, x float64) *problem {
	if s.unix {
		x -= s.start
	}
	since := x
	if s.start > 0 {
		since += s.start - s.zero
		j.At = unixTime(s.start + x)
	}
	if math.Abs(since) > limits.Seconds {
		return &problem{"submission is beyond 1e9 s", fmt.Sprintf("%v s", since)}
	}
	j.Submitted = policy.Time(nanoseconds(since))
	return nil
}

// attr sets an attribute if it is known.
func (s *swf) attr(j *workload.Job, name string, text []byte) {
	if text[0] != '-' {
		j.Attrs = append(j.Attrs, policy.Attr{Name: name, Value: s.texts.get(text)})
	}
}

func unixTime(seconds float64) time.Time {
	whole, part := math.Modf(seconds)
	return time.Unix(saturate.To[int64](whole), saturate.To[int64](math.Round(part*1e9))).UTC()
}

func nanoseconds(seconds float64) policy.Duration {
	return saturate.To[policy.Duration](math.Round(seconds * 1e9))
}

// nodes reads the number of nodes in a request for nodes, or 1 if there is none.
func nodes(text []byte) float64 {
	first, _, _ := bytes.Cut(text, []byte(":"))
	n, err := strconv.ParseUint(string(first), 10, 20)
	if err != nil {
		return 1
	}
	return max(float64(n), 1)
}

// looksSWF accepts a comment, and a row that cannot be a tr row: the number of its columns is not 3
// more than its second column says.
func looksSWF(first []byte) bool {
	if len(first) == 0 || first[0] == ';' {
		return len(first) > 0
	}
	unlike := false // a row of tr
	for n := 0; ; n++ {
		var text []byte
		if text, first = word(first); len(text) == 0 {
			return unlike && n == swfColumns
		}
		if n == wagapNodes {
			return text[0] == '{'
		}
		x, ok := number(text)
		if !ok {
			return false
		}
		if x < 0 || n == 1 && x != swfColumns-3 {
			unlike = true
		}
	}
}
