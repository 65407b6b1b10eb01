package histogram_test

import (
	"fmt"

	"example.com/augur/histogram"
)

// The runtimes of a recurring job, in seconds: mostly about five minutes, at times an hour.
func Example() {
	h, err := histogram.New(histogram.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, runtime := range []float64{290, 310, 300, 3600, 305, 280, 295, 320, 3500, 300} {
		if err := h.Add(runtime); err != nil {
			fmt.Println(err)
		}
	}

	fmt.Println("runs:", h.Count())
	fmt.Println("mean:", h.Mean())
	fmt.Println("median:", h.Quantile(0.5))
	fmt.Println("done within 10 minutes:", h.CDF(600))

	// It has run for 10 minutes: how long in all, on average, if it is one that takes longer?
	fmt.Println("mean, now:", 600+h.SurvivalIntegral(600, h.Max())/h.Survival(600))
	// Output:
	// runs: 10
	// mean: 950
	// median: 300
	// done within 10 minutes: 0.8
	// mean, now: 3550
}
