package kairos_test

import (
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

// Two nodes of one core, on each of which one more task may wait. The fifth task waits at the centre until one ends.
func ExampleCentral() {
	centre, err := kairos.NewCentral[string](kairos.CentralConfig{Queue: 1})
	if err != nil {
		panic(err)
	}
	for id := range policy.NodeID(2) {
		if err := centre.Joined(id+1, 1); err != nil {
			panic(err)
		}
	}
	for _, task := range []string{"a", "b", "c", "d", "e"} {
		centre.Submit(task)
	}
	send := func() {
		for a, ok := centre.Next(); ok; a, ok = centre.Next() {
			fmt.Printf("task %s to node %d, number %d\n", a.Task, a.Node, a.Number)
		}
		fmt.Println(centre.Pending(), "wait at the centre")
	}
	send()
	if _, err := centre.Ended(2, 2); err != nil { // task b
		panic(err)
	}
	send()
	// Output:
	// task a to node 1, number 2
	// task b to node 2, number 2
	// task c to node 1, number 3
	// task d to node 2, number 3
	// 1 wait at the centre
	// task e to node 2, number 4
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
