package hopper

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// A wanting job is what a test knows of one in a pool.
type wanting struct {
	d     Demand
	used  float64
	wants bool
}

// turns is Waiting by its definition.
func turns(p *Pool, jobs map[policy.JobID]wanting, short float64) []policy.JobID {
	var ids []policy.JobID
	for id, j := range jobs {
		if share, _ := p.Share(id); j.wants && share-j.used >= short {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b policy.JobID) int {
		x, y := jobs[a].d, jobs[b].d
		return cmp.Or(cmp.Compare(level(x.Tail)*x.Tasks, level(y.Tail)*y.Tasks), cmp.Compare(a, b))
	})
	return ids
}

func TestPoolSaysWhoseTurnItIs(t *testing.T) {
	tails := []float64{1.0001, 1.2, 1.5, 1.9999, 2, 2.5, 4}
	weights := []float64{1, 0, 4, 0.3}
	shorts := []float64{1 - 1e-9, 1e-9, math.Inf(-1), 0, 0.5, 2, -1, math.NaN(), math.Inf(1)}
	asked, some, lent, kinds := 0, 0, 0, [3]int{}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(7, seed))
		n, steps := 40, 150
		if seed%8 == 7 {
			n, steps = 2000, 2000
		}
		classes := 1 + int(seed%6)
		p := newPool(t, 0, float64(r.IntN(5))/4)
		jobs := map[policy.JobID]wanting{}
		offset := r.IntN(len(tails))
		set := func(id policy.JobID, d Demand) {
			j := jobs[id]
			j.d = d
			jobs[id] = j
			if err := p.Set(id, d); err != nil {
				t.Fatal(err)
			}
		}
		use := func(id policy.JobID, used float64, wants bool) {
			j := jobs[id]
			j.used, j.wants = used, wants
			jobs[id] = j
			if err := p.Use(id, used, wants); err != nil {
				t.Fatal(err)
			}
		}
		draw := func() Demand {
			class := r.IntN(classes)
			d := Demand{Tasks: float64(r.IntN(12)), Tail: tails[(offset+class)%len(tails)], Weight: weights[class%len(weights)]}
			if r.IntN(4) == 0 {
				d.Tasks += r.Float64()
			}
			return d
		}
		if n > 100 {
			for id := range policy.JobID(n) {
				set(id, draw())
				use(id, float64(r.IntN(4)), r.IntN(3) > 0)
			}
		}
		for step := range steps {
			id := policy.JobID(r.IntN(n))
			j, there := jobs[id]
			switch k := r.IntN(20); {
			case k == 0:
				if err := p.SetSlots(float64(r.IntN(n * 12))); err != nil {
					t.Fatal(err)
				}
			case k < 3 && there:
				delete(jobs, id)
				p.Remove(id)
			case k < 8 || !there:
				set(id, draw())
			case k < 12 && j.d.Tasks >= 1: // a task ends
				j.d.Tasks--
				set(id, j.d)
				use(id, max(0, j.used-1), j.wants)
			case k < 15: // it has what is its due, so that the next step is about parts of slots
				share, _ := p.Share(id)
				use(id, math.Floor(share)+float64(r.IntN(2)), true)
			default:
				use(id, float64(r.IntN(8)), r.IntN(3) > 0)
			}
			if n > 100 && step%50 > 0 {
				continue
			}
			count := 0
			for _, j := range jobs {
				if j.wants {
					count++
				}
			}
			if p.wants != count {
				t.Fatalf("seed %d, step %d: %d jobs want a slot, want %d", seed, step, p.wants, count)
			}
			for i, c := range p.classes {
				switch {
				case i < p.paid:
					kinds[0]++
				case c == p.partial:
					kinds[1]++
				default:
					kinds[2]++
				}
			}
			for _, short := range shorts {
				want := turns(p, jobs, short)
				if got := slices.Collect(p.Waiting(short)); !slices.Equal(got, want) {
					t.Fatalf("seed %d, step %d: short by %v: got %v, want %v, of %v", seed, step, short, got, want, jobs)
				}
				id, ok := p.Next(short)
				if ok != (len(want) > 0) || ok && id != want[0] {
					t.Fatalf("seed %d, step %d: short by %v: next is %v, %v, want %v", seed, step, short, id, ok, want)
				}
				for id := range p.Waiting(short) { // to be left half-way
					if id == want[len(want)/2] {
						break
					}
				}
				asked++
				if ok {
					some++
					if j := jobs[id]; j.d.Tasks == 0 {
						lent++
					}
				}
			}
		}
	}
	t.Logf("asked %d times, somebody's turn %d times, of a job without tasks %d times; classes paid, partial and neither %v",
		asked, some, lent, kinds)
	if some == 0 || some == asked || lent == 0 || slices.Min(kinds[:]) == 0 {
		t.Error("the cases do not reach every edge")
	}
}

func TestPoolTurnAllocatesNothing(t *testing.T) {
	for _, classes := range []int{1, 7} {
		jobs := benchJobs(200, classes)
		x := newTurner(t, jobs, slotsFor(jobs, "low"))
		if n := testing.AllocsPerRun(2000, func() {
			x.end(t)
			n := 0
			for range x.pool.Waiting(1e-9) {
				n++
			}
			if n > x.pool.wants {
				t.Fatalf("%d jobs wait, of %d that want a slot", n, x.pool.wants)
			}
		}); n != 0 {
			t.Errorf("%d classes: %v allocations for each task that ends, want none", classes, n)
		}
	}
}

func TestPoolUseAtItsEdges(t *testing.T) {
	p := newPool(t, 6, 1)
	if err := p.Use(1, 0, true); err == nil {
		t.Error("no such job: no error")
	}
	if err := p.Set(1, Demand{Tasks: 4, Tail: 1.6}); err != nil {
		t.Fatal(err)
	}
	if id, ok := p.Next(math.Inf(-1)); ok {
		t.Errorf("nobody wants a slot: got %d", id)
	}
	if err := p.Use(1, 1, true); err != nil {
		t.Fatal(err)
	}
	for _, slots := range []float64{-1, math.NaN(), math.Inf(1)} {
		if err := p.Use(1, slots, false); err == nil {
			t.Errorf("%v slots: no error", slots)
		}
	}
	for _, d := range []Demand{{Tasks: 0, Tail: 1.6}, {Tasks: 3, Tail: 1.6}, {Tasks: 3, Tail: 1.2, Weight: 1}} {
		if err := p.Set(1, d); err != nil {
			t.Fatal(err)
		}
		if id, ok := p.Next(math.Inf(-1)); id != 1 || !ok || p.wants != 1 {
			t.Errorf("%+v: got %v, %v, of %d that want, want job 1", d, id, ok, p.wants)
		}
		share, _ := p.Share(1)
		if id, ok := p.Next(share - 1); id != 1 || !ok {
			t.Errorf("%+v: it misses %v, got %v, %v", d, share-1, id, ok)
		}
		if id, ok := p.Next(share - 0.9); ok {
			t.Errorf("%+v: it misses %v, got %v, %v", d, share-1, id, ok)
		}
	}
	p.Remove(1)
	if id, ok := p.Next(math.Inf(-1)); ok || p.wants != 0 {
		t.Errorf("it has gone: got %v, %v, of %d that want", id, ok, p.wants)
	}
	if err := p.Set(1, Demand{Tasks: 4, Tail: 1.6}); err != nil {
		t.Fatal(err)
	}
	if id, ok := p.Next(math.Inf(-1)); ok {
		t.Errorf("it has come again: got %v, %v", id, ok)
	}
}
