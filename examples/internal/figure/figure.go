// Package figure has what the pictures of comparisons share, whatever draws them: ticks, looks of curves, levels of distributions, and readers of
// the files that compare writes.
package figure

import (
	"math"
	"strconv"
	"strings"

	"example.com/augur/internal/saturate"
)

// A Tick is a number on an axis. One without a label is small.
type Tick struct {
	Value float64
	Label string
}

// Log returns the powers of ten, with unlabelled ticks between them; in a narrow range some of
// these have labels too, and in a wide one of a small axis only every other power has.
func Log(lowest, highest float64, small bool) []Tick {
	first, last := math.Floor(math.Log10(lowest)), math.Ceil(math.Log10(highest))
	narrow, wide := highest/lowest < 100, highest/lowest > 1e5
	var ticks []Tick
	for e := first; e <= last; e++ {
		for m := 1.; m < 10; m++ {
			x := m * math.Pow(10, e)
			if x < lowest*0.999 || x > highest*1.001 {
				continue
			}
			label := ""
			if m == 1 && !(small && wide && math.Mod(e, 2) != 0) || narrow && (m == 2 || m == 5) {
				label = Number(x)
			}
			ticks = append(ticks, Tick{Value: x, Label: label})
		}
	}
	return ticks
}

// Linear returns the multiples of a round number, so that 0 is one of them if it is there: at most seven, and at least three unless
// the numbers are very close.
func Linear(lowest, highest float64) []Tick {
	least := (highest - lowest) / 6
	exponent := saturate.To[int](math.Floor(math.Log10(least)))
	power := math.Pow10(exponent)
	step := 10 * power
	for _, m := range []float64{5, 2, 1} {
		if m*power >= least*(1-1e-9) {
			step = m * power
		}
	}
	var ticks []Tick
	for k := math.Ceil(lowest/step - 1e-9); k*step <= highest+1e-9*step; k++ {
		x, err := strconv.ParseFloat(strconv.FormatFloat(k*step, 'f', max(0, -exponent), 64), 64) // without what comes from rounding
		if err != nil {
			x = k * step
		}
		ticks = append(ticks, Tick{Value: x, Label: Number(x)})
	}
	return ticks
}

// Steps are ticks from a number to another in equal steps.
func Steps(from, to, step float64) []Tick {
	var at []float64
	for i := range saturate.To[int](math.Round((to-from)/step)) + 1 {
		at = append(at, from+float64(i)*step)
	}
	return At(at)
}

// At returns ticks at some numbers.
func At(list []float64) []Tick {
	ticks := make([]Tick, len(list))
	for i, x := range list {
		ticks[i] = Tick{Value: x, Label: Number(x)}
	}
	return ticks
}

// Number writes a number as ticks show it: 10,000 and 0.01.
func Number(x float64) string {
	whole, fraction, point := strings.Cut(strconv.FormatFloat(math.Abs(x), 'f', -1, 64), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + fraction
	}
	if x < 0 {
		whole = "-" + whole
	}
	return whole
}
