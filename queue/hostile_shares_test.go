package queue_test

import (
	"cmp"
	"fmt"
	"math"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/queue"
)

func TestHostileSharing(t *testing.T) {
	for _, rule := range []queue.ShareRule{queue.ByService, queue.ByUse, queue.ByNextUse} {
		t.Run(fmt.Sprint(rule), func(t *testing.T) { testHostileSharing(t, rule) })
	}
}

func testHostileSharing(t *testing.T, rule queue.ShareRule) {
	var s *queue.Sharing[string]
	var members map[string]queue.Handle
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if s, err = queue.NewSharing[string](rule); err != nil {
				t.Fatal(err)
			}
			members = map[string]queue.Handle{}
			for i, name := range []string{"a", "b"} {
				if members[name], err = s.Add(name, float64(1+i)); err != nil {
					t.Fatal(err)
				}
				s.Charge(members[name], 2)
				s.Hold(members[name], 2)
				s.Join(members[name])
			}
			return method(), func() string { return hostile.Dump(s) }
		}
	}
	// Whatever was taken, and many charges more, all can still be charged, and have their turns.
	sane := func([]any) error {
		for range 3000 {
			for name, h := range members {
				if !s.Charge(h, 1) || !s.Hold(h, 1) || !s.Hold(h, -1) {
					return fmt.Errorf("%s cannot be charged any more", name)
				}
			}
		}
		for name, h := range members {
			use, ok := s.Use(h)
			held, _ := s.Held(h)
			if err := cmp.Or(within("use", use, -largest, largest), within("held", held, -largest, largest)); err != nil || !ok {
				return fmt.Errorf("%s: %w", name, err)
			}
			s.Leave(h)
			s.Join(h)
		}
		for range members {
			x, ok := s.Next()
			if !ok || !s.Leave(members[x]) {
				return fmt.Errorf("next is %q, %v", x, ok)
			}
		}
		return nil
	}
	first := func(method func(queue.Handle, float64) bool) func(x float64) bool {
		return func(x float64) bool { return method(members["a"], x) }
	}
	taken := func(results []any) error { return cmp.Or(truly(results), sane(nil)) }
	amount := hostile.Number("amount", 2.0, charge)
	hostile.Test(t,
		hostile.Call{Name: "NewSharing", New: hostile.Func(queue.NewSharing[string]), Args: []hostile.Arg{
			hostile.Number("ShareRule", rule, hostile.Between(0, 2)),
		}},
		hostile.Call{Name: "Sharing.Add", New: of(func() any { return s.Add }), Args: []hostile.Arg{
			{Name: "x", Value: "c"}, hostile.Number("weight", 2.0, hostile.Positive),
		}, Sane: func(results []any) error {
			c := results[0].(queue.Handle)
			members["c"] = c
			s.Join(c)
			if err := sane(nil); rule != queue.ByService {
				return err
			} // by service a charge by so small a weight may be beyond all numbers: then it is not taken
			delete(members, "c")
			s.Remove(c)
			return sane(nil)
		}},
		hostile.Call{Name: "Sharing.Charge", New: of(func() any { return first(s.Charge) }), Args: []hostile.Arg{amount}, Sane: taken},
		hostile.Call{Name: "Sharing.Hold", New: of(func() any { return first(s.Hold) }), Args: []hostile.Arg{amount}, Sane: taken},
	)
	// Members as far from each other as can be, when what only differences count of is shifted.
	for name, amounts := range map[string][2]float64{
		"a is far behind": {-largest, largest}, "b is far behind": {largest, -largest}, "both are": {-largest, -largest},
		"both are ahead": {largest / 2, largest},
	} {
		of(func() any { return nil })()
		s.Charge(members["a"], amounts[0])
		s.Charge(members["b"], amounts[1])
		if err := sane(nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s.Charge(members["a"], amounts[0])
		s.Charge(members["b"], amounts[1])
		s.Hold(members["a"], largest)
		if err := sane(nil); err != nil {
			t.Errorf("%s, and a holds very much: %v", name, err)
		}
	}
}

func TestHostileTree(t *testing.T) {
	var tree *queue.Tree[string]
	var nodes map[string]queue.Handle
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if tree, err = queue.NewTree("root", 10); err != nil {
				t.Fatal(err)
			}
			nodes = map[string]queue.Handle{"root": tree.Root()}
			for _, n := range []struct {
				name, parent string
				share        queue.Share
			}{{"a", "root", queue.Share{Guaranteed: 0.5}}, {"b", "root", queue.Share{Guaranteed: 0.25, Maximum: 0.5}}, {"a1", "a", queue.Share{Guaranteed: 0.5}}, {"a2", "a", queue.Share{}}} {
				if nodes[n.name], err = tree.Add(nodes[n.parent], n.name, n.share); err != nil {
					t.Fatal(err)
				}
			}
			for _, leaf := range []string{"a1", "a2", "b"} {
				tree.Charge(nodes[leaf], 2)
				tree.Join(nodes[leaf], 1)
			}
			return method(), func() string { return hostile.Dump(tree) }
		}
	}
	sane := func([]any) error {
		for name, h := range nodes {
			use, _ := tree.Use(h)
			guaranteed, maximum, ok := tree.Limits(h)
			if err := cmp.Or(within("use", use, -largest, largest), within("guaranteed", guaranteed, 0, maximum), within("maximum", maximum, 0, largest)); err != nil || !ok {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		// What is taken back can be given again, and then all have their turns, since all ask for nothing.
		if err := tree.SetCapacity(largest); err != nil {
			return err
		}
		for _, leaf := range []string{"a1", "a2", "b"} {
			use, _ := tree.Use(nodes[leaf])
			if !tree.Charge(nodes[leaf], -use) || !tree.Charge(nodes[leaf], 1) || !tree.Join(nodes[leaf], 0) {
				return fmt.Errorf("%s cannot be charged with %v", leaf, -use)
			}
		}
		for range 3 {
			x, ok := tree.Next()
			if !ok || !tree.Leave(nodes[x]) {
				return fmt.Errorf("next is %q, %v", x, ok)
			}
		}
		return nil
	}
	leaf := func(method func(queue.Handle, float64) bool) func(x float64) bool {
		return func(x float64) bool { return method(nodes["a1"], x) }
	}
	taken := func(results []any) error { return cmp.Or(truly(results), sane(nil)) }
	share := queue.Share{Guaranteed: 0.25, Maximum: 0.5}
	hostile.Test(t,
		hostile.Call{Name: "NewTree", New: hostile.Func(queue.NewTree[string]), Args: []hostile.Arg{
			{Name: "root", Value: "root"}, hostile.Number("capacity", 10.0, hostile.Positive),
		}},
		hostile.Call{Name: "Tree.SetCapacity", New: of(func() any { return tree.SetCapacity }), Sane: sane, Args: []hostile.Arg{
			hostile.Number("capacity", 10.0, hostile.Positive),
		}},
		hostile.Call{Name: "Tree.Add", New: of(func() any {
			return func(x string, share queue.Share) (queue.Handle, error) { return tree.Add(tree.Root(), x, share) }
		}), Sane: sane, Args: []hostile.Arg{{Name: "x", Value: "c"}, {Name: "share", Value: share, Rules: hostile.Rules{
			"Guaranteed": hostile.Between(0, 0.25), // the siblings have the rest
			"Maximum":    hostile.Between(0.25, 1).Or(func(x float64) bool { return x == 0 }, hostile.Takes),
		}}}, Cases: []hostile.Case{
			{Name: "nothing", Args: []any{"c", queue.Share{}}, Want: hostile.Takes},
			{Name: "more than is left", Args: []any{"c", queue.Share{Guaranteed: 0.26}}, Want: hostile.Refuses},
		}},
		hostile.Call{Name: "Tree.Join", New: of(func() any { return leaf(tree.Join) }), Sane: taken, Args: []hostile.Arg{
			hostile.Number("ask", 2.0, hostile.Where(func(x float64) bool { return x >= 0 }, hostile.Gives(false))),
		}},
		hostile.Call{Name: "Tree.Charge", New: of(func() any { return leaf(tree.Charge) }), Sane: taken, Args: []hostile.Arg{hostile.Number("amount", 2.0, charge)}},
	)
}

func TestHostileMultilevel(t *testing.T) {
	var q *queue.Multilevel[string]
	var handle queue.Handle
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if q, err = queue.NewMultilevel[string](queue.MultilevelConfig{Levels: 3, First: 1}); err != nil {
				t.Fatal(err)
			}
			handle, _ = q.Push("a", 2)
			q.Push("b", 20)
			return method(), func() string { return hostile.Dump(q) }
		}
	}
	sane := func([]any) error {
		for q.Len() > 0 {
			if _, ok := q.Pop(); !ok {
				return fmt.Errorf("it has %d elements and no first", q.Len())
			}
		}
		return nil
	}
	number := func(x float64) bool { return !math.IsNaN(x) } // keys may be infinite
	otherwise := func(a hostile.Answer) hostile.Rule { return hostile.Always(a).Or(number, hostile.Takes) }
	key := hostile.Number("key", 2.0, otherwise(hostile.Gives(queue.Handle{}, false)))
	level := func(otherwise hostile.Answer) hostile.Arg {
		return hostile.Number("level", 1, hostile.Where(func(l float64) bool { return l >= 0 && l < 3 }, otherwise))
	}
	hostile.Test(t,
		hostile.Call{Name: "NewMultilevel", New: hostile.Func(queue.NewMultilevel[string]), Args: []hostile.Arg{
			{Name: "c", Value: queue.MultilevelConfig{Levels: 64, First: 1, Growth: 2}, Rules: hostile.Rules{
				"Levels": hostile.Between(0, 64), "First": hostile.Positive,
				"Growth": hostile.Where(func(g float64) bool { return g > 1 || g == 0 }, hostile.Refuses),
			}},
		}, Sane: func(results []any) error {
			q := results[0].(*queue.Multilevel[string])
			last := 0
			for _, key := range []float64{-inf, -1, 0, 5e-324, 1, 1e18, largest, inf} {
				level, ok := q.Level(key)
				if !ok || level < last || !(key < q.End(level) || q.End(level) == inf) {
					return fmt.Errorf("%v is in level %d, which ends at %v, after %d", key, level, q.End(level), last)
				}
				last = level
			}
			return nil
		}},
		hostile.Call{Name: "Multilevel.Level", New: of(func() any { return q.Level }), Args: []hostile.Arg{
			hostile.Number("key", 2.0, otherwise(hostile.Gives(0, false))),
		}, Cases: []hostile.Case{
			{Name: "infinite", Args: []any{inf}, Want: hostile.Gives(2, true)}, {Name: "far below", Args: []any{-inf}, Want: hostile.Gives(0, true)},
		}},
		hostile.Call{Name: "Multilevel.End", New: of(func() any { return q.End }), Args: []hostile.Arg{level(hostile.Gives(math.NaN()))}},
		hostile.Call{Name: "Multilevel.Push", New: of(func() any { return q.Push }), Sane: sane, Args: []hostile.Arg{{Name: "x", Value: "c"}, key}},
		hostile.Call{Name: "Multilevel.PushFront", New: of(func() any { return q.PushFront }), Sane: sane, Args: []hostile.Arg{{Name: "x", Value: "c"}, key}},
		hostile.Call{Name: "Multilevel.Move", New: of(func() any { return func(key float64) bool { return q.Move(handle, key) } }), Sane: sane, Args: []hostile.Arg{
			hostile.Number("key", 2.0, otherwise(hostile.Gives(false))),
		}},
		hostile.Call{Name: "Multilevel.PeekIn", New: of(func() any { return q.PeekIn }), Args: []hostile.Arg{level(hostile.Gives("", false))}},
		hostile.Call{Name: "Multilevel.PopIn", New: of(func() any { return q.PopIn }), Args: []hostile.Arg{level(hostile.Gives("", false))}, Sane: sane},
	)
}
