package queue

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// A sum is the exact one, rounded, and what is taken back leaves nothing.
func TestSum(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		scale := math.Exp(1200 * (rng.Float64() - 0.5))
		var s sum
		exact := new(big.Float).SetPrec(4096)
		var amounts []float64
		add := func(x float64) {
			var ok bool
			s, ok = s.plus(x)
			want, _ := exact.Add(exact, big.NewFloat(x)).Float64()
			if !ok || s.hi != want {
				t.Fatalf("seed %d: after %d amounts of about %v: got %v, %v, want %v", seed, len(amounts), scale, s.hi, ok, want)
			}
		}
		for range 1 + rng.IntN(200) {
			x := scale * math.Exp2(40*rng.Float64())
			if rng.IntN(4) == 0 {
				x = scale * float64(1+rng.IntN(9)) / 10
			}
			amounts = append(amounts, x)
			add(x)
		}
		for _, i := range rng.Perm(len(amounts)) {
			add(-amounts[i])
		}
		if s != (sum{}) {
			t.Fatalf("seed %d: a rest of %v", seed, s)
		}
	}
}

// Sums that are not finite are refused, however they come about.
func TestSumRefuses(t *testing.T) {
	for _, a := range hostileAmounts {
		for _, b := range hostileAmounts {
			s, ok := sum{}.plus(a)
			if ok != finite(a) {
				t.Errorf("%v: got %v", a, ok)
			}
			if !ok {
				continue
			}
			if got, ok := s.plus(b); ok != finite(a+b) || ok && got.hi != a+b {
				t.Errorf("%v and %v: got %v, %v", a, b, got, ok)
			}
		}
	}
}

var hostileAmounts = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, 1, -1, math.MaxFloat64, -math.MaxFloat64,
	math.MaxFloat64 / 2, math.Nextafter(math.MaxFloat64, 0), 5e-324, -5e-324, 0x1p970, -0x1p970}

// A tenant whose amounts have come back uses nothing: it takes its turns among those that use nothing too.
func TestWhatComesBackLeavesNoRest(t *testing.T) {
	d, err := NewDRF[int](1, 0)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := NewTree(-1, 1)
	if err != nil {
		t.Fatal(err)
	}
	type member struct {
		join   func()
		charge func(amount float64) bool
	}
	of := func(s *Sharing[int], x int, charge func(Handle, float64) bool) member {
		h, err := s.Add(x, 3)
		if err != nil {
			t.Fatal(err)
		}
		return member{func() { s.Join(h) }, func(amount float64) bool { return charge(h, amount) }}
	}
	use, held, service := newSharing(t, ByUse), newSharing(t, ByService), newSharing(t, ByService)
	for name, test := range map[string]struct {
		add  func(x int) member
		next func() (int, bool)
	}{
		"DRF": {func(x int) member {
			h, err := d.Add(x)
			if err != nil {
				t.Fatal(err)
			}
			return member{func() { d.Join(h) }, func(amount float64) bool { return d.Charge(h, amount, 0) }}
		}, d.Next},
		"Tree": {func(x int) member {
			h, err := tree.Add(tree.Root(), x, Share{Guaranteed: 0.5})
			if err != nil {
				t.Fatal(err)
			}
			return member{func() { tree.Join(h, 0.5) }, func(amount float64) bool { return tree.Charge(h, amount) }}
		}, tree.Next},
		"Sharing by use":      {func(x int) member { return of(use, x, use.Charge) }, use.Next},
		"Sharing by service":  {func(x int) member { return of(service, x, service.Charge) }, service.Next},
		"Sharing, what holds": {func(x int) member { return of(held, x, held.Hold) }, held.Next},
	} {
		t.Run(name, func(t *testing.T) {
			members := [2]member{test.add(0), test.add(1)}
			for range 1000 {
				for _, amount := range []float64{0.1, 0.2, -0.1, -0.2} {
					members[0].charge(amount)
				}
			}
			members[0].join()
			members[1].join()
			turns := 0
			for range 1000 {
				x, _ := test.next()
				if x == 0 {
					turns++
				}
				members[x].charge(0.5)
				members[x].charge(-0.5)
			}
			if turns != 500 {
				t.Errorf("member 0 had %d turns of 1000, want 500", turns)
			}
		})
	}
}
