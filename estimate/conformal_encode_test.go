package estimate

import (
	"math/rand/v2"
	"testing"
)

// A Conformal that is saved and read goes on like the one that was not, and damaged bytes give an error or a Conformal that works.
func TestConformalSaved(t *testing.T) {
	for i, c := range []ConformalConfig{{}, {Window: 30, Relative: true}, {Window: 7, Coverage: 0.5, Rate: 0.3}} {
		rng := rand.New(rand.NewPCG(uint64(i), 5))
		kept := newConformal(t, c)
		for n := range 100 {
			saved, err := kept.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			var read Conformal
			if err := read.UnmarshalBinary(saved); err != nil {
				t.Fatal(err)
			}
			for range n % 10 {
				low, high, actual := predictors[i].draw(rng)
				if err := kept.Add(low, high, actual); err != nil {
					t.Fatal(err)
				}
				if err := read.Add(low, high, actual); err != nil {
					t.Fatal(err)
				}
			}
			from, to, err1 := kept.Interval(2, 3)
			from2, to2, err2 := read.Interval(2, 3)
			if from != from2 || to != to2 || kept.N() != read.N() || err1 != nil || err2 != nil {
				t.Fatalf("%+v after %d: [%v, %v], %v, want [%v, %v], %v", c, n, from2, to2, err2, from, to, err1)
			}
			for at := range saved[:min(len(saved), 60)] {
				damaged := append([]byte(nil), saved...)
				damaged[at] ^= byte(1 + rng.IntN(255))
				for _, b := range [][]byte{damaged, saved[:at]} {
					if read := *newConformal(t, c); read.UnmarshalBinary(b) != nil {
						if read.N() != 0 || read.c != newConformal(t, c).c {
							t.Fatal("an error has changed a Conformal")
						}
					} else if _, _, err := read.Interval(2, 3); err != nil || read.Add(2, 3, 4) != nil {
						t.Fatalf("a Conformal read from damaged bytes fails: %v", err)
					}
				}
			}
		}
	}
}
