package kairos

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// algorithm2 is the paper's Algorithm 2 with its slips mended, for nodes of N cores. Comments give the
// lines of the pseudocode. Nodes count from 0. It counts what it has sent, and does not know what is on its way.
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

// Three nodes have 2 cores and a queue of 2, and eight tasks arrive at once. The paper's pseudocode and a centre send them
// to the same nodes. Task a goes to an idle core. Node 3 comes last in each tie: it already has a short and a long task,
// which suits least attained service.
func Example_algorithm2() {
	paper := algorithm2{nodes: make([]nodeEntry, 3), limit: 2 + 2}
	c := newCentre(Config{Queue: 2})
	for i, n := range []nodeEntry{{1, 0}, {2, 10}, {2, 900}} {
		paper.heartbeat(i, n.numTasks, n.variance)
		c.tell(i, 2, n)
	}
	paper.arrives("a", "b", "c", "d", "e", "f", "g", "h")
	paper.mainLoop()
	for _, s := range paper.sent {
		node, _ := c.order.next()
		c.send(node, policy.Copy{}, 0)
		fmt.Printf("Algorithm 2 sends %s to node %d, a centre to node %d\n", s.task, s.node+1, node)
	}
	fmt.Println(paper.queue, "waits, and the centre has no place for it:", !c.order.any())
	// Output:
	// Algorithm 2 sends a to node 1, a centre to node 1
	// Algorithm 2 sends b to node 1, a centre to node 1
	// Algorithm 2 sends c to node 2, a centre to node 2
	// Algorithm 2 sends d to node 3, a centre to node 3
	// Algorithm 2 sends e to node 1, a centre to node 1
	// Algorithm 2 sends f to node 2, a centre to node 2
	// Algorithm 2 sends g to node 3, a centre to node 3
	// [h] waits, and the centre has no place for it: true
}

// tell lets a centre know a node as it is in Nodes.
func (c *centre) tell(i, cores int, n nodeEntry) {
	id := policy.NodeID(i + 1)
	c.joined(&policy.Node{ID: id, Cores: int32(cores)})
	for range n.numTasks {
		c.send(id, policy.Copy{}, 0)
	}
	c.hear(id, report{number: 1, seen: c.workers.Get(id).sent, tasks: uint64(n.numTasks), tie: n.variance})
}
