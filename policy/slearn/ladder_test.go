package slearn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy/slearn"
)

// fig4 is what the AdaptiveRatio and the AdaptiveLimit are, written down in full: all jobs that
// are over are kept, and percent 1 to 5 stands for the five settings.
type fig4 struct {
	window, come int
	over         [6][]float64
}

func (f *fig4) score(percent int) float64 {
	last := f.over[percent][max(0, len(f.over[percent])-f.window):]
	if len(last) == 0 {
		return math.Inf(1)
	}
	sum := 0.0
	for _, x := range last {
		sum += x
	}
	return sum / float64(len(last))
}

func (f *fig4) next() int {
	f.come++
	switch {
	case f.come <= f.window:
		return 3
	case f.come <= 2*f.window:
		return 2
	case f.come <= 3*f.window:
		return 4
	}
	compete := []int{2, 3, 4}
	for _, outer := range []int{1, 5} {
		if len(f.over[outer]) >= f.window {
			compete = append(compete, outer)
		}
	}
	slices.Sort(compete)
	best := 3
	least := math.Inf(1)
	for _, percent := range compete {
		if f.score(percent) < least {
			best, least = percent, f.score(percent)
		}
	}
	middle := f.score(3)
	if math.IsInf(middle, 1) || !(1.1*least < middle) {
		return best
	}
	if best == 2 && !slices.Contains(compete, 1) {
		return 1
	}
	if best == 4 && !slices.Contains(compete, 5) {
		return 5
	}
	return best
}

// The ratio and the limit are what the definition says, whatever completion times come to
// light, and in whatever order.
func TestLaddersAgainstDefinition(t *testing.T) {
	type ladder struct {
		next    func() int // 1 to 5
		observe func(percent int, x float64) error
		score   func(percent int) (float64, bool)
		of      func(x float64) float64 // by how much it counts
	}
	for name, start := range map[string]func(window int) ladder{
		"ratio": func(window int) ladder {
			r := must(slearn.NewAdaptiveRatio(window))
			return ladder{
				func() int { return int(math.Round(100 * r.Next())) },
				func(percent int, x float64) error { return r.Observe(float64(percent)/100, x) },
				func(percent int) (float64, bool) { return r.Score(float64(percent) / 100) },
				func(x float64) float64 { return x },
			}
		},
		"limit": func(window int) ladder {
			a := must(slearn.NewAdaptiveLimit(10, window))
			return ladder{
				func() int { return a.Next() - 7 },
				func(percent int, x float64) error { return a.Observe(7+percent, x) },
				func(percent int) (float64, bool) { return a.Score(7 + percent) },
				math.Log1p,
			}
		},
	} {
		chosen := [6]int{}
		for seed := range uint64(200) {
			rng := rand.New(rand.NewPCG(seed, 1))
			window := 1 + rng.IntN(8)
			f, l := fig4{window: window}, start(window)
			slope := float64(rng.IntN(5)-2) / 2
			var run []int
			for range 60 * window {
				if rng.IntN(3) > 0 {
					want := f.next()
					if got := l.next(); got != want {
						t.Fatalf("%s, seed %d: %d is chosen, want %d", name, seed, got, want)
					}
					chosen[want]++
					run = append(run, want)
				}
				if len(run) > 0 && rng.IntN(3) > 0 {
					i := rng.IntN(len(run))
					percent := run[i]
					run = slices.Delete(run, i, i+1)
					x := float64(rng.IntN(4)) + 4*math.Pow(2, slope*float64(percent))
					f.over[percent] = append(f.over[percent], l.of(x))
					if err := l.observe(percent, x); err != nil {
						t.Fatal(err)
					}
				}
			}
			for percent := 1; percent <= 5; percent++ {
				want := f.score(percent)
				if got, ok := l.score(percent); ok != !math.IsInf(want, 1) || ok && math.Abs(got-want) > 1e-9*want {
					t.Errorf("%s, seed %d: score %v (%v), want %v", name, seed, got, ok, want)
				}
			}
		}
		if slices.Min(chosen[1:]) < 500 {
			t.Errorf("%s: settings were chosen %v times, want more of each", name, chosen[1:])
		}
	}
}
