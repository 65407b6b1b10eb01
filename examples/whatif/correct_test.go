package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

func newCorrection(t *testing.T) *Correction {
	t.Helper()
	c, err := NewCorrection()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// after returns bounds so many seconds after 0.
func after(p50, p80, p90 float64) Bounds {
	at := func(x float64) policy.Time { return policy.Time(math.Round(x * 1e9)) }
	return Bounds{at(p50), at(p80), at(p90)}
}

// The factor is a quantile of the ratios of true to drawn wait, of which some are known only in part.
func TestCorrectionFactor(t *testing.T) {
	for _, test := range []struct {
		name  string
		waits []float64 // in multiples of the wait that was drawn, 10 s; all were submitted at 0 s
		now   float64   // s
		want  [len(levels)]float64
	}{
		{"no past", nil, 1000, [3]float64{1, 1, 1}},
		{"nine", []float64{7, 4, 1, 9, 3, 8, 2, 5, 6}, 1000, [3]float64{5, 8, 9}},
		{"too few for a P90", []float64{7, 4, 1, 3, 8, 2, 5, 6}, 1000, [3]float64{5, 8, 8}},
		{"too few for a P80 and P90, and all short", []float64{0.2, 0.3, 0.4}, 1000, [3]float64{0.3, 1, 1}},
		{"two wait for 2.5 times as long as was drawn", []float64{1, 2, 50, 2.4, 60}, 25, [3]float64{2.4, 2.5, 2.5}},
		{"three do", []float64{1, 2, 50, 60, 70}, 25, [3]float64{2.5, 2.5, 2.5}},
		{"all wait, for less than was drawn", []float64{5, 6, 7}, 9, [3]float64{1, 1, 1}},
	} {
		c := newCorrection(t)
		for i, x := range test.waits {
			c.Past(policy.JobID(i), 0, after(10, 10, 10))
			c.Happened(policy.JobID(i), after(10*x, 0, 0)[0]) // all is told, also what comes after now
		}
		for i, want := range test.want {
			if got := c.factor(after(test.now, 0, 0)[0], i); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: factor of P%.0f is %v, want %v", test.name, 100*levels[i], got, want)
			}
		}
	}
	// A job that was submitted early and waits for long enters in its place: Kaplan and Meier's estimate of three
	// known ratios and two that are greater than 2.5 is 0.8 at 1, 0.6 at 2 and 0 at 3.
	c := newCorrection(t)
	for i, x := range []float64{1, 2, 0, 0, 3} {
		submitted := policy.Time(0)
		if x == 0 {
			submitted = 5 * second
		}
		c.Past(policy.JobID(i), submitted, Bounds{submitted + 10*second, submitted + 10*second, submitted + 10*second})
		if x > 0 {
			c.Happened(policy.JobID(i), after(10*x, 0, 0)[0])
		}
	}
	if got := c.factor(30*second, 0); got != 3 {
		t.Errorf("factor of P50 is %v, want 3", got)
	}
}

// Only the last 200 jobs count, of the past or asked about, so a P90 changes with a tenth of them.
func TestCorrectionForgets(t *testing.T) {
	c := newCorrection(t)
	for i := range policy.JobID(2*window + window/10) {
		want, wait := 2.0, 20*second
		if i < 2*window {
			c.Past(i, 0, after(10, 10, 10))
		} else {
			c.Answer(i, 0, 0, after(10, 10, 10))
			wait = 30 * second
		}
		c.Happened(i, wait)
		if i == 2*window+window/10-1 {
			want = 3
		}
		if got := c.factor(1000*second, 2); i > 10 && got != want {
			t.Fatalf("after %d jobs the factor of P90 is %v, want %v", i+1, got, want)
		}
	}
}

// One job is asked about at 0 s, with bounds of 100, 200 and 300 s; what becomes of it moves the answers about others of the
// same bounds: a miss of the P90 by the factor exp(0.9 rate), and a hit by exp(-0.1 rate). All waits of the past were as drawn.
func TestCorrectionLearns(t *testing.T) {
	up, down := func(p float64) float64 { return math.Exp(rate * p) }, func(p float64) float64 { return math.Exp(-rate * (1 - p)) }
	for _, test := range []struct {
		name     string
		happened float64 // s; 0: not yet
		now      float64
		want     Bounds
	}{
		{"nothing is known yet", 0, 99, after(100, 200, 300)},
		{"the P50 has passed", 0, 100, after(100*up(0.5), 200, 300)},
		{"all have passed", 0, 1000, after(100*up(0.5), 200*up(0.8), 300*up(0.9))},
		{"it happened by the P50", 100, 100, after(100*down(0.5), 200*down(0.8), 300*down(0.9))},
		{"after the P80", 201, 201, after(100*up(0.5), 200*up(0.8), 300*down(0.9))},
		{"after all", 301, 1000, after(100*up(0.5), 200*up(0.8), 300*up(0.9))},
	} {
		c := newCorrection(t)
		for i := range policy.JobID(window) {
			c.Past(1000+i, -1000*second, Bounds{0, 0, 0})
			c.Happened(1000+i, 0)
		}
		if got := c.Answer(1, 0, 0, after(100, 200, 300)); got != after(100, 200, 300) {
			t.Fatalf("%s: the first answer is %v", test.name, got)
		}
		c.Answer(2, 0, 0, after(5000, 5000, 5000)) // open all the time
		c.Answer(3, 0, 50*second, after(5000, 5000, 5000))
		if test.happened > 0 {
			c.Happened(9, 10*second) // nobody asked
			c.Happened(1, after(test.happened, 0, 0)[0])
		}
		now := after(test.now, 0, 0)[0]
		var want Bounds
		for i := range want {
			want[i] = now + test.want[i]
		}
		got := c.Answer(4, now, now, Bounds{now + 100*second, now + 200*second, now + 300*second})
		for i := range got {
			if !near(got[i], want[i], 5) {
				t.Errorf("%s: P%.0f %v, want %v", test.name, 100*levels[i], got[i], want[i])
			}
		}
	}
}

// A wait of nothing is taken for one of a second, and no bound is before the one before it or beyond what a Time holds.
func TestCorrectionBounds(t *testing.T) {
	c := newCorrection(t)
	if got := c.Answer(1, 0, 0, after(0, 1e-9, 2)); got != after(1, 1, 2) {
		t.Errorf("got %v", got)
	}
	for i := range policy.JobID(5000) {
		at := policy.Time(i) * 1000 * second
		got := c.Answer(i+2, at, at, Bounds{at + second, at + second, at + second})
		if !slices.IsSorted(got[:]) || got[0] <= at {
			t.Fatalf("answer %d: got %v at %d", i, got, at)
		}
	}
}

// What has not happened yet has no effect on an answer. Two replays are the same until an instant, after which all that
// runs or waits takes another time; all answers until then are the same, and later ones are not.
func TestCorrectionDoesNotPeek(t *testing.T) {
	list, means := crowd(150, 11)
	var all []policy.JobID
	for _, j := range list {
		all = append(all, j.ID)
	}
	past, ask := all[:60], all[60:]
	f := Outlook{Policy: fifo, Samples: 9, Seed: 1}
	answers, result := record(t, list, means, f, past, ask...)
	if without, _ := record(t, list, means, f, nil, ask...); answers[0].Job != without[0].Job || answers[0].Start == without[0].Start {
		t.Errorf("the first answers, with a past and without, are of jobs %d and %d, and equal", answers[0].Job, without[0].Job)
	}
	for _, cut := range []policy.Time{list[65].Submitted, list[100].Submitted} {
		var other []*workload.Job
		for _, j := range list {
			k := *j
			if r := result.Jobs[j.ID-1]; r.Ended > cut {
				// It has run for so long at the cut that it cannot end before it.
				d := max(cut.Sub(r.FirstStart), 0) + (r.Ended.Sub(max(r.FirstStart, cut)))*7
				k.Runtimes = [][]policy.Duration{{d}}
			}
			other = append(other, &k)
		}
		changed, after := record(t, other, means, f, past, ask...)
		open, later := 0, false
		for _, j := range list {
			if j.Submitted <= cut && result.Jobs[j.ID-1].FirstStart != after.Jobs[j.ID-1].FirstStart {
				open++
			}
		}
		for i, a := range answers {
			if a.At > cut {
				later = later || i < len(changed) && changed[i].Job == a.Job && changed[i].Start != a.Start
				continue
			}
			b := changed[i]
			if a.Job != b.Job || a.Start != b.Start || a.End != b.End {
				t.Errorf("job %d at %v s: %v and %v, and with other runtimes after %v s job %d: %v and %v", a.Job, a.At.Seconds(), a.Start, a.End, cut.Seconds(), b.Job, b.Start, b.End)
			}
		}
		if open == 0 || !later {
			t.Errorf("cut at %v s: %d jobs wait, and later answers change: %v, want some, and true", cut.Seconds(), open, later)
		}
	}
}

// held returns how many of the first jobs started by their corrected bounds. Their waits are exponential, and the bounds as drawn off by
// a factor. They come in bursts of twenty, and what became of them is known late.
func held(t *testing.T, seed uint64, off float64, past, jobs int) (n [len(levels)]float64) {
	c := newCorrection(t)
	rng := rand.New(rand.NewPCG(17, seed))
	start, at := make([]policy.Time, past+jobs), make([]policy.Time, past+jobs)
	for i := range at {
		if at[i] = policy.Time(i/20) * 200 * second; i%20 > 0 {
			at[i] = at[i-1] + second
		}
		for k := range i { // what is known by now
			if start[k] > at[max(i-1, 0)] && start[k] <= at[i] {
				c.Happened(policy.JobID(k), start[k])
			}
		}
		mean := exponential(10 + 190*rng.Float64())
		start[i] = at[i] + after(mean.Quantile(rng.Float64()), 0, 0)[0]
		raw := after(mean.Quantile(0.5)*off, mean.Quantile(0.8)*off, mean.Quantile(0.9)*off)
		for k := range raw {
			raw[k] += at[i]
		}
		if i < past {
			c.Past(policy.JobID(i), at[i], raw)
			continue
		}
		for k, b := range c.Answer(policy.JobID(i), at[i], at[i], raw) {
			if start[i] <= b {
				n[k]++
			}
		}
	}
	return n
}

// Answers that are a tenth or ten times of what they should be hold, corrected, as often as they say to within 3 points: without
// a past over 3,000 answers, and with one over the first 100, the mean of 40 logs. Without a past the first 100 do not.
func TestCorrectionReachesCoverage(t *testing.T) {
	const logs, first = 40, 100
	for _, off := range []float64{0.1, 1, 10} {
		check := func(name string, held [len(levels)]float64, of float64) (far bool) {
			for k, p := range levels {
				if got := held[k] / of; math.Abs(got-p) > 0.03 {
					far = true
					if name != "" {
						t.Errorf("%s, off by %v: %.1f %% started by the P%.0f", name, off, 100*got, 100*p)
					}
				}
			}
			return far
		}
		check("no past", held(t, 1, off, 0, 3000), 3000)
		var with, without [len(levels)]float64
		for seed := range uint64(logs) {
			a, b := held(t, seed, off, window, first), held(t, seed, off, 0, first)
			for k := range levels {
				with[k] += a[k]
				without[k] += b[k]
			}
		}
		check("with a past, first 100", with, logs*first)
		if off < 1 && !check("", without, logs*first) {
			t.Errorf("off by %v: the first 100 hold without a past too: %v of %d", off, without, logs*first)
		}
	}
}
