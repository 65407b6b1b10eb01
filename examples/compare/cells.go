package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/augur/examples/internal/cli"
)

// sideBySide returns the flag that asks for several runs at each load: one for each seed, or for each window or thinned copy of a trace. It is
// "" if none does, and there is one run.
func (o *options) sideBySide() (flag string, err error) {
	for _, asked := range []struct {
		flag string
		some bool
	}{{"-seeds", o.seeds != nil}, {"-windows", o.windows.of > 0 && o.windows.k == 0}, {"-thin", o.thin.of > 0 && o.thin.k == 0}} {
		if asked.some && flag != "" {
			return "", cli.Usagef("%s with %s, want one of them; -windows 3/10 is a single window, and -thin 3/8 a single copy", flag, asked.flag)
		}
		if asked.some {
			flag = asked.flag
		}
	}
	return flag, nil
}

// A part is the k-th of so many windows or copies, from 1; 0: all of them. The zero part is not asked for.
type part struct{ k, of int }

// parsePart reads a number of parts, such as 10, or one of them, such as 3/10.
func parsePart(s string) (p part, err error) {
	one, of, single := strings.Cut(s, "/")
	if !single {
		one, of = "1", s
	}
	k, err1 := strconv.Atoi(one)
	n, err2 := strconv.Atoi(of)
	if err1 != nil || err2 != nil || n < 2 || n > 1000 || k < 1 || k > n {
		return part{}, fmt.Errorf("%q, want a number of 2 to 1000, such as 10, or a single one, such as 3/10", s)
	}
	if !single {
		k = 0
	}
	return part{k, n}, nil
}

// String returns 3/10 of a single part, and "" of others.
func (p part) String() string {
	if p.k == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.k, p.of)
}

// parseSeeds reads seeds, such as 1-10 or 1,5,7-9.
func parseSeeds(s string) (seeds []uint64, err error) {
	for part := range strings.SplitSeq(s, ",") {
		from, to, many := strings.Cut(part, "-")
		if !many {
			to = from
		}
		a, err1 := strconv.ParseUint(from, 10, 63)
		b, err2 := strconv.ParseUint(to, 10, 63)
		if err1 != nil || err2 != nil || b < a || b-a >= 1000 {
			return nil, fmt.Errorf("%q is neither a seed nor a range of up to 1000, want such as 1-10 or 1,5,7-9", part)
		}
		for ; a <= b; a++ {
			if slices.Contains(seeds, a) {
				return nil, fmt.Errorf("seed %d is there twice, want each once", a)
			}
			seeds = append(seeds, a)
		}
	}
	return seeds, nil
}

// parseLoads reads loads, such as 0.5,0.7,0.9.
func parseLoads(s string) (loads []float64, err error) {
	for part := range strings.SplitSeq(s, ",") {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || !(x > 0 && x <= 100) {
			return nil, fmt.Errorf("%q is not a load, want numbers above 0 and at most 100, such as 0.5,0.7,0.9", part)
		}
		if slices.Contains(loads, x) {
			return nil, fmt.Errorf("load %v is there twice, want each once", x)
		}
		loads = append(loads, x)
	}
	return loads, nil
}
