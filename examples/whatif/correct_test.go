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

// One job is asked about at 0 s, with bounds of 100, 200 and 300 s; what becomes of it moves the answers about others of the
// same bounds: a miss of the P90 by the factor exp(0.9 rate), and a hit by exp(-0.1 rate).
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
	f := Outlook{Policy: fifo, Samples: 9, Seed: 1}
	answers, result := record(t, list, means, f, all...)
	cut := list[100].Submitted
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
	changed, after := record(t, other, means, f, all...)
	open, later := 0, false
	for i, a := range answers {
		if a.At > cut {
			later = later || i < len(changed) && changed[i].Job == a.Job && changed[i].Start != bounds(changed[i].Starts)
			continue
		}
		b := changed[i]
		if a.Job != b.Job || a.Start != b.Start || a.End != b.End {
			t.Errorf("job %d at %v s: %v and %v, and with other runtimes after %v s job %d: %v and %v", a.Job, a.At.Seconds(), a.Start, a.End, cut.Seconds(), b.Job, b.Start, b.End)
		}
		if result.Jobs[a.Job-1].FirstStart != after.Jobs[a.Job-1].FirstStart {
			open++
		}
	}
	if open == 0 || !later {
		t.Errorf("%d answers were open at the cut, and later ones are corrected: %v, want some, and true", open, later)
	}
}

// Answers that are a tenth or ten times of what they should be hold, corrected, as often as they say to within 3 points,
// although the answers come in bursts and what became of them is known late.
func TestCorrectionReachesCoverage(t *testing.T) {
	const jobs = 3000
	for _, off := range []float64{0.1, 1, 10} {
		c := newCorrection(t)
		rng := rand.New(rand.NewPCG(17, 1))
		var start, at [jobs]policy.Time
		var held [len(levels)]int
		for i := range jobs {
			if at[i] = policy.Time(i/20) * 200 * second; i%20 > 0 { // twenty at a time
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
			for k, b := range c.Answer(policy.JobID(i), at[i], at[i], raw) {
				if start[i] <= b {
					held[k]++
				}
			}
		}
		for k, p := range levels {
			if got := float64(held[k]) / jobs; math.Abs(got-p) > 0.03 {
				t.Errorf("off by %v: %.1f %% started by the P%.0f", off, 100*got, 100*p)
			}
		}
	}
}
