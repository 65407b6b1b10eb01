package kairos_test

import (
	"fmt"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

// at returns an instant so many seconds after the epoch.
func at(seconds float64) policy.Time { return policy.Time(seconds * 1e9) }

// A host has one core. It tells the node what happens and prints what it is to do. A long task
// runs when two others come: one that ends within its first quantum, which the long one
// hardly notices, and one that does not, with which it then takes turns.
func ExampleNode() {
	node, err := kairos.NewNode[string](kairos.NodeConfig{Cores: 1, Quantum: 50 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	var moves []kairos.Move[string]
	show := func(now policy.Time, what string) {
		fmt.Printf("%3v s: %s\n", now.Seconds(), what)
		for _, m := range moves {
			fmt.Println("      ", m)
		}
	}

	moves, _ = node.TaskArrived(at(0), "long", 0, moves[:0])
	show(at(0), "long comes")
	moves, _ = node.TaskArrived(at(30), "short", 0, moves[:0])
	show(at(30), "short comes")
	moves, _ = node.TaskEnded(at(40), "short", moves[:0])
	show(at(40), "short ends")
	moves, _ = node.TaskArrived(at(60), "medium", 0, moves[:0])
	show(at(60), "medium comes")
	for range 2 {
		next, _ := node.NextTimer()
		moves, _ = node.TimersFired(next, moves[:0])
		show(next, "the timer fires")
	}

	// Output:
	//   0 s: long comes
	//        Start long on core 0
	//  30 s: short comes
	//        Suspend long on core 0
	//        Start short on core 0
	//  40 s: short ends
	//        Resume long on core 0
	//  60 s: medium comes
	//        Suspend long on core 0
	//        Start medium on core 0
	// 110 s: the timer fires
	//        Suspend medium on core 0
	//        Resume long on core 0
	// 160 s: the timer fires
	//        Suspend long on core 0
	//        Resume medium on core 0
}

// Suspended tasks keep their memory, so on a node that accounts for it a task may have to wait
// until another one ends.
func ExampleNode_memory() {
	node, err := kairos.NewNode[string](kairos.NodeConfig{Cores: 1, Quantum: 50 * time.Second, Memory: 8 << 30})
	if err != nil {
		fmt.Println(err)
		return
	}
	show := func(moves []kairos.Move[string], err error) {
		fmt.Println(moves, err)
	}
	show(node.TaskArrived(at(0), "a", 5<<30, nil))
	show(node.TaskArrived(at(1), "b", 2<<30, nil))
	show(node.TaskArrived(at(2), "c", 4<<30, nil))
	show(node.TaskArrived(at(3), "d", 9<<30, nil))
	show(node.TaskEnded(at(4), "a", nil)) // was suspended; now c fits
	// Output:
	// [Start a on core 0] <nil>
	// [Suspend a on core 0 Start b on core 0] <nil>
	// [] <nil>
	// [] kairos: task d wants 9663676416 bytes, and the node has 8589934592
	// [Suspend b on core 0 Start c on core 0] <nil>
}
