package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// censoredAt splits runtimes into those that have ended when each task has run as long as
// draw says, and those that still run.
func censoredAt(runtimes []float64, draw func() float64) (finished, running []float64) {
	for _, x := range runtimes {
		if c := draw(); c < x {
			running = append(running, c)
		} else {
			finished = append(finished, x)
		}
	}
	return finished, running
}

func TestHill(t *testing.T) {
	e := math.E
	for _, test := range []struct {
		name              string
		finished, running []float64
		k                 int
		want              float64
	}{
		{"by hand", []float64{1, 2, 4, 8}, nil, 2, 2 / (3 * math.Ln2)},
		{"all but the least is the fit", []float64{1, e, e * e, e * e * e}, nil, 3, 0.5},
		{"one of two still runs", []float64{1, 1, e * e}, []float64{e}, 2, 1.0 / 3},
		{"running ones below", []float64{1, e, e}, []float64{0, 0.5}, 2, 1},
		{"of equal ones the running is longer", []float64{1, e, e * e}, []float64{e}, 2, 1},
	} {
		if got, err := Hill(test.finished, test.running, test.k); err != nil || !near(got, test.want, 1e-14) {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}

// The body is not Pareto; the tail is, from the value 10 on, where 20 % are.
func TestHillSeesTheTailOnly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 82))
	tail := distuv.Pareto{Xm: 10, Alpha: 1.5, Src: rng}
	runtimes := make([]float64, 50_000)
	for i := range runtimes {
		runtimes[i] = 10 * rng.Float64()
		if rng.Float64() < 0.2 {
			runtimes[i] = tail.Rand()
		}
	}
	for _, censor := range []bool{false, true} {
		finished, running := runtimes, []float64(nil)
		if censor {
			c := distuv.Pareto{Xm: 1, Alpha: 0.5, Src: rng}
			finished, running = censoredAt(runtimes, c.Rand)
		}
		k := 1500
		got, err := Hill(finished, running, k)
		if err != nil {
			t.Fatal(err)
		}
		ended := float64(k)
		if censor {
			ended *= 0.75 // 1.5 / (1.5 + 0.5) of the tail
		}
		if limit := 4 * 1.5 / math.Sqrt(ended); !near(got, 1.5, limit) {
			t.Errorf("censored %v: shape %v, want 1.5 ± %v", censor, got, limit)
		}
		whole, err := Hill(finished, running, len(runtimes)-1)
		if err != nil {
			t.Fatal(err)
		}
		if near(whole, 1.5, 0.5) {
			t.Errorf("censored %v: the fit to all has shape %v, so this is no test", censor, whole)
		}
	}
}

func TestHillRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name              string
		finished, running []float64
	}{
		{"none", nil, nil},
		{"none finished", nil, []float64{1, 2}},
		{"all equal", []float64{2, 2}, nil},
		{"all equal and none runs longer", []float64{2, 2}, []float64{2, 1}},
		{"zero", []float64{0, 1}, nil},
		{"negative", []float64{1, -1}, nil},
		{"NaN", []float64{1, nan}, nil},
		{"infinite", []float64{1, inf}, nil},
		{"negative so far", []float64{1, 2}, []float64{-1}},
		{"NaN so far", []float64{1, 2}, []float64{nan}},
		{"infinite so far", []float64{1, 2}, []float64{inf}},
	} {
		if _, err := Hill(test.finished, test.running, 1); err == nil {
			t.Errorf("%s: no error", test.name)
		}
	}
	for _, k := range []int{-1, 0, 3} {
		if _, err := Hill([]float64{1, 2}, []float64{3}, k); err == nil {
			t.Errorf("Hill takes k = %d of 3", k)
		}
	}
	if _, err := Hill([]float64{1}, []float64{3}, 1); err == nil {
		t.Errorf("Hill of running tasks only gives no error")
	}
	if _, err := Hill([]float64{1}, []float64{0}, 1); err == nil {
		t.Errorf("Hill above 0 gives no error")
	}
}
