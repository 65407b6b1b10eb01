package main

import (
	"fmt"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/sim"
)

const faultsExample = "up=24h,down=10m,tasks=0.01,posts-lost=0.01,posts-late=0.05,late=1s"

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
		case "posts-lost":
			f.PostLoss, err = probability(value)
		case "posts-late":
			f.PostLate, err = probability(value)
		default:
			err = fmt.Errorf("unknown fault, want some of %s", faultsExample)
		}
		return err
	})
	if err != nil {
		return f, err
	}
	if (f.MeanUp > 0) != (f.MeanDown > 0) {
		return f, cli.Usagef("-faults: %q: up and down go together, want both", spec)
	}
	if f.PostLate > 0 && f.MeanLate == 0 {
		return f, cli.Usagef("-faults: %q: posts-late without late, want both", spec)
	}
	if f.MeanLate > 0 && !seen["posts-late"] {
		return f, cli.Usagef("-faults: %q: late without posts-late, want both", spec)
	}
	return f, nil
}
