package queue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func newSharing(tb testing.TB, rule ShareRule) *Sharing[int] {
	tb.Helper()
	s, err := NewSharing[int](rule)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// addWaiting adds members 0, 1, ..., which wait.
func addWaiting(tb testing.TB, s *Sharing[int], weights ...float64) []Handle {
	tb.Helper()
	handles := make([]Handle, len(weights))
	for i, w := range weights {
		var err error
		if handles[i], err = s.Add(i, w); err != nil {
			tb.Fatal(err)
		}
		s.Join(handles[i])
	}
	return handles
}

// What a member has had counts as before when its weight changes, and a clone goes its own way.
func TestWeightsThatChange(t *testing.T) {
	s := newSharing(t, ByService)
	handles := addWaiting(t, s, 1, 1)
	turns := func(s *Sharing[int], n int) (of [2]int) {
		for range n {
			x, _ := s.Next()
			of[x]++
			s.Charge(handles[x], 1)
		}
		return of
	}
	if got := turns(s, 100); got != [2]int{50, 50} {
		t.Errorf("turns %v of equal weights", got)
	}
	if err := s.SetWeight(handles[0], 3); err != nil {
		t.Fatal(err)
	}
	clone := s.Clone()
	if got := turns(clone, 100); got != [2]int{75, 25} {
		t.Errorf("turns %v of weights 3 and 1", got)
	}
	if err := s.SetWeight(handles[0], 1); err != nil {
		t.Fatal(err)
	}
	if got := turns(s, 100); got != [2]int{50, 50} {
		t.Errorf("turns %v of equal weights, after those of a clone", got)
	}
}

func TestSharingRefuses(t *testing.T) {
	if _, err := NewSharing[int](ByNextUse + 1); err == nil || !strings.Contains(err.Error(), "ShareRule is 3") {
		t.Errorf("rule 3: got error %v, want one that names it", err)
	}
	for _, rule := range []ShareRule{ByService, ByUse, ByNextUse} {
		s := newSharing(t, rule)
		if _, ok := s.Next(); ok {
			t.Error("Next of no members: got true, want false")
		}
		for _, w := range []float64{0, -1, math.NaN(), math.Inf(1), math.SmallestNonzeroFloat64, math.MaxFloat64} {
			if _, err := s.Add(0, w); err == nil || !strings.Contains(err.Error(), fmt.Sprint(w)) {
				t.Errorf("weight %v: got error %v, want one that names it", w, err)
			}
		}
		handle, _ := s.Add(7, 2)
		if err := s.SetWeight(handle, 0); err == nil || !strings.Contains(err.Error(), "weight is 0") {
			t.Errorf("SetWeight of 0: got error %v", err)
		}
		if _, ok := s.Next(); ok {
			t.Error("Next of a new member: got true, want false")
		}
		for _, amount := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if s.Charge(handle, amount) || s.Hold(handle, amount) {
				t.Errorf("charge or hold %v: got true, want false", amount)
			}
		}
		s.Charge(handle, math.MaxFloat64)
		if s.Charge(handle, math.MaxFloat64) {
			t.Error("use beyond all numbers: got true, want false")
		}
		light, _ := s.Add(8, 1e-100)
		if ok := s.Charge(light, 1e300); ok == (rule == ByService) {
			t.Errorf("measure beyond all numbers: got %v, want %v", ok, !ok)
		}
		if ok := s.Hold(light, 1e300); ok == (rule == ByService) {
			t.Errorf("held beyond all numbers: got %v, want %v", ok, !ok)
		}
		s.Hold(handle, 1e300)
		s.Remove(light)
		if s.Leave(handle) {
			t.Error("Leave of one that does not wait: got true, want false")
		}
		s.Remove(handle)
		_, held := s.Held(handle)
		_, removed := s.Remove(handle)
		if held || removed || s.Join(handle) || s.Leave(handle) || s.Charge(handle, 1) || s.Hold(handle, 1) {
			t.Error("stale handle: got true, want false")
		}
	}
}

// The bound of ByService, under other members that join and leave at random, and charges
// that are not equal, at once or when slots are returned.
func TestSharingByServiceStarvesNone(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 2))
		s := newSharing(t, ByService)
		weights := make([]float64, 2+rng.IntN(8))
		for i := range weights {
			weights[i] = math.Exp2(float64(rng.IntN(8)))
		}
		handles := addWaiting(t, s, weights...)
		n := len(weights)
		largest := make([]float64, n) // charge to each
		for i := range largest {
			largest[i] = float64(1 + rng.IntN(20))
		}
		waits := make([]bool, n)
		got := make([][]float64, n) // got[i][j]: charged to j since member i joined or was next
		for i := range got {
			waits[i], got[i] = true, make([]float64, n)
		}
		own := make([]float64, n) // charged to each for its last turn, or held
		slots := 1 + rng.IntN(12)
		if seed%2 == 0 {
			slots = 0 // charge at once
		}
		type slot struct {
			member int
			worth  float64
		}
		var taken []slot
		for range 3000 {
			// Member 0 always waits, so that there is no end to its turns.
			if i := rng.IntN(n); i > 0 && rng.IntN(4) == 0 {
				if waits[i] {
					s.Leave(handles[i])
				} else {
					s.Join(handles[i])
					clear(got[i])
				}
				waits[i] = !waits[i]
			}
			j, _ := s.Next()
			charge := 1 + rng.Float64()*(largest[j]-1)
			if slots == 0 {
				s.Charge(handles[j], charge)
			} else {
				s.Hold(handles[j], charge)
				taken = append(taken, slot{j, charge})
			}
			for i := range got {
				if got[i][j] += charge; i == j || !waits[i] {
					continue
				}
				if most := weights[j]/weights[i]*own[i] + largest[j]; got[i][j] > most*(1+1e-9) {
					t.Fatalf("seed %d: while member %d waited, member %d was charged %v, want at most %v", seed, i, j, got[i][j], most)
				}
			}
			clear(got[j])
			own[j] = charge
			if slots > 0 {
				own[j], _ = s.Held(handles[j])
			}
			if slots > 0 && len(taken) == slots { // one of them is returned
				i := rng.IntN(slots)
				s.Hold(handles[taken[i].member], -taken[i].worth)
				s.Charge(handles[taken[i].member], taken[i].worth)
				taken = slices.Delete(taken, i, i+1)
			}
		}
	}
}

// Shares are right for ever: after so much service by a small weight that service by a large
// one would be lost beside it, and after an expectation beyond all measure.
func TestSharingForEver(t *testing.T) {
	s := newSharing(t, ByService)
	handles := addWaiting(t, s, 1e-9, 1, 0.1)
	s.Leave(handles[1])
	s.Leave(handles[2])
	s.Hold(handles[0], 1e100)
	for range 100_000 {
		s.Charge(handles[0], 1e3)
	}
	s.Hold(handles[0], -1e100)
	s.Join(handles[1])
	s.Join(handles[2])
	s.Charge(handles[0], 1)
	turns := [3]int{}
	for range 4400 {
		j, _ := s.Next()
		turns[j]++
		s.Charge(handles[j], 1)
	}
	if turns[0] > 0 || turns[1] < 3998 || turns[1] > 4002 {
		t.Errorf("turns: got %v, want 0, 4000 and 400, or 1 more or less", turns)
	}
}

// The next of many members takes a slot.
func BenchmarkSharing(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			s := newSharing(b, ByService)
			weights := make([]float64, n)
			for i := range weights {
				weights[i] = float64(1 + rng.IntN(10))
			}
			handles := addWaiting(b, s, weights...)
			for b.Loop() {
				j, _ := s.Next()
				s.Charge(handles[j], 1)
			}
		})
	}
}
