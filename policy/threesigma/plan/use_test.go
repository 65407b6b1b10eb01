package plan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Against Problem.at, through additions and removals of what fits and what does not.
func TestUseAgainstAt(t *testing.T) {
	fitted, refused := 0, 0
	const problems = 300
	for seed := range uint64(problems) {
		r := rand.New(rand.NewPCG(seed, 14))
		p := small(seed, problems, 1)
		u := newUse(p)
		held := make([]int, len(p.Jobs))
		for j := range held {
			held[j] = None
		}
		for range 60 {
			if len(p.Jobs) == 0 {
				break
			}
			j := r.IntN(len(p.Jobs))
			if held[j] != None {
				u.remove(j, held[j])
				held[j] = None
			} else if n := len(p.Jobs[j].Options); n > 0 {
				o := r.IntN(n)
				held[j] = o
				_, err := p.Value(held)
				held[j] = None
				// Whether it fits is in doubt only if something was forced in before.
				_, before := p.Value(held)
				if got := u.fits(j, o); before == nil && got != (err == nil) {
					t.Fatalf("seed %d: fits(%d, %d) is %v, and Value says %v", seed, j, o, got, err)
				} else if got {
					fitted++
				} else {
					refused++
					if r.IntN(4) > 0 {
						continue
					}
				}
				u.add(j, o)
				held[j] = o
			}
			if err := sameUse(u, held); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		fresh := newUse(p)
		fresh.set(held)
		if err := sameUse(fresh, held); err != nil {
			t.Fatalf("seed %d: after set: %v", seed, err)
		}
		kept := fresh.keep(held)
		if err := sameUse(fresh, kept); err != nil {
			t.Fatalf("seed %d: after keep: %v", seed, err)
		}
		if _, err := p.Value(kept); err != nil {
			t.Fatalf("seed %d: what keep kept: %v", seed, err)
		}
	}
	if fitted < 1000 || refused < 1000 {
		t.Errorf("%d fitted and %d did not, want many of both", fitted, refused)
	}
}

func sameUse(u *use, held []int) error {
	for i := range u.p.Capacity {
		for s := range u.slots {
			want := 0.0
			for j, o := range held {
				if o != None {
					want += u.p.at(j, o, i, s)
				}
			}
			if got := u.taken[i*u.slots+s]; !(math.Abs(got-want) <= 1e-12*(1+want)) {
				return fmt.Errorf("pool %d, slot %d: %v are taken, want %v", i, s, got, want)
			}
		}
	}
	return nil
}

func TestKeepLeavesOut(t *testing.T) {
	p := &Problem{
		Capacity: [][]float64{{1}},
		Jobs: []Job{
			{Profiles: [][]float64{{1}}, Places: []Place{at(1, 0)}, Options: []Option{{Utility: 1}}},
			{Profiles: [][]float64{{1}}, Places: []Place{at(0, 0), nil}, Options: []Option{{Utility: -1}, {Utility: 2, Place: 1}}},
			{Profiles: [][]float64{{1}}, Places: []Place{at(1, 0)}, Options: []Option{{Utility: 9}}},
		},
	}
	for _, c := range []struct{ start, want []int }{
		{nil, []int{None, None, None}},
		{[]int{0}, []int{0, None, None}},
		{[]int{0, 1, 0, 7, 7}, []int{0, 1, None}}, // the third does not fit any more
		{[]int{None, 0, 0}, []int{None, None, 0}}, // the second has no utility
		{[]int{1, -2, 0}, []int{None, None, 0}},
	} {
		if got := newUse(p).keep(c.start); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("keep(%v) is %v, want %v", c.start, got, c.want)
		}
	}
}
