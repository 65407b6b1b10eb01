package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"text/tabwriter"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/workload"
)

// contender is a policy that can be chosen.
type contender struct {
	name, about string
	make        func(truth policy.Truth, seed uint64) (policy.Scheduler, error)
}

var contenders = []contender{
	{"fifo", "first come, first served", func(policy.Truth, uint64) (policy.Scheduler, error) {
		return baseline.NewFIFO(), nil
	}},
	{"fair", "each free core to the job that has the fewest", func(policy.Truth, uint64) (policy.Scheduler, error) {
		return baseline.NewFair(), nil
	}},
	{"srpt", "least remaining work first; knows the true runtimes", func(truth policy.Truth, _ uint64) (policy.Scheduler, error) {
		return baseline.NewSRPT(truth)
	}},
	{"priority", "greatest priority first", func(policy.Truth, uint64) (policy.Scheduler, error) {
		return baseline.NewPriority(), nil
	}},
	{"random", "each free core to a job drawn at random", func(_ policy.Truth, seed uint64) (policy.Scheduler, error) {
		return baseline.NewRandom(rand.NewPCG(seed, 0x72616e646f6d))
	}},
}

// choose returns the policies of a list of names.
func choose(list string) ([]contender, error) {
	if list == "all" {
		return contenders, nil
	}
	var chosen []contender
	seen := make(map[string]bool)
	var names []string
	for _, c := range contenders {
		names = append(names, c.name)
	}
next:
	for name := range strings.SplitSeq(list, ",") {
		for _, c := range contenders {
			if c.name == name {
				if seen[name] {
					return nil, usagef("policy %q is named twice", name)
				}
				seen[name] = true
				chosen = append(chosen, c)
				continue next
			}
		}
		return nil, usagef("unknown policy %q, want all or some of %s", name, strings.Join(names, ","))
	}
	return chosen, nil
}

// generator is a workload that can be chosen.
type generator struct {
	name, about string
	make        func(jobs int, seed uint64) (workload.Source, error)
}

var generators = []generator{
	{"heavytail", "bags of tasks with heavy-tailed widths and runtimes; 7 of 10 recur", func(jobs int, seed uint64) (workload.Source, error) {
		g := workload.DefaultHeavyTail()
		g.Seed = seed
		if jobs > 0 {
			g.Jobs = jobs
		}
		return g.Source()
	}},
}

func printList(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "policies")
	for _, c := range contenders {
		fmt.Fprintf(t, "  %s\t%s\n", c.name, c.about)
	}
	fmt.Fprintln(t, "workloads")
	for _, g := range generators {
		fmt.Fprintf(t, "  %s\t%s\n", g.name, g.about)
	}
	fmt.Fprintln(t, "formats of traces")
	names, about := workload.Formats()
	for i := range names {
		fmt.Fprintf(t, "  %s\t%s\n", names[i], about[i])
	}
	return t.Flush()
}
