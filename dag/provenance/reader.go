package provenance

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
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

// Options says how a [Reader] reads. The zero Options is strict.
type Options struct {
	// Lenient leaves out, and counts, rows that are damaged, come twice, or come too late. Without
	// it, the first such row is an error.
	Lenient bool
	// Lateness is how far before the latest row before it in its file a row may be, at least 0; 0 means
	// as far as it likes. However late they come, rows are used at their own time.
	Lateness time.Duration
	// Template returns the template of a job by its name; nil means [Template].
	Template func(name string) string
	// MissingInput reports whether the error message of a job that failed says that an input was
	// missing; nil means that it has, in any case, one of the phrases "no such file", "file not
	// found", "filenotfound", "path does not exist" and "nosuchkey". Only OpenLineage has such
	// messages.
	MissingInput func(message string) bool
}

// A Reader puts together a [Log] from any number of files, in any of the formats.
type Reader struct {
	options Options
	log     Log
	runs    []run // of the jobs that are runs of OpenLineage, as long as Jobs
	rows    uint64
	late    int
	skipped int
	dropped map[string]int
}

// NewReader returns a reader that has read nothing.
func NewReader(o Options) (*Reader, error) {
	if o.Lateness < 0 {
		return nil, fmt.Errorf("provenance: Lateness is %v, want at least 0", o.Lateness)
	}
	if o.Template == nil {
		o.Template = Template
	}
	if o.MissingInput == nil {
		o.MissingInput = missingInput
	}
	return &Reader{options: o, dropped: make(map[string]int)}, nil
}

func missingInput(message string) bool {
	message = strings.ToLower(message)
	for _, phrase := range []string{"no such file", "file not found", "filenotfound", "path does not exist", "nosuchkey"} {
		if strings.Contains(message, phrase) {
			return true
		}
	}
	return false
}

// Late returns how many rows came after a row of their file that has a later time, those that were
// left out for it too.
func (r *Reader) Late() int { return r.late }

// Skipped returns how many sound rows there were that tell nothing of a job's run.
func (r *Reader) Skipped() int { return r.skipped }

// Dropped returns why rows were left out and how many for that reason, the reasons in
// alphabetical order.
func (r *Reader) Dropped() []string {
	var lines []string
	for _, reason := range slices.Sorted(maps.Keys(r.dropped)) {
		lines = append(lines, reason+": "+strconv.Itoa(r.dropped[reason]))
	}
	return lines
}

// Log returns what was read so far, operations in order of time. The reader then begins a new
// log, and only goes on counting.
func (r *Reader) Log() *Log {
	l := r.log
	l.Ops = r.runOps(l.Ops)
	slices.SortStableFunc(l.Ops, byTime)
	r.log, r.runs = Log{}, nil
	return &l
}

// A problem is a RowError before it is known where.
type problem struct{ reason, detail string }

// drop counts a problem, or makes an error of it.
func (r *Reader) drop(file string, line int, p *problem) error {
	if !r.options.Lenient {
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
	if most := r.options.Lateness; most > 0 && since(c.latest, t) > uint64(most) {
		return &problem{"row is too late", fmt.Sprintf("by %v", c.latest.Sub(t))}
	}
	return nil
}

// parseTime reads seconds since the epoch, with up to nine decimals, or a time of RFC 3339,
// whose epoch is that of Unix.
func parseTime(s string) (Time, bool) {
	if strings.Contains(s, "T") {
		t, err := time.Parse(time.RFC3339Nano, s)
		at, ok := instant(t)
		return at, ok && err == nil
	}
	sign, digits := Time(1), s
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, digits = -1, rest
	}
	whole, part, point := strings.Cut(digits, ".")
	if whole == "" || point && part == "" || len(part) > 9 || len(whole) > 10 {
		return 0, false
	}
	nanos := int64(0)
	for _, c := range []byte(whole + part + "000000000"[len(part):]) {
		if !digit(c) || nanos > (1<<63-1-9)/10 {
			return 0, false
		}
		nanos = nanos*10 + int64(c-'0')
	}
	return sign * Time(nanos), true
}

// instant returns a calendar time as nanoseconds since Unix's epoch, and false if they do not fit:
// before 1678 and after 2261.
func instant(t time.Time) (Time, bool) {
	if y := t.UTC().Year(); y < 1678 || y > 2261 {
		return 0, false
	}
	return Time(t.UnixNano()), true
}
