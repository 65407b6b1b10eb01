package main

import (
	"math"
	"slices"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload"
)

func TestOwnRatios(t *testing.T) {
	jobs := []*workload.Job{
		jobtest.Bag(1, 0, time.Second, 2*time.Second, 6*time.Second), // 1/2, 1, 3
		jobtest.Bag(2, 0, 4*time.Second, 4*time.Second, 8*time.Second, 8*time.Second),
		jobtest.Bag(3, 0, 5*time.Second), // too few
		jobtest.Bag(4, 0, 0, 0, 9*time.Second),
	}
	want := []float64{0.5, 4. / 6, 4. / 6, 1, 8. / 6, 8. / 6, 3}
	if got := ownRatios(jobs, 2, 100); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	got := ownRatios(jobs, 2, 3) // slices of 2, 2 and 3
	for i, want := range []float64{3.5 / 6, 5. / 6, 17. / 9} {
		if len(got) != 3 || math.Abs(got[i]-want) > 1e-15 {
			t.Fatalf("got %v in three slices, want %v in place %d", got, want, i)
		}
	}
}
