package trace

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"example.com/augur/internal/calendar"
	"example.com/augur/internal/limits"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// csvTable reads a table in CSV with a header line, each row a job, or a task of one.
type csvTable struct {
	parsing
	plan   *csvPlan // nil: that of the preset with the first header
	header *csvPlan // the same, once the header of this file has been read
	width  int      // columns of the header
	cols   [][]byte
	epoch  int64 // of the trace, Unix nanoseconds: its first submission, if begun
	begun  bool
	groups csvGroups
}

func csvParser(c *ReaderConfig) (parser, error) {
	t := &csvTable{groups: csvGroups{byName: make(map[string]*csvGroup)}}
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
		t.bad = t.begin(line)
		return nil, t.bad
	}
	if t.bad != nil {
		return nil, t.bad
	}
	var p *problem
	if t.cols, p = splitCSV(t.cols[:0], line); p != nil {
		return nil, p
	}
	if len(t.cols) != t.width {
		return nil, &problem{"columns are not as many as in the header", fmt.Sprintf("got %d, want %d", len(t.cols), t.width)}
	}
	for i := range t.header.where {
		c := &t.header.where[i]
		if !c.holds(t.cols[c.at]) {
			t.skip(c.why)
			return nil, nil
		}
	}
	r, p := t.read()
	if p != nil {
		return nil, p
	}
	if t.header.grouped() {
		return nil, t.task(&r)
	}
	return t.job(&r), nil
}

func (t *csvTable) end() (*workload.Job, *problem) {
	t.header, t.bad = nil, nil
	return nil, nil
}

func (t *csvTable) rest() (*workload.Job, *problem) {
	t.bytes = 0
	j, p := t.groups.next()
	if j != nil {
		t.id++
		j.ID = t.id
	}
	return j, p
}

// begin reads the header of a file.
func (t *csvTable) begin(line []byte) *problem {
	line = bytes.TrimPrefix(line, []byte("\ufeff"))
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
	if t.cols, p = splitCSV(t.cols[:0], line); p != nil {
		return p
	}
	places := make(map[string]int)
	for i, name := range t.cols {
		places[string(bytes.TrimSpace(name))] = i
	}
	plan.each(func(c *csvColumn) {
		at, ok := places[c.column]
		if c.at = at; c.column != "" && !ok && p == nil {
			p = &problem{"the header lacks column " + cut(c.column), strconv.Quote(cut(string(line))) + separatorHint(line)}
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
	slo       *policy.SLO
	priority  float64
	tasks     int
	gang      bool
	cores     int32
	memory    int64
}

func (t *csvTable) text(k csvKey) []byte {
	if !t.header.has(k) {
		return nil
	}
	return t.cols[t.header.keys[k].at]
}

// read reads the numbers of a row.
func (t *csvTable) read() (r csvRow, p *problem) {
	submitted, p := t.instant(csvSubmit)
	if p != nil {
		return r, p
	}
	if t.header.keys[csvSubmit].unit.epoch {
		r.at = time.Unix(0, submitted).UTC()
		if !t.begun {
			t.begun, t.epoch = true, submitted
		}
	}
	if r.submitted, p = t.since(csvSubmit, submitted); p != nil {
		return r, p
	}
	if t.header.has(csvRuntime) {
		r.runtime, p = t.span(csvRuntime)
	} else {
		r.runtime, p = t.startToEnd()
	}
	if p != nil {
		return r, p
	}
	if len(t.text(csvRequested)) > 0 {
		if r.requested, p = t.span(csvRequested); p != nil {
			return r, p
		}
	}
	if len(t.text(csvPriority)) > 0 {
		if r.priority, p = t.finite(csvPriority); p != nil {
			return r, p
		}
	}
	if len(t.text(csvDeadline)) > 0 {
		if r.slo, p = t.slo(); p != nil {
			return r, p
		}
	}
	r.tasks, r.cores = 1, 1
	for _, k := range [...]csvKey{csvTasks, csvGang} {
		if t.header.has(k) {
			n, ok := natural(t.text(k))
			if !ok || n < 1 || n > maxAlike {
				return r, &problem{csvNames[k].name + " is not in 1 to 2^20", quote(t.text(k))}
			}
			r.tasks, r.gang = int(n), k == csvGang && n > 1
		}
	}
	if t.header.has(csvCores) {
		n, p := scaled(t.text(csvCores), &t.header.keys[csvCores].unit, "cores")
		if p != nil {
			return r, p
		}
		if n < 0 || n > math.MaxInt32*1000 {
			return r, &problem{"cores are not in 0 to 2^31-1", quote(t.text(csvCores))}
		}
		r.cores = int32(max(n/1000+min(n%1000, 1), 1))
	}
	if len(t.text(csvMemory)) > 0 {
		if r.memory, p = scaled(t.text(csvMemory), &t.header.keys[csvMemory].unit, "memory"); p != nil {
			return r, p
		}
		if r.memory < 0 {
			return r, &problem{"memory is negative", quote(t.text(csvMemory))}
		}
	}
	return r, nil
}

// instant reads a time: if it is since 1970, in Unix nanoseconds.
func (t *csvTable) instant(k csvKey) (int64, *problem) {
	unit := &t.header.keys[k].unit
	if unit.scale == 0 {
		return date(t.text(k), csvNames[k].name)
	}
	x, p := scaled(t.text(k), unit, csvNames[k].name)
	if p != nil {
		p.reason += t.unitHint(k)
	}
	return x, p
}

// since returns a time as one since the beginning of the trace.
func (t *csvTable) since(k csvKey, x int64) (policy.Time, *problem) {
	if t.header.keys[k].unit.epoch {
		x -= t.epoch
	}
	const most = int64(limits.Seconds * 1e9)
	if x < -most || x > most {
		return 0, &problem{csvNames[k].name + " is beyond 1e9 s" + t.unitHint(k), fmt.Sprintf("%v s", policy.Time(x).Seconds())}
	}
	return policy.Time(x), nil
}

func (t *csvTable) span(k csvKey) (policy.Duration, *problem) {
	d, p := scaled(t.text(k), &t.header.keys[k].unit, csvNames[k].name)
	switch {
	case p != nil:
	case d < 0:
		p = &problem{csvNames[k].name + " is negative", quote(t.text(k))}
	case d > limits.Seconds*1e9:
		p = &problem{csvNames[k].name + " is above 1e9 s", quote(t.text(k))}
	}
	return policy.Duration(d), p
}

func (t *csvTable) startToEnd() (policy.Duration, *problem) {
	start, p := t.instant(csvStart)
	if p != nil {
		return 0, p
	}
	end, p := t.instant(csvEnd)
	if p != nil {
		return 0, p
	}
	if d := end - start; 0 <= d && d <= limits.Seconds*1e9 {
		return policy.Duration(d), nil
	}
	return 0, &problem{"end is not 0 to 1e9 s after start", fmt.Sprintf("%s after %s", quote(t.text(csvEnd)), quote(t.text(csvStart)))}
}

func (t *csvTable) finite(k csvKey) (float64, *problem) {
	x, ok := finite(t.text(k))
	if !ok {
		return 0, &problem{csvNames[k].name + " is not a finite number", quote(t.text(k))}
	}
	return x, nil
}

func (t *csvTable) slo() (*policy.SLO, *problem) {
	x, p := t.instant(csvDeadline)
	if p != nil {
		return nil, p
	}
	slo := &policy.SLO{Utility: 1}
	if slo.Deadline, p = t.since(csvDeadline, x); p != nil {
		return nil, p
	}
	if t.header.has(csvUtility) {
		switch slo.Utility, p = t.finite(csvUtility); {
		case p != nil:
		case slo.Utility < 0:
			p = &problem{"utility is negative", quote(t.text(csvUtility))}
		case slo.Utility > policy.MaxUtility:
			p = &problem{"utility is above 1e12", quote(t.text(csvUtility))}
		}
	}
	return slo, p
}

// job makes a job of a row.
func (t *csvTable) job(r *csvRow) *workload.Job {
	j := newOneStage(r.tasks, r.runtime)
	s := &j.Stages[0]
	s.Cores, s.Memory, s.Gang = r.cores, r.memory, r.gang
	t.describe(j, r)
	calendar.Add(&j.Job)
	t.id++
	j.ID = t.id
	return j
}

// describe sets what a job has besides its stages.
func (t *csvTable) describe(j *workload.Job, r *csvRow) {
	j.Submitted, j.At = r.submitted, r.at
	j.Requested, j.SLO, j.Priority = r.requested, r.slo, r.priority
	j.Queue = t.texts.get(t.text(csvQueue))
	for _, c := range t.header.attrs {
		if text := t.cols[c.at]; len(text) > 0 {
			j.Attrs = append(j.Attrs, policy.Attr{Name: c.key, Value: t.texts.get(text)})
		}
	}
}

// date reads a date, or a date and a time with T or a blank between them, in UTC if no
// zone follows, and returns it in Unix nanoseconds.
func date(text []byte, what string) (int64, *problem) {
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
	var at time.Time
	if err := at.UnmarshalText(form); err != nil {
		return 0, &problem{what + " is not a date such as 2006-01-02 15:04:05", quote(text)}
	}
	if y := at.Year(); y < 1800 || y > 2200 {
		return 0, &problem{what + " is not in the years 1800 to 2200", quote(text)}
	}
	return at.UnixNano(), nil
}
