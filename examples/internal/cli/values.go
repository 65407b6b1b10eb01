package cli

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// The functions below return readers of text, for [flag.FlagSet.Func] and for parts of a flag's value. A reader sets a
// variable, or returns an error that says what is wanted.

// Whole reads a whole number in a range.
func Whole(x *int, lowest, highest int) func(string) error {
	return func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < lowest || n > highest {
			return fmt.Errorf("want a whole number of %d to %d", lowest, highest)
		}
		*x = n
		return nil
	}
}

// Between reads a decimal number in a range, which want says in words.
func Between[T ~int64 | ~float64](x *T, lowest, highest float64, want string) func(string) error {
	return func(s string) error {
		n, err := Decimal(s)
		if err != nil || !(n >= lowest && n <= highest) {
			return errors.New("want " + want)
		}
		*x = T(n)
		return nil
	}
}

// Above0 reads a finite number above 0.
func Above0(x *float64) func(string) error {
	return Between(x, math.SmallestNonzeroFloat64, math.MaxFloat64, "a finite number above 0")
}

// Share reads a number of 0 to 1.
func Share(x *float64) func(string) error { return Between(x, 0, 1, "a number of 0 to 1") }

// Span reads a duration of at least some length, which want says in words.
func Span(x *time.Duration, least time.Duration, want string) func(string) error {
	return func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d < least {
			return errors.New("want " + want)
		}
		*x = d
		return nil
	}
}

// OneOf reads the name of a value. Want names them all.
func OneOf[T any](x *T, values map[string]T, want string) func(string) error {
	return func(s string) error {
		v, ok := values[s]
		if !ok {
			return errors.New("want " + want)
		}
		*x = v
		return nil
	}
}

// OnOff reads on or off.
func OnOff(x *bool) func(string) error {
	return OneOf(x, map[string]bool{"on": true, "off": false}, "on or off")
}

// Decimal reads a decimal number. [strconv.ParseFloat] also takes 1_000, 0x1p4, inf and nan.
func Decimal(s string) (float64, error) {
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(s, 64)
}

// Seed defines the flag -seed, which is 1 if it is not given.
func Seed(fs *flag.FlagSet, x *uint64, usage string) {
	*x = 1
	fs.Func("seed", usage, func(s string) (err error) {
		if *x, err = strconv.ParseUint(s, 10, 64); err != nil {
			return errors.New("want a whole number of 0 to 2^64-1")
		}
		return nil
	})
}
