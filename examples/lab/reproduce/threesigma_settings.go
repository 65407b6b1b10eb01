package main

import (
	"fmt"
	"time"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy/threesigma"
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
	for _, x := range []float64{0.01, 0.5} { // 0.05
		add(fmt.Sprintf("threshold %v", x), func(c *threesigma.Config) { c.Overestimate.Threshold = x })
	}
	for _, s := range []float64{60} { // deadline - submission
		add(fmt.Sprintf("tail %v s", s), func(c *threesigma.Config) { c.Overestimate.Tail = s })
	}
	for _, x := range []float64{0.001, 0.1} { // 0.01
		add(fmt.Sprintf("best-effort value %v", x), func(c *threesigma.Config) { c.BestEffort.Value = x })
	}
	for _, d := range []time.Duration{10 * time.Minute, 10 * time.Hour} { // 1 h
		add(fmt.Sprintf("best-effort horizon %v", d), func(c *threesigma.Config) { c.BestEffort.Horizon = d })
	}
	for _, s := range []float64{40} { // 10
		add(fmt.Sprintf("slots of %v s", s), func(c *threesigma.Config) { c.Window.Width = s })
	}
	for _, n := range []int{12} { // 24
		add(fmt.Sprintf("slots: %d", n), func(c *threesigma.Config) { c.Window.Slots = n })
	}
	for _, n := range []int{100} { // 1000
		add(fmt.Sprintf("iterations: %d", n), func(c *threesigma.Config) { c.Iterations = n })
	}
	add("late jobs as best effort", func(c *threesigma.Config) { c.GiveUpLate = false })
	add("no preemption", func(c *threesigma.Config) { c.NoPreemption = true })
	return all
}

// sigmaReadings are the beds of what the paper leaves open, one thing at a time.
func sigmaReadings(f form) []*sigmaBed {
	var beds []*sigmaBed
	for _, jobs := range []struct {
		name   string
		change func(e *paper.E2E)
	}{
		{"finished only", func(e *paper.E2E) { e.Trace = paper.E2EFinished }},
		{"runtimes by class", func(e *paper.E2E) { e.ByProgram = false }},
	} {
		beds = append(beds, sigmaE2E(f, 600, jobs.change).named(jobs.name))
	}
	for _, plan := range []sigmaSetting{
		{"cycles of 4 s", func(c *threesigma.Config) { c.Interval, c.Window.Width = 4*time.Second, 10 }},
		{"a window of 40 min", func(c *threesigma.Config) { c.Window.Width = 100 }},
	} {
		b := sigmaE2E(f, 600).named(plan.name)
		b.change = plan.change
		beds = append(beds, b)
	}
	return beds
}

// sigmaChosen is what only the full form runs: what 3Sigma's misses hang on that is not published, one choice at a time,
// and how steep they are about what threesigma.Config has by default. None of the numbers was used to choose.
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
