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

// A RowError reports a row of a file that cannot be used, and why.
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

// ReaderConfig configures a [Reader]. The zero ReaderConfig is strict.
type ReaderConfig struct {
	// Lenient drops and counts rows that are damaged, duplicate or too late. Without it, the first such row is an error.
	Lenient bool
	// Lateness is how much earlier than the latest preceding row of its file a row may be, at least 0; 0
	// means no limit. A late row still counts at its own time.
	Lateness time.Duration
	// Template makes a job's template of its name by [Template], for logs that write into the name what is new in each run.
	// Without it the name is the template.
	Template bool
	// Unit is the unit of CSV times that are plain numbers: a second (also meant by 0), a millisecond, a
	// microsecond or a nanosecond.
	Unit time.Duration
	// Columns maps column names of [Reader.JobsCSV] and [Reader.OpsCSV] to other names in the files, as
	// in {"org": "organisation"}. Each table that can have such a column must then have it. Both tables
	// have a column job: use jobs.job or operations.job to rename it in one of them.
	Columns map[string]string
}

// A Reader builds a [Log] from any number of files, in any of the formats.
type Reader struct {
	config   ReaderConfig
	decimals int // decimals that a time in units may have
	log      Log
	rows     uint64
	notes    map[string]int
	dropped  map[string]int

	// of OpenLineage
	runs   []run
	runIDs Names              // of runs
	texts  Names              // that these have in common
	links  map[[2]uint32]bool // files that are one
}

// NewReader returns a reader. The error names the field that is not allowed.
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
	return &Reader{config: c, decimals: places, notes: make(map[string]int), dropped: make(map[string]int), links: make(map[[2]uint32]bool)}, nil
}

// Notes returns what is unusual about rows that are used or passed over, and the number of times that it was. Some of it is
// known only after [Reader.Take]. A late row, one that comes after a row of its file with a later time, counts there even if it
// is dropped for that.
func (r *Reader) Notes() map[string]int { return maps.Clone(r.notes) }

// Dropped returns the number of rows dropped, by reason. Without Lenient there are none: the first one is an error.
func (r *Reader) Dropped() map[string]int { return maps.Clone(r.dropped) }

// Take returns the log read since the last call, with operations in order of time. The reader then
// starts a new log, but its counts go on.
func (r *Reader) Take() *Log {
	l := r.log
	r.settle(&l)
	slices.SortStableFunc(l.Ops, func(a, b Op) int { return cmp.Compare(a.Time, b.Time) })
	r.log, r.runs, r.runIDs, r.links = Log{}, nil, Names{}, make(map[[2]uint32]bool)
	return &l
}

// A problem is a RowError without its place.
type problem struct{ reason, detail string }

// drop counts a problem if the reader is lenient, and otherwise returns it as an error.
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

// A clock finds the late rows of a file.
type clock struct {
	latest Time
	begun  bool
}

// check counts a late row, and returns a problem if it is too late.
func (r *Reader) check(c *clock, t Time) *problem {
	if !c.begun || t >= c.latest {
		c.latest, c.begun = t, true
		return nil
	}
	if most := r.config.Lateness; most > 0 && since(c.latest, t) > uint64(most) {
		return &problem{"row is too late", fmt.Sprintf("by %v", c.latest.Sub(t))}
	}
	r.notes["row is late, but used"]++
	return nil
}

// template returns the template of a job of some name.
func (r *Reader) template(name string) string {
	if r.config.Template {
		return Template(name)
	}
	return name
}

// decimals is the number of decimals of a whole number of nanoseconds in each unit.
var decimals = map[time.Duration]int{time.Second: 9, time.Millisecond: 6, time.Microsecond: 3, time.Nanosecond: 0}

// time parses a number of units since the epoch, with decimals down to the nanosecond, or a time in
// RFC 3339, whose epoch is that of Unix.
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
	nanos := Time(0) // negative, since negative numbers reach one further
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

// instant returns a calendar time as nanoseconds since the Unix epoch, and false if it does not fit:
// before 1678 and after 2261.
func instant(t time.Time) (Time, bool) {
	if y := t.UTC().Year(); y < 1678 || y > 2261 {
		return 0, false
	}
	return Time(t.UnixNano()), true
}
