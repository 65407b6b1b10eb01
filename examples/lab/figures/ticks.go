package main

import (
	"gonum.org/v1/plot"

	"example.com/augur/examples/internal/figure"
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

// logTicks are those of figure.Log.
type logTicks struct{ small bool }

// Ticks returns the ticks from a number to another.
func (t logTicks) Ticks(lowest, highest float64) []plot.Tick {
	return forPlot(figure.Log(lowest, highest, t.small))
}

// linearTicks are those of figure.Linear.
type linearTicks struct{}

// Ticks returns the ticks from a number to another.
func (linearTicks) Ticks(lowest, highest float64) []plot.Tick {
	return forPlot(figure.Linear(lowest, highest))
}

func forPlot(ticks []figure.Tick) (list []plot.Tick) {
	for _, t := range ticks {
		list = append(list, plot.Tick(t))
	}
	return list
}

// linear are ticks from a number to another in equal steps.
func linear(from, to, step float64) plot.ConstantTicks { return forPlot(figure.Steps(from, to, step)) }

func ticksAt(list []float64) plot.ConstantTicks { return forPlot(figure.At(list)) }
