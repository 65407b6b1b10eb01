package trace

import (
	"bytes"
	"errors"
	"math"
	"strconv"

	"example.com/augur/internal/limits"
	"example.com/augur/policy"
)

// columns cuts a line at its commas, as many as there are places in cols, and returns the
// number of columns that the line has. There is no quoting.
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

// words cuts a line at runs of blanks, into as many words as there are places, and returns
// the number of words that the line has. No line ends with a blank.
func words(line []byte, places [][]byte) int {
	n := 0
	for at := 0; at < len(line); n++ {
		for blank(line[at]) {
			at++
		}
		from := at
		for at < len(line) && !blank(line[at]) {
			at++
		}
		if n < len(places) {
			places[n] = line[from:at]
		}
	}
	return n
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

// natural reads a whole number from 0 to 2^64-1: digits only.
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

// keep sets what is not set yet, and returns how many bytes that takes.
func (in *interned) keep(to *string, text []byte) int64 {
	if *to != "" {
		return 0
	}
	*to = in.get(text)
	return int64(len(*to))
}

// attrs makes attributes of names and values in turn, without those that have no value;
// nil if none has.
func attrs(texts ...string) []policy.Attr {
	n := 0
	for i := 1; i < len(texts); i += 2 {
		if texts[i] != "" {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	list := make([]policy.Attr, 0, n)
	for i := 1; i < len(texts); i += 2 {
		if texts[i] != "" {
			list = append(list, policy.Attr{Name: texts[i-1], Value: texts[i]})
		}
	}
	return list
}

// interned remembers some of the short texts that it has made of bytes, so that those which
// come again and again are seldom made anew.
type interned [1 << 10]string

func (in *interned) get(text []byte) string {
	if len(text) > 64 {
		return string(text)
	}
	hash := uint32(len(text))
	for _, c := range text {
		hash = (hash ^ uint32(c)) * 16777619
	}
	s := &in[hash>>22]
	if *s != string(text) {
		*s = string(text)
	}
	return *s
}

// seconds reads a number of seconds, 0 to limits.Seconds, and returns the nearest number of
// nanoseconds.
func seconds(text []byte, what string) (policy.Duration, *problem) {
	x, err := number(text)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange), math.IsNaN(x):
		return 0, &problem{what + " is not a number", quote(text)}
	case x < 0:
		return 0, &problem{what + " is negative", quote(text)}
	case x > limits.Seconds:
		return 0, &problem{what + " is above 1e9 s", quote(text)}
	}
	return policy.Duration(math.Round(x * 1e9)), nil
}

// number reads a decimal number, such as -12.5 or 1e-3. [strconv.ParseFloat] also takes underscores,
// hexadecimal digits and words such as inf, which no format has: these are syntax errors here.
func number(text []byte) (float64, error) {
	if x, ok := decimal(text); ok {
		return x, nil
	}
	if len(bytes.Trim(text, "0123456789+-.eE")) > 0 {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(string(text), 64)
}

// decimal reads digits with at most one point among them. Where ok, x is what
// strconv.ParseFloat gives, to the last bit: the digits and the power of ten are both
// exact as float64, and IEEE division rounds their quotient once, to nearest even.
//
// # Source
//
// W. Clinger, "How to read floating point numbers accurately", PLDI 1990.
func decimal(text []byte) (x float64, ok bool) {
	if len(text) > 19 {
		return 0, false // 10^19 is the last power of ten below 2^64
	}
	digits, decimals, n := uint64(0), 0, 0
	for i, c := range text {
		switch {
		case '0' <= c && c <= '9':
			digits = digits*10 + uint64(c-'0')
			n++
		case c == '.' && n == i:
			decimals = len(text) - 1 - i
		default:
			return 0, false
		}
	}
	if n == 0 || digits > 1<<53 {
		return 0, false
	}
	return float64(digits) / powers[decimals], true
}

// powers of ten, as many as decimal needs; up to 10^22 they are exact.
var powers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
}
