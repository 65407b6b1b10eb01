package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
)

// slearnLoads compares SLearn with 3Sigma at other loads than the traces', and by what
// 3Sigma learns and which point of the distribution it goes by, neither of which the paper
// says to the end.
func slearnLoads(ctx context.Context, r *report, t *slearnTrace, seeds int) error {
	variants := []struct {
		name   string
		config slearn.HistoryConfig
	}{
		{"3Sigma", slearn.HistoryConfig{}},
		{"3Sigma by the winner's estimate", slearn.HistoryConfig{Point: slearn.Winner}},
		{"3Sigma by total runtimes", slearn.HistoryConfig{Total: true}},
	}
	for _, load := range []float64{0.8, 1.0, 1.3, 1.6, 2.0} {
		over := make([][]float64, len(variants))
		for seed := range seeds {
			h, err := t.generate(uint64(seed+1), load)
			if err != nil {
				return err
			}
			c := &contest{halved: h, nodes: 150, cores: t.params().Cores, seed: uint64(seed + 1)}
			base, err := c.run(ctx, c.sampling(func(*slearn.SamplingConfig) {}))
			if err != nil {
				return err
			}
			for i, v := range variants {
				o, err := c.run(ctx, c.learned(v.config))
				if err != nil {
					return fmt.Errorf("%s: %w", v.name, err)
				}
				over[i] = append(over[i], sim.Compare(o.Result, base.Result).RatioOfMeans)
			}
		}
		for i, v := range variants {
			r.add("loads", t.name, fmt.Sprintf("mean JCT of %s over SLearn's at load %.1f", v.name, load), unpublished, over[i])
		}
	}
	return nil
}
