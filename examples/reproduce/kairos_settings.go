package main

import (
	"fmt"

	"example.com/augur/policy/kairos"
	"example.com/augur/policy/workload"
)

// kairosTies is Fig. 6: ways to choose between nodes with as many tasks, the first of which is Kairos'. By how much
// its largest completion time is below another's is told of each draw, too.
func kairosTies(b *kairosBed) item {
	ways := []struct {
		name  string
		tie   kairos.Tie
		worst float64 // published, s
	}{
		{"Var", kairos.LeastVariance, 1452},
		{"Random", kairos.AtRandom, 1633},
		{"Sum", kairos.LeastSum, 1651},
	}
	return func(l *lab) func(r *report) {
		var trials []*trial[completed]
		for _, way := range ways {
			trials = append(trials, b.ask(l, kairosOnBed(way.name, func(c *kairos.Config) { c.Central.Tie = way.tie })))
		}
		return func(r *report) {
			us := trials[0]
			for i, t := range trials {
				for _, f := range []figure{jctMean, jctP50, jctP90, jctP99} {
					r.add("Fig. 6", b.name, t.system+", "+f.name, unpublished, each(t.runs, f.of))
				}
				r.add("Fig. 6", b.name, t.system+", "+jctWorst.name, ways[i].worst, each(t.runs, jctWorst.of))
				if t != us {
					r.add("Fig. 6", b.name, fmt.Sprintf("%s, %s, below %s's by %%", us.system, jctWorst.name, t.system), 100*(1-ways[0].worst/ways[i].worst), us.below(t, jctWorst.of))
				}
			}
		}
	}
}

// kairosSensitivity is Fig. 7: other queues and quanta. Big-C stands beside them in Fig. 4.
func kairosSensitivity(b *kairosBed) item {
	settings := []struct {
		item, name string
		change     func(c *kairos.Config)
	}{
		{"Fig. 7a", "Q = 2", func(c *kairos.Config) { c.Central.Queue = 2 }},
		{"Fig. 7a", "Q = 4", func(c *kairos.Config) { c.Central.Queue = 4 }},
		{"Fig. 7a", "Q = 8", func(c *kairos.Config) { c.Central.Queue = 8 }},
		{"Fig. 7b", "W = 10 s", func(c *kairos.Config) { c.Node.Quantum = 10e9 }},
		{"Fig. 7b", "W = 50 s", func(c *kairos.Config) { c.Node.Quantum = 50e9 }},
		{"Fig. 7b", "W = 100 s", func(c *kairos.Config) { c.Node.Quantum = 100e9 }},
	}
	return func(l *lab) func(r *report) {
		var trials []*trial[completed]
		for _, s := range settings {
			trials = append(trials, b.ask(l, kairosOnBed(s.name, s.change)))
		}
		return func(r *report) {
			for i, t := range trials {
				for _, f := range []figure{jctMean, jctP50, jctP90, jctP99} {
					r.add(settings[i].item, b.name, t.system+", "+f.name, unpublished, each(t.runs, f.of))
				}
			}
		}
	}
}

// kairosSplits tells what the saving of Fig. 4 hangs on: how a makespan splits into tasks, and
// the load. What is published stands beside each.
func kairosSplits(b *kairosBed) item {
	var beds []*kairosBed
	vary := func(name string, change func(k *workload.Kairos)) {
		beds = append(beds, b.with(name, func(b *kairosBed) { change(&b.params) }))
	}
	vary("maps take a tenth", func(k *workload.Kairos) { k.MapShare = 0.1 })
	vary("maps take half", func(k *workload.Kairos) { k.MapShare = 0.5 })
	vary("maps take nine tenths", func(k *workload.Kairos) { k.MapShare = 0.9 })
	vary("tasks alike", func(k *workload.Kairos) { k.Spread = 0 })
	vary("tasks differ by half", func(k *workload.Kairos) { k.Spread = 0.5 })
	vary("a job every 45 s", func(k *workload.Kairos) { k.MeanGap = 45e9 })
	vary("a job every 90 s", func(k *workload.Kairos) { k.MeanGap = 90e9 })
	systems := []kairosSystem{fifoOnBed, kairosOnBed("Kairos"), kairosOnBed("Kairos, as in its code", asInItsCode)}
	return func(l *lab) func(r *report) {
		byBed := each(beds, func(b *kairosBed) []*trial[completed] { return b.asks(l, systems) })
		return func(r *report) {
			for _, trials := range byBed {
				for _, t := range trials[1:] {
					for _, f := range []figure{jctP50, jctP99} {
						metric := f.name + ", below FIFO's by %"
						r.add("Fig. 4", t.bed, t.system+", "+metric, kairosPublished["Kairos, "+metric], t.below(trials[0], f.of))
					}
				}
			}
		}
	}
}
