package queue_test

import (
	"cmp"
	"slices"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/queue"
)

func TestStaleHandles(t *testing.T) {
	d, err0 := queue.NewDRF[int](1)
	s, err1 := queue.NewSharing[int](queue.ByService)
	tree, err2 := queue.NewTree(0, 1)
	m, err3 := queue.NewMultilevel[int](queue.MultilevelConfig{First: 1})
	if err := cmp.Or(err0, err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	h := queue.NewHeap(cmp.Compare[int])
	// Of each a handle that has gone, and one that stays.
	var gone, kept [5]queue.Handle
	for i := range gone {
		both := [2]*queue.Handle{&gone[i], &kept[i]}
		for k, at := range both {
			var err error
			switch ok := true; i {
			case 0:
				*at, err = d.Add(k)
			case 1:
				*at, err = s.Add(k, 1)
			case 2:
				*at, err = tree.Add(tree.Root(), k, queue.Share{Guaranteed: 0.5})
			case 3:
				if *at, ok = m.Push(k, 1); !ok {
					t.Fatal("not pushed")
				}
			case 4:
				*at = h.Push(k)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	d.Remove(gone[0])
	s.Remove(gone[1])
	gone[2] = queue.Handle{} // nobody leaves a tree
	m.Remove(gone[3])
	h.Remove(gone[4])
	state := func() string { return hostile.Dump([]any{d, s, tree, m, h}) }
	before := state()
	for i := range gone {
		for _, handle := range []queue.Handle{{}, gone[i]} {
			answers := []func() []bool{
				func() []bool {
					return []bool{d.Join(handle), d.Leave(handle), d.Charge(handle, 1), second(d.Remove(handle)), third(d.Share(handle))}
				},
				func() []bool {
					return []bool{s.Join(handle), s.Leave(handle), s.Charge(handle, 1), s.Hold(handle, 1), second(s.Remove(handle)), second(s.Use(handle)), second(s.Held(handle))}
				},
				func() []bool {
					return []bool{tree.Join(handle, 1), tree.Leave(handle), tree.Charge(handle, 1), second(tree.Use(handle)), third(tree.Limits(handle))}
				},
				func() []bool { return []bool{m.Move(handle, 1), second(m.Remove(handle)), third(m.Get(handle))} },
				func() []bool {
					return []bool{h.Fix(handle), second(h.Remove(handle)), second(h.Get(handle))}
				},
			}[i]()
			if slices.Contains(answers, true) {
				t.Errorf("queue %d takes the handle %v: %v", i, handle, answers)
			}
		}
	}
	if _, err := tree.Add(gone[2], 1, queue.Share{}); err == nil {
		t.Error("a node is added below one that is gone")
	}
	root := tree.Root()
	if tree.Join(root, 1) || tree.Leave(root) || tree.Charge(root, 1) {
		t.Error("the root is taken for a leaf")
	}
	if after := state(); after != before {
		t.Errorf("the state has changed:\n%s\nbefore:\n%s", after, before)
	}
}

func second[T any](_ T, ok bool) bool { return ok }

func third[T, U any](_ T, _ U, ok bool) bool { return ok }
