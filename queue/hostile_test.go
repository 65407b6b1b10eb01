package queue_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/queue"
)

var (
	inf, largest = math.Inf(1), math.MaxFloat64
	capacity     = hostile.NotNegative
	// charge is the rule of what is added to a use of 2: a use beyond all numbers is not taken.
	charge = hostile.Where(func(float64) bool { return true }, hostile.Gives(false))
)

// truly says that a call that should be taken was not.
func truly(results []any) error {
	if ok, _ := results[len(results)-1].(bool); !ok {
		return fmt.Errorf("it is not taken: %v", results)
	}
	return nil
}

func within(what string, x, least, most float64) error {
	if !(x >= least && x <= most) {
		return fmt.Errorf("%s is %v, want something from %v to %v", what, x, least, most)
	}
	return nil
}

func TestHostileDRF(t *testing.T) {
	var d *queue.DRF[string]
	var a, b, gone queue.Handle
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			var err [4]error
			d, err[0] = queue.NewDRF[string](10, 20)
			if err[0] == nil {
				gone, err[1] = d.Add("gone")
				a, err[2] = d.Add("a")
				b, err[3] = d.Add("b", 2)
			}
			if err := cmp.Or(err[:]...); err != nil {
				t.Fatal(err)
			}
			d.Remove(gone)
			d.Charge(a, 2, 2)
			d.Join(a)
			d.Join(b)
			return method(), func() string { return hostile.Dump(d) }
		}
	}
	// Whatever was taken, both have their turns, and shares that are numbers.
	sane := func([]any) error {
		for _, h := range []queue.Handle{a, b} {
			share, resource, ok := d.Share(h)
			if err := within("share", share, 0, inf); err != nil || !ok || resource < 0 {
				return fmt.Errorf("%v, %d, %v: %w", share, resource, ok, err)
			}
			if d.Charge(h, largest, largest); !d.Charge(h, -1, -1) || !d.Charge(h, 0.5, 0.5) {
				return fmt.Errorf("it cannot be charged any more")
			}
		}
		for range 2 {
			x, ok := d.Next()
			if !ok || x != "a" && x != "b" {
				return fmt.Errorf("next is %q, %v", x, ok)
			}
			d.Leave(map[string]queue.Handle{"a": a, "b": b}[x])
		}
		return nil
	}
	both := func(rule hostile.Rule) hostile.Rules { return hostile.Rules{"[]": rule} }
	amounts := hostile.Arg{Name: "amounts", Value: []float64{1, 1}, Rules: both(charge)}
	hostile.Test(t,
		hostile.Call{Name: "NewDRF", New: hostile.Func(queue.NewDRF[string]), Args: []hostile.Arg{
			{Name: "capacity", Value: []float64{10, 20}, Rules: both(capacity)},
		}, Cases: []hostile.Case{
			{Name: "no resources", Args: []any{[]float64{}}, Want: hostile.Refuses},
			{Name: "none", Args: []any{nil}, Want: hostile.Refuses},
			{Name: "resources of nothing", Args: []any{[]float64{0, 0}}, Want: hostile.Takes},
		}},
		hostile.Call{Name: "DRF.SetCapacity", New: of(func() any { return d.SetCapacity }), Sane: sane, Args: []hostile.Arg{
			{Name: "capacity", Value: []float64{10, 20}, Rules: both(capacity)},
		}, Cases: []hostile.Case{
			{Name: "too few", Args: []any{[]float64{10}}, Want: hostile.Refuses},
			{Name: "too many", Args: []any{[]float64{10, 20, 30}}, Want: hostile.Refuses},
			{Name: "the second is wrong", Args: []any{[]float64{11, -1}}, Want: hostile.Refuses},
			{Name: "as small as can be", Args: []any{[]float64{5e-324, 5e-324}}, Want: hostile.Takes},
		}},
		hostile.Call{Name: "DRF.Add", New: of(func() any { return d.Add }), Sane: sane, Args: []hostile.Arg{
			{Name: "x", Value: "c"}, {Name: "weight", Value: []float64{1, 2}, Rules: both(hostile.Positive)},
		}, Cases: []hostile.Case{
			{Name: "no weight", Args: []any{"c", nil}, Want: hostile.Takes},
			{Name: "too many", Args: []any{"c", []float64{1, 2, 3}}, Want: hostile.Refuses},
			{Name: "duplicate", Args: []any{"a", nil}, Want: hostile.Takes}, // another tenant of that name
		}},
		hostile.Call{Name: "DRF.Charge", New: of(func() any {
			return func(amounts ...float64) bool { return d.Charge(a, amounts...) }
		}), Sane: func(results []any) error { return cmp.Or(truly(results), sane(nil)) }, Args: []hostile.Arg{amounts},
			Cases: []hostile.Case{
				{Name: "too few", Args: []any{[]float64{1}}, Want: hostile.Gives(false)},
				{Name: "none", Args: []any{nil}, Want: hostile.Gives(false)},
				{Name: "the second is wrong", Args: []any{[]float64{1, math.NaN()}}, Want: hostile.Gives(false)},
			}},
	)
}

// The methods of queues that take handles do nothing with one that is stale or names nothing.
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
	gone[2] = queue.Handle{}
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

func second[T any](_ T, ok bool) bool        { return ok }
func third[T, U any](_ T, _ U, ok bool) bool { return ok }
