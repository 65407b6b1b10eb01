package hopper_test

import (
	"fmt"

	"example.com/augur/policy/hopper"
)

// Two jobs share the 6 slots of section 2 of the paper: with β = 1.6 job A, of 4 tasks, can use 5
// slots. Its fifth is worth more than a second one of job B, since both are worth the same there
// and A is nearer to its end.
func Example() {
	jobs := []hopper.Demand{
		{Tasks: 4, Tail: 1.6, Weight: 1},
		{Tasks: 6, Tail: 1.6, Weight: 1},
	}
	for _, slots := range []float64{6, 20} {
		shares, err := hopper.Allocate(nil, slots, jobs)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v slots: %.2f, throughput %.2f\n", slots, shares, hopper.Throughput(jobs, shares))
	}
	// Output:
	// 6 slots: [5.00 1.00], throughput 6.40
	// 20 slots: [8.00 12.00], throughput 18.33
}

// A job whose tasks straggle more has a use for more slots, one with more to send downstream has a
// greater weight, and each can have slots that it does not lose to others.
func ExampleAllocate() {
	jobs := []hopper.Demand{
		{Tasks: 10, Tail: 1.2, Weight: 1},
		{Tasks: 10, Tail: 1.8, Weight: 1},
		{Tasks: 10, Tail: 1.8, Weight: 4, Downstream: 40},
		{Tasks: 10, Tail: 1.8, Weight: 1, Floor: 5},
	}
	shares, err := hopper.Allocate(nil, 100, jobs)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, share := range shares {
		fmt.Printf("job %d: %4.1f slots, marginal rate %.3f\n", i, share,
			jobs[i].Weight*hopper.MarginalRate(share, jobs[i].Tasks, jobs[i].Tail))
	}
	whole, err := hopper.Whole(nil, shares)
	fmt.Println(whole, err)
	// Output:
	// job 0: 33.3 slots, marginal rate 0.450
	// job 1: 16.7 slots, marginal rate 0.450
	// job 2: 33.3 slots, marginal rate 0.450
	// job 3: 16.7 slots, marginal rate 0.450
	// [33 17 33 17] <nil>
}

func ExampleEpsilonFair() {
	jobs := []hopper.Demand{{Tasks: 4, Tail: 1.6}, {Tasks: 6, Tail: 1.6}, {Tasks: 40, Tail: 1.6}}
	for _, epsilon := range []float64{0, 0.1, 1} {
		shares, err := hopper.EpsilonFair(nil, 15, epsilon, jobs)
		fmt.Printf("%.2f %v\n", shares, err)
	}
	// Output:
	// [5.00 5.00 5.00] <nil>
	// [5.00 5.50 4.50] <nil>
	// [5.00 7.50 2.50] <nil>
}
