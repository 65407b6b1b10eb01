package paper

import (
	"strconv"
	"time"

	"example.com/augur/policy"
)

// lakeWords make names that differ in letters, so that they still differ without dates and
// numbers. None of them is a hexadecimal number.
var lakeWords = [64]string{
	"account", "agent", "alert", "arrow", "audit", "badge", "basin", "billing", "bridge", "budget", "campaign", "canvas",
	"carbon", "catalog", "channel", "clicks", "cohort", "colour", "contract", "copper", "coupon", "customer", "delivery", "demand",
	"device", "dollar", "engine", "events", "export", "filter", "forecast", "funnel", "garden", "health", "history", "impression",
	"income", "index", "invoice", "journal", "kernel", "ledger", "market", "member", "mirror", "monitor", "orders", "partner",
	"payment", "pixel", "pricing", "profile", "quality", "ranking", "region", "report", "revenue", "sample", "session", "signal",
	"storage", "survey", "telemetry", "traffic",
}

// appendWords appends the number in base 64 as the given number of words, separated by mark.
func appendWords(b []byte, number uint64, words int, mark byte) []byte {
	for i := range words {
		if i > 0 {
			b = append(b, mark)
		}
		b = append(b, lakeWords[number%64]...)
		number /= 64
	}
	return b
}

// appendWhen appends what distinguishes a run of a template from others, in the style of its
// owners.
func appendWhen(b []byte, style uint8, id uint64, start time.Time, at policy.Time) []byte {
	t := start.Add(time.Duration(at)).UTC()
	switch style % lakeStyles {
	case 0:
		return t.AppendFormat(append(b, '_'), "2006-01-02")
	case 1:
		return t.AppendFormat(append(b, '-'), "20060102T150405.000000000Z")
	case 2:
		return strconv.AppendInt(append(b, "_run"...), t.UnixNano(), 10)
	case 3:
		// 16 digits in no order, which cannot be mistaken for a word.
		return strconv.AppendUint(append(b, '_'), (id+1)*0x9e3779b97f4a7c15|1<<63, 16)
	default:
		return strconv.AppendUint(append(b, '#'), id, 10)
	}
}

const lakeStyles = 5

// The names of templates, organisations and ad-hoc jobs are the words of a number multiplied by
// an odd factor, so that different numbers have different names.
const (
	lakeMix24 = 0x9e3779b1 & (1<<24 - 1)
	lakeMix30 = 0x9e3779b1 & (1<<30 - 1)
)

// setNames makes the names that recur.
func (l *LakeLog) setNames() {
	for o := range l.lake.Organisations {
		l.organisations = append(l.organisations, string(appendWords(nil, uint64(o+1)*lakeMix24%(1<<18), 3, '.')))
	}
	for u := range l.lake.Users {
		l.users = append(l.users, "u"+strconv.Itoa(u+1))
	}
}

// appendTemplate appends the name of a template.
func (l *LakeLog) appendTemplate(b []byte, t int32) []byte {
	return appendWords(b, uint64(t+1)*lakeMix24%(1<<24), 4, "-_ ."[t%4])
}

// appendName appends the name of a job.
func (l *LakeLog) appendName(b []byte, i int) []byte {
	j := &l.lake.jobs[i]
	if j.template < 0 {
		return appendWords(append(b, "adhoc "...), uint64(i+1)*lakeMix30%(1<<30), 5, ' ')
	}
	return appendWhen(l.appendTemplate(b, j.template), j.style, uint64(i), lakeStart, j.submitted)
}

// appendFile appends the name of the file of an operation.
func (l *LakeLog) appendFile(b []byte, op *lakeOp) []byte {
	j := &l.lake.jobs[op.job]
	b = append(append(b, '/'), l.organisations[j.org]...)
	begin := len(b) + 1
	switch {
	case op.file == -2:
		// From outside: one file a template and day.
		b = append(b, "/raw/"...)
		if j.template >= 0 {
			b = l.appendTemplate(b, j.template)
		} else {
			b = appendWords(b, uint64(j.user), 4, '-')
		}
		b = appendWhen(b, 0, 0, lakeStart, j.submitted)
	case op.file == -1:
		b = append(l.appendTemplate(append(b, '/'), j.template), "/latest"...)
	case j.template < 0:
		b = l.appendName(append(b, '/'), int(op.job))
	default:
		b = l.appendTemplate(append(b, '/'), j.template)
		// A date alone could be that of two runs.
		b = appendWhen(append(b, "/run"...), max(1, j.style), uint64(op.job), lakeStart, j.submitted)
		b = strconv.AppendInt(append(b, "/part"...), int64(op.file), 10)
	}
	for i, c := range b[begin:] {
		if c == ' ' || c == '#' {
			b[begin+i] = '-'
		}
	}
	return b
}
