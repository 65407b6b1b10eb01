package main

import (
	"context"
	"fmt"

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
		rounds, err := t.rounds(ctx, seeds, load)
		if err != nil {
			return err
		}
		for _, v := range variants {
			over, err := inEach(ctx, rounds, func(d *round) (float64, error) {
				o, err := d.run(ctx, d.learned(v.config))
				if err != nil {
					return 0, fmt.Errorf("%s: %w", v.name, err)
				}
				return speedupOf(o, d.bySLearn).mean, nil
			})
			if err != nil {
				return err
			}
			r.add("loads", t.name, fmt.Sprintf("mean JCT of %s over SLearn's at load %.1f", v.name, load), unpublished, over)
		}
	}
	return nil
}
