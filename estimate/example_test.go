package estimate_test

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"example.com/augur/estimate"
	"example.com/augur/histogram"
)

// Two estimators of a job that comes every night, each scored by the estimates that it made before the
// runtime was known: the mean of all runtimes, and the last one.
func Example() {
	var all estimate.Moments
	var mean, last estimate.NMAE
	before := 0.0
	for _, runtime := range []float64{100, 110, 90, 400, 100, 105} { // seconds
		if guess, ok := all.Mean(); ok {
			mean.Add(guess, runtime)
			last.Add(before, runtime)
		}
		all.Add(runtime)
		before = runtime
	}
	byMean, _ := mean.Value()
	byLast, _ := last.Value()
	fmt.Printf("NMAE %.2f of the mean, %.2f of the last\n", byMean, byLast)
	// Output: NMAE 0.57 of the mean, 0.80 of the last
}

// The jobs of this user take 100 s a task, give or take 30 s, and tasks of one job differ by
// 20 s. Three tasks of a new job have finished: what is its mean?
func ExamplePosterior() {
	mean := (150. + 170 + 145) / 3
	p := estimate.Posterior(estimate.Normal{Mean: 100, StdDev: 30}, 20, mean, 3)
	fmt.Printf("%.1f ± %.1f s\n", p.Mean, p.StdDev)
	// Output: 147.9 ± 10.8 s
}

// Tasks of 2 to 9 s are 5 s long on average.
func ExampleMoments() {
	var m estimate.Moments
	for _, x := range []float64{2, 4, 4, 4, 5, 5, 7, 9} {
		m.Add(x)
	}
	mean, _ := m.Mean()
	variance, _ := m.Variance()
	cov, _ := m.CoV()
	fmt.Println(mean, variance, cov)
	// Output: 5 4 0.4
}

// A job of 1,000 tasks runs 3 % of them first, and tells from the 30 what the rest will take.
func Example_pilots() {
	src := rand.NewPCG(1, 2)
	n, err := estimate.PilotCount(1000, 0.03)
	if err != nil {
		fmt.Println(err)
		return
	}
	pilots, err := estimate.Pilots(nil, 1000, n, src)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(pilots), "pilots, the first is task", pilots[0])

	var finished estimate.Moments
	for _, task := range pilots {
		finished.Add(20 + float64(task%7)) // seconds
	}
	mean, _ := finished.Mean()
	fmt.Printf("a task takes %.1f s, and the others take about %.0f slot-seconds\n", mean, 970*mean)
	// Output:
	// 30 pilots, the first is task 23
	// a task takes 23.0 s, and the others take about 22342 slot-seconds
}

// A predictor gives each job an instant by which it should start in nine cases of ten. Its waits are half as long as they
// should be. Whether a job started by then is known when it has started, or when the bound has passed.
func ExampleTracker() {
	tracker, err := estimate.NewTracker(estimate.TrackerConfig{Coverage: 0.9, Rate: 0.05})
	if err != nil {
		fmt.Println(err)
		return
	}
	rng := rand.New(rand.NewPCG(1, 2))
	held := 0
	for range 1000 {
		bound := 10 + 100*rng.Float64()
		wait := 2 * bound * rng.Float64() / 0.9
		bound *= tracker.Factor()
		if wait <= bound {
			held++
		}
		tracker.Observe(wait > bound)
	}
	fmt.Printf("%d of 1000 held, with a factor of %.1f\n", held, tracker.Factor())
	// Output:
	// 885 of 1000 held, with a factor of 2.1
}

// Most jobs of this program take a second, and one of ten takes a hundred.
func ExampleGittins() {
	var past histogram.Histogram
	if err := errors.Join(past.AddN(1, 9), past.AddN(100, 1)); err != nil {
		fmt.Println(err)
		return
	}
	one, bag := estimate.Gittins{}, estimate.Gittins{Tasks: 50}
	fmt.Printf("at first: %.2f s\n", one.Rank(&past, 0))
	fmt.Printf("after a second: %.0f s\n", one.Rank(&past, 1))
	fmt.Printf("fifty alike, by a pilot: %.2f s\n", bag.Rank(&past, 0))
	// Output:
	// at first: 1.11 s
	// after a second: 99 s
	// fifty alike, by a pilot: 50.11 s
}
