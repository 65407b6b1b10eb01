package main

import (
	"fmt"
	"time"

	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload/paper"
)

// A sigmaSetting is a choice that the paper does not tell of, on its own: all else is as usual.
type sigmaSetting struct {
	name   string
	change func(c *threesigma.Config)
}

// sigmaDefaults are what threesigma.Config has if nothing is set; a test sees to it that they still are.
var sigmaDefaults = []sigmaSetting{
	{"threshold 0.05", func(c *threesigma.Config) { c.Overestimate.Threshold = 0.05 }},
	{"best-effort value 0.01", func(c *threesigma.Config) { c.BestEffort.Value = 0.01 }},
	{"best-effort horizon 1h0m0s", func(c *threesigma.Config) { c.BestEffort.Horizon = time.Hour }},
	{"slots of 10 s", func(c *threesigma.Config) { c.Window.Width = 10 }},
	{"slots: 24", func(c *threesigma.Config) { c.Window.Slots = 24 }},
	{"cycles of 10 s", func(c *threesigma.Config) { c.Interval = 10 * time.Second }},
	{"iterations: 1000", func(c *threesigma.Config) { c.Iterations = 1000 }},
}

// sigmaChoices are what a scheduler has in place of a default; which that is stands beside it.
func sigmaChoices() []sigmaSetting {
	var all []sigmaSetting
	add := func(name string, change func(c *threesigma.Config)) { all = append(all, sigmaSetting{name, change}) }
	for _, x := range []float64{0.01, 0.02, 0.1, 0.2, 0.5} { // 0.05
		add(fmt.Sprintf("threshold %v", x), func(c *threesigma.Config) { c.Overestimate.Threshold = x })
	}
	for _, s := range []float64{10, 60, 600, 3600} { // deadline - submission
		add(fmt.Sprintf("tail %v s", s), func(c *threesigma.Config) { c.Overestimate.Tail = s })
	}
	for _, x := range []float64{0.0001, 0.001, 0.1, 1} { // 0.01
		add(fmt.Sprintf("best-effort value %v", x), func(c *threesigma.Config) { c.BestEffort.Value = x })
	}
	for _, d := range []time.Duration{time.Minute, 10 * time.Minute, 10 * time.Hour} { // 1 h
		add(fmt.Sprintf("best-effort horizon %v", d), func(c *threesigma.Config) { c.BestEffort.Horizon = d })
	}
	for _, s := range []float64{2.5, 5, 20, 40, 80} { // 10
		add(fmt.Sprintf("slots of %v s", s), func(c *threesigma.Config) { c.Window.Width = s })
	}
	for _, n := range []int{1, 6, 12, 48, 96} { // 24
		add(fmt.Sprintf("slots: %d", n), func(c *threesigma.Config) { c.Window.Slots = n })
	}
	for _, s := range []int{1, 2, 5, 20} { // 10, slots as wide
		add(fmt.Sprintf("cycles and slots of %d s", s), func(c *threesigma.Config) { c.Interval = time.Duration(s) * time.Second })
	}
	for _, s := range []int{1, 2, 5, 20} {
		add(fmt.Sprintf("cycles of %d s", s), func(c *threesigma.Config) {
			c.Interval, c.Window.Width = time.Duration(s)*time.Second, 10
		})
	}
	for _, n := range []int{30, 100, 300, 3000} { // 1000
		add(fmt.Sprintf("iterations: %d", n), func(c *threesigma.Config) { c.Iterations = n })
	}
	add("late jobs as best effort", func(c *threesigma.Config) { c.GiveUpLate = false })
	add("no preemption", func(c *threesigma.Config) { c.NoPreemption = true })
	return all
}

// sigmaSettings is what only the full form runs: what 3Sigma's misses hang on that is not published, and how
// steep they are about what threesigma.Config has by default. The numbers beside it say in which
// direction; none of them was used to choose.
func sigmaSettings(f form) []item {
	items := []item{sigmaChosen(sigmaE2E(f, 600)), sigmaChosen(sigmaE2E(f, 600).over(2))}
	for _, what := range []struct {
		name   string
		change func(e *paper.E2E)
	}{
		{"runtimes by class", func(e *paper.E2E) { e.ByProgram = false }},
		{"evenly spread arrivals", func(e *paper.E2E) { e.GapCV2 = 1 }},
		{"all nodes preferred", func(e *paper.E2E) { e.Deadlines.Prefer = 1 }},
	} {
		b := sigmaE2E(f, f.sigmaJobs(), what.change).named(what.name)
		items = append(items, sigmaPredicted(b), sigmaFour(f, "Sensitivity", b, sigmaPublished{}))
	}
	// What the paper has is a trace of 29 days.
	for _, history := range []int{300, 30_000} {
		b := sigmaE2E(f, f.sigmaJobs()).named(fmt.Sprintf("history of %d jobs", history))
		b.draw = func(seed uint64) (sigmaJobs, error) {
			e := paper.DefaultE2E()
			e.Jobs, e.ByProgram = f.of(600, 1500), true
			return drawE2E(e, seed, history)
		}
		items = append(items, sigmaPredicted(b), sigmaFour(f, "Sensitivity", b, sigmaPublished{}))
	}
	return items
}

// sigmaChosen changes one choice at a time.
func sigmaChosen(b *sigmaBed) item {
	return func(l *lab) func(r *report) {
		usual := b.ask(l, threeSigma)
		trials := []*trial[sigmaRun]{usual}
		for _, choice := range sigmaChoices() {
			trials = append(trials, b.ask(l, threeSigma.with(choice.name, choice.change)))
		}
		return func(r *report) {
			for _, t := range trials {
				missed.tell(r, "Settings", nil, t)
				if t != usual {
					r.add("Settings", b.name, "deadlines missed under "+t.system+", less those without, % of all", unpublished, t.less(usual, missed.of))
				}
				goodput.tell(r, "Settings", nil, t)
				latency.tell(r, "Settings", nil, t)
			}
		}
	}
}
