package workload_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.com/augur/policy/workload"
)

// A published statistic, what the generator gives, and how far they may be apart.
type published struct {
	what              string
	want, got, within float64
}

func check(t *testing.T, rows []published) {
	t.Helper()
	for _, r := range rows {
		line := fmt.Sprintf("%-42s published %8.4f, generated %8.4f, allowed ±%.4f", r.what, r.want, r.got, r.within)
		if t.Log(line); !(math.Abs(r.got-r.want) <= r.within) {
			t.Errorf("outside: %s", line)
		}
	}
}

// nine returns the execution traces of nine seeds.
func nine(t *testing.T, g workload.SLearn) [][]*workload.Job {
	traces := make([][]*workload.Job, 9)
	for i := range traces {
		g.Seed = uint64(i + 1)
		source, err := g.Execution()
		traces[i] = yielded(t, source, err)
	}
	return traces
}

// drawn compares a statistic of an execution trace, which differs much from one to the next:
// the paper's is one draw, and shall be neither below the least nor above the greatest of
// nine. The medians are shown.
func drawn(what string, want float64, traces [][]*workload.Job, of func(jobs []*workload.Job) float64) published {
	var got []float64
	for _, jobs := range traces {
		got = append(got, of(jobs))
	}
	slices.Sort(got)
	row := published{fmt.Sprintf("%s (%.4f to %.4f)", what, got[0], got[8]), want, got[4], got[8] - got[4]}
	if want < got[4] {
		row.within = got[4] - got[0]
	}
	return row
}

// table5 compares the loads of 1000 s.
func table5(traces [][]*workload.Job, mean, p50, p90 float64) []published {
	at := func(p float64) func(jobs []*workload.Job) float64 {
		return func(jobs []*workload.Job) float64 { return percentile(loads(jobs), p) }
	}
	average := drawn("Table 5: mean", mean, traces, func(jobs []*workload.Job) float64 {
		m, _ := variation(loads(jobs))
		return m
	})
	average.within = 0.02 * mean // the stretching of arrivals sees to it
	return []published{average, drawn("Table 5: P50", p50, traces, at(0.5)), drawn("Table 5: P90", p90, traces, at(0.9))}
}

// table4 compares the variation of runtimes. Percentiles across space are known within
// 1.25 sigma/sqrt(n) and 1.71 sigma/sqrt(n), relatively, with the sigma of their logarithm.
// Those across time depend on 100 to 200 job names, and other seeds give up to 15 % less or
// more, which is what is allowed for the median; for the 90th percentile it is far.
func table4(t *testing.T, g workload.SLearn, days float64, time50, time90, space50, space90, far float64) []published {
	source, err := g.Source()
	jobs := yielded(t, source, err)
	time, space := acrossTime(jobs, len(jobs)/2, len(jobs)/400, days), acrossSpace(jobs)
	stderr := math.Log(space90/space50) / 1.28 / math.Sqrt(float64(len(space)))
	return []published{
		{"Table 4: time P50", time50, percentile(time, 0.5), 0.15 * time50},
		{"Table 4: time P90", time90, percentile(time, 0.9), far * time90},
		{"Table 4: space P50", space50, percentile(space, 0.5), 4 * 1.25 * stderr * space50},
		{"Table 4: space P90", space90, percentile(space, 0.9), 4 * 1.71 * stderr * space90},
	}
}

// logErrors shows how well pilots predict, to which nothing is fitted: the variation across
// space in Table 4 decides it, but for the shape of the distribution of tasks. Table 6 (for
// 3 %) and Fig. 2 do not agree with each other either.
func logErrors(t *testing.T, jobs []*workload.Job, table6, fig2P50, fig2P90 float64) {
	errors := pilotErrors(jobs)
	t.Logf("Error of pilots: P50 published %.3f (Table 6) and %.3f (Fig. 2), generated %.3f", table6, fig2P50, percentile(errors, 0.5))
	t.Logf("Error of pilots: P90 published %.3f (Fig. 2), generated %.3f", fig2P90, percentile(errors, 0.9))
}

func TestTwoSigma(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	g := workload.TwoSigma()
	traces := nine(t, g)
	var rows []published
	for _, w := range []struct {
		least, most int
		want        float64
	}{{1, 2, 0.1884}, {3, 3, 0}, {4, 4, 0.3966}, {5, 150, 0.4150}} {
		// Both are samples of 1250.
		stderr := math.Sqrt(2 * w.want * (1 - w.want) / 1250)
		rows = append(rows, published{fmt.Sprintf("5.3.5: width %d to %d", w.least, w.most), w.want, widthShare(traces[0], w.least, w.most), 4 * stderr})
	}
	for i, want := range []bin{{0.0455, 0.0001}, {0.2873, 0.0006}, {0.1429, 0.0541}, {0.5243, 0.9452}} {
		rows = append(rows,
			drawn(fmt.Sprintf("Table 9: jobs in bin %d", i+1), want.jobs, traces, func(jobs []*workload.Job) float64 { return bins(jobs)[i].jobs }),
			drawn(fmt.Sprintf("Table 9: work in bin %d", i+1), want.work, traces, func(jobs []*workload.Job) float64 { return bins(jobs)[i].work }))
	}
	rows = append(rows, table4(t, g, 14, 1.00, 3.10, 0.18, 0.55, 0.15)...)
	check(t, append(rows, table5(traces, 1.05, 0.13, 2.47)...))
	logErrors(t, traces[0], 0.190, 0.1830, 0.5866)
}

// Section 4.2 also compares the two variations of each job. The generator is not fitted to
// that, and nothing in it ties the one to the other.
func TestTwoSigmaTimeAgainstSpace(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	source, err := workload.TwoSigma().Source()
	jobs := yielded(t, source, err)
	const first, step = 40_000, 100
	n, above, far := 0.0, 0.0, 0.0
	for i, time := range acrossTime(jobs, first, step, 14) {
		job := jobs[first+i*step]
		if job.Tasks() == 1 {
			continue
		}
		space := acrossSpace([]*workload.Job{job})[0]
		n++
		if time > space {
			above++
		}
		if time >= 12.10*space {
			far++
		}
	}
	t.Logf("more across time:    published 85.40 %%, generated %.2f %%", 100*above/n)
	t.Logf("12.10 times as much: published above 30 %%, generated %.2f %%", 100*far/n)
	if above < 0.5*n {
		t.Errorf("got more variation across time in %.0f of %.0f jobs, want it in most", above, n)
	}
}

func TestGoogle(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for _, test := range []struct {
		name                             string
		g                                workload.SLearn
		thinLarge                        bin
		time50, time90, space50, space90 float64
		load50, load90                   float64
		table6, fig2P50, fig2P90         float64
	}{
		{"gtrace11", workload.Google11(), bin{0.019, 0.005}, 0.20, 0.73, 0.04, 0.58, 0.29, 1.49, 0.136, 0.0915, 0.4995},
		{"gtrace19", workload.Google19(), bin{0.016, 0.005}, 1.35, 1.67, 0.70, 1.33, 0.09, 0.91, 0.471, 0.2139, 0.9225},
	} {
		t.Run(test.name, func(t *testing.T) {
			traces := nine(t, test.g)
			rows := []published{
				drawn("5.4.3: thin and large", test.thinLarge.jobs, traces, func(jobs []*workload.Job) float64 { return bins(jobs)[2].jobs }),
				drawn("5.4.3: their work", test.thinLarge.work, traces, func(jobs []*workload.Job) float64 { return bins(jobs)[2].work }),
			}
			rows = append(rows, table4(t, test.g, 3, test.time50, test.time90, test.space50, test.space90, 0.15)...)
			check(t, append(rows, table5(traces, test.g.Load, test.load50, test.load90)...))
			logErrors(t, traces[0], test.table6, test.fig2P50, test.fig2P90)
		})
	}
}
