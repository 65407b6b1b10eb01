package estimate

import (
	"math"
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
