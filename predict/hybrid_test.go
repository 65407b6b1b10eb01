package predict_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"example.com/augur/predict"
)

func newHybrid(t testing.TB) *predict.Hybrid {
	c := predict.Config{Features: []string{"user", predict.All}}
	return &predict.Hybrid{Means: newPredictor(t, c), Spreads: newPredictor(t, c)}
}

// Ann's jobs have tasks of about 100 s. History is a prior, which pilots that run for longer
// move, and narrow.
func ExampleHybrid() {
	h := &predict.Hybrid{}
	for _, p := range []**predict.Predictor{&h.Means, &h.Spreads} {
		var err error
		if *p, err = predict.New(predict.Config{Features: []string{"user"}}); err != nil {
			fmt.Println(err)
			return
		}
	}
	ann := predict.Attrs{"user": "ann"}
	for _, tasks := range [][]float64{{70, 80, 90}, {90, 100, 110}, {110, 120, 130}} {
		if err := h.Observe(ann, tasks, start); err != nil {
			fmt.Println(err)
		}
	}
	for _, pilots := range [][]float64{nil, {130}, {130, 125}} {
		belief, err := h.Predict(ann, pilots, start)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("after %d pilots: %.0f ± %.0f s\n", len(pilots), belief.Mean(), belief.StdDev())
	}
	// Output:
	// after 0 pilots: 100 ± 16 s
	// after 1 pilots: 122 ± 9 s
	// after 2 pilots: 123 ± 6 s
}

func TestHybrid(t *testing.T) {
	h := newHybrid(t)
	ann := predict.Attrs{"user": "ann"}
	for _, test := range []struct {
		pilots       []float64
		mean, stddev float64
	}{
		{[]float64{4}, 4, 4},                            // a pilot alone
		{[]float64{4, 6}, 5, 1},                         // √2 / √2
		{[]float64{4, 4, 4}, 4, 0},                      // they agree
		{[]float64{0}, 0, 0},                            // and so does this one
		{[]float64{1, 2, 3, 4, 5}, 3, 0.5 * math.Sqrt2}, // √2.5 / √5
	} {
		belief, err := h.Predict(ann, test.pilots, start)
		if err != nil || math.Abs(belief.Mean()-test.mean) > 1e-12 || math.Abs(belief.StdDev()-test.stddev) > 1e-12 {
			t.Errorf("belief from %v: %v ± %v, %v, want %v ± %v", test.pilots, belief.Mean(), belief.StdDev(), err, test.mean, test.stddev)
		}
	}

	for past := range 2 { // then history is certain; a single job is no prior
		if belief, err := h.Predict(ann, nil, start); err != nil || belief.OK() {
			t.Errorf("belief from %d past jobs: %v, %v, want none", past, belief, err)
		}
		if err := h.Observe(ann, []float64{7, 7}, start); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		pilots []float64
		mean   float64
	}{{nil, 7}, {[]float64{7}, 7}, {[]float64{9}, 9}, {[]float64{9, 11}, 10}} {
		belief, err := h.Predict(ann, test.pilots, start)
		if err != nil || belief.Mean() != test.mean {
			t.Errorf("belief from %v and a certain history: %v, %v, want %v", test.pilots, belief.Mean(), err, test.mean)
		}
	}

	if err := h.Observe(ann, []float64{7, math.NaN()}, start); err == nil {
		t.Error("no error for NaN")
	}
	if _, err := h.Predict(ann, []float64{-7}, start); err == nil {
		t.Error("no error for a negative pilot")
	}
	if err := h.Observe(ann, nil, start); err != nil {
		t.Error(err)
	}
	if got := h.Means.Observed(); got != 2 {
		t.Errorf("%d jobs observed, want 2", got)
	}
}

// What pilots say of ann's jobs is off by more than what her history says, so that they need not be
// sampled. Of bob nothing is known.
func ExampleChooser() {
	c := &predict.Chooser{}
	for _, p := range []**predict.Predictor{&c.Sampling, &c.History} {
		var err error
		if *p, err = predict.New(predict.Config{Features: []string{"user"}}); err != nil {
			fmt.Println(err)
			return
		}
	}
	ann, bob := predict.Attrs{"user": "ann"}, predict.Attrs{"user": "bob"}
	// It took 100 s, where pilots had told 70 s, and history 95 s.
	if err := errors.Join(c.Sampling.Observe(ann, 30, start), c.History.Observe(ann, 5, start)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("sample ann's:", c.Sample(ann, start))
	fmt.Println("sample bob's:", c.Sample(bob, start))
	// Output:
	// sample ann's: false
	// sample bob's: true
}

func TestChooser(t *testing.T) {
	config := predict.Config{Features: []string{"user"}}
	c := &predict.Chooser{Sampling: newPredictor(t, config), History: newPredictor(t, config)}
	for i, test := range []struct {
		sampling, history []float64 // errors
		want              bool
	}{
		{nil, nil, true}, {[]float64{3}, []float64{3}, false}, {nil, []float64{0}, true}, {[]float64{0}, nil, true},
		{[]float64{5, 5}, []float64{1, 1}, false}, {[]float64{0, 0}, []float64{7, 9}, true},
	} {
		job := predict.Attrs{"user": fmt.Sprint(i)}
		observe(t, c.Sampling, job, test.sampling...)
		observe(t, c.History, job, test.history...)
		if got := c.Sample(job, start); got != test.want {
			t.Errorf("errors of %v by pilots and %v by history: sampled %v, want %v", test.sampling, test.history, got, test.want)
		}
	}
	if !new(predict.Chooser).Sample(predict.Attrs{}, start) {
		t.Error("without predictors a job is not sampled")
	}
}

// However near to each other pilots are, or history, there is a belief.
func TestPilotsNearToEachOther(t *testing.T) {
	for _, pilots := range [][]float64{{1e-200, 2e-200}, {0, 5e-324}, {5e-324, 0, 0}, {1, math.Nextafter(1, 2)}, {1e100, math.Nextafter(1e100, 0), 1e100},
		{0.003, 0.003, 0.003}} { // a third of their sum is not 0.003
		for _, seen := range [][]float64{nil, {1e-200}, {1e-200, 1e-200}, {0, 0}, pilots} {
			h := newHybrid(t)
			for range 2 {
				if err := h.Observe(predict.Attrs{}, seen, start); err != nil {
					t.Fatal(err)
				}
			}
			belief, err := h.Predict(predict.Attrs{}, pilots, start)
			if err != nil || !belief.OK() || math.IsNaN(belief.Mean()) {
				t.Errorf("after tasks %v, pilots %v are worth %+v, %v", seen, pilots, belief, err)
			} else if slices.Max(pilots) == pilots[0] && slices.Min(pilots) == pilots[0] && belief.Mean() != pilots[0] {
				t.Errorf("after tasks %v, pilots that all took %v have a mean of %v", seen, pilots[0], belief.Mean())
			}
		}
	}
}
