package trace

import (
	"bytes"
	"fmt"
	"iter"
	"math"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy/workload"
)

// pbs reads the accounting logs of PBS, OpenPBS and Torque: the records of kind E, of jobs that have ended.
//
// # Source
//
// Torque Administrator Guide 6.1, "Accounting records"; PBS Professional Reference Guide, "Accounting log", for the forms of exec_host.
type pbs struct{ unixLog }

func pbsParser(*ReaderConfig) (parser, error) { return new(pbs), nil }

// pbsKind is where the kind of a record stands, a letter: 03/02/2026 10:00:00;E;12.server;user=ann ...
const pbsKind = len("03/02/2026 10:00:00;")

func looksPBS(first []byte) bool {
	const form = "00/00/0000 00:00:00;A;"
	if len(first) < len(form) {
		return false
	}
	for i, c := range []byte(form) {
		switch digit := first[i] >= '0' && first[i] <= '9'; {
		case c == '0' && !digit, c != '0' && c != 'A' && first[i] != c:
			return false
		}
	}
	c := first[pbsKind] | 0x20
	return 'a' <= c && c <= 'z'
}

func (p *pbs) row(line []byte) (*workload.Job, *problem) {
	if !looksPBS(line) {
		return nil, &problem{"not a record such as 03/02/2026 10:00:00;E;12.server;user=ann", quote(line)}
	}
	if kind := line[pbsKind]; kind != 'E' {
		p.skip(fmt.Sprintf("record of kind %c: only E has the end of a job", kind))
		return nil, nil
	}
	id, message, _ := bytes.Cut(line[pbsKind+2:], []byte(";"))
	var f faults
	var user, group, account, jobname, queue, nodes []byte
	var created, queued, eligible, start, end, requested, slots, cpus, memory float64
	for key, value := range pbsFields(message) {
		switch string(key) {
		case "user":
			user = value
		case "group":
			group = value
		case "account":
			account = value
		case "jobname":
			jobname = value
		case "queue":
			queue = value
		case "ctime":
			created = f.amount(value, "ctime", 9e9)
		case "qtime":
			queued = f.amount(value, "qtime", 9e9)
		case "etime":
			eligible = f.amount(value, "etime", 9e9)
		case "start":
			start = f.amount(value, "start", 9e9)
		case "end":
			end = f.amount(value, "end", 9e9)
		case "exec_host":
			slots = f.slots(value)
		case "Resource_List.ncpus":
			cpus = f.amount(value, "Resource_List.ncpus", maxAlike)
		case "Resource_List.nodes":
			nodes = value
		case "Resource_List.walltime":
			requested = f.clock(value)
		case "Resource_List.mem":
			memory = f.bytes(value)
		}
	}
	if f.wrong == nil && (start == 0 || bytes.Contains(id, []byte("[]"))) {
		p.skip("job that did not start, or a whole array")
		return nil, nil
	}
	if end < start {
		f.refuse("end is before start", fmt.Sprintf("end=%.0f start=%.0f", end, start))
	}
	if slots == 0 && cpus == 0 {
		slots = f.ppn(nodes)
	}
	submit := eligible
	for _, earlier := range []float64{queued, created, start} {
		if submit == 0 {
			submit = earlier
		}
	}
	j := p.job(&f, string(id), submit, end-start, max(slots, math.Ceil(cpus), 1))
	if f.wrong != nil {
		return nil, f.wrong
	}
	j.Requested = nanoseconds(requested)
	j.Stages[0].Memory = saturate.To[int64](math.Ceil(memory / float64(j.Stages[0].Tasks)))
	j.Queue = p.texts.get(queue)
	j.Attrs = attrs("user", p.texts.get(user), "group", p.texts.get(group), "account", p.texts.get(account), "jobname", p.texts.get(jobname))
	return j, nil
}

// pbsFields yields the fields of a message: key=value, separated by blanks. A value in quotes may have blanks.
func pbsFields(text []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		for {
			text = bytes.TrimLeft(text, " \t")
			key, value, ok := bytes.Cut(text, []byte("="))
			if !ok {
				return
			}
			if i := bytes.LastIndexAny(key, " \t"); i >= 0 { // a word without a value
				key = key[i+1:]
			}
			if len(value) > 0 && value[0] == '"' {
				value, text, _ = bytes.Cut(value[1:], []byte(`"`))
			} else {
				value, text = word(value)
			}
			if !yield(key, value) {
				return
			}
		}
	}
}

// slots counts the processors of exec_host, such as a/0+a/1, a/0-3,6+b/0-1 or a/0*8+b/0*8.
func (f *faults) slots(text []byte) (n float64) {
	for part := range bytes.SplitSeq(text, []byte("+")) {
		_, of, _ := bytes.Cut(part, []byte("/"))
		if _, times, ok := bytes.Cut(of, []byte("*")); ok {
			n += f.amount(times, "number of processors in exec_host", maxAlike)
			continue
		}
		for list := range bytes.SplitSeq(of, []byte(",")) {
			from, to, span := bytes.Cut(list, []byte("-"))
			n++
			if !span {
				continue
			}
			first, last := f.amount(from, "number of a processor in exec_host", maxAlike), f.amount(to, "number of a processor in exec_host", maxAlike)
			if last < first {
				f.refuse("numbers of processors in exec_host go back", quote(list))
			}
			n += last - first
		}
	}
	return n
}

// ppn counts the processors of a request for nodes, such as 2:ppn=8+a:ppn=4.
func (f *faults) ppn(text []byte) (n float64) {
	for chunk := range bytes.SplitSeq(text, []byte("+")) {
		count, each := 1.0, 1.0
		for i, part := range bytes.Split(chunk, []byte(":")) {
			if x, ok := natural(part); ok && i == 0 {
				count = float64(x)
			} else if after, ok := bytes.CutPrefix(part, []byte("ppn=")); ok {
				each = f.amount(after, "ppn", maxAlike)
			}
		}
		n += count * each
	}
	return n
}

// clock reads a span such as 3600, 10:00, 1:00:00 or 2:00:00:00, in seconds.
func (f *faults) clock(text []byte) (seconds float64) {
	parts := bytes.Split(text, []byte(":"))
	if len(parts) > 4 {
		f.refuse("Resource_List.walltime is not a time such as 48:00:00", quote(text))
		return 0
	}
	units := []float64{1, 60, 3600, 86400}
	for i, part := range parts {
		seconds += f.amount(part, "Resource_List.walltime", limits.Seconds) * units[len(parts)-1-i]
	}
	return min(seconds, limits.Seconds)
}

// bytes reads a size such as 600mb; a word has 8 bytes.
func (f *faults) bytes(text []byte) float64 {
	digits := bytes.TrimRight(text, "kmgtpbwKMGTPBW")
	x := f.amount(digits, "Resource_List.mem", 1<<50)
	for _, unit := range bytes.ToLower(text[len(digits):]) {
		switch i := bytes.IndexByte([]byte("kmgtp"), unit); {
		case i >= 0:
			x *= math.Pow(1024, float64(i+1))
		case unit == 'w':
			x *= 8
		}
	}
	return min(x, 1<<60)
}

// A unixLog makes jobs of a log whose times are Unix seconds. Instants count from the submission of the first job.
type unixLog struct {
	parsing
	zero float64 // 0: there was no job yet
}

// job returns a gang of one-core tasks that was submitted at a time and ran for so many seconds.
func (u *unixLog) job(f *faults, name string, submit, runtime, processors float64) *workload.Job {
	if processors > maxAlike {
		f.refuse("number of processors is above 2^20", fmt.Sprint(processors))
	}
	if submit < earliest/1e9 {
		f.refuse("submission"+noTime, fmt.Sprintf("%.0f s", submit))
	}
	if runtime > limits.Seconds {
		f.refuse("run time is above 1e9 s", fmt.Sprint(runtime))
	}
	if f.wrong != nil {
		return nil
	}
	if u.zero == 0 {
		u.zero = submit
	}
	j := uniform(saturate.To[int](processors), nanoseconds(runtime))
	j.Name, j.At = name, unixTime(submit)
	j.Submitted = j.Submitted.Add(nanoseconds(submit - u.zero))
	j.Stages[0].Gang = processors > 1
	return j
}
