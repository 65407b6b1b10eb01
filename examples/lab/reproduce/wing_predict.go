package main

import (
	"context"
	"fmt"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/internal/foretold"
	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy/wing/pipeline"
)

const (
	wingDay  = 24 * time.Hour
	wingWeek = 7 * wingDay
	wingNow  = 30 * wingDay // what is before is the past, in the logs of two months
	wingLast = 67 * wingDay // when these end
)

// wingClasses is what recurs by a few weeks: see [wingItems].
func wingClasses(start, end time.Duration) provenance.ClassConfig {
	return provenance.ClassConfig{Start: provenance.Time(start), End: provenance.Time(end), Month: wingWeek, Months: 2}
}

// wingPredictions is section 3.2, with Fig. 2, section 4.5.3, with Fig. 6, and Fig. 9: how
// well jobs are foreseen that will read from others, and what jobs are worth.
func wingPredictions(b *bed[*wingLake]) item {
	return func(l *lab) func(r *report) {
		t := ask(l, b, "predictions", func(_ context.Context, lake *wingLake) (*report, error) {
			told := new(report)
			if err := wingDependents(told, lake.Lake); err != nil {
				return nil, err
			}
			return told, wingWorth(told, lake.Lake)
		})
		return func(r *report) { r.join(t.runs) }
	}
}

// join adds the lines of reports that have the same ones, of one seed each.
func (r *report) join(seeds []*report) {
	for i, l := range seeds[0].lines {
		published := unpublished
		if l.Published != nil {
			published = *l.Published
		}
		r.add(l.Item, l.Workload, l.Metric, published, each(seeds, func(s *report) float64 { return *s.lines[i].Measured }))
	}
}

// wingDependents is section 3.2 and Fig. 2: how many of the jobs that will read from others are foreseen.
func wingDependents(r *report, lake *lakelab.Lake) error {
	// What recurs is told by the whole log, as in the paper, so by weeks to come too. The first day is
	// left out, since jobs read then what was written before.
	past := lake.Past(0, provenance.Time(wingLast))
	found, err := past.Find(0)
	if err != nil {
		return err
	}
	classes, err := provenance.Classify(past, found.Dependencies, provenance.ClassConfig{
		Start: provenance.Time(wingDay), End: provenance.Time(wingLast), Months: 2,
	})
	if err != nil {
		return err
	}
	evaluate := func(span time.Duration) (*foretold.Evaluation, error) {
		now := provenance.Time(wingNow)
		p, err := provenance.Train(past, found.Dependencies, classes, provenance.TrainConfig{From: now - provenance.Time(span), To: now})
		if err != nil {
			return nil, err
		}
		return foretold.Evaluate(p, past, found.Dependencies, classes, foretold.Config{From: now, To: now + provenance.Time(span), End: provenance.Time(wingLast)}), nil
	}
	week, err := evaluate(wingWeek)
	if err != nil {
		return err
	}
	month, err := evaluate(wingNow)
	if err != nil {
		return err
	}
	r.add("3.2", "lake", "dependent jobs that a week finds of the next, %", 95, []float64{100 * week.At(0).Recall})
	r.add("3.2", "lake", "dependent jobs that a month finds of the next, %", 77, []float64{100 * month.At(0).Recall})
	var thresholds []float64
	for t := range 20 {
		thresholds = append(thresholds, float64(t+1)/20)
	}
	best, _ := week.Best(thresholds)
	r.add("Fig. 2", "lake", "tr of the greatest product of both, %", 20, []float64{100 * best.Threshold})
	return nil
}

// wingWorth is Fig. 6, what of the value of jobs comes by paths of which length, and Fig. 9, how well what
// jobs of the next week are worth is told by the medians of two weeks before.
func wingWorth(r *report, lake *lakelab.Lake) error {
	const start, next, end = wingNow - 2*wingWeek, wingNow + wingWeek, wingNow + 3*wingWeek
	run := func(end time.Duration) (*pipeline.Result, error) {
		return pipeline.Run(lake.Past(provenance.Time(start), provenance.Time(end)), pipeline.Config{
			Start: provenance.Time(start), End: provenance.Time(end), Classes: wingClasses(start, end),
		})
	}
	known, err := run(wingNow)
	if err != nil {
		return err
	}
	truth, err := run(end)
	if err != nil {
		return err
	}
	iterations := []int{0, 1, 2, 4, 8, 16, 32, 64} // dependencies of the longest path, by iteration
	within := make([]float64, len(iterations))
	sums := make([]float64, iterations[len(iterations)-1]+1)
	total := 0.0
	var jobs, own, aggregate int
	for i := range truth.Log.Jobs {
		j := &truth.Log.Jobs[i]
		if j.State != provenance.Complete || j.Submitted < provenance.Time(wingNow) || j.Submitted >= provenance.Time(next) {
			continue
		}
		rec, err := truth.Windowed.Record(uint32(i))
		if err != nil {
			return err
		}
		if !rec.Valid {
			continue
		}
		total += rec.Aggregate.Value
		truth.Windowed.ByHops(sums, uint32(i), 0)
		for k, hops := range iterations {
			for _, x := range sums[:hops+1] {
				within[k] += x
			}
		}
		p, ok := known.Store.Template(truth.Log.Templates.Name(j.Template))
		if !ok || p.Valid == 0 {
			continue
		}
		jobs++
		// 0 for what was worth nothing is near.
		near := func(forecast, actual float64) int {
			if d := forecast - actual; -0.2*actual <= d && d <= 0.2*actual {
				return 1
			}
			return 0
		}
		own += near(p.Own.Efficiency, rec.Own.Efficiency())
		aggregate += near(p.Aggregate.Efficiency, rec.Aggregate.Efficiency())
	}
	for k := range iterations {
		published := unpublished
		switch k {
		case 0:
			published = 17
		case 4:
			published = 99
		}
		r.add("Fig. 6", "lake", fmt.Sprintf("value found in iteration %d, %%", k), published, []float64{100 * within[k] / total})
	}
	r.add("Fig. 9", "lake", "aggregate value efficiencies told within 20 %, %", 39, []float64{100 * float64(aggregate) / float64(jobs)})
	r.add("Fig. 9", "lake", "value efficiencies of jobs by themselves told within 20 %, %", 44, []float64{100 * float64(own) / float64(jobs)})
	return nil
}
