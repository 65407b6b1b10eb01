package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/slearn"
)

// slearnThin is Table 8: the speedup of SLearn over 3Sigma, by how many tasks a job must have
// to be sampled.
func slearnThin(ctx context.Context, r *report, t *slearnTrace, rounds []*round) error {
	paper := map[string][]float64{
		"2strace":  {1.23, 1.28, 1.14, 0.97, 0.84},
		"gtrace11": {1.54, 1.56, 1.55, 1.54, 1.53},
		"gtrace19": {1.33, 1.32, 1.32, 1.30, 1.29},
	}[t.name]
	for i, limit := range []int{2, 3, 4, 5, 6} {
		speedups, err := inEach(ctx, rounds, func(d *round) (float64, error) {
			o, err := d.run(ctx, d.sampling(func(c *slearn.SamplingConfig) { c.ThinLimit = limit }))
			if err != nil {
				return 0, fmt.Errorf("thin limit %d: %w", limit, err)
			}
			return speedupOf(d.by3Sigma, o).mean, nil
		})
		if err != nil {
			return err
		}
		r.add("Table 8", t.name, fmt.Sprintf("mean JCT of 3Sigma over SLearn's with thin limit %d", limit), paper[i], speedups)
	}
	return nil
}
