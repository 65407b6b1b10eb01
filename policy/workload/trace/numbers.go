package trace

import (
	"bytes"
	"errors"
	"math"
	"strconv"

	"example.com/augur/internal/limits"
	"example.com/augur/policy"
)

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
