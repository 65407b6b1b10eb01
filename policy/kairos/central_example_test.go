package kairos_test

import (
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

// The table in the comment of Central: three nodes of two cores, on each of which two more
// tasks may wait.
func ExampleCentral() {
	centre, err := kairos.NewCentral[string](kairos.CentralConfig{Queue: 2})
	if err != nil {
		panic(err)
	}
	// The nodes have 1, 2 and 2 tasks already, and say so.
	for i, tasks := range []int{1, 2, 2} {
		node := policy.NodeID(i + 1)
		if err := centre.Joined(node, 2); err != nil {
			panic(err)
		}
		var seen uint64
		for range tasks {
			a, err := centre.Adopt("old", node)
			if err != nil {
				panic(err)
			}
			seen = a.Number
		}
		variance := []float64{0, 10, 900}[i]
		if _, err := centre.Heartbeat(kairos.Report{Node: node, Number: 1, Seen: seen, Tasks: tasks, Variance: variance}); err != nil {
			panic(err)
		}
	}

	for _, task := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		centre.Submit(task)
	}
	send := func() {
		for a, ok := centre.Next(); ok; a, ok = centre.Next() {
			fmt.Printf("task %s to node %d, number %d\n", a.Task, a.Node, a.Number)
		}
		fmt.Println(centre.Pending(), "wait at the centre")
	}
	send()

	// Task d ends, and node 3 is asked for another one at once.
	if _, err := centre.Ended(3, 4); err != nil {
		panic(err)
	}
	send()
	// Output:
	// task a to node 1, number 3
	// task b to node 1, number 4
	// task c to node 2, number 4
	// task d to node 3, number 4
	// task e to node 1, number 5
	// task f to node 2, number 5
	// task g to node 3, number 5
	// 1 wait at the centre
	// task h to node 3, number 6
	// 0 wait at the centre
}

// A heartbeat says up to which assignment its node had seen, so one that comes late does no
// harm.
func ExampleCentral_Heartbeat() {
	centre, err := kairos.NewCentral[string](kairos.CentralConfig{Queue: 1})
	if err != nil {
		panic(err)
	}
	if err := centre.Joined(1, 1); err != nil {
		panic(err)
	}
	for _, task := range []string{"a", "b", "c"} {
		centre.Submit(task)
	}
	a, _ := centre.Next()
	b, _ := centre.Next()

	heard := func(number, seen uint64, tasks int) {
		if _, err := centre.Heartbeat(kairos.Report{Node: 1, Number: number, Seen: seen, Tasks: tasks}); err != nil {
			panic(err)
		}
		most, _, _ := centre.Node(1)
		_, ok := centre.Next()
		fmt.Printf("heartbeat %d: at most %d tasks, another one is sent: %v\n", number, most, ok)
	}
	heard(1, a.Number, 1) // the node has task a, and b is on its way
	heard(3, b.Number, 1) // the node has seen both, and one has ended
	heard(2, b.Number, 2) // this is older, and comes last
	// Output:
	// heartbeat 1: at most 2 tasks, another one is sent: false
	// heartbeat 3: at most 1 tasks, another one is sent: true
	// heartbeat 2: at most 2 tasks, another one is sent: false
}
