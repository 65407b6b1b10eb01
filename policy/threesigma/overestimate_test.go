package threesigma_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat/distuv"

	"example.com/augur/histogram"
	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
)

// Two jobs have a deadline 100 seconds after they were submitted. Of one all that is known ran for longer
// than that; it gets a tail, and is worth trying.
func ExampleOverestimate() {
	var o threesigma.Overestimate
	const second = policy.Time(1e9)
	slo := policy.SLO{Deadline: 150 * second, Utility: 1}
	for _, runtime := range []distuv.Uniform{{Min: 60, Max: 140}, {Min: 120, Max: 140}} {
		u, err := o.Utility(slo, 50*second, runtime)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("worth %v in time, %v at 200 s; started at once: %.2f\n", u.At(150), u.At(200), u.Expected(runtime, 50))
	}
	// Output:
	// worth 1 in time, 0 at 200 s; started at once: 0.50
	// worth 1 in time, 0.5 at 200 s; started at once: 0.70
}

// percent is of a runtime that is 20 s with so many percent, and else 21 s.
func percent(p int) threesigma.Distribution {
	v := make(values, 100)
	for i := range v {
		if v[i] = 21; i < p {
			v[i] = 20
		}
	}
	return v
}

func TestOverestimate(t *testing.T) {
	const second = policy.Time(1e9)
	slo := policy.SLO{Deadline: 30 * second, Utility: 2}
	step := []threesigma.Point{{Time: 30, Value: 2}, {Time: 30, Value: 0}}
	tail := func(to float64) []threesigma.Point {
		return []threesigma.Point{{Time: 30, Value: 2}, {Time: to, Value: 0}}
	}
	var none histogram.Histogram
	for _, test := range []struct {
		name      string
		config    threesigma.Overestimate
		submitted policy.Time
		d         threesigma.Distribution
		want      []threesigma.Point
	}{
		{"in time for certain", threesigma.Overestimate{}, 10 * second, forecast.Known(20), step},
		{"too late for certain", threesigma.Overestimate{}, 10 * second, forecast.Known(20.5), tail(50)},
		{"tail given", threesigma.Overestimate{Tail: 7}, 10 * second, forecast.Known(20.5), tail(37)},
		{"just likely enough by default", threesigma.Overestimate{}, 10 * second, percent(5), step},
		{"just not likely enough by default", threesigma.Overestimate{}, 10 * second, percent(4), tail(50)},
		{"just likely enough", threesigma.Overestimate{Threshold: 0.25}, 10 * second, values{20, 21, 22, 23}, step},
		{"just not likely enough", threesigma.Overestimate{Threshold: 0.26}, 10 * second, values{20, 21, 22, 23}, tail(50)},
		{"always", threesigma.Overestimate{Handling: threesigma.Always}, 10 * second, forecast.Known(1), tail(50)},
		{"never", threesigma.Overestimate{Handling: threesigma.Never}, 10 * second, forecast.Known(100), step},
		{"nothing known", threesigma.Overestimate{}, 10 * second, &none, step},
		{"submitted at the deadline", threesigma.Overestimate{}, 30 * second, forecast.Known(1), step},
		{"submitted after the deadline", threesigma.Overestimate{Handling: threesigma.Always}, 40 * second, forecast.Known(1), step},
		{"submitted after it, tail given", threesigma.Overestimate{Tail: 7}, 40 * second, forecast.Known(1), tail(37)},
		{"no time at all, and less", threesigma.Overestimate{Tail: 7}, 40 * second, forecast.Known(-20), tail(37)},
		{"submitted in another age", threesigma.Overestimate{Tail: 7}, math.MinInt64, forecast.Known(1e9), step},
		{"submitted long after", threesigma.Overestimate{Tail: 7}, math.MaxInt64, forecast.Known(0), tail(37)},
	} {
		u, err := test.config.Utility(slo, test.submitted, test.d)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, u.Points()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
