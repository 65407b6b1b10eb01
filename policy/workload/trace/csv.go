package trace

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// csvTable reads a table in CSV, each row a job, or a task of one.
type csvTable struct {
	parsing
	plan   *csvPlan // nil: that of the preset with the first header
	header *csvPlan // the same, once the first line of this file has been read
	sep    byte     // between the columns of this file
	width  int      // columns of the first line
	cols   [][]byte
	epoch  int64 // of the trace, Unix nanoseconds: its first submission, if begun
	begun  bool
	groups waiting[string, csvGroup]
	faults // of this row
}

func csvParser(c *ReaderConfig) (parser, error) {
	t := &csvTable{groups: waiting[string, csvGroup]{jobs: make(map[string]*csvGroup)}}
	if c.Columns == "" {
		return t, nil
	}
	text := c.Columns
	for _, p := range presets {
		if p.name == text {
			text = p.columns
		}
	}
	var err error
	t.plan, err = planCSV(text)
	return t, err
}

// looksCSV accepts the headers of presets.
func looksCSV(first []byte) bool { return presetOf(first) != nil }

func (t *csvTable) row(line []byte) (*workload.Job, *problem) {
	if t.header == nil && t.bad == nil {
		if t.bad = t.begin(line); t.bad == nil && !t.header.numbered {
			return nil, nil
		}
	}
	if t.bad != nil {
		return nil, t.bad
	}
	var p *problem
	if t.cols, p = splitCSV(t.cols[:0], line, t.sep); p != nil {
		return nil, p
	}
	if len(t.cols) != t.width {
		return nil, &problem{"columns are not as many as in the first line", fmt.Sprintf("got %d, want %d", len(t.cols), t.width)}
	}
	for i := range t.header.where {
		c := &t.header.where[i]
		if !c.holds(t.cols[c.at]) {
			t.skip(c.why)
			return nil, nil
		}
	}
	t.wrong = nil
	r := t.read()
	if t.wrong != nil {
		return nil, t.wrong
	}
	if t.header.grouped() {
		p := t.task(&r)
		if p == nil {
			t.hold(line)
		}
		return nil, p
	}
	return t.job(&r), nil
}

func (t *csvTable) end() (*workload.Job, *problem) {
	t.header, t.bad = nil, nil
	return nil, nil
}

func (t *csvTable) rest() (*workload.Job, *problem) {
	t.held = 0
	if g := t.groups.next(func(a, b *csvGroup) int { return cmp.Compare(a.rank, b.rank) }); g != nil {
		return g.whole()
	}
	return nil, nil
}

// begin reads the first line of a file: its header, if it has one.
func (t *csvTable) begin(line []byte) *problem {
	plan := t.plan
	if plan == nil {
		preset := presetOf(line)
		if preset == nil {
			return &problem{"the header is of no preset, so the columns must be named", strconv.Quote(cut(string(line))) + columnsHint(line)}
		}
		var err error
		if plan, err = planCSV(preset.columns); err != nil {
			return &problem{"the preset cannot be read", err.Error()}
		}
		t.plan = plan
	}
	var p *problem
	t.sep = separator(line)
	if t.cols, p = splitCSV(t.cols[:0], line, t.sep); p != nil {
		return p
	}
	places := make(map[string]int)
	for i, name := range t.cols {
		if plan.numbered {
			name = strconv.AppendInt(nil, int64(i+1), 10)
		}
		places[string(name)] = i
	}
	plan.each(func(c *csvColumn) {
		at, ok := places[c.column]
		if c.at = at; c.column != "" && !ok && p == nil {
			p = &problem{"the first line lacks column " + cut(c.column), strconv.Quote(cut(string(line)))}
			if !plan.numbered {
				p.detail += numbersHint(t.cols)
			}
		}
	})
	if p == nil {
		t.width, t.header = len(t.cols), plan
	}
	return p
}

// A csvRow is what a row says.
type csvRow struct {
	submitted policy.Time
	at        time.Time
	runtime   policy.Duration
	requested policy.Duration
	limited   bool // and requested is above 0
	slo       *policy.SLO
	priority  float64
	tasks     int
	gang      bool
	cores     int32
	memory    int64
	needs     []policy.Need
}

func (t *csvTable) text(k csvKey) []byte {
	if !t.header.has(k) {
		return nil
	}
	return t.cols[t.header.keys[k].at]
}

// check refuses the text of a key, if there is a reason.
func (t *csvTable) check(k csvKey, reason string) {
	if reason != "" {
		t.refuse(csvNames[k].name+reason, quote(t.text(k)))
	}
}

// read reads the numbers of a row. What is wrong with them is noted.
func (t *csvTable) read() (r csvRow) {
	submitted := t.instant(csvSubmit)
	if t.wrong != nil {
		return r
	}
	if t.header.keys[csvSubmit].unit.epoch {
		r.at = time.Unix(0, submitted).UTC()
		if !t.begun {
			t.begun, t.epoch = true, submitted
		}
	}
	r.submitted = t.since(csvSubmit, submitted)
	switch {
	case t.header.sum != nil:
		r.runtime = t.sum()
	case t.header.has(csvRuntime):
		r.runtime = t.span(csvRuntime)
	default:
		r.runtime = t.startToEnd()
	}
	if len(t.text(csvRequested)) > 0 {
		r.requested = t.span(csvRequested)
	}
	if text := t.text(csvLimited); len(text) > 0 {
		limited, err := strconv.ParseBool(string(text))
		if err != nil {
			t.check(csvLimited, " is not true or false")
		}
		r.limited = limited && r.requested > 0
	}
	if len(t.text(csvPriority)) > 0 {
		r.priority = t.finite(csvPriority)
	}
	if len(t.text(csvDeadline)) > 0 {
		r.slo = t.slo()
	}
	r.tasks, r.cores = 1, 1
	for _, k := range [...]csvKey{csvTasks, csvGang} {
		if t.header.has(k) {
			n, ok := natural(t.text(k))
			if !ok || n < 1 || n > maxAlike {
				t.check(k, " is not in 1 to 2^20")
			}
			r.tasks, r.gang = int(n), k == csvGang && n > 1
		}
	}
	if t.header.has(csvCores) {
		n := t.scaled(csvCores)
		if n < 0 || n > math.MaxInt32*1000 {
			t.check(csvCores, " are not in 0 to 2^31-1")
		}
		r.cores = int32(max(n/1000+min(n%1000, 1), 1))
	}
	if len(t.text(csvMemory)) > 0 {
		if r.memory = t.scaled(csvMemory); r.memory < 0 {
			t.check(csvMemory, " is negative")
		}
	}
	if t.header.needs != nil {
		r.needs = t.needs(&r)
	}
	return r
}

// scaled reads a number and returns it times the scale of its unit.
func (t *csvTable) scaled(k csvKey) int64 {
	x, reason := scaled(t.text(k), &t.header.keys[k].unit)
	t.check(k, reason)
	return x
}

// instant reads a time: if it is since 1970, in Unix nanoseconds.
func (t *csvTable) instant(k csvKey) int64 {
	unit := &t.header.keys[k].unit
	if unit.scale == 0 {
		x, reason := date(t.text(k))
		t.check(k, reason)
		return x
	}
	x, reason := scaled(t.text(k), unit)
	if reason != "" {
		reason += t.unitHint(k)
	}
	t.check(k, reason)
	return x
}

// since returns a time as one since the beginning of the trace.
func (t *csvTable) since(k csvKey, x int64) policy.Time {
	if t.header.keys[k].unit.epoch {
		x -= t.epoch
	}
	const most = int64(limits.Seconds * 1e9)
	if x < -most || x > most {
		t.refuse(csvNames[k].name+" is beyond 1e9 s"+t.unitHint(k), fmt.Sprintf("%v s", policy.Time(x).Seconds()))
	}
	return policy.Time(x)
}

func (t *csvTable) span(k csvKey) policy.Duration {
	unit := &t.header.keys[k].unit
	if unit.scale == 0 {
		d, reason := clock(t.text(k))
		t.check(k, reason)
		return d
	}
	d, reason := scaled(t.text(k), unit)
	if reason != "" {
		reason += t.clockHint(k)
	}
	t.check(k, reason)
	switch {
	case d < 0:
		t.check(k, " is negative")
	case d > limits.Seconds*1e9:
		t.check(k, " is above 1e9 s")
	}
	return policy.Duration(d)
}

// sum reads a runtime that is a sum of columns.
func (t *csvTable) sum() policy.Duration {
	total := 0.0
	for i := range t.header.sum {
		term := &t.header.sum[i]
		x, ok := finite(t.cols[term.at])
		if !ok || x < 0 {
			t.refuse("runtime is a sum of a column that is not a number of at least 0", term.column+" is "+quote(t.cols[term.at]))
		}
		total += float64(term.rate * x)
	}
	if total *= float64(t.header.keys[csvRuntime].unit.scale); !(total <= limits.Seconds*1e9) {
		t.refuse("runtime is above 1e9 s", fmt.Sprintf("%v s", total/1e9))
	}
	return saturate.To[policy.Duration](math.Round(total))
}

func (t *csvTable) startToEnd() policy.Duration {
	start, end := t.instant(csvStart), t.instant(csvEnd)
	d := end - start
	if d < 0 || d > limits.Seconds*1e9 {
		t.refuse("end is not 0 to 1e9 s after start", fmt.Sprintf("%s after %s", quote(t.text(csvEnd)), quote(t.text(csvStart))))
	}
	return policy.Duration(d)
}

func (t *csvTable) finite(k csvKey) float64 {
	x, ok := finite(t.text(k))
	if !ok {
		t.check(k, " is not a finite number")
	}
	return x
}

func (t *csvTable) slo() *policy.SLO {
	slo := &policy.SLO{Deadline: t.since(csvDeadline, t.instant(csvDeadline)), Utility: 1}
	if t.header.has(csvUtility) {
		switch slo.Utility = t.finite(csvUtility); {
		case slo.Utility < 0:
			t.check(csvUtility, " is negative")
		case slo.Utility > policy.MaxUtility:
			t.check(csvUtility, " is above 1e12")
		}
	}
	return slo
}

// job makes a job of a row.
func (t *csvTable) job(r *csvRow) *workload.Job {
	j := uniform(r.tasks, r.runtime)
	s := &j.Stages[0]
	s.Cores, s.Memory, s.Needs, s.Gang = r.cores, r.memory, r.needs, r.gang
	t.describe(j, r)
	return j
}

// describe sets what a job has besides its stages.
func (t *csvTable) describe(j *workload.Job, r *csvRow) {
	j.Submitted, j.At = r.submitted, r.at
	j.Requested, j.Limited, j.SLO, j.Priority = r.requested, r.limited, r.slo, r.priority
	j.Queue = t.texts.get(t.text(csvQueue))
	for _, c := range t.header.attrs {
		if text := t.cols[c.at]; len(text) > 0 {
			j.Attrs = append(j.Attrs, policy.Attr{Name: c.key, Value: t.texts.get(text)})
		}
	}
}

// date reads a date, or a date and a time with T or a blank between them, in UTC if no
// zone follows, and returns it in Unix nanoseconds. The reason says what is wrong.
func date(text []byte) (at int64, reason string) {
	form := append(make([]byte, 0, 40), text[:min(len(text), 35)]...)
	const day, second = len("2006-01-02"), len("2006-01-02T15:04:05")
	switch {
	case len(form) == day:
		form = append(form, "T00:00:00Z"...)
	case len(form) >= second:
		if form[day] == ' ' {
			form[day] = 'T'
		}
		if !strings.ContainsAny(string(form[second:]), "Z+-") {
			form = append(form, 'Z')
		}
	}
	var calendar time.Time
	if err := calendar.UnmarshalText(form); err != nil {
		return 0, " is not a date such as 2006-01-02 15:04:05"
	}
	if y := calendar.Year(); y < 1800 || y > 2200 {
		return 0, " is not in the years 1800 to 2200"
	}
	return calendar.UnixNano(), ""
}
