package threesigma_test

import (
	"fmt"

	"example.com/augur/histogram"
	"example.com/augur/policy"
	"example.com/augur/policy/threesigma"
)

// A job is submitted with a deadline in ten minutes. What is it worth to start it now, or later, and
// when does it end if it has run for a while?
func Example() {
	h, err := histogram.New(histogram.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, runtime := range []float64{200, 240, 250, 400, 420, 700} { // of jobs like it, in seconds
		if err := h.Add(runtime); err != nil {
			fmt.Println(err)
			return
		}
	}
	submitted := policy.Time(0)
	slo := policy.SLO{Deadline: submitted.Add(600e9), Utility: 6}
	u, err := threesigma.Overestimate{}.Utility(slo, submitted, h)
	if err != nil {
		fmt.Println(err)
		return
	}
	const slot = 100 // s
	for start := 0.0; start < 500; start += slot {
		fmt.Printf("start at %3.0f s: worth %.1f\n", start, u.Expected(h, start))
	}

	var increments threesigma.Increments
	for _, elapsed := range []float64{300, 700} {
		running, err := increments.After(h, elapsed, slot)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("after %.0f s: ends by 500 s with probability %.2f, by 800 s with %.2f\n", elapsed, running.CDF(500), running.CDF(800))
	}
	// Output:
	// start at   0 s: worth 5.0
	// start at 100 s: worth 5.0
	// start at 200 s: worth 4.0
	// start at 300 s: worth 3.0
	// start at 400 s: worth 1.0
	// after 300 s: ends by 500 s with probability 0.67, by 800 s with 1.00
	// after 700 s: ends by 500 s with probability 0.00, by 800 s with 1.00
}
