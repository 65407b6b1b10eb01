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
		rate := 0.0
		for i, d := range jobs {
			rate += hopper.Rate(shares[i], d.Tasks, d.Tail)
		}
		fmt.Printf("%v slots: %.2f, throughput %.2f\n", slots, shares, rate)
	}
	// Output:
	// 6 slots: [5.00 1.00], throughput 6.40
	// 20 slots: [8.00 12.00], throughput 18.33
}

// With more slots than tasks a job makes copies of those that straggle, up to its virtual size:
// there the ten tasks do as much work as in 15 slots without copies, and ever less is gained beyond.
func ExampleVirtualSize() {
	const tasks, tail = 10, 1.5
	size := hopper.VirtualSize(tasks, tail)
	for _, slots := range []float64{size / 2, size, 2 * size, 4 * size} {
		fmt.Printf("%5.2f slots do the work of %5.2f\n", slots, hopper.Rate(slots, tasks, tail))
	}
	// Output:
	//  6.67 slots do the work of  7.50
	// 13.33 slots do the work of 15.00
	// 26.67 slots do the work of 22.50
	// 53.33 slots do the work of 26.25
}

// A job whose tasks straggle more has a use for more slots, one with more to send downstream has a
// greater weight.
func ExampleAllocate() {
	jobs := []hopper.Demand{
		{Tasks: 10, Tail: 1.2, Weight: 1},
		{Tasks: 10, Tail: 1.8, Weight: 1},
		{Tasks: 10, Tail: 1.8, Weight: 4, Downstream: 40},
		{Tasks: 10, Tail: 1.8, Weight: 1},
	}
	shares, err := hopper.Allocate(nil, 100, jobs)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, share := range shares {
		gain := hopper.Rate(share+0.001, jobs[i].Tasks, jobs[i].Tail) - hopper.Rate(share, jobs[i].Tasks, jobs[i].Tail)
		fmt.Printf("job %d: %4.1f slots, another one is worth %.3f\n", i, share, 1000*jobs[i].Weight*gain)
	}
	// Output:
	// job 0: 33.3 slots, another one is worth 0.450
	// job 1: 16.7 slots, another one is worth 0.450
	// job 2: 33.3 slots, another one is worth 0.450
	// job 3: 16.7 slots, another one is worth 0.450
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

// Slots are whole, and a share is not. To round a share down and give the rest away in the order of jobs wastes what a slot
// is worth to others. Rates are concave, so it is best to give slots one by one, each to the job to which it is worth most
// (B. Fox, "Discrete optimization via marginal analysis", Management Science 13(3), 1966).
func ExampleRate_wholeSlots() {
	jobs := []hopper.Demand{{Tasks: 1, Tail: 1.2, Weight: 1}, {Tasks: 1, Tail: 1.2, Weight: 1}}
	const slots = 2
	shares, err := hopper.Allocate(nil, slots, jobs)
	fmt.Printf("%.2f %v\n", shares, err)

	whole := make([]int, len(jobs))
	worth := func(i int) float64 { // of one more
		d, has := jobs[i], float64(whole[i])
		return d.Weight * (hopper.Rate(has+1, d.Tasks, d.Tail) - hopper.Rate(has, d.Tasks, d.Tail))
	}
	for range slots {
		best := 0
		for i := range jobs {
			if worth(i) > worth(best) {
				best = i
			}
		}
		whole[best]++
	}
	fmt.Println(whole)
	// Output:
	// [1.67 0.33] <nil>
	// [1 1]
}
