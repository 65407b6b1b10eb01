package estimate_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/augur/estimate"
	"example.com/augur/internal/snapshot"
)

// What is saved answers, and learns on, as what goes on; and it is saved as the same bytes.
func TestSaveStacking(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	went, draw := stack(t, 9), func() (opinions []estimate.Opinion) {
		for e := range 8 {
			if rng.IntN(2) == 0 {
				opinions = append(opinions, estimate.Opinion{Expert: e, Value: math.Exp(3 * rng.NormFloat64())})
			}
		}
		return opinions
	}
	learn := func(all ...*estimate.Stacking) {
		opinions, x, censored := draw(), math.Exp(3*rng.NormFloat64()), rng.IntN(4) == 0
		for _, s := range all {
			observe := s.Observe
			if censored {
				observe = s.ObserveCensored
			}
			if err := observe(opinions, x); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 3 {
		var first, second bytes.Buffer
		back := stack(t, 9)
		if err := errors.Join(went.Save(&first), back.Load(bytes.NewReader(first.Bytes())), back.Save(&second)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Error("what was saved, loaded and saved again has other bytes")
		}
		for range 150 {
			learn(went, back)
			var a, b estimate.Belief
			opinions := draw()
			went.Predict(opinions, &a)
			back.Predict(opinions, &b)
			if a != b {
				t.Fatalf("after Load it believes in a mean of %v, want %v", b.Mean(), a.Mean())
			}
		}
	}
	var text bytes.Buffer
	if err := went.Save(&text); err != nil {
		t.Fatal(err)
	}
	other := stack(t, 8)
	if err := other.Load(&text); !errors.Is(err, snapshot.ErrConfig) || !strings.Contains(err.Error(), "it is of one with 9 experts, this one has 8 experts") {
		t.Errorf("Load of other experts: %v", err)
	}
}

func TestSaveMoments(t *testing.T) {
	var m, back estimate.Moments
	for i := range 1000 {
		if err := m.Add(1e9 + math.Sqrt(float64(i))); err != nil {
			t.Fatal(err)
		}
	}
	var text bytes.Buffer
	if err := errors.Join(m.Save(&text), back.Load(bytes.NewReader(text.Bytes()))); err != nil || back != m {
		t.Errorf("after Load %+v, %v, want %+v", back, err, m)
	}
	for at := range text.Len() {
		damaged := bytes.Clone(text.Bytes())
		damaged[at] ^= 16
		if err := back.Load(bytes.NewReader(damaged)); err == nil || back != m {
			t.Fatalf("with byte %d damaged: error %v, and %+v, want an error and %+v", at, err, back, m)
		}
		if err := back.Load(bytes.NewReader(text.Bytes()[:at])); !errors.Is(err, snapshot.ErrFormat) {
			t.Fatalf("cut after byte %d: %v, want ErrFormat", at, err)
		}
	}
}
