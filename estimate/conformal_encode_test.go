package estimate

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A Conformal that is saved and read goes on like the one that was not.
func TestConformalSaved(t *testing.T) {
	for i, c := range []ConformalConfig{{}, {Coverage: 0.5, Rate: 0.3}} {
		rng := rand.New(rand.NewPCG(uint64(i), 5))
		kept, read := newConformal(t, c), newConformal(t, ConformalConfig{Coverage: 0.3})
		for n := range 200 {
			saved, err := kept.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if err := read.UnmarshalBinary(saved); err != nil {
				t.Fatal(err)
			}
			for range n % 10 {
				actual := 100 * math.Exp(rng.NormFloat64())
				for _, c := range []*Conformal{kept, read} {
					if err := c.Add(50, 150, actual); err != nil {
						t.Fatal(err)
					}
				}
			}
			from, to, err1 := kept.Interval(50, 150)
			from2, to2, err2 := read.Interval(50, 150)
			if from != from2 || to != to2 || kept.c != read.c || kept.misses != read.misses || kept.N() != read.N() || err1 != nil || err2 != nil {
				t.Fatalf("%+v after %d: [%v, %v], %+v, %v, want [%v, %v], %+v, %v", c, n, from2, to2, read.c, err2, from, to, kept.c, err1)
			}
		}
	}
}

// What no Conformal encodes to is refused, and changes nothing.
func TestConformalRefusesBytes(t *testing.T) {
	c := newConformal(t, ConformalConfig{})
	for range 3 {
		if err := c.Add(1, 2, 3); err != nil {
			t.Fatal(err)
		}
	}
	good, err := c.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	float := func(at int, x float64) func([]byte) []byte {
		return func(b []byte) []byte { binary.LittleEndian.PutUint64(b[7+8*at:], math.Float64bits(x)); return b }
	}
	set := func(at int, x byte) func([]byte) []byte {
		return func(b []byte) []byte { b[at] = x; return b }
	}
	for name, test := range map[string]struct {
		damage func([]byte) []byte
		want   string
	}{
		"nothing":         {func([]byte) []byte { return nil }, "cut short"},
		"cut in a number": {func(b []byte) []byte { return b[:len(b)-1] }, "cut short"},
		"cut in the head": {func(b []byte) []byte { return b[:conformalHead-8] }, "cut short"},
		"another letter":  {set(0, 'H'), "not an encoded Conformal"},
		"version":         {set(1, 2), "version 2"},
		"not of factors":  {set(2, 0), "not an encoded Conformal"},
		"another window":  {set(3, 0), "window of 256"},
		"too many scores": {func(b []byte) []byte { return append(b, make([]byte, 8*498)...) }, "501 scores"},
		"no coverage":     {float(0, 0), "Coverage is 0"},
		"rate":            {float(1, 1), "Rate is 1"},
		"other misses":    {float(2, 0.11), "misses is 0.11"},
		"no misses":       {float(2, math.NaN()), "misses is NaN"},
		"no score":        {float(4, math.NaN()), "score of NaN"},
		"negative score":  {float(5, -1), "score of -1"},
		"too many misses": {func(b []byte) []byte { return float(2, 1.5)(float(1, 0.5)(b)) }, "misses is 1.5"},
		"never added":     {func(b []byte) []byte { return float(2, 0.3)(float(1, 0.5)(b[:conformalHead])) }, "misses is 0.3"},
		"too few misses":  {func(b []byte) []byte { return float(2, -0.5)(float(1, 0.5)(b)) }, "misses is -0.5"},
	} {
		err := c.UnmarshalBinary(test.damage(slices.Clone(good)))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, test.want)
		}
		if after, _ := c.MarshalBinary(); !slices.Equal(after, good) {
			t.Fatalf("%s: the Conformal has changed", name)
		}
	}
}
