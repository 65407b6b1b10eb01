package lakes

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/augur/dag/value"
)

// BenchmarkWindowed gives each job of a log the downloads of what follows within a week of its
// completion, or within half the log if that is a week itself. It follows all paths, or only those
// of which at least some part comes back. With -full the logs have a tenth of the paper's jobs, and
// of the whole 90 days one job in 2000 is asked about.
//
// all-s is the time that all jobs
// take, or would at the pace of those that are asked about, which are far from one another and find
// no cache warm. Of what is said to be missed at most, missed% is the sum over the sum of
// what is found, job% the mean of that ratio over jobs and worst% the largest, where something is
// found; lost% is what is really missed of the sum.
func BenchmarkWindowed(b *testing.B) {
	sizes := []struct {
		size
		each int // one job in so many
	}{{week.over(100), 1}, {quarter.over(100), 1}}
	if *full {
		sizes[0].size, sizes[1].size = week.over(10), quarter.over(10)
		sizes = append(sizes, sizes[1])
		sizes[2].size, sizes[2].each = quarter, 2000
	}
	for _, size := range sizes {
		b.Run(size.String(), func(b *testing.B) {
			log := write(b, size.size)
			found := find(b, log.read(b))
			g, err := found.Graph(len(log.submitted))
			if err != nil {
				b.Fatal(err)
			}
			own := make([]float64, g.Len())
			for _, d := range found.Downloads {
				own[d.Job]++
			}
			window := value.WindowConfig{End: log.end, Width: min(7, time.Duration(size.days)/2) * 24 * time.Hour}
			var exact []float64
			for _, least := range []float64{0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2} {
				b.Run(fmt.Sprintf("least=%v", least), func(b *testing.B) {
					window.MinWeight = least
					w, err := value.NewWindowed(g, log.submitted, log.completed, window, own)
					if err != nil {
						b.Fatal(err)
					}
					var credits []float64
					busy := processor()
					for b.Loop() {
						credits = credits[:0]
						for j := 0; j < g.Len(); j += size.each {
							credits, _ = w.Aggregate(credits, uint32(j))
						}
					}
					busy = (processor() - busy) / float64(b.N) * float64(size.each)
					jobs := 0
					for j := 0; j < g.Len(); j += size.each {
						if w.Valid(uint32(j)) {
							jobs++
						}
					}
					if jobs != len(credits) {
						b.Fatalf("%d jobs are valid, and %d have answers", jobs, len(credits))
					}
					if least == 0 {
						exact = slices.Clone(credits)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(jobs), "ns/job")
					b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*float64(size.each), "all-s")
					b.ReportMetric(busy, "all-cpu-s")
					reportMissed(b, credits, exact)
				})
			}
		})
	}
}

// reportMissed reports how much of what jobs are credited with is missed.
func reportMissed(b *testing.B, credits, exact []float64) {
	if len(exact) != len(credits) {
		return // another benchmark was asked for
	}
	all, lost, ratios, worst, some := 0.0, 0.0, 0.0, 0.0, 0
	for i, x := range exact {
		missed := x - credits[i]
		if missed < -1e-9*x { // an exact sum and this one are rounded in different orders
			b.Fatalf("answer %d is %v, want at most %v", i, credits[i], x)
		}
		all += x
		lost += missed
		if x > 0 {
			some++
			ratios += missed / x
			worst = max(worst, missed/x)
		}
	}
	b.ReportMetric(100*lost/all, "lost%")
	b.ReportMetric(100*ratios/float64(some), "job%")
	b.ReportMetric(100*worst, "worst%")
}
