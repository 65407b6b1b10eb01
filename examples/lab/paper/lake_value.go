package paper

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// lakePriority is the priority of most workflows of a queue.
const lakePriority = 1000

// level returns a priority above or below that of a queue.
func (g *lake) level(above bool) float64 {
	step := float64(100 * (1 + g.rng.IntN(5)))
	if above {
		return lakePriority + step
	}
	return lakePriority - step
}

// popularity sets the mean number of downloads of each template, by Zipf's law. The ranks are
// random, up to DepthBias.
func (g *lake) popularity() {
	sum := 0.0
	keys, order := make([]float64, len(g.templates)), make([]int, len(g.templates))
	for i, t := range g.templates {
		keys[i] = math.Log(g.rng.ExpFloat64()) - g.DepthBias*t.depth
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b)) })
	for rank, i := range order {
		t := g.templates[i]
		t.downloads = 1 / float64(rank+1)
		sum += t.downloads * t.rate()
	}
	want := lakeDownloads * float64(g.JobsPerDay) * (1 - lakeAdHocDownloads)
	for _, t := range g.templates {
		t.downloads *= want / sum
	}
}

// prioritise draws the priorities of workflows. Most templates have that of their workflow.
func (g *lake) prioritise() {
	worth := make([]float64, g.workflows)
	org, odd := make([]int32, g.workflows), make([]float64, g.workflows)
	for _, t := range g.templates {
		worth[t.workflow] += t.downloads * t.rate()
		org[t.workflow], odd[t.workflow] = t.org, lakeOdd
		if t.closed {
			odd[t.workflow] = lakeOddClosed
		}
	}
	medians := make([]float64, g.Organisations)
	for o := range medians {
		var of []float64
		for w, x := range worth {
			if int(org[w]) == o {
				of = append(of, x)
			}
		}
		if slices.Sort(of); len(of) > 0 {
			medians[o] = of[len(of)/2]
		}
	}
	priority := make([]float64, g.workflows)
	for w := range priority {
		priority[w] = lakePriority
		if g.rng.Float64() < odd[w] {
			above := g.rng.IntN(2) == 0
			if g.rng.Float64() < lakeInformed {
				above = worth[w] > medians[org[w]]
			}
			priority[w] = g.level(above)
		}
	}
	for _, t := range g.templates {
		t.priority = priority[t.workflow]
		if g.rng.Float64() < lakeOddStep {
			t.priority = g.level(true)
		}
	}
}

// fit scales the widths so that the jobs of the experiment offer the load. A job is at most as wide
// as its queue at the least capacity.
func (g *lake) fit() error {
	experiment := g.jobs[g.since(g.begin):]
	most := make([]int32, g.Organisations)
	for o := range most {
		share := float64(g.Cores) * lakeLeastCapacity * g.share(o)
		most[o] = saturate.To[int32](max(1, math.Floor(share)))
	}
	width := func(j *lakeJob, factor float64) int32 {
		return saturate.To[int32](min(max(1, math.Round(factor*j.size)), float64(most[j.org])))
	}
	work := func(factor float64) float64 {
		sum := 0.0
		for i := range experiment {
			j := &experiment[i]
			sum += j.completed.Sub(j.submitted).Seconds() * float64(width(j, factor))
		}
		return sum
	}
	want := g.Load * float64(g.Cores) * g.end.Sub(g.begin).Seconds()
	if w := work(1 << 40); w < want {
		return fmt.Errorf("paper: Lake.Load is %v, want at most %v, or jobs would be wider than LeastCapacity lets them be", g.Load, g.Load*w/want)
	}
	low, high := 0.0, 1.0
	for high < 1<<40 && work(high) < want {
		high *= 2
	}
	for range 50 {
		if mid := (low + high) / 2; work(mid) < want {
			low = mid
		} else {
			high = mid
		}
	}
	for i := range g.jobs {
		g.jobs[i].width = width(&g.jobs[i], high)
	}
	return nil
}

// since returns the index of the first job submitted at t or later.
func (g *lake) since(t policy.Time) int {
	i, _ := slices.BinarySearchFunc(g.jobs, t, func(j lakeJob, t policy.Time) int { return cmp.Compare(j.submitted, t) })
	return i
}

// share returns an organisation's part of the cluster.
func (g *lake) share(org int) float64 {
	x := g.orgSums[org]
	if org > 0 {
		x -= g.orgSums[org-1]
	}
	return x / g.orgSums[len(g.orgSums)-1]
}

// download draws the instants at which the output of each job is downloaded, and returns them job by
// job. Those of job i start at index jobs[i].downloads and end where those of the next job start.
func (g *lake) download() []policy.Time {
	adHoc := 0
	for i := range g.jobs {
		if g.jobs[i].template < 0 {
			adHoc++
		}
	}
	share := lakeAdHocDownloads
	if adHoc > 0 {
		// In the mean over ranks, 1/rank is the harmonic number over their number.
		share *= lakeDownloads / (1 - lakeRecurring) * float64(adHoc) / last(cumulated(adHoc, 1))
	}
	ranks := g.rng.Perm(adHoc)
	var all []policy.Time
	for i := range g.jobs {
		j := &g.jobs[i]
		j.downloads = uint32(len(all))
		if j.failed {
			continue
		}
		mean, delay := 0.0, lakeMedianDelay
		if j.template < 0 {
			mean = share / float64(1+ranks[0])
			ranks = ranks[1:]
		} else {
			t := g.templates[j.template]
			mean = t.downloads * varied(g.rng, lakeDownloadSigma)
			delay = t.delay
		}
		n := poisson(g.rng, mean)
		// An exponential distribution, cut at a week.
		tail := -math.Expm1(-float64(lakeWeek) / float64(delay))
		for range n {
			d := -math.Log1p(-tail*g.rng.Float64()) * float64(delay)
			all = append(all, j.completed+saturate.To[policy.Time](min(d, float64(lakeWeek))))
		}
		slices.Sort(all[j.downloads:])
	}
	return all
}

func last(sums []float64) float64 { return sums[len(sums)-1] }

// after returns the instants of a sorted list from t on.
func after(times []policy.Time, t policy.Time) []policy.Time {
	i, _ := slices.BinarySearchFunc(times, t, cmp.Compare[policy.Time])
	return times[i:]
}
