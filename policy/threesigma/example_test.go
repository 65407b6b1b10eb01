package threesigma_test

import (
	"fmt"

	"example.com/augur/histogram"
	"example.com/augur/policy"
	"example.com/augur/policy/threesigma"
)

// A job is submitted with a deadline in ten minutes. What is it worth to start it now, or later, and
// what does it take?
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
	profile, err := threesigma.AppendConsumption(nil, h, 0, slot, 10)
	fmt.Printf("takes %.2f %v\n", profile, err)

	var increments threesigma.Increments
	for _, elapsed := range []float64{300, 700} {
		running, err := increments.After(h, elapsed, slot)
		if err != nil {
			fmt.Println(err)
			return
		}
		profile, err := threesigma.AppendConsumption(nil, running, elapsed, slot, 10)
		fmt.Printf("after %.0f s: takes %.2f %v\n", elapsed, profile, err)
	}
	// Output:
	// start at   0 s: worth 5.0
	// start at 100 s: worth 5.0
	// start at 200 s: worth 4.0
	// start at 300 s: worth 3.0
	// start at 400 s: worth 1.0
	// takes [1.00 1.00 0.83 0.50 0.33 0.17 0.17] <nil>
	// after 300 s: takes [1.00 0.67 0.33 0.33] <nil>
	// after 700 s: takes [1.00] <nil>
}
