package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"example.com/augur/estimate"
	"example.com/augur/examples/internal/cli"
)

// writeVariation prints how much the runtimes vary in groups of jobs that have a value in
// common (3Sigma, Fig. 2b and c), and how far tasks are from the mean of their job (Kairos,
// Fig. 1).
func writeVariation(w io.Writer, jobs []job) error {
	t := cli.NewTable(w)
	fmt.Fprintln(t, "\ncoefficient of variation of runtimes within groups of two jobs or more")
	fmt.Fprintln(t, "group by\tgroups\tP10\tP50\tP90\tabove 1\tjobs in these\t")
	for _, by := range [][]string{{"user"}, {"cpu", "memory", "width"}} {
		covs, high, n := variation(jobs, by)
		if len(covs) == 0 {
			continue
		}
		above := len(covs) - upTo(covs, 1)
		fmt.Fprintf(t, "%s\t%d\t%.2f\t%.2f\t%.2f\t%s\t%s\t\n", strings.Join(by, "+"), len(covs), cli.Quantile(covs, 0.1), cli.Quantile(covs, 0.5), cli.Quantile(covs, 0.9),
			cli.Percent(cli.Some(float64(above)/float64(len(covs)))), cli.Percent(cli.Some(float64(high)/float64(n))))
	}
	if within, n := taskErrors(jobs); n > 0 {
		fmt.Fprintln(t, "\nerror of a job's mean task runtime for each of its tasks, jobs of two tasks or more")
		fmt.Fprintln(t, "tasks\twithin 10 %\t25 %\t50 %\t100 %\tabove\t")
		fmt.Fprintf(t, "%d\t", n)
		last := 0.0
		for _, some := range within {
			last = float64(some) / float64(n)
			fmt.Fprintf(t, "%s\t", cli.Percent(&last))
		}
		fmt.Fprintf(t, "%s\t\n", cli.Percent(cli.Some(1-last)))
	}
	return t.Flush()
}

// variation returns, in increasing order, the coefficients of variation of the runtimes in
// the groups of jobs that have the same values of some attributes; the number of jobs in
// groups where it is above 1, and in all of them.
func variation(jobs []job, by []string) (covs []float64, high, all int64) {
	groups := make(map[string]*estimate.Moments)
	for i := range jobs {
		key := make([]string, 0, len(by))
		for _, name := range by {
			if value, ok := jobs[i].Attr(name); ok {
				key = append(key, strconv.Quote(value))
			}
		}
		if len(key) == 0 {
			continue
		}
		name := strings.Join(key, " ")
		if groups[name] == nil {
			groups[name] = new(estimate.Moments)
		}
		if err := groups[name].Add(jobs[i].seconds); err != nil {
			panic(err) // runtimes of a trace are finite
		}
	}
	for _, m := range groups {
		cov, ok := m.CoV()
		if m.N() < 2 || !ok {
			continue
		}
		covs = append(covs, cov)
		all += m.N()
		if cov > 1 {
			high += m.N()
		}
	}
	slices.Sort(covs)
	return covs, high, all
}

// taskErrors returns of how many tasks the mean runtime of their job's tasks is an estimate with a relative error of at
// most 10, 25, 50 and 100 %, and the number of all. Tasks that run together as a gang are one. It keeps nothing of a
// task: a small trace may have many.
func taskErrors(jobs []job) (within [4]int, n int) {
	for i := range jobs {
		for s, stage := range jobs[i].Runtimes {
			if len(stage) < 2 || jobs[i].Stages[s].Gang {
				continue
			}
			var m estimate.Moments
			for _, d := range stage {
				if err := m.Add(d.Seconds()); err != nil {
					panic(err)
				}
			}
			mean, _ := m.Mean()
			if mean == 0 {
				continue
			}
			n += len(stage)
			for _, d := range stage {
				for i, most := range [...]float64{0.10, 0.25, 0.50, 1} {
					if math.Abs(d.Seconds()-mean)/mean <= most {
						within[i]++
					}
				}
			}
		}
	}
	return within, n
}

// upTo returns how many elements of an increasing list are at most x.
func upTo(sorted []float64, x float64) int {
	return sort.Search(len(sorted), func(i int) bool { return sorted[i] > x })
}
