package trace

import (
	"cmp"
	"fmt"
	"strconv"

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
	places, twice := make(map[string]int), make(map[string]bool)
	for i, name := range t.cols {
		if plan.numbered {
			name = strconv.AppendInt(nil, int64(i+1), 10)
		}
		_, twice[string(name)] = places[string(name)]
		places[string(name)] = i
	}
	plan.each(func(c *csvColumn) {
		at, ok := places[c.column]
		if twice[c.column] && p == nil {
			p = &problem{"the first line has a column twice", cut(c.column)}
		}
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
