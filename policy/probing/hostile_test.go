package probing_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/hostile"
	"example.com/augur/internal/hostile/trial"
	"example.com/augur/policy"
	"example.com/augur/policy/probing"
)

func TestHostileNumbers(t *testing.T) {
	is := func(f any) func() (any, func() string) { return func() (any, func() string) { return f, nil } }
	runs := func(results []any) error { return trial.Run(results[0].(policy.Scheduler)) }
	// known says what the tasks of all jobs but the first take.
	known := func(j *policy.Job) (policy.Duration, bool) { return policy.Duration(j.ID) * time.Second, j.ID > 1 }
	config := probing.Config{Src: rand.NewPCG(1, 2), Estimate: known, Cutoff: 3 * time.Second}
	ratio := hostile.Where(func(x float64) bool { return x == 0 || x >= 1 && x <= 1000 }, hostile.Refuses)
	share := hostile.Between(0, 1)
	hostile.Test(t,
		hostile.Call{Name: "NewSparrow", New: is(probing.NewSparrow), Sane: runs, Args: []hostile.Arg{{Name: "c", Value: config, Rules: hostile.Rules{
			"ProbeRatio": ratio, "LongShare": share, "Bypass": hostile.NotNegative, "Cutoff": hostile.Where(func(float64) bool { return true }, hostile.Refuses),
		}}}},
		hostile.Call{Name: "NewHawk", New: is(probing.NewHawk), Sane: runs, Args: []hostile.Arg{{Name: "c", Value: config, Rules: hostile.Rules{
			"Cutoff": hostile.Positive, "LongShare": share, "ProbeRatio": ratio, "Bypass": hostile.NotNegative,
		}}}},
		hostile.Call{Name: "NewEagle", New: is(probing.NewEagle), Sane: runs, Args: []hostile.Arg{{Name: "c", Value: config, Rules: hostile.Rules{
			"Cutoff": hostile.Positive, "LongShare": share, "ProbeRatio": ratio, "Bypass": hostile.NotNegative,
		}}}},
		hostile.Call{Name: "NewBigC", New: is(probing.NewBigC), Sane: runs, Args: []hostile.Arg{
			{Name: "c", Value: probing.BigCConfig{Estimate: known, Cutoff: 3 * time.Second}, Rules: hostile.Rules{"Cutoff": hostile.Positive, "ShortShare": share}},
		}},
	)
}
