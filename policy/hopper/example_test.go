package hopper_test

import (
	"fmt"
	"math"

	"example.com/augur/policy"
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
		throughput, err := hopper.Throughput(jobs, shares)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v slots: %.2f, throughput %.2f\n", slots, shares, throughput)
	}
	// Output:
	// 6 slots: [5.00 1.00], throughput 6.40
	// 20 slots: [8.00 12.00], throughput 18.33
}

// With more slots than tasks a job makes copies of those that straggle, up to its virtual size:
// there the ten tasks do as much work as in 15 slots without copies, and ever less is gained beyond.
func ExampleVirtualSize() {
	const tasks, tail = 10, 1.5
	size := hopper.VirtualSize(tasks, tail, 1)
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
	// Output:
	// job 0: 33.3 slots, marginal rate 0.450
	// job 1: 16.7 slots, marginal rate 0.450
	// job 2: 33.3 slots, marginal rate 0.450
	// job 3: 16.7 slots, marginal rate 0.450
}

// Each of two jobs of a task is at its best with 1.67 slots. In whole slots that is one each: a second slot for the first
// job is worth less than the first one of the other.
func ExampleAllocateWhole() {
	jobs := []hopper.Demand{{Tasks: 1, Tail: 1.2, Weight: 1}, {Tasks: 1, Tail: 1.2, Weight: 1}}
	shares, err := hopper.Allocate(nil, 2, jobs)
	fmt.Printf("%.2f %v\n", shares, err)
	slots, err := hopper.AllocateWhole(nil, 2, jobs)
	fmt.Println(slots, err)
	for _, slots := range []float64{1, 2} {
		fmt.Printf("rate of a job with %v: %.1f\n", slots, hopper.Rate(slots, 1, 1.2))
	}
	// Output:
	// [1.67 0.33] <nil>
	// [1 1] <nil>
	// rate of a job with 1: 1.8
	// rate of a job with 2: 3.5
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

// Two jobs run their tasks; after each end of a task the shares are asked for anew.
func ExamplePool() {
	pool, err := hopper.NewPool(hopper.PoolConfig{Slots: 6, Epsilon: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	set := func(id policy.JobID, tasks float64) {
		if err := pool.Set(id, hopper.Demand{Tasks: tasks, Tail: 1.6, Weight: 1}); err != nil {
			fmt.Println(err)
		}
	}
	set(1, 4)
	set(2, 6)
	for left := 4.0; left >= 0; left-- {
		set(1, left) // as it is, then less one task at a time
		first, _ := pool.Share(1)
		second, _ := pool.Share(2)
		fmt.Printf("%v tasks left: %.2f and %.2f slots\n", left, first, second)
	}
	// Output:
	// 4 tasks left: 5.00 and 1.00 slots
	// 3 tasks left: 3.75 and 2.25 slots
	// 2 tasks left: 2.50 and 3.50 slots
	// 1 tasks left: 1.25 and 4.75 slots
	// 0 tasks left: 0.00 and 6.00 slots
}

// Three jobs share 8 slots. A scheduler asks whose turn the next slot is, first for a job that misses a
// whole one, then for any that could use it.
func ExamplePool_Next() {
	pool, err := hopper.NewPool(hopper.PoolConfig{Slots: 8, Epsilon: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, tasks := range []float64{4, 6, 2} {
		if err := pool.Set(policy.JobID(i+1), hopper.Demand{Tasks: tasks, Tail: 1.6, Weight: 1}); err != nil {
			fmt.Println(err)
		}
	}
	use := func(id policy.JobID, slots float64, wants bool) {
		if err := pool.Use(id, slots, wants); err != nil {
			fmt.Println(err)
		}
	}
	use(1, 3, true)  // of 5
	use(2, 0, true)  // of 0.5
	use(3, 2, false) // of 2.5: no task waits, and no copy pays
	fmt.Println(pool.Next(1 - 1e-9))
	use(1, 5, true)
	fmt.Println(pool.Next(1 - 1e-9))
	fmt.Println(pool.Next(1e-9))
	for id := range pool.Waiting(math.Inf(-1)) {
		fmt.Println("wants a slot:", id)
	}
	// Output:
	// 1 true
	// 0 false
	// 2 true
	// wants a slot: 1
	// wants a slot: 2
}
