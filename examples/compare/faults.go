package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/sim"
)

const faultsExample = "up=24h,down=10m,tasks=0.01,evicted=0.01,posts-lost=0.01,posts-late=0.05,posts-early=0.05,posts-twice=0.01,late=1s," +
	"actions-late=0.01,actions-forgotten=0.01,slip=5s,steady=6h,jump=1m"

const faultsHelp = "what goes wrong, as in `SPEC` " + faultsExample + "; nodes are up and down for so long on average; " +
	"copies break, or the host ends them, with a probability; messages that may be lost are with a probability, or are late, by so much on average, " +
	"overtake others, or come once more; the host does what it is asked for late, or forgets it until it looks again, " +
	"by so much on average that it slips; its clock is steady for so long on average, and then jumps"

// parseFaults reads what -faults says.
func parseFaults(spec string, seed uint64) (sim.Faults, error) {
	f := sim.Faults{Seed: seed}
	if spec == "" {
		return f, nil
	}
	seen, err := parseSpec("-faults", spec, func(key, value string) (err error) {
		switch key {
		case "up":
			f.MeanUp, err = positive(value)
		case "down":
			f.MeanDown, err = positive(value)
		case "late":
			f.MeanLate, err = positive(value)
		case "tasks":
			f.TaskFailure, err = probability(value)
		case "evicted":
			f.TaskEviction, err = probability(value)
		case "posts-lost":
			f.PostLoss, err = probability(value)
		case "posts-late":
			f.PostLate, err = probability(value)
		case "posts-early":
			f.PostEarly, err = probability(value)
		case "posts-twice":
			f.PostTwice, err = probability(value)
		case "actions-late":
			f.ActionLate, err = probability(value)
		case "actions-forgotten":
			f.ActionForgotten, err = probability(value)
		case "slip":
			f.MeanSlip, err = positive(value)
		case "steady":
			f.MeanSteady, err = positive(value)
		case "jump":
			f.MeanJump, err = positive(value)
		default:
			err = fmt.Errorf("unknown fault, want some of %s", faultsExample)
		}
		return err
	})
	if err != nil {
		return f, err
	}
	for _, pair := range []struct {
		of, by string
		some   bool // there is some of it
	}{
		{"up", "down", seen["up"]}, {"steady", "jump", seen["steady"]},
		{"posts-late or posts-twice", "late", f.PostLate+f.PostTwice > 0},
		{"actions-late or actions-forgotten", "slip", f.ActionLate+f.ActionForgotten > 0},
	} {
		given := slices.ContainsFunc(strings.Split(pair.of, " or "), func(key string) bool { return seen[key] })
		if pair.some && !seen[pair.by] {
			return f, cli.Usagef("-faults: %q: %s without %s, want both", spec, pair.of, pair.by)
		}
		if seen[pair.by] && !given {
			return f, cli.Usagef("-faults: %q: %s without %s, want both", spec, pair.by, pair.of)
		}
	}
	for _, sum := range []struct {
		of string
		p  float64
	}{
		{"posts-lost, posts-late and posts-early", f.PostLoss + f.PostLate + f.PostEarly},
		{"actions-late and actions-forgotten", f.ActionLate + f.ActionForgotten},
	} {
		if sum.p > 1 {
			return f, cli.Usagef("-faults: %q: %s are %v together, want at most 1", spec, sum.of, sum.p)
		}
	}
	return f, nil
}
