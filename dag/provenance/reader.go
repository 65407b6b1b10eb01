package provenance

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// A RowError says which row of a file cannot be used, and why.
type RowError struct {
	File   string
	Line   int    // from 1
	Reason string // such as "job comes twice"
	Detail string // the culprit, such as "job 7"; may be empty
}

// Error gives file, line, reason and culprit.
func (e *RowError) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
	}
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Line, e.Reason, e.Detail)
}

// ReaderConfig says how a [Reader] reads. The zero ReaderConfig is strict.
type ReaderConfig struct {
	// Lenient leaves out, and counts, rows that are damaged, come twice, or come too late. Without
	// it, the first such row is an error.
	Lenient bool
	// Lateness is how far before the latest row before it in its file a row may be, at least 0; 0 means
	// as far as it likes. However late they come, rows are used at their own time.
	Lateness time.Duration
	// Repeated lets a run of OpenLineage start and end several times, as Spark's integration tells of one
	// that consists of several: the first start counts, and the last end, of one instant that which
	// says that it failed. All inputs and outputs count. Events that come twice then cannot be told from
	// others; they change nothing, and are not left out.
	Repeated bool
	// Unit is the unit of times in CSV that are plain numbers: a second, which 0 means too, a
	// millisecond, a microsecond or a nanosecond.
	Unit time.Duration
	// Columns says how columns of CSV are called in the files, by their names in [Reader.JobsCSV] and
	// [Reader.OpsCSV], where these are others: {"org": "organisation"}. A table that could have such a
	// column must have it then. Both tables have a job; with jobs.job or operations.job that of one
	// only is meant.
	Columns map[string]string
}

// A Reader puts together a [Log] from any number of files, in any of the formats.
type Reader struct {
	config   ReaderConfig
	decimals int // that a number of units may have to be whole nanoseconds
	log      Log
	runs     []run // of the jobs that are runs of OpenLineage, as long as Jobs
	rows     uint64
	late     int
	skipped  map[string]int
	dropped  map[string]int
}

// NewReader returns a reader that has read nothing. The error names the field that is not
// allowed.
func NewReader(c ReaderConfig) (*Reader, error) {
	if c.Lateness < 0 {
		return nil, fmt.Errorf("provenance: Lateness is %v, want at least 0", c.Lateness)
	}
	if c.Unit == 0 {
		c.Unit = time.Second
	}
	places, ok := decimals[c.Unit]
	if !ok {
		return nil, fmt.Errorf("provenance: Unit is %v, want 1s, 1ms, 1µs or 1ns", c.Unit)
	}
	c.Columns = maps.Clone(c.Columns)
	for column := range c.Columns {
		inJobs, isJobs := strings.CutPrefix(column, "jobs.")
		inOps, isOps := strings.CutPrefix(column, "operations.")
		if !(!isOps && slices.Contains(jobColumns, inJobs) || !isJobs && slices.Contains(opColumns, inOps)) {
			return nil, fmt.Errorf("provenance: Columns has %q, want names out of %q and %q", column, jobColumns, opColumns)
		}
	}
	return &Reader{config: c, decimals: places, skipped: make(map[string]int), dropped: make(map[string]int)}, nil
}

// Late returns how many rows came after a row of their file that has a later time, those that were
// left out for it too.
func (r *Reader) Late() int { return r.late }

// Skipped returns how many sound rows tell nothing of a job's run, by why not.
func (r *Reader) Skipped() map[string]int { return maps.Clone(r.skipped) }

// Dropped returns how many rows were left out as damaged, by what is wrong with them. Without Lenient
// there are none: the first is an error.
func (r *Reader) Dropped() map[string]int { return maps.Clone(r.dropped) }

// Take returns what was read since it was last called, operations in order of time: the reader
// begins a new log with it, and only goes on counting.
func (r *Reader) Take() *Log {
	l := r.log
	l.Ops = r.runOps(l.Ops)
	slices.SortStableFunc(l.Ops, func(a, b Op) int { return cmp.Compare(a.Time, b.Time) })
	r.log, r.runs = Log{}, nil
	return &l
}

// A problem is a RowError before it is known where.
type problem struct{ reason, detail string }

// drop counts a problem, or makes an error of it.
func (r *Reader) drop(file string, line int, p *problem) error {
	if !r.config.Lenient {
		return &RowError{file, line, p.reason, cut(p.detail)}
	}
	r.dropped[p.reason]++
	return nil
}

// cut bounds the text of an error.
func cut(text string) string {
	if len(text) <= 100 {
		return text
	}
	return strings.ToValidUTF8(text[:100], "") + " ..."
}

// A clock tells late rows of a file.
type clock struct {
	latest Time
	begun  bool
}

// check counts a row that is late, and has a problem with one that is too late.
func (r *Reader) check(c *clock, t Time) *problem {
	if !c.begun || t >= c.latest {
		c.latest, c.begun = t, true
		return nil
	}
	r.late++
	if most := r.config.Lateness; most > 0 && since(c.latest, t) > uint64(most) {
		return &problem{"row is too late", fmt.Sprintf("by %v", c.latest.Sub(t))}
	}
	return nil
}

// decimals are those that a number of each unit may have to be whole nanoseconds.
var decimals = map[time.Duration]int{time.Second: 9, time.Millisecond: 6, time.Microsecond: 3, time.Nanosecond: 0}

// time reads a number of units since the epoch, with the decimals that a nanosecond has, or a
// time of RFC 3339, whose epoch is that of Unix.
func (r *Reader) time(s string) (Time, bool) {
	if strings.Contains(s, "T") {
		t, err := time.Parse(time.RFC3339Nano, s)
		at, ok := instant(t)
		return at, ok && err == nil
	}
	digits, negative := strings.CutPrefix(s, "-")
	whole, part, point := strings.Cut(digits, ".")
	missing := r.decimals - len(part)
	if whole == "" || point && part == "" || missing < 0 {
		return 0, false
	}
	nanos := Time(0) // below 0, where there is one more
	for _, s := range [...]string{whole, part, "000000000"[:missing]} {
		for _, c := range []byte(s) {
			if !digit(c) || nanos < (math.MinInt64+Time(c-'0'))/10 {
				return 0, false
			}
			nanos = nanos*10 - Time(c-'0')
		}
	}
	if negative {
		return nanos, true
	}
	return -nanos, nanos > math.MinInt64
}

// instant returns a calendar time as nanoseconds since Unix's epoch, and false if they do not fit:
// before 1678 and after 2261.
func instant(t time.Time) (Time, bool) {
	if y := t.UTC().Year(); y < 1678 || y > 2261 {
		return 0, false
	}
	return Time(t.UnixNano()), true
}
