package baseline

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
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
				u.hold(&job, h.copy, policy.Time(step))
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
			if got := checkTree(t, &u.tree, u.tree.root); got != len(list) || len(u.tree.nodes) > 1501 {
				t.Fatalf("seed %d, step %d: %d units in a tree of %d nodes, want %d", seed, step, got, len(u.tree.nodes), len(list))
			}
		}
	}
}

// checkTree checks the order and the weights of what is below a node, and counts it.
func checkTree[E any](t *testing.T, tr *tree[E], at uint32) int {
	if at == 0 {
		return 0
	}
	n := &tr.nodes[at]
	for _, below := range []uint32{n.left, n.right} {
		if tr.nodes[below].weight > n.weight {
			t.Fatalf("node %d is lighter than node %d below it", at, below)
		}
	}
	if n.left != 0 && !tr.less(&tr.nodes[n.left].e, &n.e) || n.right != 0 && !tr.less(&n.e, &tr.nodes[n.right].e) {
		t.Fatalf("node %d is out of order", at)
	}
	return checkTree(t, tr, n.left) + 1 + checkTree(t, tr, n.right)
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
