package main

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// logarithmic makes an axis so, with the range of the data, if that is wide enough for the difference
// to be seen, and says whether it did. A small axis has fewer numbers.
func logarithmic(axis *plot.Axis, small bool) bool {
	if axis.Min == axis.Max {
		axis.Min, axis.Max = axis.Min/2, axis.Max*2
	}
	if axis.Max < 5*axis.Min {
		axis.Tick.Marker = linearTicks{}
		return false
	}
	axis.Scale = plot.LogScale{}
	axis.Tick.Marker = logTicks{small}
	return true
}

// logTicks are the powers of ten, with unlabelled ticks between them; in a narrow range some of
// these have labels too, and in a wide one of a small axis only every other power has.
type logTicks struct{ small bool }

// Ticks returns the ticks from a number to another.
func (t logTicks) Ticks(lowest, highest float64) []plot.Tick {
	first, last := math.Floor(math.Log10(lowest)), math.Ceil(math.Log10(highest))
	narrow, wide := highest/lowest < 100, highest/lowest > 1e5
	var ticks []plot.Tick
	for e := first; e <= last; e++ {
		for m := 1.; m < 10; m++ {
			x := m * math.Pow(10, e)
			if x < lowest*0.999 || x > highest*1.001 {
				continue
			}
			label := ""
			if m == 1 && !(t.small && wide && math.Mod(e, 2) != 0) || narrow && (m == 2 || m == 5) {
				label = number(x)
			}
			ticks = append(ticks, plot.Tick{Value: x, Label: label})
		}
	}
	return ticks
}

// linearTicks are the multiples of a round number, so that 0 is one of them if it is there.
type linearTicks struct{}

// Ticks returns the ticks from a number to another: at most seven, and at least three unless the numbers are very close.
func (linearTicks) Ticks(lowest, highest float64) []plot.Tick {
	least := (highest - lowest) / 6
	exponent := int(math.Floor(math.Log10(least)))
	power := math.Pow10(exponent)
	step := 10 * power
	for _, m := range []float64{5, 2, 1} {
		if m*power >= least*(1-1e-9) {
			step = m * power
		}
	}
	var ticks []plot.Tick
	for k := math.Ceil(lowest/step - 1e-9); k*step <= highest+1e-9*step; k++ {
		x, err := strconv.ParseFloat(strconv.FormatFloat(k*step, 'f', max(0, -exponent), 64), 64) // without what comes from rounding
		if err != nil {
			x = k * step
		}
		ticks = append(ticks, plot.Tick{Value: x, Label: number(x)})
	}
	return ticks
}

// linear are ticks from a number to another in equal steps.
func linear(from, to, step float64) plot.ConstantTicks {
	var at []float64
	for i := range int(math.Round((to-from)/step)) + 1 {
		at = append(at, from+float64(i)*step)
	}
	return ticksAt(at)
}

func ticksAt(list []float64) plot.ConstantTicks {
	ticks := make(plot.ConstantTicks, len(list))
	for i, x := range list {
		ticks[i] = plot.Tick{Value: x, Label: number(x)}
	}
	return ticks
}

// number writes a number as ticks show it: 10,000 and 0.01.
func number(x float64) string {
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
