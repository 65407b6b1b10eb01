package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"example.com/augur/examples/internal/cli"
)

// parseSpec reads the value of a flag such as key=value,key=value: set is called for each pair. It
// returns which keys were seen. The error names the flag and the pair that is wrong.
func parseSpec(flag, spec string, set func(key, value string) error) (seen map[string]bool, err error) {
	seen = make(map[string]bool)
	for part := range strings.SplitSeq(spec, ",") {
		key, value, _ := strings.Cut(part, "=")
		if seen[key] {
			return nil, cli.Usagef("%s: %q is given twice", flag, key)
		}
		seen[key] = true
		if err := set(key, value); err != nil {
			return nil, cli.Usagef("%s: %q: %w", flag, part, err)
		}
	}
	return seen, nil
}

func number(s string) (float64, error) {
	x, err := cli.Decimal(s)
	if err != nil {
		return 0, fmt.Errorf("want a number")
	}
	return x, nil
}

func onOff(s string) (bool, error) {
	if s != "on" && s != "off" {
		return false, fmt.Errorf("want on or off")
	}
	return s == "on", nil
}

func positive(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, errors.New("want a duration above 0 and below 292 years, with a unit and without an exponent, such as 10m")
	}
	if d <= 0 {
		return 0, errors.New("want a duration above 0, such as 10m")
	}
	return d, nil
}

func probability(s string) (float64, error) {
	p, err := share(s)
	if err != nil {
		return 0, errors.New("want a probability of 0 to 1")
	}
	return p, nil
}

func share(s string) (float64, error) {
	x, err := cli.Decimal(s)
	if err != nil || !(x >= 0 && x <= 1) {
		return 0, errors.New("want a number of 0 to 1")
	}
	return x, nil
}

// whole reads a whole number of least to most.
func whole(s string, least, most int) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("want a whole number of %d to %d", least, most)
	}
	return n, nil
}

// above0 reads a finite number above 0.
func above0(s string) (float64, error) {
	x, err := cli.Decimal(s)
	if err != nil || !(x > 0) || math.IsInf(x, 1) {
		return 0, errors.New("want a finite number above 0")
	}
	return x, nil
}
