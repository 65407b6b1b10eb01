package main

import (
	"strings"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/threesigma"
)

// A contender is a policy that can be asked about.
type contender struct {
	name string
	of   func(f central.Forecast, seed uint64) (policy.Scheduler, error)
}

var contenders = []contender{
	{"fifo", func(central.Forecast, uint64) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }},
	{"easy", func(central.Forecast, uint64) (policy.Scheduler, error) { return baseline.NewEASY(), nil }},
	{"fair", func(central.Forecast, uint64) (policy.Scheduler, error) { return baseline.NewFair(), nil }},
	{"3sigma", func(f central.Forecast, seed uint64) (policy.Scheduler, error) {
		return threesigma.NewScheduler(threesigma.Config{Forecast: f, Seed: seed})
	}},
}

func findContender(name string) (contender, error) {
	var names []string
	for _, c := range contenders {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	return contender{}, cli.Usagef("unknown policy %q, want one of %s", name, strings.Join(names, ","))
}
