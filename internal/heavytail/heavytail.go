// Package heavytail draws when jobs arrive and which programs they run, for workload.HeavyTail and for paper.Mixed, which
// share these distributions.
package heavytail

import (
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"time"

	"example.com/augur/internal/saturate"
)

const (
	meanGap       = 4.0 // between arrivals, s
	swing         = 0.5 // at midnight the rate is 1-swing times its mean, at noon 1+swing times
	users         = 40
	recurring     = 200  // programs
	medianRuntime = 20.0 // of the mean task runtimes of programs, s
	runtimeSigma  = 1.6  // of the logarithm of that mean
	RunSigma      = 0.3  // ... between the runs of a program
)

// Start is the calendar time of instant 0.
var Start = time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC)

// A Generator draws instants and programs of jobs, one after the other.
type Generator struct {
	Recurring float64 // share of the jobs that are runs of a recurring program
	WidthTail float64 // Pareto index of the number of tasks of a program
	MaxWidth  int     // the largest number

	Rng      *rand.Rand
	Programs []Program // that recur, the most popular first
	Made     int       // jobs so far
	Now      float64   // seconds
	Once     string    // prefix of the names of programs that run once

	popularity []float64 // of Programs, cumulated
}

// A Program is what its runs have in common.
type Program struct {
	User, Name string
	Width      int
	Runtime    float64 // median over runs of the mean over tasks, s
}

// Begin draws the recurring programs from a stream of random numbers. The jobs continue the stream.
func (h *Generator) Begin(seed, stream uint64) {
	h.Rng, h.Once = rand.New(rand.NewPCG(seed, stream)), "adhoc"
	// Zipf's law with exponent 1: program i is picked in proportion to 1/(i+1).
	sum := 0.0
	for i := range recurring {
		h.Programs = append(h.Programs, h.newProgram("p"+strconv.Itoa(i)))
		sum += 1 / float64(i+1)
		h.popularity = append(h.popularity, sum)
	}
}

func (h *Generator) newProgram(name string) Program {
	// The inverse of the bounded Pareto distribution on [1, maxWidth+1).
	low := math.Pow(float64(h.MaxWidth)+1, -h.WidthTail)
	width := math.Pow(1-h.Rng.Float64()*(1-low), -1/h.WidthTail)
	return Program{
		User:    "u" + strconv.Itoa(h.Rng.IntN(users)),
		Name:    name,
		Width:   min(h.MaxWidth, max(1, saturate.To[int](width))),
		Runtime: medianRuntime * math.Exp(runtimeSigma*h.Rng.NormFloat64()),
	}
}

// Arrive advances to the instant of the next job.
func (h *Generator) Arrive() {
	h.Made++
	// Thinning: candidates at the greatest rate, kept in proportion to the rate then.
	for {
		h.Now += h.Rng.ExpFloat64() * meanGap / (1 + swing)
		day := 2 * math.Pi * math.Mod(h.Now, 86400) / 86400
		if h.Rng.Float64()*(1+swing) < 1-swing*math.Cos(day) {
			return
		}
	}
}

// Draw returns the program of the next job, and its index if it recurs, otherwise -1.
func (h *Generator) Draw() (Program, int) {
	if h.Rng.Float64() < h.Recurring {
		i := h.pick()
		return h.Programs[i], i
	}
	return h.newProgram(h.Once + strconv.Itoa(h.Made)), -1
}

// pick draws the index of a recurring program.
func (h *Generator) pick() int {
	u := h.Rng.Float64() * h.popularity[len(h.popularity)-1]
	return sort.Search(len(h.popularity)-1, func(i int) bool { return h.popularity[i] > u })
}
