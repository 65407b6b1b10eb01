package threesigma_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
)

// A job is worth 10 by noon, half as much by one o'clock, and a fine of 1 after that.
func ExampleNewUtility() {
	u, err := threesigma.NewUtility(
		threesigma.Point{Time: 12 * 3600, Value: 10}, threesigma.Point{Time: 12 * 3600, Value: 5},
		threesigma.Point{Time: 13 * 3600, Value: 5}, threesigma.Point{Time: 13 * 3600, Value: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(u.At(12*3600), u.At(12.5*3600), u.At(13*3600), u.At(14*3600))
	// Output: 10 5 5 -1
}

func TestUtilityRefusesAndNames(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	point := func(t, v float64) threesigma.Point { return threesigma.Point{Time: t, Value: v} }
	curve := func(p ...threesigma.Point) error { _, err := threesigma.NewUtility(p...); return err }
	step := func(v, d float64) error { _, err := newStep(v, d); return err }
	late := func(v float64) error {
		_, err := threesigma.Overestimate{Handling: threesigma.Always}.Utility(policy.SLO{Deadline: 1e9, Utility: v}, 0, forecast.Known(1))
		return err
	}
	for _, test := range []struct {
		err  error
		want string
	}{
		{step(1, nan), "point 0 of a utility is at NaN s"},
		{step(1, -inf), "point 0 of a utility is at -Inf s"},
		{late(inf), "has the value +Inf"},
		{curve(point(0, nan)), "point 0 of a utility has the value NaN"},
		{curve(point(1, 0), point(0, 0)), "point 1 of a utility is at 0 s, want at least 1 s"},
		{curve(point(1, 0), point(1, 1), point(1, 2)), "point 2 of a utility is the third at 1 s"},
		{curve(point(-math.MaxFloat64, 0), point(math.MaxFloat64, 1)), "point 1 of a utility is at 1.7976931348623157e+308 s, too far"},
		{curve(point(0, -math.MaxFloat64), point(1, math.MaxFloat64)), "point 1 of a utility has the value 1.7976931348623157e+308, too far"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("error %v, want it to contain %q", test.err, test.want)
		}
	}
}

func TestUtilityEdges(t *testing.T) {
	var zero threesigma.Utility
	if got := zero.At(3); got != 0 {
		t.Errorf("zero utility at 3 is %v, want 0", got)
	}
	points := []threesigma.Point{{Time: 1, Value: 2}, {Time: 3, Value: 2}, {Time: 5, Value: 7}, {Time: 6, Value: 7}, {Time: 6, Value: 7}}
	u, err := threesigma.NewUtility(points...)
	if err != nil {
		t.Fatal(err)
	}
	want := u.Points()
	points[0].Value = 9
	u.Points()[1].Value = 9
	if diff := cmp.Diff(want, u.Points()); diff != "" {
		t.Errorf("points changed from outside (-want +got):\n%s", diff)
	}
	if got := u.At(math.NaN()); !math.IsNaN(got) {
		t.Errorf("utility at NaN is %v, want NaN", got)
	}
	for time, want := range map[float64]float64{math.Inf(-1): 2, math.Inf(1): 7, 4: 4.5, 2: 2} {
		if got := u.At(time); got != want {
			t.Errorf("utility at %v is %v, want %v", time, got, want)
		}
	}
}

// randomCurve returns a utility of up to six points at whole and half times from -5 to 20, often with
// jumps.
func randomCurve(rng *rand.Rand) threesigma.Utility {
	var points []threesigma.Point
	at := -5 + float64(rng.IntN(10))
	for range rng.IntN(7) {
		n := len(points)
		if n < 2 || points[n-2].Time < at || rng.IntN(2) == 0 {
			if n >= 2 && points[n-2].Time == at {
				at += float64(1+rng.IntN(8)) / 2
			}
			points = append(points, threesigma.Point{Time: at, Value: float64(rng.IntN(9) - 2)})
		}
		if rng.IntN(2) == 0 {
			at += float64(1+rng.IntN(8)) / 2
		}
	}
	u, err := threesigma.NewUtility(points...)
	if err != nil {
		panic(err)
	}
	return u
}
