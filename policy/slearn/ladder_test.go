package slearn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// fig4 is what a ladder is, written down in full: all jobs that are over are kept, and percent 1 to
// 5 stands for the rungs 0 to 4.
type fig4 struct {
	window, come int
	over         [6][]float64
}

func (f *fig4) score(percent int) float64 {
	last := f.over[percent][max(0, len(f.over[percent])-f.window):]
	if len(last) == 0 {
		return math.Inf(1)
	}
	sum := 0.0
	for _, x := range last {
		sum += x
	}
	return sum / float64(len(last))
}

func (f *fig4) next() int {
	f.come++
	switch {
	case f.come <= f.window:
		return 3
	case f.come <= 2*f.window:
		return 2
	case f.come <= 3*f.window:
		return 4
	}
	compete := []int{2, 3, 4}
	for _, outer := range []int{1, 5} {
		if len(f.over[outer]) >= f.window {
			compete = append(compete, outer)
		}
	}
	slices.Sort(compete)
	best := 3
	least := math.Inf(1)
	for _, percent := range compete {
		if f.score(percent) < least {
			best, least = percent, f.score(percent)
		}
	}
	middle := f.score(3)
	if math.IsInf(middle, 1) || !(1.1*least < middle) {
		return best
	}
	if best == 2 && !slices.Contains(compete, 1) {
		return 1
	}
	if best == 4 && !slices.Contains(compete, 5) {
		return 5
	}
	return best
}

// A ladder is what the definition says, whatever completion times come to light, and in whatever
// order.
func TestLadderAgainstDefinition(t *testing.T) {
	chosen := [6]int{}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		window := 1 + rng.IntN(8)
		f, l := fig4{window: window}, newLadder(window)
		slope := float64(rng.IntN(5)-2) / 2
		var run []int
		for range 60 * window {
			if rng.IntN(3) > 0 {
				want := f.next()
				if got := l.next() + 1; got != want {
					t.Fatalf("seed %d: %d is chosen, want %d", seed, got, want)
				}
				chosen[want]++
				run = append(run, want)
			}
			if len(run) > 0 && rng.IntN(3) > 0 {
				i := rng.IntN(len(run))
				percent := run[i]
				run = slices.Delete(run, i, i+1)
				x := float64(rng.IntN(4)) + 4*math.Pow(2, slope*float64(percent))
				f.over[percent] = append(f.over[percent], x)
				l.observe(percent-1, x)
			}
		}
		for percent := 1; percent <= 5; percent++ {
			want := f.score(percent)
			if got, ok := l.score(percent - 1); ok != !math.IsInf(want, 1) || ok && math.Abs(got-want) > 1e-9*want {
				t.Errorf("seed %d: score %v (%v), want %v", seed, got, ok, want)
			}
		}
	}
	if slices.Min(chosen[1:]) < 500 {
		t.Errorf("settings were chosen %v times, want more of each", chosen[1:])
	}
}

// The first T jobs try 3 %, the next 2 %, the next 4 %, whatever they come to.
func TestLadderBegins(t *testing.T) {
	r := newLadder(100)
	for i := range 300 {
		want := []int{2, 1, 3}[i/100]
		if got := r.next(); got != want {
			t.Fatalf("job %d: rung %d, want %d", i, got, want)
		}
		r.observe(3, float64(i))
	}
	if got := r.next(); got != 3 {
		t.Errorf("rung %d, want 3, the only one with a score", got)
	}
	if got, ok := r.score(3); got != 249.5 || !ok {
		t.Errorf("score %v (%v), want 249.5, the mean of 200 to 299", got, ok)
	}
}

// What comes after that follows from the scores: the cases of Fig. 4.
func TestLadderChooses(t *testing.T) {
	none := math.NaN()
	for _, test := range []struct {
		why    string
		scores [5]float64 // of 1 % to 5 %, of T jobs each
		want   int        // percent
	}{
		{"no score", [5]float64{none, none, none, none, none}, 3},
		{"3 is best", [5]float64{none, 2, 1, 3, none}, 3},
		{"2 is best, by less than a tenth", [5]float64{none, 1, 1.1, 3, none}, 2},
		{"2 is best, by more than a tenth", [5]float64{none, 1, 1.11, 3, none}, 1},
		{"4 is best, by less than a tenth", [5]float64{none, 3, 1.1, 1, none}, 4},
		{"4 is best, by more than a tenth", [5]float64{none, 3, 1.11, 1, none}, 5},
		{"1 was tried and is worse", [5]float64{1.5, 1, 2, 3, none}, 2},
		{"1 was tried and is best", [5]float64{0.5, 1, 2, 3, none}, 1},
		{"5 was tried and is worse", [5]float64{none, 3, 2, 1, 1.5}, 4},
		{"5 was tried and is best", [5]float64{none, 3, 2, 1, 0.5}, 5},
		{"a tie of all", [5]float64{2, 2, 2, 2, 2}, 1},
		{"a tie of 2 and 4", [5]float64{none, 1, 1, 1, none}, 2},
		{"no score for 3, 2 is best", [5]float64{none, 1, none, 9, none}, 2},
		{"no score for 3, 4 is best", [5]float64{none, 9, none, 1, none}, 4},
	} {
		const window = 4
		r := newLadder(window)
		for range 3 * window {
			r.next()
		}
		for i, score := range test.scores {
			for range window {
				r.observe(i, score) // nothing, if there is none
			}
		}
		if got := r.next() + 1; got != test.want {
			t.Errorf("%s: %d %%, want %d", test.why, got, test.want)
		}
	}
}

// 1 % is tried until T jobs that had it are over, even if the first ones do badly, and then
// competes.
func TestLadderTriesOnePercentLongEnough(t *testing.T) {
	const window = 3
	r := newLadder(window)
	for range 3 * window {
		r.next()
	}
	for i, score := range []float64{1, 2, 3} {
		r.observe(i+1, score)
	}
	for i := range window {
		if got := r.next(); got != 0 {
			t.Fatalf("after %d jobs with 1 %%: rung %d, want 0", i, got)
		}
		r.observe(0, 9)
	}
	if got := r.next(); got != 1 {
		t.Errorf("rung %d, want 1", got)
	}
}

// What is no score, or of no setting, changes nothing.
func TestLadderIgnoresWhatIsNone(t *testing.T) {
	l := newLadder(100)
	for _, bad := range []struct {
		rung int
		x    float64
	}{{-1, 1}, {5, 1}, {math.MinInt, 1}, {math.MaxInt, 1}, {2, -1}, {2, math.NaN()}, {2, math.Inf(1)}} {
		l.observe(bad.rung, bad.x)
	}
	for rung := range rungs {
		if score, ok := l.score(rung); ok || l.over[rung] != 0 {
			t.Errorf("rung %d has score %v, though no job is over", rung, score)
		}
	}
}

// The limit in force decides who is thin, and jobs of both kinds give it its score.
func TestSamplingAdaptsItsLimit(t *testing.T) {
	c := SamplingConfig{Src: rand.NewPCG(1, 2)}
	c.AdaptLimit, c.Window, c.Ratio = true, 1, 0.1
	sampling := must(NewSampling(c))
	for i, test := range []struct {
		tasks, limit int
		jct          policy.Duration // the runtimes of its tasks sum up to 10 s
	}{{2, 3, 40 * s}, {2, 2, 30 * s}, {3, 4, 20 * s}, {4, 5, 50 * s}, {4, 4, 10 * s}} {
		job := &policy.Job{ID: policy.JobID(i + 1), Stages: []policy.Stage{{Tasks: uint32(test.tasks), Cores: 1}}}
		plan, err := sampling.Plan(job, 0)
		if err != nil || plan.Limit != test.limit || plan.Bypass != (test.tasks < test.limit) {
			t.Fatalf("job %d: plan %+v (%v), want limit %d", job.ID, plan, err, test.limit)
		}
		for _, outcome := range []policy.Outcome{policy.Cancelled, policy.Done} {
			sampling.Ended(job, Record{Outcome: outcome, JCT: test.jct, Runtimes: moments(4, 6), Plan: plan})
		}
		want := math.Log(1 + test.jct.Seconds()/10)
		if got, ok := sampling.limit.score(test.limit - 1); math.Abs(got-want) > 1e-12 || !ok {
			t.Errorf("limit %d has score %v (%v), want %v", test.limit, got, ok, want)
		}
	}
}
