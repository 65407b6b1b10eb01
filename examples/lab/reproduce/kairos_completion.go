package main

import (
	"fmt"
	"strings"

	"example.com/augur/policy/kairos"
)

// kairosPublished are the numbers of section 5.3.1 for the heavy-tailed workload. The text has 241 s and 217 s for
// the median of Kairos: 73 % less than 808 s, and 37 % less than 341 s, are both 217 s.
var kairosPublished = map[string]float64{
	"FIFO, JCT P50, s": 808, "FIFO, JCT P99, s": 2061,
	"Big-C, JCT P50, s": 341, "Big-C, JCT P99, s": 3368,
	"Kairos, JCT P50, s": 241, "Kairos, JCT P99, s": 1452,
	"Kairos, JCT P50, s, below FIFO's by %": 73, "Kairos, JCT P99, s, below FIFO's by %": 30,
	"Kairos, JCT P50, s, below Big-C's by %": 37, "Kairos, JCT P99, s, below Big-C's by %": 57,
}

// kairosCompletion is Fig. 4: completion times, and how many percent Kairos saves of each draw.
func kairosCompletion(b *kairosBed, others ...kairosSystem) item {
	return func(l *lab) func(r *report) {
		trials := b.asks(l, append([]kairosSystem{fifoOnBed, bigCOnBed, kairosOnBed("Kairos")}, others...)...)
		return func(r *report) { tellCompletion(r, trials) }
	}
}

// tellCompletion tells of trials, of which the first two are FIFO's and Big-C's.
func tellCompletion(r *report, trials []*trial[completed]) {
	for i, t := range trials {
		who, _, _ := strings.Cut(t.system, ",")
		add := func(f figure[completed], what string, measured []float64) {
			r.add("Fig. 4", t.bed, f.under(t.system)+what, orUnpublished(kairosPublished, f.under(who)+what), measured)
		}
		for _, f := range []figure[completed]{jctP50, jctP99} {
			add(f, "", each(t.runs, f.of))
			if i < 2 {
				continue
			}
			for _, rival := range trials[:2] {
				add(f, ", below "+rival.system+"'s by %", t.below(rival, f.of))
			}
		}
	}
}

// kairosTies is Fig. 6: by how much the largest completion time under Kairos' choice between nodes with as many tasks is
// below that under other choices, for each draw.
func kairosTies(b *kairosBed) item {
	tie := func(name string, tie kairos.Tie) kairosSystem {
		return kairosOnBed(name, func(c *kairos.Config) { c.Tie = tie })
	}
	const published = 1452
	others := map[string]float64{"Random": 1633, "Sum": 1651}
	return func(l *lab) func(r *report) {
		trials := b.asks(l, tie("Var", kairos.LeastVariance), tie("Random", kairos.AtRandom), tie("Sum", kairos.LeastSum))
		return func(r *report) {
			us := trials[0]
			for _, t := range trials[1:] {
				metric := fmt.Sprintf("%s, below %s's by %%", jctWorst.under(us.system), t.system)
				r.add("Fig. 6", b.name, metric, 100*(1-published/others[t.system]), us.below(t, jctWorst.of))
			}
		}
	}
}
