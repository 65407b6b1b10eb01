package trace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/augur/internal/saturate"
)

// A csvKey is what a column of a table can be, other than an attribute.
type csvKey int

const (
	csvSubmit csvKey = iota
	csvStart
	csvEnd
	csvRuntime
	csvRequested
	csvLimited
	csvDeadline
	csvUtility
	csvPriority
	csvQueue
	csvTasks
	csvGang
	csvCores
	csvMemory
	csvJob
	csvStage
	csvTask
	csvParents
	csvKeys // their number
)

// A csvName is the name of a key, and the units that it may have, the default first.
type csvName struct {
	name  string
	units []csvUnit
}

var csvNames = [csvKeys]csvName{
	csvSubmit:    {"submit", csvInstants},
	csvStart:     {"start", csvInstants},
	csvEnd:       {"end", csvInstants},
	csvRuntime:   {"runtime", csvSpans},
	csvRequested: {"requested", csvSpans},
	csvLimited:   {"limited", nil},
	csvDeadline:  {"deadline", csvInstants},
	csvUtility:   {"utility", nil},
	csvPriority:  {"priority", nil},
	csvQueue:     {"queue", nil},
	csvTasks:     {"tasks", nil},
	csvGang:      {"gang", nil},
	csvCores:     {"cores", []csvUnit{{"cores", 1000, false}, {"milli", 1, false}}},
	csvMemory: {"memory", []csvUnit{{"B", 1, false}, {"KiB", 1 << 10, false}, {"MiB", 1 << 20, false}, {"GiB", 1 << 30, false},
		{"KB", 1e3, false}, {"MB", 1e6, false}, {"GB", 1e9, false}}},
	csvJob:     {"job", nil},
	csvStage:   {"stage", nil},
	csvTask:    {"task", nil},
	csvParents: {"parents", nil},
}

// A csvUnit says how much 1 is: of times in nanoseconds, of memory in bytes, of cores in thousandths.
type csvUnit struct {
	name  string
	scale int64 // 0: a date, or a span on a clock
	epoch bool  // since 1970
}

var (
	csvTimes = []csvUnit{{"s", 1e9, false}, {"ns", 1, false}, {"us", 1e3, false}, {"ms", 1e6, false},
		{"min", 60e9, false}, {"h", 3600e9, false}}
	csvSpans    = append(slices.Clip(csvTimes), csvUnit{"clock", 0, false})
	csvInstants = append(slices.Clip(csvTimes), csvUnit{"unix", 1e9, true}, csvUnit{"unixms", 1e6, true},
		csvUnit{"unixus", 1e3, true}, csvUnit{"unixns", 1, true}, csvUnit{"date", 0, true})
)

// A csvColumn is a column of which something is read.
type csvColumn struct {
	column string // its name in the header; empty: there is none
	at     int    // its place, from 0
	unit   csvUnit
	key    string // of an attribute
}

// A csvCondition says which rows are read.
type csvCondition struct {
	csvColumn
	is     byte // '?' not blank, '=', '!' (not equal), '>'
	value  string
	number float64 // for '>'
	why    string  // a row is skipped
}

// A csvPlan says what is read of a table.
type csvPlan struct {
	keys     [csvKeys]csvColumn
	sum      []csvTerm // the runtime; nil: it is a column, or from start to end
	attrs    []csvColumn
	needs    []csvNeed
	where    []csvCondition
	whole    bool // all rows are one job
	numbered bool // there is no header, and columns are named by their numbers, from 1
}

// A csvTerm is part of a sum: a column that is multiplied.
type csvTerm struct {
	csvColumn
	rate float64 // ≥ 0
}

func (p *csvPlan) has(k csvKey) bool { return p.keys[k].column != "" }

// grouped reports whether the tasks of a job are rows.
func (p *csvPlan) grouped() bool { return p.whole || p.has(csvJob) }

// each yields every column that is read, for its place to be set.
func (p *csvPlan) each(yield func(c *csvColumn)) {
	for i := range p.keys {
		yield(&p.keys[i])
	}
	for i := range p.sum {
		yield(&p.sum[i].csvColumn)
	}
	for i := range p.attrs {
		yield(&p.attrs[i])
	}
	for i := range p.needs {
		yield(&p.needs[i].csvColumn)
		yield(&p.needs[i].times)
	}
	for i := range p.where {
		yield(&p.where[i].csvColumn)
	}
}

// planCSV reads ReaderConfig.Columns.
func planCSV(text string) (*csvPlan, error) {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("trace: columns %q: %s", cut(text), fmt.Sprintf(format, args...))
	}
	p := new(csvPlan)
	entries, err := splitPlan(text)
	if err != nil {
		return nil, wrong("%v", err)
	}
	for _, entry := range entries {
		entry = strings.TrimSpace(entry)
		if condition, ok := strings.CutPrefix(entry, "?"); ok {
			c, err := planCondition(condition)
			if err != nil {
				return nil, wrong("%v", err)
			}
			p.where = append(p.where, c)
			continue
		}
		key, column, _ := strings.Cut(entry, "=")
		if numbered(key) { // 1=submit:unix is submit=1:unix of a table without a header
			p.numbered = true
			what, unit, ok := strings.Cut(column, ":")
			if key, column = what, key; ok {
				column += ":" + unit
			}
		}
		if key == "" || column == "" {
			if key == text {
				return nil, wrong("want the name of a preset (%s), or a list of key=column and ?condition", listed(Presets()))
			}
			return nil, wrong("%q is not key=column or ?condition", entry)
		}
		if name, ok := strings.CutPrefix(key, "need."); ok {
			n, err := planNeed(name, column)
			switch {
			case err != nil:
				return nil, wrong("%v", err)
			case slices.ContainsFunc(p.needs, func(n csvNeed) bool { return n.key == name }):
				return nil, wrong("%s is given twice", key)
			}
			p.needs = append(p.needs, n)
			continue
		}
		k := csvKey(slices.IndexFunc(csvNames[:], func(n csvName) bool { return n.name == key }))
		if attr, ok := strings.CutPrefix(key, "@"); ok && attr != "" {
			k, key = -1, attr
		}
		switch {
		case k < 0:
			if slices.ContainsFunc(p.attrs, func(c csvColumn) bool { return c.key == key }) {
				return nil, wrong("%s is given twice", key)
			}
			p.attrs = append(p.attrs, csvColumn{column: column, key: key})
			continue
		case p.has(k) || k == csvJob && p.whole:
			return nil, wrong("%s is given twice", key)
		case k == csvJob && column == "*":
			p.whole = true
			continue
		}
		p.keys[k] = csvColumn{column: column}
		if units := csvNames[k].units; units != nil {
			if p.keys[k].column, p.keys[k].unit, err = cutUnit(key, column, units); err != nil {
				return nil, wrong("%v", err)
			}
		}
		if k == csvRuntime {
			if p.sum = planSum(p.keys[k].column); p.sum != nil && p.keys[k].unit.scale == 0 {
				return nil, wrong("a sum is not in unit %s", p.keys[k].unit.name)
			} else if p.sum != nil {
				p.keys[k].column = p.sum[0].column
			}
		}
	}
	if p.numbered {
		p.each(func(c *csvColumn) {
			if n, ok := natural([]byte(c.column)); c.column != "" && (!ok || n < 1 || n > maxColumns) {
				err = wrong("%q is not the number of a column, as in 1=submit: name all columns by numbers, or all by names", c.column)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	if what := p.missing(); what != "" {
		return nil, wrong("%s", what)
	}
	return p, nil
}

// numbered reports whether a key of a plan is a column, by its number, or a few of them.
func numbered(key string) bool {
	return key != "" && '0' <= key[0] && key[0] <= '9' && strings.Trim(key, "0123456789.*+/") == ""
}

// planSum reads a sum such as 0.2*in+30*out; nil if the text is none, but the name of a column.
func planSum(text string) (sum []csvTerm) {
	for part := range strings.SplitSeq(text, "+") {
		rate, column, _ := strings.Cut(part, "*")
		x, ok := finite([]byte(rate))
		if !ok || x < 0 || column == "" {
			return nil
		}
		sum = append(sum, csvTerm{csvColumn{column: column}, x})
	}
	return sum
}

// cutUnit cuts the unit off a column, as in queued:ms. The first of the units is the default.
func cutUnit(key, text string, units []csvUnit) (column string, unit csvUnit, err error) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return text, units[0], nil
	}
	var names []string
	for _, u := range units {
		if u.name == text[i+1:] {
			return text[:i], u, nil
		}
		names = append(names, u.name)
	}
	return "", unit, fmt.Errorf("%s has no unit %q, want one of %s", key, text[i+1:], strings.Join(names, ", "))
}

// splitPlan cuts a plan at its commas, but not at those of a column's name in quotes. The entries are without the quotes.
func splitPlan(text string) (entries []string, err error) {
	var entry []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ',':
			entries, entry = append(entries, string(entry)), entry[:0]
		case c == '"' && i > 0 && strings.IndexByte("=?*", text[i-1]) >= 0:
			n := strings.IndexByte(text[i+1:], '"')
			if n < 0 {
				return nil, fmt.Errorf("a quote is not closed: %s", text[i:])
			}
			entry = append(entry, text[i+1:][:n]...)
			i += n + 1
		default:
			entry = append(entry, c)
		}
	}
	return append(entries, string(entry)), nil
}

// missing says what the plan lacks, or has too much.
func (p *csvPlan) missing() string {
	submit, start, end := p.keys[csvSubmit], p.keys[csvStart], p.keys[csvEnd]
	switch {
	case submit.column == "":
		return "submit is not given" + p.keyHint(csvSubmit, likeSubmit)
	case p.has(csvRuntime) == (p.has(csvStart) && p.has(csvEnd)) || p.has(csvStart) != p.has(csvEnd):
		hint := ""
		if !p.has(csvRuntime) {
			hint = p.keyHint(csvRuntime, likeRuntime)
		}
		return "want either runtime or both start and end" + hint
	case start.unit.epoch != end.unit.epoch:
		return "want start and end both since 1970, or neither"
	case p.has(csvDeadline) && p.keys[csvDeadline].unit.epoch != submit.unit.epoch:
		return "want submit and deadline both since 1970, or neither"
	case p.has(csvLimited) && !p.has(csvRequested):
		return "limited is given without requested"
	case p.has(csvUtility) && !p.has(csvDeadline):
		return "utility is given without deadline"
	case p.has(csvTasks) && p.has(csvGang):
		return "want tasks or gang, not both"
	case p.grouped() && (p.has(csvTasks) || p.has(csvGang)):
		return "with job, each row is a task, so want neither tasks nor gang"
	case !p.grouped() && (p.has(csvStage) || p.has(csvTask) || p.has(csvParents)):
		return "stage, task and parents want job"
	case p.has(csvTask) != p.has(csvParents):
		return "want both task and parents, or neither"
	case p.has(csvTask) && p.has(csvStage):
		return "with task and parents, each row is a stage, so want no stage"
	}
	return p.wrongNeeds()
}

// planCondition reads a condition, without its question mark.
func planCondition(text string) (csvCondition, error) {
	i := strings.IndexAny(text, "=!>")
	if i < 0 {
		i = len(text)
	}
	c := csvCondition{csvColumn: csvColumn{column: text[:i]}, is: '?'}
	if i < len(text) {
		c.is, c.value = text[i], text[i+1:]
	}
	var ok bool
	switch c.is {
	case '?':
		c.why = c.column + " is blank"
	case '=':
		c.why = c.column + " is not " + c.value
	case '>':
		c.why = c.column + " is not above " + c.value
		if c.number, ok = finite([]byte(c.value)); !ok {
			return c, fmt.Errorf("%q is not a number", c.value)
		}
	case '!':
		if c.value, ok = strings.CutPrefix(c.value, "="); !ok {
			return c, fmt.Errorf("?%s is not a condition: want ?column, ?column=text, ?column!=text or ?column>number", text)
		}
		c.why = c.column + " is " + c.value
	}
	if c.column == "" {
		return c, fmt.Errorf("?%s names no column", text)
	}
	return c, nil
}

// holds reports whether a row with this text in the column is read.
func (c *csvCondition) holds(text []byte) bool {
	switch c.is {
	case '?':
		return len(text) > 0
	case '=':
		return string(text) == c.value
	case '!':
		return string(text) != c.value
	}
	x, ok := finite(text)
	return ok && x > c.number
}

// scaled reads a number of a unit and returns it times the unit's scale, rounded to the
// nearest whole number. It is exact for whole numbers. The reason says what is wrong.
func scaled(text []byte, unit *csvUnit) (n int64, reason string) {
	if n, ok := natural(text); ok && n <= uint64(math.MaxInt64/2/unit.scale) {
		return int64(n) * unit.scale, ""
	}
	x, ok := number(text)
	if !ok {
		return 0, " is not a number of " + unit.name
	}
	if !(math.Abs(x) <= float64(math.MaxInt64/4/unit.scale)) {
		return 0, " is out of range"
	}
	whole, part := math.Modf(x)
	return saturate.To[int64](whole)*unit.scale + saturate.To[int64](math.Round(part*float64(unit.scale))), ""
}
