package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/workload"
)

// A kairosJobs is one of the workloads of Kairos' cluster of 30 nodes, in one of the readings
// of Table 1: for the last row it has 224 maps, and the text a block size that makes 60.
type kairosJobs struct {
	name     string
	params   func() workload.Kairos
	longFrom int     // the first category, from 0, that is long for Big-C
	share    float64 // of the cores, that Big-C leaves to short jobs
}

var kairosWorkloads = []kairosJobs{
	{"heavy-tailed", workload.DefaultKairos, 3, 0.95},
	{"heavy-tailed, 60 maps", func() workload.Kairos {
		k := workload.DefaultKairos()
		k.LongMaps = 60
		return k
	}, 3, 0.95},
	{"uniform", workload.UniformKairos, 2, 0.7},
}

// kairosHeadlines are what Kairos saves, as Table 1 is read first and in the reading that comes nearest, and
// what its choice of nodes is worth.
var kairosHeadlines = []headline{
	{"Fig. 4", "heavy-tailed", "Kairos, JCT P50, s, below FIFO's by %", gain},
	{"Fig. 4", "heavy-tailed", "Kairos, JCT P99, s, below FIFO's by %", gain},
	{"Fig. 4", "heavy-tailed", "Kairos, JCT P50, s, below Big-C's by %", gain},
	{"Fig. 4", "heavy-tailed", "Kairos, JCT P99, s, below Big-C's by %", gain},
	{"Fig. 4", "heavy-tailed, draws like it", "Kairos, as in its code, 6 cores, JCT P50, s, below FIFO's by %", gain},
	{"Fig. 4", "heavy-tailed, draws like it", "Kairos, as in its code, 6 cores, JCT P99, s, below FIFO's by %", gain},
	{"Fig. 6", "heavy-tailed", "Var, largest JCT, s, below Random's by %", gain},
	{"Fig. 6", "heavy-tailed", "Var, largest JCT, s, below Sum's by %", gain},
	{"Fig. 8", "generated, like Google", "short JCT P99, Kairos below Eagle's by %, at most", gain},
	{"Fig. 9", "generated, like Yahoo", "short JCT P99, Kairos below Eagle's by %, at most", gain},
}

// reproduceKairos repeats what Kairos was evaluated with. The cluster of 30 nodes runs a
// hundred jobs, of which two are long on average, so what comes out hangs on the draw: of
// these it takes ten times as many seeds.
func reproduceKairos(ctx context.Context, r *report, f form) error {
	for i := range kairosWorkloads {
		w := &kairosWorkloads[i]
		beds, err := w.beds(10 * f.seeds)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		items := []kairosItem{kairosCompletion} // Figs. 4 and 5
		if i == 0 {
			items = append(items, kairosEarly, kairosTies, kairosSensitivity) // Figs. 4, 6 and 7
		}
		if i == 0 && f.full {
			items = append(items, kairosSplits)
		}
		for _, item := range items {
			if err := item(ctx, r, w, beds); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
		}
	}
	if err := kairosEagle(ctx, r, f); err != nil { // Figs. 8 and 9
		return err
	}
	r.explain(kairosReasons)
	return nil
}

// A kairosItem tells something of a workload.
type kairosItem func(ctx context.Context, r *report, w *kairosJobs, beds []*testbed) error
