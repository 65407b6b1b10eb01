package main

import (
	"fmt"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy/kairos"
)

// kairosTies is Fig. 6: ways to choose between nodes with as many tasks, the first of which is Kairos'. By how much
// its largest completion time is below another's is told of each draw, too.
func kairosTies(b *kairosBed) item {
	published := map[string]float64{"Var": 1452, "Random": 1633, "Sum": 1651}
	tie := func(name string, tie kairos.Tie) kairosSystem {
		return kairosOnBed(name, func(c *kairos.Config) { c.Tie = tie })
	}
	return func(l *lab) func(r *report) {
		trials := b.asks(l, []kairosSystem{tie("Var", kairos.LeastVariance), tie("Random", kairos.AtRandom), tie("Sum", kairos.LeastSum)})
		return func(r *report) {
			us := trials[0]
			for _, t := range trials {
				for _, f := range []figure[completed]{jctMean, jctP50, jctP90, jctP99} {
					f.tell(r, "Fig. 6", nil, t)
				}
				jctWorst.tell(r, "Fig. 6", published, t)
				if t != us {
					r.add("Fig. 6", b.name, fmt.Sprintf("%s, below %s's by %%", jctWorst.under(us.system), t.system), 100*(1-published[us.system]/published[t.system]), us.below(t, jctWorst.of))
				}
			}
		}
	}
}

// kairosSensitivity is Fig. 7: other queues and quanta. Big-C stands beside them in Fig. 4.
func kairosSensitivity(b *kairosBed) item {
	queue := func(length int) kairosSystem {
		return kairosOnBed(fmt.Sprintf("Q = %d", length), func(c *kairos.Config) { c.Queue = length })
	}
	quantum := func(s float64) kairosSystem {
		return kairosOnBed(fmt.Sprintf("W = %v s", s), func(c *kairos.Config) { c.Node.Quantum = seconds(s) })
	}
	return func(l *lab) func(r *report) {
		queues := b.asks(l, []kairosSystem{queue(2), queue(4), queue(8)})
		quanta := b.asks(l, []kairosSystem{quantum(10), quantum(50), quantum(100)})
		return func(r *report) {
			tell := func(item string, trials []*trial[completed]) {
				for _, t := range trials {
					for _, f := range []figure[completed]{jctMean, jctP50, jctP90, jctP99} {
						f.tell(r, item, nil, t)
					}
				}
			}
			tell("Fig. 7a", queues)
			tell("Fig. 7b", quanta)
		}
	}
}

// kairosSplits tells what the saving of Fig. 4 hangs on: how a makespan splits into tasks, and
// the load. What is published stands beside each.
func kairosSplits(b *kairosBed) item {
	var beds []*kairosBed
	vary := func(name string, change func(k *paper.Kairos)) {
		beds = append(beds, b.with(name, func(b *kairosBed) { change(&b.params) }))
	}
	vary("maps take a tenth", func(k *paper.Kairos) { k.MapShare = 0.1 })
	vary("maps take half", func(k *paper.Kairos) { k.MapShare = 0.5 })
	vary("maps take nine tenths", func(k *paper.Kairos) { k.MapShare = 0.9 })
	vary("tasks alike", func(k *paper.Kairos) { k.Spread = 0 })
	vary("tasks differ by half", func(k *paper.Kairos) { k.Spread = 0.5 })
	vary("a job every 45 s", func(k *paper.Kairos) { k.MeanGap = 45e9 })
	vary("a job every 90 s", func(k *paper.Kairos) { k.MeanGap = 90e9 })
	systems := []kairosSystem{fifoOnBed, kairosOnBed("Kairos"), kairosOnBed("Kairos, as in its code", asInItsCode)}
	return func(l *lab) func(r *report) {
		byBed := each(beds, func(b *kairosBed) []*trial[completed] { return b.asks(l, systems) })
		return func(r *report) {
			for _, trials := range byBed {
				for _, t := range trials[1:] {
					for _, f := range []figure[completed]{jctP50, jctP99} {
						const what = ", below FIFO's by %"
						r.add("Fig. 4", t.bed, f.under(t.system)+what, kairosPublished[f.under("Kairos")+what], t.below(trials[0], f.of))
					}
				}
			}
		}
	}
}
