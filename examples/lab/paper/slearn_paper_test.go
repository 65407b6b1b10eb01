package paper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
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
		traces[i] = jobtest.Made(t)(g.Source())
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

func twoSigma(t *testing.T) {
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
	jobs := jobtest.Made(t)(g.Original())
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

func googleTraces(t *testing.T) {
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
			jobs := jobtest.Made(t)(test.g.Original())
			time := acrossTime(jobs, len(jobs)/2, len(jobs)/400, 3)
			rows = append(rows, slearnTable4(jobs, time, test.time50, test.time90, test.space50, test.space90)...)
			comparePublished(t, append(rows, slearnTable5(traces, test.g.Load, test.load50, test.load90)...))
		})
	}
}

// Table 4 leaves little room for the errors of pilots that Table 6 (for a ratio of 3 %) and
// Fig. 2 give, which are larger: of four tasks that vary by 0.18 sqrt(0.03 4), one tells their
// mean within 4 %. So there are parameters for either. Both are shown. The errors of history are
// looked at where predictors are, in examples/lab/reproduce.
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

// What section 4.2 and Tables 4, 5 and 9 of the paper measure, each as plainly as it is
// defined there.

// taskSeconds returns the runtimes of the tasks of a job of one stage.
func taskSeconds(j *workload.Job) []float64 {
	var x []float64
	for _, d := range j.Runtimes[0] {
		x = append(x, d.Seconds())
	}
	return x
}

// spread returns the mean and the coefficient of variation of values: of all there are,
// so that it divides by n.
func spread(values []float64) (mean, cov float64) {
	for _, x := range values {
		mean += x / float64(len(values))
	}
	square := 0.0
	for _, x := range values {
		square += (x - mean) * (x - mean) / float64(len(values))
	}
	return mean, math.Sqrt(square) / mean
}

// percentileOf returns the value below which a share p of values lies.
func percentileOf(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(p*float64(len(sorted)))]
}

// acrossSpace returns the variation across space of the jobs of several tasks.
func acrossSpace(jobs []*workload.Job) []float64 {
	var covs []float64
	for _, j := range jobs {
		if n := float64(j.Tasks()); n > 1 {
			_, cov := spread(taskSeconds(j))
			covs = append(covs, cov/math.Sqrt(0.03*n))
		}
	}
	return covs
}

// pilotErrors returns how far, relative to it, the mean of 3 % of the tasks of a wide job,
// but of one at least, is from the mean of all.
func pilotErrors(jobs []*workload.Job) []float64 {
	rng := rand.New(rand.NewPCG(5, 6))
	var errors []float64
	for _, j := range jobs {
		if j.Tasks() < 3 {
			continue
		}
		x := taskSeconds(j)
		mean, _ := spread(x)
		rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		sampled, _ := spread(x[:max(1, int(0.03*float64(len(x))+0.5))])
		errors = append(errors, math.Abs(sampled-mean)/mean)
	}
	return errors
}

// acrossTime returns, for every step-th of the jobs from number first on, the least
// coefficient of variation of the mean task runtimes of the jobs of the days before it that
// share a feature with it, if there are two. Day and hour count as two features.
func acrossTime(jobs []*workload.Job, first, step int, days float64) []float64 {
	// A number for each value of a feature, since numbers are compared faster.
	numbers, values := make(map[policy.Attr]int), make([][]int, len(jobs))
	means, at := make([]float64, len(jobs)), make([]float64, len(jobs))
	for i, j := range jobs {
		means[i], _ = spread(taskSeconds(j))
		at[i] = j.Submitted.Seconds() / 86400
		for _, attr := range j.Attrs {
			if _, ok := numbers[attr]; !ok {
				numbers[attr] = len(numbers)
			}
			values[i] = append(values[i], numbers[attr])
		}
	}
	var covs []float64
	for i := first; i < len(jobs); i += step {
		least := math.Inf(1)
		for feature, value := range values[i] {
			var similar []float64
			for back := i - 1; back >= 0 && at[i]-at[back] <= days; back-- {
				if values[back][feature] == value {
					similar = append(similar, means[back])
				}
			}
			if len(similar) > 1 {
				_, cov := spread(similar)
				least = min(least, cov)
			}
		}
		covs = append(covs, least)
	}
	return covs
}

// windowLoads returns the load of each window of 1,000 s, one every 100 s from the first arrival to
// the last: the work of the jobs that arrive in it over what 150 cores can do.
func windowLoads(jobs []*workload.Job) []float64 {
	at, work := make([]float64, len(jobs)), make([]float64, len(jobs))
	for i, j := range jobs {
		at[i], work[i] = j.Submitted.Seconds(), j.Work()
	}
	var all []float64
	first := 0
	for from := at[0]; from+1000 <= at[len(at)-1]; from += 100 {
		for at[first] < from {
			first++
		}
		sum := 0.0
		for i := first; i < len(at) && at[i] < from+1000; i++ {
			sum += work[i]
		}
		all = append(all, sum/(150*1000))
	}
	return all
}

// A sizeBin is a share of the jobs and of their work.
type sizeBin struct{ jobs, work float64 }

// sizeBins divides jobs as Table 9 does, into thin and small, wide and small, thin and large,
// and wide and large ones.
func sizeBins(jobs []*workload.Job) [4]sizeBin {
	var bins [4]sizeBin
	work := 0.0
	for _, j := range jobs {
		work += j.Work()
	}
	for _, j := range jobs {
		i := 0
		if j.Tasks() >= 3 {
			i++
		}
		if j.Work() >= 1000 {
			i += 2
		}
		bins[i].jobs += 1 / float64(len(jobs))
		bins[i].work += j.Work() / work
	}
	return bins
}

// widthShare returns the share of jobs with a width from least to most.
func widthShare(jobs []*workload.Job, least, most int) float64 {
	n := 0.0
	for _, j := range jobs {
		if least <= j.Tasks() && j.Tasks() <= most {
			n++
		}
	}
	return n / float64(len(jobs))
}
