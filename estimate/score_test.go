package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestScores(t *testing.T) {
	for _, test := range []struct {
		name         string
		pairs        [][2]float64 // estimate, actual
		nmae, within float64
	}{
		{"exact", [][2]float64{{1, 1}, {5, 5}}, 0, 1},
		{"both ways", [][2]float64{{2, 1}, {1, 3}}, 0.75, 0.5},
		{"a factor of two itself", [][2]float64{{2, 1}, {1, 2}, {2.001, 1}}, 3.001 / 4, 2.0 / 3},
		{"all zero", [][2]float64{{0, 0}, {0, 0}}, 0, 1},
		{"something for nothing", [][2]float64{{1, 0}}, math.Inf(1), 0},
		{"nothing for something", [][2]float64{{0, 4}}, 1, 0},
		{"one zero", [][2]float64{{1, 0}, {1, 1}}, 1, 0.5},
		{"largest", [][2]float64{{0, math.MaxFloat64}, {0, math.MaxFloat64}}, 1, 0},
	} {
		for _, score := range []struct {
			name  string
			want  float64
			score interface {
				Add(estimate, actual float64) error
				Value() (float64, bool)
			}
		}{{"NMAE", test.nmae, new(NMAE)}, {"Within", test.within, new(Within)}} {
			if got, ok := score.score.Value(); ok || got != 0 {
				t.Errorf("%s: %s of nothing = %v, %v, want 0, false", test.name, score.name, got, ok)
			}
			for _, p := range test.pairs {
				if err := score.score.Add(p[0], p[1]); err != nil {
					t.Fatal(err)
				}
				for _, x := range refused {
					if score.score.Add(x, 1) == nil || score.score.Add(1, x) == nil {
						t.Errorf("%s takes %v", score.name, x)
					}
				}
			}
			if got, ok := score.score.Value(); !ok || !near(got, score.want, 1e-12) {
				t.Errorf("%s: %s = %v, %v, want %v", test.name, score.name, got, ok, score.want)
			}
		}
	}
}

// crpsByDefinition integrates (F(x) - [x >= actual])^2 step by step.
func crpsByDefinition(values, weights []float64, actual float64) float64 {
	points := append(slices.Clone(values), actual)
	slices.Sort(points)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	sum := 0.0
	for i, x := range points[:len(points)-1] {
		f := 0.0
		for j, v := range values {
			if v <= x {
				f += weights[j] / total
			}
		}
		if x >= actual {
			f--
		}
		sum += f * f * (points[i+1] - x)
	}
	return sum
}

func TestCRPSAgainstDefinition(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 8))
		n := 1 + rng.IntN(12)
		offset := []float64{0, -50, 1e6}[rng.IntN(3)]
		values, weights := make([]float64, n), make([]float64, n)
		for i := range values {
			values[i] = offset + float64(rng.IntN(40)) // ties
			weights[i] = float64(rng.IntN(5))
		}
		weights[rng.IntN(n)]++
		slices.Sort(values)
		actual := offset + 60*rng.Float64() - 10
		want := crpsByDefinition(values, weights, actual)
		if got, err := CRPS(pairs(values, weights), actual); err != nil || !near(got, want, 1e-8) {
			t.Fatalf("seed %d: CRPS = %v, %v, want %v", seed, got, err, want)
		}
	}
}

// Weights count by their ratios only, however large or small.
func TestCRPSOfScaledWeights(t *testing.T) {
	values := []float64{1, 2, 4, 4, 9}
	for _, actual := range []float64{0, 3, 4, 20} {
		want := crpsByDefinition(values, []float64{1, 3, 2, 0, 1}, actual)
		for _, scale := range []float64{1e-300, 1e-160, 1e160, 1e307} {
			weights := []float64{1 * scale, 3 * scale, 2 * scale, 0, 1 * scale}
			if got, err := CRPS(pairs(values, weights), actual); err != nil || !near(got, want, 1e-14) {
				t.Errorf("CRPS at %v of weights times %v = %v, %v, want %v", actual, scale, got, err, want)
			}
		}
	}
}
