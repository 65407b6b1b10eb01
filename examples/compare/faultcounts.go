package main

import (
	"slices"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// faultCounts are the faults that -faults has keys for, and what the simulator counts of each.
var faultCounts = []struct {
	key    string                 // in JSON; in the table with blanks
	chance func(*sim.Faults) bool // whether there may be some
	count  func(*sim.FaultCount) int
}{
	{"nodes_lost", func(f *sim.Faults) bool { return f.MeanUp > 0 }, func(c *sim.FaultCount) int { return c.Outages }},
	{"copies_broken", func(f *sim.Faults) bool { return f.TaskFailure+f.TaskEviction > 0 }, func(c *sim.FaultCount) int { return c.Failures }},
	{"posts_lost", func(f *sim.Faults) bool { return f.PostLoss > 0 }, func(c *sim.FaultCount) int { return c.PostsLost }},
	{"posts_late", func(f *sim.Faults) bool { return f.PostLate > 0 }, func(c *sim.FaultCount) int { return c.PostsLate }},
	{"posts_early", func(f *sim.Faults) bool { return f.PostEarly > 0 }, func(c *sim.FaultCount) int { return c.PostsEarly }},
	{"posts_twice", func(f *sim.Faults) bool { return f.PostTwice > 0 }, func(c *sim.FaultCount) int { return c.PostsTwice }},
	{"actions_late", func(f *sim.Faults) bool { return f.ActionLate > 0 }, func(c *sim.FaultCount) int { return c.ActionsLate }},
	{"saves_failed", func(f *sim.Faults) bool { return f.SaveFails > 0 }, func(c *sim.FaultCount) int { return c.SavesFailed }},
	{"clock_jumps", func(f *sim.Faults) bool { return f.MeanSteady > 0 }, func(c *sim.FaultCount) int { return c.Jumps }},
}

// countFaults returns how often what -faults plans has happened, by the keys of JSON; nil if it plans nothing.
func countFaults(plan *sim.Faults, of *sim.FaultCount) map[string]int {
	var counts map[string]int
	for _, f := range faultCounts {
		if !f.chance(plan) {
			continue
		}
		if counts == nil {
			counts = make(map[string]int)
		}
		counts[f.key] = f.count(of)
	}
	return counts
}

// idleFaults says of what can change nothing why.
func idleFaults(plan *sim.Faults, delay policy.Duration, chosen []contender) (notes []string) {
	if plan.PostEarly > 0 && delay == 0 {
		notes = append(notes, "posts-early changes nothing without -delay: messages take no time")
	}
	if plan.PostLoss+plan.PostLate+plan.PostEarly+plan.PostTwice > 0 {
		posts := func(c contender) bool { return strings.HasPrefix(c.Name, "kairos") }
		if !slices.ContainsFunc(chosen, posts) {
			notes = append(notes, "faults of posts change nothing: only kairos, kairos-random and kairos-sum post messages")
		}
	}
	return notes
}
