package kairos_test

import (
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

// A task of 30 s and one of 20 s, which comes 10 s later, on a node of one core. The host carries out the moves, wakes when a
// timer fires, and reports each end.
func ExampleAdaptiveNode() {
	node, err := kairos.NewAdaptiveNode[string](kairos.AdaptiveNodeConfig{Cores: 1})
	if err != nil {
		log.Fatal(err)
	}
	left := map[string]time.Duration{"first": 30 * time.Second, "second": 20 * time.Second}
	now, runs := policy.Time(0), ""
	carryOut := func(moves []kairos.Move[string], err error) {
		if err != nil {
			log.Fatal(err)
		}
		for _, m := range moves {
			fmt.Printf("%4.1f s: %v\n", now.Seconds(), m)
			if m.Kind != kairos.Suspend {
				runs = m.Task
			}
		}
	}
	carryOut(node.TaskArrived(now, "first", 0, nil))
	now, left["first"] = at(10), 20*time.Second
	fmt.Println("a claim of 15 s is accepted:", node.Accepts(now, 0, 15*time.Second), "one of 10 s:", node.Accepts(now, 0, 10*time.Second))
	carryOut(node.TaskArrived(now, "second", 0, nil))
	for len(left) > 0 {
		end := now.Add(left[runs])
		if timer, ok := node.NextTimer(); ok && timer < end {
			left[runs] -= timer.Sub(now)
			now = timer
			carryOut(node.TimersFired(now, nil))
			continue
		}
		now = end
		delete(left, runs)
		fmt.Printf("%4.1f s: %s ends\n", now.Seconds(), runs)
		carryOut(node.TaskEnded(now, runs, nil))
	}
	// Output:
	//  0.0 s: Start first on core 0
	// a claim of 15 s is accepted: false one of 10 s: true
	// 10.0 s: Suspend first on core 0
	// 10.0 s: Start second on core 0
	// 25.0 s: Suspend second on core 0
	// 25.0 s: Resume first on core 0
	// 37.5 s: Suspend first on core 0
	// 37.5 s: Resume second on core 0
	// 42.5 s: second ends
	// 42.5 s: Resume first on core 0
	// 50.0 s: first ends
}
