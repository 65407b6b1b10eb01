package baseline_test

import (
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/internal/hostile/trial"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

func TestHostileNumbers(t *testing.T) {
	is := func(f any) func() (any, func() string) { return func() (any, func() string) { return f, nil } }
	runs := func(results []any) error { return trial.Run(results[0].(policy.Scheduler)) }
	// alone runs the policy of a turn and no other parts.
	alone := func(results []any) error {
		p, err := central.New(central.Config{Turn: results[0].(central.Turn)})
		if err != nil {
			return err
		}
		return trial.Run(p)
	}
	levels := []hostile.Arg{
		{Name: "levels", Value: queue.MultilevelConfig{First: 3, Growth: 2, Levels: 4}, Rules: hostile.Rules{
			"First": hostile.NotNegative, "Growth": hostile.Where(func(x float64) bool { return x == 0 || x > 1 }, hostile.Refuses), "Levels": hostile.Between(0, 64),
		}},
	}
	weights := func(weight float64) baseline.DRFConfig {
		return baseline.DRFConfig{Weights: map[string]float64{"u": weight, "v": 1}}
	}
	weight := []hostile.Arg{{Name: "weight", Value: 2.0, Rules: hostile.Rules{"": hostile.Positive}}}
	factors := []hostile.Arg{
		{Name: "c", Value: baseline.MultifactorConfig{Age: 1, FairShare: 2, Size: 3, Priority: 4}, Rules: hostile.Rules{
			"Age": hostile.Between(0, 1<<32), "FairShare": hostile.Between(0, 1<<32), "Size": hostile.Between(0, 1<<32), "Priority": hostile.Between(0, 1<<32),
			"MaxAge": hostile.NotNegative, "TopPriority": hostile.NotNegative, "HalfLife": hostile.NotNegative, "CalcPeriod": hostile.NotNegative,
		}},
	}
	hostile.Test(t,
		hostile.Call{Name: "NewLAS", New: is(baseline.NewLAS), Sane: runs, Args: levels},
		hostile.Call{Name: "LAS", New: is(baseline.LAS), Sane: alone, Args: levels},
		hostile.Call{Name: "NewDRF", New: is(func(weight float64) (*central.Scheduler, error) {
			return baseline.NewDRF(weights(weight))
		}), Sane: runs, Args: weight},
		hostile.Call{Name: "DRF", New: is(func(weight float64) (central.Turn, error) { return baseline.DRF(weights(weight)) }), Sane: alone, Args: weight},
		hostile.Call{Name: "NewMultifactor", New: is(baseline.NewMultifactor), Sane: runs, Args: factors},
		hostile.Call{Name: "Multifactor", New: is(baseline.Multifactor), Sane: alone, Args: factors},
	)
}
