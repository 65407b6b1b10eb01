package baseline_test

import (
	"fmt"
	"log"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
)

// A host of its own asks where a task of 0.3 GPUs does the least harm. Half of the tasks to come take 0.3, and half a whole
// GPU. On node a the other half of a GPU that is used already has room.
func ExampleFragmentation() {
	task := func(milli int64) *policy.Stage {
		return &policy.Stage{Tasks: 1, Cores: 1, Needs: []policy.Need{{Name: "gpu", Amount: milli}}}
	}
	var mix baseline.Fragmentation
	for _, milli := range []int64{300, 1000} {
		if err := mix.Add(task(milli), 1); err != nil {
			log.Fatal(err)
		}
	}
	offers := []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 2}}
	a, b := policy.NewStock(&policy.Node{Offers: offers}), policy.NewStock(&policy.Node{Offers: offers})
	a.Take(task(500))
	for _, node := range []struct {
		name  string
		stock *policy.Stock
	}{{"a", a}, {"b", b}} {
		fmt.Printf("node %s: %.2f GPUs are of no use\n", node.name, mix.Of(8, node.stock))
		for device := range 2 {
			growth, err := mix.Growth(8, node.stock, task(300), 1<<device)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("  on GPU %d: %+.2f\n", device, growth)
		}
	}
	// Output:
	// node a: 0.25 GPUs are of no use
	//   on GPU 0: -0.05
	//   on GPU 1: +0.35
	// node b: 0.00 GPUs are of no use
	//   on GPU 0: +0.35
	//   on GPU 1: +0.35
}
