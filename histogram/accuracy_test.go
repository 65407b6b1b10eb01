package histogram

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/traces"
)

// synthetic returns n values of a distribution.
func synthetic(name string, n int) []float64 {
	rng := rand.New(rand.NewPCG(1, 3))
	values := make([]float64, n)
	for i := range values {
		switch name {
		case "exponential":
			values[i] = rng.ExpFloat64()
		case "lognormal 2":
			values[i] = math.Exp(2 * rng.NormFloat64())
		case "Pareto 1.2":
			values[i] = math.Pow(1-rng.Float64(), -1/1.2)
		case "bimodal":
			values[i] = 100 + 10*rng.NormFloat64()
			if rng.IntN(2) == 0 {
				values[i] += 900
			}
		case "normal":
			values[i] = rng.NormFloat64()
		case "sorted":
			values[i] = float64(i)
		case "20 values":
			values[i] = float64(10 * (1 + rng.IntN(20)))
		default:
			panic(name)
		}
	}
	return values
}

var synthetics = []string{"exponential", "lognormal 2", "Pareto 1.2", "bimodal", "normal", "sorted", "20 values"}

// cdfError returns the largest distance between the CDF of h and that of the values, which
// are sorted, anywhere, and the mean of the distance over the values.
func cdfError(h *Histogram, values []float64) (largest, mean float64) {
	n := float64(len(values))
	for i := 0; i < len(values); {
		x := values[i]
		j := i
		for j < len(values) && values[j] == x {
			j++
		}
		d := math.Abs(h.CDF(x) - float64(j)/n)
		left := math.Abs(h.CDF(math.Nextafter(x, math.Inf(-1))) - float64(i)/n)
		largest = max(largest, d, left)
		mean += d * float64(j-i) / n
		i = j
	}
	return largest, mean
}

// What is asked of the default rule at 80 bins: the largest error of the CDF at most 0.02, the
// mean one at most 0.001. Runtimes in whole seconds of which many share a few small values
// miss that: where these are closer together than the bins can be, two steps become one slope.
var bars = map[string][2]float64{
	"nasa":   {0.02, 0.0025},
	"philly": {0.02, 0.0015},
	"lisa":   {0.03, 0.005}, // 5.6 % run for 43 s, and half of that is the least error of a slope
}

// The table of the package comment is that of go test -run Accuracy -table. It takes minutes.
var table = flag.Bool("table", false, "print the errors of all rules, with 20, 80 and 200 bins")

func TestAccuracy(t *testing.T) {
	sizes, n := []int{80}, 100_000
	compared := []Join{JoinLogMass}
	if *table {
		sizes, n, compared = []int{20, 80, 200}, 1_000_000, rules
	}
	names := slices.Clone(synthetics)
	data := map[string][]float64{}
	for _, name := range synthetics {
		data[name] = synthetic(name, n)
	}
	for _, set := range traces.Sets {
		if testing.Short() {
			break
		}
		t.Run(set, func(t *testing.T) {
			data[set] = traces.Runtimes(t, set)
			names = append(names, set)
		})
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\n%-16s %7s %4s", "", "values", "bins")
	for _, join := range compared {
		fmt.Fprintf(&text, " | %7v: max   mean   ns", join)
	}
	for _, name := range names {
		values := data[name]
		sorted := slices.Sorted(slices.Values(values))
		for _, bins := range sizes {
			fmt.Fprintf(&text, "\n%-16s %7d %4d", name, len(values), bins)
			for _, join := range compared {
				h := of(t, Config{Bins: bins, Join: join})
				start := time.Now()
				for _, x := range values {
					if err := h.Add(x); err != nil {
						t.Fatal(err)
					}
				}
				ns := float64(time.Since(start).Nanoseconds()) / float64(len(values))
				largest, mean := cdfError(h, sorted)
				fmt.Fprintf(&text, " |     %.4f %.5f %4.0f", largest, mean, ns)
				bar, ok := bars[name]
				if !ok {
					bar = [2]float64{0.02, 0.001}
				}
				if bins == 80 && join == JoinLogMass && (largest > bar[0] || mean > bar[1]) {
					t.Errorf("%s: largest error %.4f, mean %.5f, want at most %v", name, largest, mean, bar)
				}
			}
		}
	}
	if *table {
		fmt.Println(text.String())
	}
}
