package histogram

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Where one distribution is asked often, a table answers faster.
func ExampleTable() {
	var h Histogram
	for _, x := range []float64{10, 20, 20, 30} {
		if err := h.Add(x); err != nil {
			fmt.Println(err)
			return
		}
	}
	var t Table
	t.Fill(&h)
	fmt.Println(t.CDF(20), t.Quantile(0.5), t.SurvivalIntegral(0, 20))
	// Output: 0.75 20 17.5
}

func TestTableAnswersAsItsHistogram(t *testing.T) {
	var table Table
	for _, name := range []string{"normal", "lognormal", "integers", "few", "ascending", "drifting"} {
		rng := rand.New(rand.NewPCG(1, 20))
		for range 50 {
			h := sample(t, rng, streams[name])
			table.Fill(h)
			span := h.Max() - h.Min() + 1
			at := func() float64 {
				x := h.Min() + span*(rng.Float64()*1.4-0.2)
				if rng.IntN(2) == 0 {
					x = append(slices.Clone(h.bins), bin{centre: h.Min()}, bin{centre: h.Max()})[rng.IntN(len(h.bins)+2)].centre
				}
				return x
			}
			for range 50 {
				a, b := at(), at()
				if got, want := table.CDF(a), h.CDF(a); got != want {
					t.Fatalf("%s: CDF(%v) = %v, want %v", name, a, got, want)
				}
				if got, want := table.Survival(a), h.Survival(a); got != want {
					t.Fatalf("%s: Survival(%v) = %v, want %v", name, a, got, want)
				}
				if got, want := table.SurvivalIntegral(a, b), h.SurvivalIntegral(a, b); math.Abs(got-want) > 1e-13*(span+math.Abs(a)) {
					t.Fatalf("%s: SurvivalIntegral(%v, %v) = %v, want %v", name, a, b, got, want)
				}
				p := rng.Float64()
				if got, want := table.Quantile(p), h.Quantile(p); got != want {
					t.Fatalf("%s: Quantile(%v) = %v, want %v", name, p, got, want)
				}
			}
			if table.Mean() != h.Mean() {
				t.Fatalf("%s: mean %v, want %v", name, table.Mean(), h.Mean())
			}
		}
	}
}

func TestTableEdges(t *testing.T) {
	var zero, empty, none Table
	empty.Fill(of(t, Config{}, 1, 2))
	empty.Fill(of(t, Config{}))
	none.Fill(of(t, Config{}, 1, 2))
	none.Fill(nil)
	for _, table := range []*Table{&zero, &empty, &none} {
		for i, x := range []float64{table.CDF(1), table.Survival(1), table.Quantile(0.5), table.Mean(), table.SurvivalIntegral(0, 1)} {
			if !math.IsNaN(x) {
				t.Errorf("answer %d without values is %v, want NaN", i, x)
			}
		}
	}
	wide := of(t, Config{Bins: 3}, -math.MaxFloat64, -1e300, 0, 1e300, math.MaxFloat64)
	zero.Fill(wide)
	for _, x := range [][2]float64{{-1e307, 1e307}, {-1e300, 1e308}, {0, 1}, {5, 2}, {math.NaN(), 1}, {1, math.NaN()}} {
		got, want := zero.SurvivalIntegral(x[0], x[1]), wide.SurvivalIntegral(x[0], x[1])
		if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("integral over %v is %v, want %v", x, got, want)
		}
	}
	h := of(t, Config{}, 1, 2, 3)
	if n := testing.AllocsPerRun(10, func() { zero.Fill(h) }); n != 0 {
		t.Errorf("Fill allocates %v times with room, want 0", n)
	}
}

func BenchmarkTable(b *testing.B) {
	var h Histogram
	rng := rand.New(rand.NewPCG(1, 1))
	for range 10000 {
		if err := h.Add(rng.ExpFloat64()); err != nil {
			b.Fatal(err)
		}
	}
	var t Table
	t.Fill(&h)
	b.Run("Fill", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			t.Fill(&h)
		}
	})
	for _, bench := range []struct {
		name string
		d    interface {
			CDF(x float64) float64
			SurvivalIntegral(a, b float64) float64
		}
	}{{"table", &t}, {"histogram", &h}} {
		b.Run("CDF/"+bench.name, func(b *testing.B) {
			b.ReportAllocs()
			x := 0.0
			for b.Loop() {
				x = bench.d.CDF(x*7) + 0.01
			}
		})
		b.Run("SurvivalIntegral/"+bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bench.d.SurvivalIntegral(0.1, 5)
			}
		})
	}
}
