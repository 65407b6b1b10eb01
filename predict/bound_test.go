package predict_test

import (
	"flag"
	"strconv"
	"testing"
	"time"

	"example.com/augur/internal/heap"
	"example.com/augur/predict"
)

var distinct = flag.Int("distinct", 50_000, "different `values` of features in the test of memory")

// However many values come, no more is kept than of Config.Values of them.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds under the race detector")
	}
	for _, test := range []struct {
		name  string
		times int // that a value comes, in a row
		c     predict.Config
		most  float64 // bytes a value, as the comments say
	}{
		{"once", 1, predict.Config{}, 300},
		{"twice", 2, predict.Config{}, 310},
		{"often", 25, predict.Config{}, 300 + 256 + 96 + 16*8 + 4*32}, // a histogram has room for eight bins, and the errors for 32
		{"fading", 2, predict.Config{HalfLife: time.Hour}, 290 + 96 + 16*8},
		{"in a window", 2, predict.Config{Window: time.Hour}, 450},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := max(*distinct/test.times, 10_000) // enough that what else the process holds does not count
			values := min(100_000, n/5)
			test.c.Features, test.c.Values = []string{"job"}, values
			of := func(n int) int64 {
				return heap.Of(func() *predict.Predictor {
					p := newPredictor(t, test.c)
					for i := range n {
						job := predict.Attrs{"job": strconv.Itoa(i)}
						for k := range test.times {
							if err := p.Observe(job, float64(1+k), start.Add(time.Duration(i)*time.Second)); err != nil {
								t.Fatal(err)
							}
						}
					}
					if got := p.Values(); got != min(n, values) {
						t.Errorf("%d values are held, want %d", got, min(n, values))
					}
					return p
				})
			}
			full, many := of(values), of(n)
			t.Logf("%d values of %d, %d times each: %d bytes, %.1f each, and %d when all had come", values, n, test.times, full, float64(full)/float64(values), many)
			if float64(full) > test.most*float64(values) {
				t.Errorf("%d values take %d bytes, want at most %v each", values, full, test.most)
			}
			// A map has more room while values come and go, and the keys of those that went are kept.
			if most := full + full/4 + 40*int64(values); many > most {
				t.Errorf("%d bytes after %d values, and %d after %d; want at most %d", many, n, full, values, most)
			}
		})
	}
}

// A flood of jobs that never come again does not push out what recurs, and what is new finds room to show that it does.
func TestOnceDoesNotPushOut(t *testing.T) {
	p := newPredictor(t, predict.Config{Features: []string{"job"}, Values: 100})
	observe := func(name string, seconds float64) {
		if err := p.Observe(predict.Attrs{"job": name}, seconds, start); err != nil {
			t.Fatal(err)
		}
	}
	knows := func(name string) bool {
		_, ok := p.Estimate(predict.Attrs{"job": name}, start)
		return ok
	}
	for i := range 200 { // more than there is room for
		for range 2 {
			observe("daily"+strconv.Itoa(i), 1000)
		}
	}
	known := 0
	for i := range 200 {
		if knows("daily" + strconv.Itoa(i)) {
			known++
		}
	}
	if known != 100 {
		t.Errorf("%d that recur are known, want all 100 places", known)
	}
	for i := range 10_000 {
		observe("once"+strconv.Itoa(i), 1)
		if i%20 == 0 { // these come again within the places of those that came once
			observe("new"+strconv.Itoa(i/200), 5)
		}
	}
	for i := range 200 { // 25 gave way to those that came once, and 50 to the new ones
		if name := "daily" + strconv.Itoa(i); knows(name) != (i >= 100+25+50) {
			t.Errorf("%s is known: %v", name, knows(name))
		}
	}
	// What comes again after it was dropped has come often, so a thousand others do not push it out: a job a night among those of a day.
	for night := range 4 {
		for i := range 110 {
			observe("day"+strconv.Itoa(night)+"-"+strconv.Itoa(i), 1)
		}
		if knows("nightly") != (night >= 2) {
			t.Errorf("in night %d nightly is known: %v", night, night < 2)
		}
		observe("nightly", 5000)
	}
	if !knows("new49") || !knows("day3-109") || knows("day3-80") {
		t.Error("what is new is not known, or for too long")
	}
}
