package queue

import (
	"fmt"
	"math"
	"testing"
)

// naiveNode is a node of a tree in which the next leaf is looked for among all.
type naiveNode struct {
	id       int
	handle   Handle
	parent   *naiveNode
	children []*naiveNode
	share    Share
	use, ask float64
	waits    bool
	charged  int
}

type naiveTree struct {
	capacity float64
	nodes    []*naiveNode // nodes[0] is the root
	charges  int
}

func (t *naiveTree) limits(n *naiveNode) (guaranteed, maximum float64) {
	if n.parent == nil {
		return t.capacity, t.capacity
	}
	guaranteed, maximum = t.limits(n.parent)
	return guaranteed * n.share.Guaranteed, maximum * n.share.Maximum
}

// next returns the leaf that is next below a node, nil if there is none that has room.
func (t *naiveTree) next(n *naiveNode) *naiveNode {
	guaranteed, maximum := t.limits(n)
	var next *naiveNode
	if len(n.children) == 0 {
		if !n.waits || n.ask > maximum*(1+slack) {
			return nil
		}
		next = n
	} else {
		first := 0.0
		var of *naiveNode
		for _, c := range n.children {
			below := t.next(c)
			if below == nil {
				continue
			}
			relative := math.Inf(1)
			if g := guaranteed * c.share.Guaranteed; g > 0 {
				relative = max(0, c.use) / g
			}
			if next == nil || relative < first || relative == first && c.charged < of.charged {
				next, first, of = below, relative, c
			}
		}
	}
	if next == nil || n.use+next.ask > maximum*(1+slack) {
		return nil
	}
	return next
}

// add adds to the use of a node and of all above it.
func (t *naiveTree) add(n *naiveNode, amount float64) {
	if amount > 0 {
		t.charges++
	}
	for ; n != nil; n = n.parent {
		n.use += amount
		if amount > 0 {
			n.charged = t.charges
		}
	}
}

// treeTrial does what data says to a Tree and to a naive one.
func treeTrial(data []byte) error {
	fast, err := NewTree(0, 64)
	if err != nil {
		return err
	}
	root := &naiveNode{handle: fast.Root(), share: Share{1, 1}}
	naive := &naiveTree{capacity: 64, nodes: []*naiveNode{root}}
	for step := 0; len(data) >= 3; step, data = step+1, data[3:] {
		op, which, arg := data[0]%7, int(data[1]), data[2]
		n := naive.nodes[which%len(naive.nodes)]
		leaf := n != root && len(n.children) == 0
		got, want := false, leaf
		switch op {
		case 0:
			if len(naive.nodes) > 20 {
				continue
			}
			share := Share{Guaranteed: float64(arg%4) / 8, Maximum: float64(arg/4%4) / 4}
			sum := share.Guaranteed
			for _, c := range n.children {
				sum += c.share.Guaranteed
			}
			handle, err := fast.Add(n.handle, len(naive.nodes), share)
			if share.Maximum == 0 {
				share.Maximum = 1
			}
			got = err == nil
			want = !n.waits && (len(n.children) > 0 || n.use == 0) && sum <= 1 && share.Maximum >= share.Guaranteed
			if want {
				naive.charges++
				c := &naiveNode{id: len(naive.nodes), handle: handle, parent: n, share: share, charged: naive.charges}
				n.children = append(n.children, c)
				naive.nodes = append(naive.nodes, c)
			}
		case 1, 2:
			ask := float64(arg % 16)
			if got = fast.Join(n.handle, ask); want {
				n.waits, n.ask = true, ask
			}
		case 3:
			want = n.waits
			got = fast.Leave(n.handle)
			n.waits = false
		case 4:
			if arg%4 == 0 {
				naive.capacity = float64(1 + arg/4)
				got, want = fast.SetCapacity(naive.capacity) == nil, true
				break
			}
			fallthrough // something ends
		case 5, 6:
			amount := -float64(arg % 8)
			if next := naive.next(root); op != 4 && next != nil {
				n, want, amount = next, true, next.ask
			}
			if got = fast.Charge(n.handle, amount); want {
				naive.add(n, amount)
			}
		}
		if got != want {
			return fmt.Errorf("step %d, op %d of node %d: got %v, want %v", step, op, n.id, got, want)
		}
		next := naive.next(root)
		if id, ok := fast.Next(); ok != (next != nil) || ok && id != next.id {
			return fmt.Errorf("after step %d, op %d of node %d: next: got %d, %v, want %+v", step, op, n.id, id, ok, next)
		}
		for _, n := range naive.nodes {
			use, _ := fast.Use(n.handle)
			guaranteed, maximum, _ := fast.Limits(n.handle)
			if g, m := naive.limits(n); use != n.use || g != guaranteed || m != maximum {
				return fmt.Errorf("after step %d: node %d: got use %v, limits %v, %v, want use %v, limits %v, %v",
					step, n.id, use, guaranteed, maximum, n.use, g, m)
			}
		}
	}
	return nil
}

func FuzzTree(f *testing.F) {
	f.Add([]byte{0, 0, 2, 0, 0, 3, 0, 1, 10, 1, 3, 5, 1, 2, 4, 5, 0, 0, 5, 0, 0, 4, 0, 3, 4, 0, 40, 3, 3, 0})
	addRandom(f, 200, 500, 3)
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := treeTrial(data[:min(len(data), 1500)]); err != nil {
			t.Fatal(err)
		}
	})
}
