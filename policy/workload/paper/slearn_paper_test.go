package paper_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/paper"
)

// A published statistic, what the generator gives, and how far they may be apart.
type published struct {
	what              string
	want, got, within float64
}

func comparePublished(t *testing.T, rows []published) {
	t.Helper()
	for _, r := range rows {
		line := fmt.Sprintf("%-42s published %8.4f, generated %8.4f, allowed ±%.4f", r.what, r.want, r.got, r.within)
		if t.Log(line); !(math.Abs(r.got-r.want) <= r.within) {
			t.Errorf("outside: %s", line)
		}
	}
}

// executions returns the execution traces of so many seeds.
func executions(t *testing.T, g paper.SLearn, seeds int) [][]*workload.Job {
	traces := make([][]*workload.Job, seeds)
	for i := range traces {
		g.Seed = uint64(i + 1)
		source, err := g.Source()
		traces[i] = jobtest.Made(t, source, err)
	}
	return traces
}

// publishedDraw compares a statistic of an execution trace, which differs much from one to the next:
// the paper's is one draw, and shall be neither below the least nor above the greatest of
// nine. The medians are shown.
func publishedDraw(what string, want float64, traces [][]*workload.Job, of func(jobs []*workload.Job) float64) published {
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

// slearnTable5 compares the loads of 1000 s.
func slearnTable5(traces [][]*workload.Job, mean, p50, p90 float64) []published {
	at := func(p float64) func(jobs []*workload.Job) float64 {
		return func(jobs []*workload.Job) float64 { return percentileOf(windowLoads(jobs), p) }
	}
	average := publishedDraw("Table 5: mean", mean, traces, func(jobs []*workload.Job) float64 {
		m, _ := spread(windowLoads(jobs))
		return m
	})
	average.within = 0.02 * mean // the stretching of arrivals sees to it
	return []published{average, publishedDraw("Table 5: P50", p50, traces, at(0.5)), publishedDraw("Table 5: P90", p90, traces, at(0.9))}
}

// slearnTable4 compares the variation of runtimes. Percentiles across space are known within
// 1.25 sigma/sqrt(n) and 1.71 sigma/sqrt(n), relatively, with the sigma of their logarithm.
// Those across time depend on 100 to 200 job names, and other seeds give up to 15 % less or
// more, which is what is allowed.
func slearnTable4(jobs []*workload.Job, time []float64, time50, time90, space50, space90 float64) []published {
	space := acrossSpace(jobs)
	stderr := math.Log(space90/space50) / 1.28 / math.Sqrt(float64(len(space)))
	return []published{
		{"Table 4: time P50", time50, percentileOf(time, 0.5), 0.15 * time50},
		{"Table 4: time P90", time90, percentileOf(time, 0.9), 0.15 * time90},
		{"Table 4: space P50", space50, percentileOf(space, 0.5), 4 * 1.25 * stderr * space50},
		{"Table 4: space P90", space90, percentileOf(space, 0.9), 4 * 1.71 * stderr * space90},
	}
}

func TestTwoSigma(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	g := paper.TwoSigma()
	traces := executions(t, g, 9)
	var rows []published
	for _, w := range []struct {
		least, most int
		want        float64
	}{{1, 2, 0.1884}, {3, 3, 0}, {4, 4, 0.3966}, {5, 150, 0.4150}} {
		// Both are samples of 1250.
		stderr := math.Sqrt(2 * w.want * (1 - w.want) / 1250)
		rows = append(rows, published{fmt.Sprintf("5.3.5: width %d to %d", w.least, w.most), w.want, widthShare(traces[0], w.least, w.most), 4 * stderr})
	}
	for i, want := range []sizeBin{{0.0455, 0.0001}, {0.2873, 0.0006}, {0.1429, 0.0541}, {0.5243, 0.9452}} {
		rows = append(rows,
			publishedDraw(fmt.Sprintf("Table 9: jobs in bin %d", i+1), want.jobs, traces, func(jobs []*workload.Job) float64 { return sizeBins(jobs)[i].jobs }),
			publishedDraw(fmt.Sprintf("Table 9: work in bin %d", i+1), want.work, traces, func(jobs []*workload.Job) float64 { return sizeBins(jobs)[i].work }))
	}
	source, err := g.Original()
	jobs := jobtest.Made(t, source, err)
	first, step := len(jobs)/2, len(jobs)/400
	time := acrossTime(jobs, first, step, 14)
	rows = append(rows, slearnTable4(jobs, time, 1.00, 3.10, 0.18, 0.55)...)
	comparePublished(t, append(rows, slearnTable5(traces, 1.05, 0.13, 2.47)...))

	// Section 4.2 also compares the two variations of each job. The generator is not fitted to
	// that: nothing ties the one to the other.
	n, above, far := 0.0, 0.0, 0.0
	for i, time := range time {
		for _, space := range acrossSpace(jobs[first+i*step:][:1]) {
			n++
			if time > space {
				above++
			}
			if time >= 12.10*space {
				far++
			}
		}
	}
	t.Logf("More across time:    published 85.40 %%, generated %.2f %%", 100*above/n)
	t.Logf("12.10 times as much: published above 30 %%, generated %.2f %%", 100*far/n)
}

func TestGoogle(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for _, test := range []struct {
		name                             string
		g                                paper.SLearn
		thinLarge                        sizeBin
		time50, time90, space50, space90 float64
		load50, load90                   float64
	}{
		{"gtrace11", paper.Google11(), sizeBin{0.019, 0.005}, 0.20, 0.73, 0.04, 0.58, 0.29, 1.49},
		{"gtrace19", paper.Google19(), sizeBin{0.016, 0.005}, 1.35, 1.67, 0.70, 1.33, 0.09, 0.91},
	} {
		t.Run(test.name, func(t *testing.T) {
			traces := executions(t, test.g, 9)
			rows := []published{
				publishedDraw("5.4.3: thin and large", test.thinLarge.jobs, traces, func(jobs []*workload.Job) float64 { return sizeBins(jobs)[2].jobs }),
				publishedDraw("5.4.3: their work", test.thinLarge.work, traces, func(jobs []*workload.Job) float64 { return sizeBins(jobs)[2].work }),
			}
			source, err := test.g.Original()
			jobs := jobtest.Made(t, source, err)
			time := acrossTime(jobs, len(jobs)/2, len(jobs)/400, 3)
			rows = append(rows, slearnTable4(jobs, time, test.time50, test.time90, test.space50, test.space90)...)
			comparePublished(t, append(rows, slearnTable5(traces, test.g.Load, test.load50, test.load90)...))
		})
	}
}

// Table 4 leaves little room for the errors of pilots that Table 6 (for a ratio of 3 %) and
// Fig. 2 give, which are larger: of four tasks that vary by 0.18 sqrt(0.03 4), one tells their
// mean within 4 %. So there are parameters for either. Both are shown. The errors of history are
// looked at where predictors are, in examples/reproduction/reproduce.
func TestSLearnPilots(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for _, test := range []struct {
		name         string
		table4, fig2 paper.SLearn
		p50, p90     float64 // Table 6, and Fig. 2
	}{
		{"2strace", paper.TwoSigma(), paper.TwoSigmaFig2(), 0.190, 0.5866},
		{"gtrace11", paper.Google11(), paper.Google11Fig2(), 0.136, 0.4995},
		{"gtrace19", paper.Google19(), paper.Google19Fig2(), 0.471, 0.9225},
	} {
		errors := func(g paper.SLearn) []float64 { return pilotErrors(slices.Concat(executions(t, g, 3)...)) }
		table4 := errors(test.table4)
		t.Logf("%s, as in Table 4: P50 published %.3f, generated %.3f; P90 published %.3f, generated %.3f",
			test.name, test.p50, percentileOf(table4, 0.5), test.p90, percentileOf(table4, 0.9))
		fig2 := errors(test.fig2)
		comparePublished(t, []published{
			{test.name + ", as in Table 6: P50", test.p50, percentileOf(fig2, 0.5), 0.1 * test.p50},
			{test.name + ", as in Fig. 2: P90", test.p90, percentileOf(fig2, 0.9), 0.1 * test.p90},
		})
	}
}
