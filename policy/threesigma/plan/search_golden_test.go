package plan

import (
	"hash/fnv"
	"testing"
)

// The same on every processor, to the last bit. A change of the algorithm changes the numbers; a
// change that should not, must not.
func searchGolden(t *testing.T) {
	for _, c := range []struct {
		sets             bool
		jobs, iterations int
		proved           bool
		objective, bound float64
		choice           uint64
	}{
		{false, 80, 4000, false, 317.54575467322184, 334.2047847664293, 0xd21786735a358a90},
		{false, 12, 10000, true, 19.43851237233243, 19.43851237233243, 0x6d9af71416ef8515},
		{true, 80, 4000, false, 192.6376390291261, 197.00445510560226, 0x431ea8fd77345b2a},
		{true, 8, 10000, true, 8.877180436240652, 8.877180436240652, 0xaf7c326d61df69ad},
	} {
		p := plain(1, c.jobs, c.sets)
		s, err := Search{}.Solve(t.Context(), p, SolveConfig{Iterations: c.iterations, Seed: 5})
		if err != nil || judge(p, s) != nil {
			t.Fatal(err, judge(p, s))
		}
		h := fnv.New64a()
		for _, o := range s.Choice {
			h.Write([]byte{byte(o), byte(o >> 8)})
		}
		if s.Objective != c.objective || s.Bound != c.bound || h.Sum64() != c.choice || s.Proved != c.proved {
			t.Errorf("%d jobs, sets %v: %v, %v, %#x, proved %v, want %v, %v, %#x", c.jobs, c.sets, s.Objective, s.Bound, h.Sum64(), s.Proved, c.objective, c.bound, c.choice)
		}
	}
}
