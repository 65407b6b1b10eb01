package estimate_test

import (
	"fmt"
	"math/rand/v2"

	"example.com/augur/estimate"
	"example.com/augur/histogram"
)

// The four estimators of 3Sigma follow the runtimes of a job that comes every night, and each
// is scored by estimates that it made before the runtime was known.
func Example() {
	var (
		all     estimate.Moments
		rolling estimate.Rolling
		recent  estimate.Recent
	)
	experts := []struct {
		name     string
		estimate func() (float64, bool)
	}{
		{"mean", all.Mean},
		{"median", recent.Median},
		{"rolling", rolling.Value},
		{"recent", recent.Mean},
	}
	scores := make([]estimate.NMAE, len(experts))

	for _, runtime := range []float64{100, 110, 90, 400, 100, 105} { // seconds
		for i, e := range experts {
			if guess, ok := e.estimate(); ok {
				scores[i].Add(guess, runtime)
			}
		}
		all.Add(runtime)
		rolling.Add(runtime)
		recent.Add(runtime)
	}
	for i, e := range experts {
		guess, _ := e.estimate()
		nmae, _ := scores[i].Value()
		fmt.Printf("%-7s  %3.0f s  NMAE %.2f\n", e.name, guess, nmae)
	}
	// Output:
	// mean     151 s  NMAE 0.57
	// median   102 s  NMAE 0.42
	// rolling  132 s  NMAE 0.71
	// recent   151 s  NMAE 0.57
}

// The jobs of this user take 100 s a task, give or take 30 s, and tasks of one job differ by
// 20 s. Three tasks of a new job have finished: what is its mean?
func ExamplePosterior() {
	p, err := estimate.NewPosterior(estimate.PosteriorConfig{Mean: 100, Between: 30, Within: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, runtime := range []float64{150, 170, 145} {
		p.Add(runtime)
	}
	fmt.Printf("%.1f ± %.1f s\n", p.Mean(), p.StdDev())
	fmt.Printf("90 %% sure of at most %.1f s\n", p.Quantile(0.9))
	// Output:
	// 147.9 ± 10.8 s
	// 90 % sure of at most 161.7 s
}

// A value joins and an old one leaves, as in a window that slides.
func ExampleMoments() {
	var m estimate.Moments
	for _, x := range []float64{2, 4, 4, 4, 5, 5, 7, 9, 1e9} {
		m.Add(x)
	}
	m.Remove(1e9)
	mean, _ := m.Mean()
	variance, _ := m.Variance()
	cov, _ := m.CoV()
	fmt.Println(mean, variance, cov)
	// Output: 5 4 0.4
}

// Which of two predictions was better, the wide one or the narrow one? The score is in the unit of
// the values, here seconds, as an error is, and less is better.
func ExampleCRPS() {
	for _, prediction := range [][]float64{{60, 100, 100, 140}, {95, 100, 100, 105}} {
		h, err := histogram.New(histogram.Config{})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, runtime := range prediction {
			h.Add(runtime)
		}
		right, err := estimate.CRPS(h.All(), 100)
		if err != nil {
			fmt.Println(err)
			return
		}
		wrong, _ := estimate.CRPS(h.All(), 140)
		fmt.Printf("%v: %.1f s if it takes 100 s, %.1f s if 140 s\n", prediction, right, wrong)
	}
	// Output:
	// [60 100 100 140]: 5.0 s if it takes 100 s, 25.0 s if 140 s
	// [95 100 100 105]: 0.6 s if it takes 100 s, 38.1 s if 140 s
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

	var finished estimate.Sample
	for _, task := range pilots {
		finished.Add(20 + float64(task%7)) // seconds
	}
	low, high, err := finished.Bootstrap(0.95, src)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("a task takes %.1f s, with 95 %% confidence %.1f to %.1f s\n", finished.Mean(), low, high)
	total, off := finished.Total(970)
	fmt.Printf("the others take %.0f ± %.0f slot-seconds\n", total, off)
	last, err := estimate.MeanOfLargest(&finished, 970)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("and if they start together, the last ends after %.1f s\n", last)
	// Output:
	// 30 pilots, the first is task 23
	// a task takes 23.0 s, with 95 % confidence 22.3 to 23.7 s
	// the others take 22342 ± 385 slot-seconds
	// and if they start together, the last ends after 26.0 s
}

// Tasks that still run are no reason to think that all tasks are short: the times that they
// have run so far count too.
func ExampleFitLogNormal() {
	finished := []float64{31, 45, 52, 60, 75, 88} // seconds
	running := []float64{90, 90, 90, 90}
	naive, err := estimate.FitLogNormal(finished, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fit, err := estimate.FitLogNormal(finished, running)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean %.0f s, not %.0f s\n", fit.Mean(), naive.Mean())
	fmt.Printf("one in ten takes longer than %.0f s, not %.0f s\n", fit.Quantile(0.9), naive.Quantile(0.9))
	// Output:
	// mean 90 s, not 59 s
	// one in ten takes longer than 155 s, not 86 s
}

// This predictor knows half the truth at best. Its past errors tell how wide an interval has
// to be that holds 80 % of the runtimes.
func ExampleConformal() {
	c, err := estimate.NewConformal(estimate.ConformalConfig{Coverage: 0.8, Relative: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	rng := rand.New(rand.NewPCG(1, 2))
	predict := func() (guess, runtime float64) {
		guess = 10 + 100*rng.Float64()
		return guess, 2 * guess * (0.5 + rng.Float64())
	}
	for range 500 {
		guess, runtime := predict()
		c.Add(guess, guess, runtime)
	}
	from, to, err := c.Interval(60, 60)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("60 s: %.0f to %.0f s\n", from, to)
	hits := 0
	for range 1000 {
		guess, runtime := predict()
		if from, to, _ := c.Interval(guess, guess); from <= runtime && runtime <= to {
			hits++
		}
	}
	fmt.Println(hits, "of 1000")
	// Output:
	// 60 s: 23 to 157 s
	// 800 of 1000
}
