package baseline

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// The units against a list of them, which is looked through from end to end.
func TestUnitsAgainstList(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		u := newUnits()
		type held struct {
			copy  policy.Copy
			end   policy.Time
			width int64
		}
		var list []held
		for step := range 1500 {
			if grow := step/250%2 == 0; len(list) == 0 || rng.IntN(3) > 0 == grow {
				job := policy.Job{ID: policy.JobID(step + 1), Stages: []policy.Stage{{Tasks: uint32(1 + rng.IntN(9)), Cores: 1, Gang: true}}}
				job.Requested = policy.Duration(rng.IntN(40))
				h := held{policy.Copy{Task: policy.Task{Job: job.ID}}, policy.Time(step).Add(job.Requested), job.Stages[0].Width()}
				if job.Requested == 0 {
					h.end = never
				}
				u.hold(&central.Job{Job: &job}, h.copy, policy.Time(step))
				list = append(list, h)
			} else {
				i := rng.IntN(len(list))
				u.release(list[i].copy)
				u.release(list[i].copy) // the second has no effect
				list = slices.Delete(list, i, i+1)
			}
			freed := func(by policy.Time) (cores int64) {
				for _, h := range list {
					if h.end <= by {
						cores += h.width
					}
				}
				return cores
			}
			by, need := policy.Time(step+rng.IntN(40)), int64(1+rng.IntN(200))
			if got, want := u.freed(by), freed(by); got != want {
				t.Fatalf("seed %d, step %d: %d cores freed by %d, want %d", seed, step, got, by, want)
			}
			want := never
			for _, h := range list {
				if h.end < want && freed(h.end) >= need {
					want = h.end
				}
			}
			if got := u.until(need); got != want {
				t.Fatalf("seed %d, step %d: %d cores freed by %d, want by %d", seed, step, need, got, want)
			}
			if got := checkTree(t, &u.tree, u.tree.root, 0); got != len(list) || len(u.tree.nodes) > 1501 {
				t.Fatalf("seed %d, step %d: %d units in a tree of %d nodes, want %d", seed, step, got, len(u.tree.nodes), len(list))
			}
		}
	}
}

// checkTree checks the order, the weights and the parents of what is below a node, and counts it.
func checkTree[E any](t *testing.T, tr *tree[E], at, up uint32) int {
	if at == 0 {
		return 0
	}
	n := &tr.nodes[at]
	if n.up != up {
		t.Fatalf("node %d is below node %d, and says %d", at, up, n.up)
	}
	for _, below := range []uint32{n.left, n.right} {
		if tr.nodes[below].weight > n.weight {
			t.Fatalf("node %d is lighter than node %d below it", at, below)
		}
	}
	if n.left != 0 && !tr.less(&tr.nodes[n.left].e, &n.e) || n.right != 0 && !tr.less(&n.e, &tr.nodes[n.right].e) {
		t.Fatalf("node %d is out of order", at)
	}
	return checkTree(t, tr, n.left, at) + 1 + checkTree(t, tr, n.right, at)
}

// A tree against a sorted list: who is next and before, the sums, and that an element whose key has changed is
// misplaced exactly if the list is no longer sorted, and can then be taken out.
func TestTreeAgainstList(t *testing.T) {
	type element struct{ key, sum int }
	moved, stayed := 0, 0
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 2))
		used := map[int]bool{} // keys, which differ
		key := func() int {
			for {
				if k := rng.IntN(10_000); !used[k] {
					used[k] = true
					return k
				}
			}
		}
		tr := tree[element]{
			less: func(a, b *element) bool { return a.key < b.key },
			sum: func(e, left, right *element) {
				e.sum = e.key
				if left != nil {
					e.sum += left.sum
				}
				if right != nil {
					e.sum += right.sum
				}
			},
		}
		var list []uint32 // nodes, in order
		by := func(a, b uint32) int { return tr.nodes[a].e.key - tr.nodes[b].e.key }
		insert := func(k int) {
			list = append(list, tr.insert(element{key: k}))
			slices.SortFunc(list, by)
		}
		remove := func(n int) {
			delete(used, tr.nodes[list[n]].e.key)
			tr.remove(list[n])
			list = slices.Delete(list, n, n+1)
		}
		for step := range 600 {
			grow := step/100%2 == 0
			switch c := rng.IntN(4); {
			case len(list) == 0 || c > 1 && grow || c == 1:
				insert(key())
			case c > 1:
				remove(rng.IntN(len(list)))
			default: // a key changes, by little or by much
				n := rng.IntN(len(list))
				i := list[n]
				e := &tr.nodes[i].e
				delete(used, e.key)
				k := e.key + rng.IntN(200) - 100
				if rng.IntN(2) == 0 || used[k] {
					k = key()
				}
				e.key, used[k] = k, true
				sorted := slices.IsSortedFunc(list, by)
				if got := tr.misplaced(i); got == sorted {
					t.Fatalf("seed %d, step %d: misplaced is %v, want %v", seed, step, got, !sorted)
				}
				if sorted {
					stayed++
				} else {
					moved++
				}
				remove(n) // whatever its key
				used[k] = true
				insert(k)
			}
			if got := checkTree(t, &tr, tr.root, 0); got != len(list) {
				t.Fatalf("seed %d, step %d: %d elements, want %d", seed, step, got, len(list))
			}
			sum := 0
			for n, i := range list {
				before, next := uint32(0), uint32(0)
				if n > 0 {
					before = list[n-1]
				}
				if n+1 < len(list) {
					next = list[n+1]
				}
				if b, a := tr.before(i), tr.next(i); b != before || a != next {
					t.Fatalf("seed %d, step %d: node %d is between %d and %d, want %d and %d", seed, step, i, b, a, before, next)
				}
				sum += tr.nodes[i].e.key
			}
			if len(list) > 0 && tr.nodes[tr.root].e.sum != sum {
				t.Fatalf("seed %d, step %d: the sum is %d, want %d", seed, step, tr.nodes[tr.root].e.sum, sum)
			}
		}
	}
	if moved < 500 || stayed < 500 {
		t.Errorf("%d elements were misplaced and %d were not, want more", moved, stayed)
	}
}

func TestClassesOfWidth(t *testing.T) {
	last := 0
	for w := int64(1); w < 1<<20; w++ {
		k := class(w)
		if k != last && k != last+1 {
			t.Fatalf("width %d is in class %d, after class %d", w, k, last)
		}
		if w < 8 && k != int(w) {
			t.Fatalf("width %d is in class %d, want one of its own", w, k)
		}
		last = k
	}
	if k := class(1<<63 - 1); k != 247 {
		t.Errorf("the widest is in class %d, want 247", k)
	}
}
