package experiment

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// A Result is what came out of an experiment.
type Result struct {
	Loads []AtLoad  `json:"loads"`
	Runs  []*Report `json:"runs"` // by load, then by seed, window or copy
	// Notes are about all runs.
	Notes []string `json:"notes,omitempty"`
	// Baseline is the policy that the others are compared with, if it is not the first.
	Baseline string `json:"baseline,omitempty"`

	base   string
	single bool // there is one cell
}

// AtLoad is what came out at a load.
type AtLoad struct {
	Load     *float64  `json:"load"`           // as asked for; else of the first cell
	Cells    int       `json:"seeds"`          // seeds, windows or copies
	Kind     string    `json:"kind,omitempty"` // window or copy, if it is these that Cells counts
	Policies []Average `json:"policies"`

	runs []*Report // of its cells
}

// An Average is a policy over the cells of a load in which the baseline is done, if it is done in all of these. The ratios are those to the baseline.
type Average struct {
	Policy       string   `json:"policy"`
	MeanJCT      *float64 `json:"mean_jct_s"` // means over the cells
	ToBound      *float64 `json:"mean_jct_to_bound"`
	P99JCT       *float64 `json:"p99_jct_s"`
	MeanSlowdown *float64 `json:"mean_slowdown"`
	MissRate     *float64 `json:"deadline_miss_rate"`
	Attained     *float64 `json:"value_attained_percent"`
	JCTRatio     *Paired  `json:"mean_jct_ratio"`
	P99Ratio     *Paired  `json:"p99_jct_ratio"`
	BoundedRatio *Paired  `json:"mean_bounded_slowdown_ratio"`
	MaxRatio     *Paired  `json:"max_bounded_slowdown_ratio"`
	Faster       *float64 `json:"jobs_faster"` // shares of the jobs than under the baseline
	Slower       *float64 `json:"jobs_slower"`

	wait, bounded, failed *float64
	informed, told        bool // it asked the truth in some cell, or its requests are made of it
	outcomes              outcomes
	left                  bool // it leaves more jobs undone than another policy, so that its means are not comparable
	same                  bool // no job ended otherwise than under the baseline
}

// Of returns a figure of a policy in each cell of a load; nil if there is none in one of them, or no such policy. Its mean has an interval by
// [MeanWithin], and its ratio to that of another policy, cell by cell, by [RatioInterval].
func (l *AtLoad) Of(policy string, figure func(*Row) *float64) (values []float64) {
	for _, r := range l.runs {
		row := r.row(policy)
		if row == nil || figure(row) == nil {
			return nil
		}
		values = append(values, *figure(row))
	}
	return values
}

// gather brings the runs together, and lists those that failed.
func (c *Config) gather(grounds []*ground, policies []Policy, base int) (*Result, Failures) {
	result := &Result{single: len(grounds) == 1}
	var failures Failures
	if base > 0 {
		result.Baseline = policies[base].Name
	}
	done := func(policy int) bool {
		return slices.ContainsFunc(grounds, func(g *ground) bool { return g.rows[policy] != nil })
	}
	for first := 0; !done(base) && first < len(policies); first++ { // then the first that is done takes its place
		if done(first) {
			base = first
		}
	}
	result.base = policies[base].Name
	loads := max(1, len(c.Loads))
	n := len(grounds) / loads
	for i := range loads {
		cells := grounds[i*n:][:n]
		var l AtLoad
		switch {
		case c.Windows > 0:
			l.Kind = "window"
		case c.Thin > 0:
			l.Kind = "copy"
		}
		for _, g := range cells {
			for k, row := range g.rows {
				if row != nil && g.rows[base] == nil {
					row.Ratios = Ratios{} // to another one
				}
				if row != nil {
					g.Report.Policies = append(g.Report.Policies, *row)
				} else if g.failed[k] != nil {
					failures = append(failures, Failure{&g.Cell, policies[k].Name, g.failed[k]})
				}
			}
			if g.rows[base] != nil {
				l.runs = append(l.runs, g.Report)
			}
			if g.Report.Policies != nil {
				result.Runs = append(result.Runs, g.Report)
			}
		}
		if l.Cells = len(l.runs); l.runs == nil {
			continue
		}
		for _, p := range policies {
			if a := l.average(p.Name, policies[base].Name); a != nil {
				l.Policies = append(l.Policies, *a)
			}
		}
		if l.Policies == nil {
			continue
		}
		least := slices.MinFunc(l.Policies, func(a, b Average) int { return a.outcomes.forgotten() - b.outcomes.forgotten() }).outcomes.forgotten()
		for k := range l.Policies {
			l.Policies[k].left = l.Policies[k].outcomes.forgotten() > least
		}
		if l.Load = l.runs[0].Load; len(c.Loads) > 0 {
			l.Load = &c.Loads[i]
		}
		result.Loads = append(result.Loads, l)
	}
	switch same := len(c.Seeds) > 1 && grounds[0].Report.sample == grounds[1].Report.sample; {
	case same && !result.varies():
		result.Notes = append(result.Notes, "the jobs of a trace are the same for each seed: no ratio varies, so there is no interval; windows and thinned copies vary the jobs")
	case same:
		result.Notes = append(result.Notes, "the jobs of a trace are the same for each seed: the intervals cover only random policies, faults, stragglers, deadlines and "+
			"places of input; windows and thinned copies vary the jobs")
	case c.Thin > 0:
		result.Notes = append(result.Notes, "the copies have most of their jobs in common: the intervals tell whether the result depends on a few jobs of this trace, and are "+
			"too narrow for another trace")
	}
	if failures != nil && len(result.Loads) > 0 {
		result.Notes = append(result.Notes, strings.TrimPrefix(failures.Error(), "experiment: ")+": the table leaves out policies that failed where "+result.base+" did not")
	}
	if len(result.Loads) > 0 {
		result.Notes = append(append(result.Notes, result.Runs[0].Notes...), requests(policies, result.Loads[0].runs)...)
		if !slices.ContainsFunc(result.Runs, func(r *Report) bool { return !r.facts.memory }) {
			result.Notes = append(result.Notes, "no job says how much memory it needs: the nodes' memory has no effect")
		}
	}
	return result, failures
}

// requests says what policies see of jobs that request no time, if some see a request that is made of the runtime.
func requests(policies []Policy, cells []*Report) []string {
	without, jobs, most, least := 0, 0, 0.0, math.Inf(1)
	for _, r := range cells {
		without, jobs = without+r.Requested, jobs+r.Jobs
	}
	var given, none []string
	for _, p := range policies {
		request := p.Request
		for _, q := range p.Best {
			request = max(request, q.Request)
		}
		if request > 0 {
			most, least = max(most, request), min(least, request)
			given = append(given, p.Name)
		} else {
			none = append(none, p.Name)
		}
	}
	if without == 0 || given == nil {
		return nil
	}
	text := "no job requests a time; each"
	if without < jobs {
		text = thousands(without) + " jobs request no time; each of them"
	}
	times := fmt.Sprint(least)
	if least < most {
		times += " to " + fmt.Sprint(most)
	}
	text += " is taken to request " + times + " times its runtime"
	if len(none) > 3 {
		none = []string{"the others"}
	}
	if none != nil {
		text += " under " + and(given) + ", and nothing under " + and(none)
	}
	return []string{text}
}

// average brings a policy's runs at a load together; nil if one is not done.
func (l *AtLoad) average(policy, base string) *Average {
	a := &Average{Policy: policy, same: true}
	for _, r := range l.runs {
		row := r.row(policy)
		if row == nil {
			return nil
		}
		a.informed, a.told = a.informed || row.informed, a.told || row.told
		for k, n := range row.outcomes {
			a.outcomes[k] += n
		}
		first := r.row(base)
		a.same = a.same && first != nil && row.Done == first.Done && row.Failed == first.Failed && zero(row.Ratios.Faster) && zero(row.Ratios.Slower)
	}
	of := func(figure func(*Row) *float64) (mean *float64, ratio *Paired) {
		values := l.Of(policy, figure)
		if values == nil {
			return nil, nil
		}
		return some(stat.Mean(values, nil)), Pair(values, l.Of(base, figure))
	}
	share := func(figure func(*Row) *float64) *float64 { // which may be 0, so that it has no logarithm
		values := l.Of(policy, figure)
		if values == nil || l.Of(base, figure) == nil {
			return nil
		}
		sum := 0.0
		for _, x := range values {
			sum += x
		}
		return some(sum / float64(len(values)))
	}
	a.MeanJCT, a.JCTRatio = of(func(r *Row) *float64 { return r.MeanJCT })
	a.ToBound, _ = of(func(r *Row) *float64 { return r.Ratios.Bound })
	a.P99JCT, a.P99Ratio = of(func(r *Row) *float64 { return r.P99JCT })
	a.bounded, a.BoundedRatio = of(func(r *Row) *float64 { return r.MeanBounded })
	_, a.MaxRatio = of(func(r *Row) *float64 { return r.MaxBounded })
	a.MeanSlowdown, _ = of(func(r *Row) *float64 { return r.MeanSlowdown })
	a.MissRate, _ = of(func(r *Row) *float64 { return r.MissRate })
	a.Faster, a.Slower = share(func(r *Row) *float64 { return r.Ratios.Faster }), share(func(r *Row) *float64 { return r.Ratios.Slower })
	a.Attained, _ = of(func(r *Row) *float64 { return r.Attained })
	a.wait, _ = of(func(r *Row) *float64 { return r.MeanWait })
	a.failed, _ = of(func(r *Row) *float64 { return some(float64(r.Failed)) })
	return a
}

func zero(x *float64) bool { return x != nil && *x == 0 }

// varies reports whether a ratio has an interval. None has if no policy draws and the jobs are the same for all seeds, as those of a
// log.
func (r *Result) varies() bool {
	return slices.ContainsFunc(r.Loads, func(l AtLoad) bool {
		return slices.ContainsFunc(l.Policies, func(a Average) bool { return a.JCTRatio != nil && !a.JCTRatio.alike() })
	})
}

// WriteJSON writes the [Result.Verdict] and every figure of every run, indented.
func (r *Result) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Verdict []string `json:"verdict,omitempty"`
		*Result
	}{r.Verdict(), r})
}

// WriteFile writes what [Result.WriteJSON] writes to a file.
func (r *Result) WriteFile(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("experiment: %w", err)
	}
	return errors.Join(r.WriteJSON(f), f.Close())
}

// kind is what varies.
func (l *AtLoad) kind() string { return cmp.Or(l.Kind, "seed") }
