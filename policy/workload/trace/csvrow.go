package trace

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

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
		if reason == "" && x < earliest {
			reason = noTime
		}
		t.check(k, reason)
		return x
	}
	x, reason := scaled(t.text(k), unit)
	switch {
	case reason != "":
		reason += t.unitHint(k)
	case unit.epoch && x < earliest:
		reason = noTime + t.unitHint(k)
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
