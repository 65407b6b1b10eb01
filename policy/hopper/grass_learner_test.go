package hopper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

func newLearner(t testing.TB, c hopper.GRASSLearnerConfig) *hopper.GRASSLearner {
	t.Helper()
	if c.Source == nil {
		c.Source = rand.NewPCG(1, 2)
	}
	l, err := hopper.NewGRASSLearner(c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// apart is a phase on which GS and RAS differ: only GS starts a copy.
func apart(left int) *hopper.Phase {
	return &hopper.Phase{Slots: 1, New: 2, Waiting: left - 1, Running: []hopper.Running{{Copies: 1, Remaining: 3, New: 2}}}
}

// ruleOf returns which rule a job uses with so many tasks left.
func ruleOf(j *hopper.LearnedGRASS, left int) string {
	if _, ok := j.Next(apart(left), hopper.Room{}); ok {
		return "GS"
	}
	return "RAS"
}

func ExampleGRASSLearner() {
	learner, err := hopper.NewGRASSLearner(hopper.GRASSLearnerConfig{Steps: 4, Source: rand.NewPCG(1, 2)})
	if err != nil {
		fmt.Println(err)
		return
	}
	// Jobs of 8 tasks. A quarter of them takes RAS 5 s, and GS 6 s; but the last quarter takes RAS 9 s.
	for range 200 {
		job, err := learner.Job(0, 8, 2)
		if err != nil {
			fmt.Println(err)
			return
		}
		quarter, last := 5*second, 9*second
		if ruleOf(job, 8) == "GS" {
			quarter, last = 6*second, 6*second
		}
		now := policy.Time(0)
		for left := 6; left > 0; left -= 2 {
			now += quarter
			job.Finished(now, left, 4)
		}
		job.Finished(now+last, 0, 4)
	}
	share, ok := learner.ChangeAfter(4)
	fmt.Printf("change when %.0f %% are finished, %t\n", 100*share, ok)
	// Output:
	// change when 75 % are finished, true
}

// The step learnt is the best of all, each tried by itself, and other jobs keep to it.
func TestLearnedChangeIsTheBest(t *testing.T) {
	const steps, tasks = 5, 20
	points := map[int]int{}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 9))
		l := newLearner(t, hopper.GRASSLearnerConfig{Explore: 1, Steps: steps, Samples: 3, Source: rand.NewPCG(seed, 10)})
		var sums [2][steps]float64 // of RAS and GS
		var jobs [2]float64
		for jobs[0] < 3 || jobs[1] < 3 {
			if _, ok := l.ChangeAfter(10); ok {
				t.Fatalf("seed %d: known after %v jobs", seed, jobs)
			}
			job, err := l.Job(0, tasks, 2)
			if err != nil {
				t.Fatal(err)
			}
			rule := 0
			if ruleOf(job, tasks) == "GS" {
				rule = 1
			}
			mean, now := float64(1+rng.IntN(2)), 0
			for step := range steps {
				took := rng.IntN(6)
				now += took
				sums[rule][step] += float64(took) / mean
				job.Finished(policy.Time(now)*second, tasks-(step+1)*tasks/steps, mean)
			}
			jobs[rule]++
		}
		var times [steps + 1]float64 // by the step to change after
		for y := range times {
			for step := range steps {
				rule := 0
				if step >= y {
					rule = 1
				}
				times[y] += sums[rule][step] / jobs[rule]
			}
		}
		share, ok := l.ChangeAfter(10)
		got := int(math.Round(share * steps))
		if least := slices.Min(times[:]); !ok || times[got] > least+1e-9 {
			t.Fatalf("seed %d: change after step %d, %t, which takes %v, want one that takes %v", seed, got, ok, times[got], least)
		}
		points[got]++
	}
	for y := range steps + 1 {
		if points[y] < 5 {
			t.Errorf("only %d of 300 change after step %d", points[y], y)
		}
	}
}

func TestLearnedGRASS(t *testing.T) {
	l := newLearner(t, hopper.GRASSLearnerConfig{Steps: 2, Samples: 1, Explore: 0.5})
	begin := func(tasks int) *hopper.LearnedGRASS {
		t.Helper()
		j, err := l.Job(0, tasks, 1)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	// kind tells jobs that explore from those that do not: these change rules at two waves.
	kind := func(j *hopper.LearnedGRASS) string {
		if early, late := ruleOf(j, 4), ruleOf(j, 2); early == late {
			return early
		}
		return "both"
	}
	seen := map[string]int{}
	for range 1000 {
		seen[kind(begin(4))]++
	}
	for what, want := range map[string]int{"both": 500, "GS": 250, "RAS": 250} {
		if math.Abs(float64(seen[what]-want)) > 60 { // more than four standard deviations
			t.Errorf("%d of 1000 jobs use %s, want about %d", seen[what], what, want)
		}
	}

	// What is not to be counted is not: no mean runtime, a job that goes on, a second end.
	for range 100 {
		j := begin(4)
		j.Finished(0, 0, math.NaN())
		j.Finished(0, 0, 1)
		begin(4).Finished(0, 1, 1)
	}
	if _, ok := l.ChangeAfter(4); ok {
		t.Error("known from jobs that do not count")
	}
	// Both take as long, so a job changes as late as can be: never.
	for done := map[string]bool{}; !done["GS"] || !done["RAS"]; {
		j := begin(4)
		done[kind(j)] = true
		j.Finished(second, 2, 1)
		j.Finished(2*second, 0, 1)
	}
	if share, ok := l.ChangeAfter(4); share != 1 || !ok {
		t.Errorf("change after %v, %t, want 1, true", share, ok)
	}
	never := 0
	for range 1000 {
		if ruleOf(begin(4), 1) == "RAS" {
			never++
		}
	}
	if math.Abs(float64(never-750)) > 60 { // those that explore RAS, and those that do not explore
		t.Errorf("%d of 1000 jobs keep to RAS, want about 750", never)
	}
	// Another class knows nothing: 8 waves are not like 4.
	if _, ok := l.ChangeAfter(8); ok {
		t.Error("known for 8 waves")
	}
	if _, err := l.Job(0, 0, 1); err == nil {
		t.Error("a job without tasks: no error")
	}
	if _, err := l.Job(0, 1, 0); err == nil {
		t.Error("a job without slots: no error")
	}
}
