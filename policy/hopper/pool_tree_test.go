package hopper

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// checkTree checks what holds of a tree at all times, and returns its jobs in order.
func checkTree(t *testing.T, tr *tree) (jobs []seat) {
	t.Helper()
	if tr.root == nil {
		if tr.all != (total{}) || tr.parts != 0 {
			t.Fatalf("empty tree: %+v, parts %d", tr.all, tr.parts)
		}
		return nil
	}
	depth := -1
	var walk func(b *branch, low, high place, deep int) (least, uint32)
	walk = func(b *branch, low, high place, deep int) (all least, n uint32) {
		all = nobody
		if b.n < 1 || b.n > branchWidth {
			t.Fatalf("branch of %d", b.n)
		}
		for i := range b.n {
			c := &b.kids[i]
			end := high
			if i+1 < b.n {
				end = b.start[i+1]
			}
			if b.start[i].before(low) || !b.start[i].before(end) {
				t.Fatalf("child %d starts at %v, not from %v to %v", i, b.start[i], low, end)
			}
			if (c.leaf != nil) != b.low || (c.kid != nil) == b.low {
				t.Fatalf("child %d of a branch that is low: %v: %+v", i, b.low, c)
			}
			lowest, count := nobody, uint32(0)
			if c.leaf != nil {
				if depth < 0 {
					depth = deep
				}
				if deep != depth || c.leaf.n < 1 || c.leaf.n > leafWidth {
					t.Fatalf("leaf of %d at depth %d, want depth %d", c.leaf.n, deep, depth)
				}
				for _, s := range c.leaf.jobs[:c.leaf.n] {
					if s.before(b.start[i]) || !s.before(end) {
						t.Fatalf("job %v is not from %v to %v", s, b.start[i], end)
					}
					jobs = append(jobs, s)
					count++
				}
				lowest = c.leaf.lowest()
				if sum := c.leaf.sum(); c.sum != sum {
					t.Fatalf("sum of a leaf is %v, want %v", c.sum, sum)
				}
			} else {
				lowest, count = walk(c.kid, b.start[i], end, deep+1)
				if sum := c.kid.sum(); c.sum != sum {
					t.Fatalf("sum of a branch is %v, want %v", c.sum, sum)
				}
			}
			if c.n != count {
				t.Fatalf("%d jobs, want %d", c.n, count)
			}
			if l := b.least[i]; l.used > lowest.used || l.each > lowest.each || l.next > lowest.next {
				t.Fatalf("least %v, want at most %v", l, lowest)
			}
			all.add(lowest)
			n += count
		}
		return all, n
	}
	lowest, n := walk(tr.root, place{}, last, 0)
	parts := 0
	for i, s := range jobs {
		parts += part(s.tasks)
		if i > 0 && !jobs[i-1].before(s.place) {
			t.Fatalf("%v goes before %v", jobs[i-1], s)
		}
	}
	if tr.all != (total{float64(n), tr.root.sum()}) || tr.parts != parts || tr.least.used > lowest.used {
		t.Fatalf("%+v, parts %d, least %v, want %d jobs, parts %d, least %v", tr.all, tr.parts, tr.least, n, parts, lowest)
	}
	return jobs
}

// sumOf is the total of jobs.
func sumOf(jobs []seat) total {
	sum := total{}
	for _, s := range jobs {
		sum.n++
		sum.tasks += s.tasks
	}
	return sum
}

func sameTotal(a, b total) bool { return a.n == b.n && math.Abs(a.tasks-b.tasks) <= 1e-12*b.tasks }

// The tree does what a sorted slice does, while it grows and while it shrinks.
func TestPoolTreeIsASortedSlice(t *testing.T) {
	deepest, steps := 0, 0
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(9, seed))
		tr := &tree{spare: new(spare)}
		jobs := map[policy.JobID]seat{}
		n := 150
		if seed%4 == 0 {
			n = 4000
		}
		draw := func() float64 {
			tasks := float64(1 + r.IntN(30))
			switch {
			case seed%2 == 0: // whole numbers
			case seed == 7 && r.IntN(50) == 0:
				return 1e15
			case r.IntN(3) == 0:
				tasks += r.Float64()
			}
			return tasks
		}
		var ids []policy.JobID
		for step := range 8 * n {
			steps++
			id := policy.JobID(r.IntN(n))
			s, there := jobs[id]
			grows := step/(2*n)%2 == 0
			switch {
			case !there && (grows || r.IntN(8) == 0):
				s = seat{place{draw(), id}, math.Inf(1)}
				tr.add(s)
				jobs[id] = s
			case there && !grows && r.IntN(2) == 0:
				tr.remove(s.place)
				delete(jobs, id)
			case there && r.IntN(2) == 0:
				from := s.place
				if s.tasks--; s.tasks < 1 || r.IntN(4) == 0 {
					s.tasks = draw()
				}
				if s.tasks == from.tasks {
					continue
				}
				tr.move(from, s)
				jobs[id] = s
			case there:
				if s.used = float64(r.IntN(6)); r.IntN(3) == 0 {
					s.used = math.Inf(1)
				}
				tr.use(s)
				jobs[id] = s
			}
			if n > 1000 && step%250 > 0 {
				continue
			}
			got := checkTree(t, tr)
			depth := 0
			for b := tr.root; b != nil; b = b.kids[0].kid {
				depth++
			}
			deepest = max(deepest, depth)
			ids = ids[:0]
			for id := range jobs {
				ids = append(ids, id)
			}
			slices.SortFunc(ids, func(a, b policy.JobID) int {
				return cmp.Or(cmp.Compare(jobs[a].tasks, jobs[b].tasks), cmp.Compare(a, b))
			})
			want := make([]seat, len(ids))
			for i, id := range ids {
				want[i] = jobs[id]
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, step %d: got %v, want %v", seed, step, got, want)
			}

			factor, limit := 1.25, float64(r.IntN(40))
			k := 0
			for k < len(want) && factor*want[k].tasks <= limit {
				k++
			}
			sum, low, high := tr.upTo(factor, limit)
			if !sameTotal(sum, sumOf(want[:k])) || k > 0 && low < want[k-1].tasks || k < len(want) && high > want[k].tasks ||
				factor*low > limit || factor*high <= limit {
				t.Fatalf("seed %d, step %d: up to %v: got %v, %v to %v, want %v", seed, step, limit, sum, low, high, sumOf(want[:k]))
			}

			enough := float64(r.IntN(1+len(want)*20)) + 0.5
			k = 0
			for sum := 0.0; k < len(want); k++ {
				if sum += want[k].tasks; sum >= enough {
					break
				}
			}
			at, before, ok := tr.reach(func(t total) bool { return t.tasks >= enough })
			if ok != (k < len(want)) || ok && (at != want[k].place || !sameTotal(before, sumOf(want[:k]))) {
				t.Fatalf("seed %d, step %d: %v: got %v, %v, %v, want job %d", seed, step, enough, at, before, ok, k)
			}

			d := due{floor: float64(r.IntN(3)), each: float64(r.IntN(3)) / 8, edge: place{float64(r.IntN(40)), 0}}
			if r.IntN(2) == 0 && len(want) > 0 {
				d.edge, d.at = want[r.IntN(len(want))].place, d.floor
			}
			short := []float64{1 - 1e-9, 1e-9, math.Inf(-1), 0.3, 2}[r.IntN(5)]
			sought := newSeek(short)
			sought.of(d, 1)
			var from place
			if len(want) > 0 && r.IntN(2) == 0 {
				from = want[r.IntN(len(want))].place
			}
			k = 0
			for k < len(want) && (want[k].before(from) || want[k].used > most || d.share(want[k].place)-want[k].used < short) {
				k++
			}
			l, i := sought.first(tr, from)
			if (l != nil) != (k < len(want)) || l != nil && l.jobs[i] != want[k] {
				t.Fatalf("seed %d, step %d: %+v from %v: got %v, %d, want job %d", seed, step, sought, from, l, i, k)
			}
		}
	}
	t.Logf("%d steps, at most %d branches deep", steps, deepest)
	if deepest < 2 {
		t.Error("no tree had branches of branches")
	}
}
