package kairos

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// algorithm2 is the paper's Algorithm 2 with its slips mended, for nodes of N cores. Comments give the
// lines of the pseudocode. Nodes count from 0. It counts what it has sent, and does not know what is on its way. Tests
// hold Central to it.
type algorithm2 struct {
	queue []string      // CentralQueue
	nodes []nodeEntry   // Nodes
	limit int           // N + Q
	sent  []assignment2 // what was assigned, in its order
}

type nodeEntry struct {
	numTasks int
	variance float64
}

type assignment2 struct {
	task string
	node int
}

// arrives is the event that a new job arrives.
func (a *algorithm2) arrives(job ...string) { // line 3
	a.queue = append(a.queue, job...) // lines 4 and 5
}

// heartbeat is the event that a heartbeat from a node arrives.
func (a *algorithm2) heartbeat(i, numTasks int, variance float64) { // line 6
	a.nodes[i] = nodeEntry{numTasks, variance} // lines 7 and 8
}

// mainLoop is the body of the main loop, which runs every Δ.
func (a *algorithm2) mainLoop() { // lines 9 and 10
	for i := range a.limit { // line 11: a node with N + Q tasks gets no more
		var s []int // line 12
		for m := range a.nodes {
			if a.nodes[m].numTasks == i {
				s = append(s, m)
			}
		}
		for len(s) > 0 && len(a.queue) > 0 { // line 13: neither is empty
			m := slices.MinFunc(s, func(x, y int) int { // line 14: the first of them
				return cmp.Compare(a.nodes[x].variance, a.nodes[y].variance)
			})
			t := a.queue[0] // line 15
			a.queue = a.queue[1:]
			a.sent = append(a.sent, assignment2{t, m})                   // line 16
			a.nodes[m].numTasks++                                        // which is then in the next set
			s = slices.DeleteFunc(s, func(n int) bool { return n == m }) // line 17
		}
	}
}

// The nodes in the comment of Central have 2 cores and a queue of 2. The paper's pseudocode and a Central send them
// the same tasks.
func ExampleCentral_algorithm2() {
	paper := algorithm2{nodes: make([]nodeEntry, 3), limit: 2 + 2}
	centre, err := NewCentral[string](CentralConfig{Queue: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, n := range []nodeEntry{{1, 0}, {2, 10}, {2, 900}} {
		paper.heartbeat(i, n.numTasks, n.variance)
		tell(centre, i, 2, n)
	}
	for _, task := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		paper.arrives(task)
		centre.Submit(task)
	}
	paper.mainLoop()
	for _, s := range paper.sent {
		a, _ := centre.Next()
		fmt.Printf("Algorithm 2 sends %s to node %d, Central sends %s to node %d\n", s.task, s.node+1, a.Task, a.Node)
	}
	fmt.Println(paper.queue, "and", centre.Pending(), "wait")
	// Output:
	// Algorithm 2 sends a to node 1, Central sends a to node 1
	// Algorithm 2 sends b to node 1, Central sends b to node 1
	// Algorithm 2 sends c to node 2, Central sends c to node 2
	// Algorithm 2 sends d to node 3, Central sends d to node 3
	// Algorithm 2 sends e to node 1, Central sends e to node 1
	// Algorithm 2 sends f to node 2, Central sends f to node 2
	// Algorithm 2 sends g to node 3, Central sends g to node 3
	// [h] and 1 wait
}

// tell lets a centre know a node as it is in Nodes.
func tell(c *Central[string], i, cores int, n nodeEntry) {
	id := policy.NodeID(i + 1)
	err := c.Joined(id, cores)
	var seen uint64
	for range n.numTasks {
		if err == nil {
			var a Assignment[string]
			a, err = c.Adopt("old", id)
			seen = a.Number
		}
	}
	if err == nil {
		_, err = c.Heartbeat(Report{Node: id, Number: 1, Seen: seen, Tasks: n.numTasks, Variance: n.variance})
	}
	if err != nil {
		panic(err)
	}
}
