package trace

import "slices"

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
	csvCores:     {"cores", []csvUnit{{"cores", 1000, false}, {"percent", 10, false}, {"milli", 1, false}}},
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
