package trace

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"example.com/augur/internal/limits"
	"example.com/augur/policy"
)

// columns splits a line at its commas into at most len(cols) columns, and returns the number of
// columns of the line. There is no quoting.
func columns(line []byte, cols [][]byte) int {
	n := 0
	for more := true; more; n++ {
		var text []byte
		if text, line, more = bytes.Cut(line, []byte{','}); n < len(cols) {
			cols[n] = text
		}
	}
	return n
}

// words splits a line at runs of blanks into at most len(places) words, and returns the number of words of the line.
func words(line []byte, places [][]byte) int {
	for n := 0; ; n++ {
		var text []byte
		if text, line = word(line); len(text) == 0 {
			return n
		}
		if n < len(places) {
			places[n] = text
		}
	}
}

// word cuts the first word off a line.
func word(line []byte) (word, rest []byte) {
	for len(line) > 0 && blank(line[0]) {
		line = line[1:]
	}
	for i, c := range line {
		if blank(c) {
			return line[:i], line[i:]
		}
	}
	return line, nil
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// natural parses a whole number from 0 to 2^64-1: digits only. It is several times as fast as strconv.
func natural(text []byte) (n uint64, ok bool) {
	for _, c := range text {
		d := uint64(c - '0')
		if d > 9 || n > math.MaxUint64/10 || n*10 > math.MaxUint64-d {
			return 0, false
		}
		n = n*10 + d
	}
	return n, len(text) > 0
}

// keep sets a text if it is not set yet.
func (in *interned) keep(to *string, text []byte) {
	if *to == "" {
		*to = in.get(text)
	}
}

// attrs makes attributes of alternating names and values, and leaves out those without a value.
func attrs(texts ...string) (list []policy.Attr) {
	for i := 1; i < len(texts); i += 2 {
		if texts[i] != "" {
			list = append(list, policy.Attr{Name: texts[i-1], Value: texts[i]})
		}
	}
	return list
}

// interned is a cache of short strings made from bytes, so that recurring texts seldom allocate.
type interned map[string]string

func (in *interned) get(text []byte) string {
	if len(text) > 64 {
		return string(text)
	}
	s, ok := (*in)[string(text)]
	if !ok {
		if *in == nil || len(*in) >= 1<<12 {
			*in = make(interned)
		}
		s = string(text)
		(*in)[s] = s
	}
	return s
}

// faults keeps the first problem of a row, so that all its columns are read before anybody asks.
type faults struct{ wrong *problem }

func (f *faults) refuse(reason, detail string) {
	if f.wrong == nil {
		f.wrong = &problem{reason, detail}
	}
}

// amount reads a number from 0 to most.
func (f *faults) amount(text []byte, what string, most float64) float64 {
	x, ok := number(text)
	if !ok || !(x >= 0 && x <= most) {
		f.refuse(fmt.Sprintf("%s is not in 0 to %.7g", what, most), quote(text))
	}
	return x
}

// seconds reads a number of seconds, 0 to limits.Seconds, and returns the nearest number of nanoseconds.
func (f *faults) seconds(text []byte, what string) policy.Duration {
	x, ok := number(text)
	switch {
	case !ok:
		f.refuse(what+" is not a number", quote(text))
	case x < 0:
		f.refuse(what+" is negative", quote(text))
	case x > limits.Seconds:
		f.refuse(what+" is above 1e9 s", quote(text))
	}
	return nanoseconds(x)
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

// No log has times before 1980, Unix nanoseconds: these stand for no time, as 0 and -1 do, or are in another unit.
const (
	earliest = 3652 * 86400 * 1_000_000_000
	noTime   = " is before 1980, so it is no time"
)

// clock reads a span such as 1-02:03:04, of days, hours, minutes and seconds, or 03:04.5, of minutes and seconds. The reason
// says what is wrong.
func clock(text []byte) (d policy.Duration, reason string) {
	days, rest, long := bytes.Cut(text, []byte("-"))
	if !long {
		days, rest = []byte("0"), text
	}
	n, ok := natural(days)
	x := float64(n) * 24 // in the unit of the next part
	parts := bytes.SplitN(rest, []byte(":"), 4)
	ok = ok && (len(parts) == 3 || len(parts) == 2 && !long)
	for i, part := range parts {
		n, number := finite(part)
		ok = ok && number && n >= 0 && (i == len(parts)-1 || n == math.Trunc(n))
		if x += n; i < len(parts)-1 {
			x = float64(x * 60)
		}
	}
	switch {
	case !ok:
		return 0, " is no span such as 1-02:03:04"
	case x > limits.Seconds:
		return 0, " is above 1e9 s"
	}
	return nanoseconds(x), ""
}

// number reads a decimal number, such as -12.5 or 1e-3, which is infinite if it is beyond float64. [strconv.ParseFloat] also
// takes underscores, hexadecimal digits and words such as inf and nan, which no format has: these are not numbers here.
func number(text []byte) (x float64, ok bool) {
	for _, c := range text {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(text), 64)
	return x, err == nil || math.IsInf(x, 0)
}

// finite reads a number that is not infinite.
func finite(text []byte) (x float64, ok bool) {
	x, ok = number(text)
	return x, ok && !math.IsInf(x, 0)
}
