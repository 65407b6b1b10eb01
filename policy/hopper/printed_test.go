package hopper_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy/hopper"
)

// What the algorithms of the paper give, Allocate and EpsilonFair give too: the same slots for jobs of one tail, and else the
// same sum of weighted rates, but for Algorithm 3, which has at most theirs.
func allocateAgreesWithThePaper(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	less := 0
	for n := range 20_000 {
		slots := float64(1 + r.IntN(60))
		jobs := make([]hopper.Demand, 1+r.IntN(8))
		tails := []float64{1.0001, 1.2, 1.5, 1.9999, 2}[r.IntN(5)]
		for i := range jobs {
			jobs[i] = hopper.Demand{Tasks: float64(1 + r.IntN(8)), Tail: tails, Weight: 1}
			switch n % 4 {
			case 2:
				jobs[i].Weight, jobs[i].Downstream = math.Exp(2*r.NormFloat64()), float64(r.IntN(10))
			case 3:
				jobs[i].Tail = []float64{1.2, 1.7}[r.IntN(2)]
			}
		}
		slices.SortFunc(jobs, func(a, b hopper.Demand) int {
			x, y := max(a.Tasks, a.Downstream), max(b.Tasks, b.Downstream)
			return cmp.Or(cmp.Compare(a.Tail, b.Tail), cmp.Compare(x, y), cmp.Compare(b.Weight, a.Weight))
		})
		var T, alpha []float64
		heavy := 0 // jobs of the first tail
		for _, d := range jobs {
			T, alpha = append(T, d.Tasks), append(alpha, d.Weight)
			if d.Tail == jobs[0].Tail {
				heavy++
			}
		}
		epsilon := float64(r.IntN(11)) / 10
		got, err := hopper.Allocate(nil, slots, jobs)
		var want []float64
		switch n % 4 {
		case 0:
			want = algorithm1(slots, tails, T)
		case 1:
			got, err = hopper.EpsilonFair(nil, slots, epsilon, jobs)
			want = algorithm2(slots, epsilon*slots/float64(len(T)), tails, T)
		case 2:
			want = algorithm3(slots, tails, T, alpha)
		case 3:
			one, two := algorithm4(slots, jobs[0].Tail, jobs[len(jobs)-1].Tail, T[:heavy], T[heavy:])
			want = append(one, two...)
		}
		if err != nil {
			t.Fatal(err)
		}
		rate := func(shares []float64) (sum float64) {
			for i, d := range jobs {
				sum += d.Weight * hopper.Rate(shares[i], d.Tasks, d.Tail)
			}
			return sum
		}
		off := rate(got) - rate(want)
		if n%4 == 2 && off > 1e-9*rate(got) {
			less++
		} else if !(math.Abs(off) <= 1e-9*rate(got)) {
			t.Fatalf("case %d: %v slots for %+v: shares %v have a rate of %v, and %v as printed one of %v", n, slots, jobs, got, rate(got), want, rate(want))
		}
		for i := range got {
			if n%4 < 2 && math.Abs(got[i]-want[i]) > 1e-9*slots {
				t.Fatalf("case %d: %v slots for %+v: shares are %v, as printed %v", n, slots, jobs, got, want)
			}
		}
	}
	if less < 100 {
		t.Errorf("Algorithm 3 has less in %d cases of 5000, want at least 100", less)
	}
}
