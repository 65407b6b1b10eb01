package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/augur/policy/kairos"
)

// kairosPublished are the numbers of section 5.3.1 for the heavy-tailed workload, and the
// largest completion times of the captions of Figs. 4 and 6. The text has 241 s and 217 s for
// the median of Kairos: 73 % less than 808 s, and 37 % less than 341 s, are both 217 s.
var kairosPublished = map[string]float64{
	"FIFO, JCT P50, s": 808, "FIFO, JCT P99, s": 2061, "FIFO, largest slowdown": 5.14,
	"Big-C, JCT P50, s": 341, "Big-C, JCT P99, s": 3368, "Big-C, largest JCT, s": 3624, "Big-C, largest slowdown": 18.23,
	"Kairos, JCT P50, s": 241, "Kairos, JCT P99, s": 1452, "Kairos, largest JCT, s": 1452,
	"Kairos, JCT P50, s, below FIFO's by %": 73, "Kairos, JCT P99, s, below FIFO's by %": 30,
	"Kairos, JCT P50, s, below Big-C's by %": 37, "Kairos, JCT P99, s, below Big-C's by %": 57,
}

// kairosRules are Kairos by the rules of the text, by those of its code, and without any against
// starvation, as section 5 does not say which it ran with, beside its rivals.
var kairosRules = []kairosSystem{
	fifoOnBed, bigCOnBed, kairosOnBed("Kairos"), kairosOnBed("Kairos, as in its code", asInItsCode),
	kairosOnBed("Kairos, no starvation rule", func(c *kairos.Config) { c.Node.Starvation = kairos.Never }),
}

// kairosCompletion is Figs. 4 and 5: completion times and slowdowns, and how many percent Kairos saves of
// each draw.
func kairosCompletion(f form, figure string, b *kairosBed, published map[string]float64) item {
	return func(l *lab) func(r *report) {
		trials := b.asks(l, append(slices.Clip(kairosRules), each(f.with, lineOnBed)...))
		return func(r *report) { tellCompletion(r, figure, b.name, trials, published) }
	}
}

// kairosAlike is Fig. 4 of the draws that are like that of the paper: FIFO's median is within a fourth of
// the published one. There is also Kairos on nodes of six cores for as many tasks: see overlap.
func kairosAlike(b *kairosBed) item {
	six := kairosOnBed("Kairos, as in its code, 6 cores", asInItsCode, func(c *kairos.Config) { c.Queue = 2 }).on(6)
	return func(l *lab) func(r *report) {
		trials := b.asks(l, append(slices.Clip(kairosRules), six))
		return func(r *report) {
			published := kairosPublished["FIFO, JCT P50, s"]
			alike := each(trials, func(t *trial[completed]) *trial[completed] {
				kept := &trial[completed]{bed: t.bed + ", draws like it", system: t.system}
				for i, c := range t.runs {
					if fifo := jctP50.of(trials[0].runs[i]); fifo > 0.75*published && fifo < 1.25*published {
						kept.runs = append(kept.runs, c)
					}
				}
				return kept
			})
			if len(alike[0].runs) > 1 {
				tellCompletion(r, "Fig. 4", alike[0].bed, alike, kairosPublished)
			}
		}
	}
}

// tellCompletion tells of trials, of which the first two are FIFO's and Big-C's.
func tellCompletion(r *report, item, workload string, trials []*trial[completed], published map[string]float64) {
	for i, t := range trials {
		who, _, _ := strings.Cut(t.system, ",")
		add := func(f figure[completed], what string, measured []float64) {
			r.add(item, workload, f.under(t.system)+what, orUnpublished(published, f.under(who)+what), measured)
		}
		for _, f := range []figure[completed]{jctP50, jctP90, jctP99, jctWorst, slowP50, slowP90, slowP99, slowest} {
			add(f, "", each(t.runs, f.of))
		}
		if i < 2 {
			continue
		}
		for _, rival := range trials[:2] {
			for _, f := range []figure[completed]{jctP50, jctP99} {
				add(f, ", below "+rival.system+"'s by %", t.below(rival, f.of))
			}
		}
	}
}

// kairosEarly is Fig. 4 once more, with reduces that have their containers from when all maps
// of their job have begun, and wait there for what these write: Hadoop starts them when a
// twentieth of the maps is done, unless it is told not to, and the paper does not say. A job
// takes as long alone as before, but up to twice the containers.
//
// A reduce that waits leaves its core to others. Kairos holds up to eight containers on the
// four cores of a node, so that its cores go further than those of FIFO and Big-C, which hold
// four: that is shown as nodes of five, six and seven cores for the same eight tasks.
func kairosEarly(b *kairosBed) item {
	b = b.with("early reduces", func(b *kairosBed) { b.early = true })
	systems := []kairosSystem{fifoOnBed, bigCOnBed, kairosOnBed("Kairos")}
	for cores := 5; cores < 8; cores++ {
		more := kairosOnBed(fmt.Sprintf("Kairos, %d cores", cores), func(c *kairos.Config) { c.Queue = 8 - cores })
		systems = append(systems, more.on(int32(cores)))
	}
	return func(l *lab) func(r *report) {
		trials := b.asks(l, systems)
		return func(r *report) { tellCompletion(r, "Fig. 4", b.name, trials, kairosPublished) }
	}
}
