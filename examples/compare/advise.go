package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"

	"example.com/augur/examples/choose"
	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/experiment"
)

const adviseExample = "from=0,to=0.5,windows=10,jobs=50000"

// parseAdvise reads what -advise says; the flag package writes true for the flag alone.
func parseAdvise(spec string) (*choose.Config, error) {
	c := new(choose.Config)
	if spec == "true" {
		return c, nil
	}
	_, err := parseSpec("-advise", spec, "unknown parameter, want some of "+adviseExample, setters{
		"from":    cli.Share(&c.From),
		"to":      cli.Between(&c.To, math.SmallestNonzeroFloat64, 1, "a number above 0, at most 1"),
		"windows": cli.Whole(&c.Windows, 2, 1000),
		"jobs":    cli.Whole(&c.Most, 1, 1<<28),
	})
	if to := cmp.Or(c.To, 0.5); err == nil && c.From >= to {
		return nil, cli.Usagef("-advise: from=%v, want less than to=%v", c.From, to)
	}
	return c, err
}

// advice is what -advise prints with -json. What does not apply is null.
type advice struct {
	Workload string `json:"workload"`
	*choose.Advice
	Requested int       `json:"requested_set,omitempty"` // as in report
	Policies  []advised `json:"policies"`
}

// advised is a policy that was tried.
type advised struct {
	Policy   string             `json:"policy"`
	Why      string             `json:"why"`
	Made     string             `json:"made,omitempty"`
	Set      []string           `json:"set,omitempty"`
	MeanJCT  *float64           `json:"mean_jct_s"`
	JCTRatio *experiment.Paired `json:"mean_jct_to_fifo"`
	P99Ratio *experiment.Paired `json:"p99_jct_to_fifo"`
	ToBest   *experiment.Paired `json:"mean_jct_to_advised"`
}

// paired returns a ratio for JSON, nil if nothing was run.
func paired(r experiment.Interval) *experiment.Paired {
	if !(r.Mean > 0) {
		return nil
	}
	return &experiment.Paired{Ratio: r.Mean, Low: cli.Some(r.Low), High: cli.Some(r.High)}
}

// runAdvise prints what the jobs are like, and which policy suits them. It tries the policies that are named, or those that suit by
// rule.
func runAdvise(ctx context.Context, o *options, stdout io.Writer) error {
	in, err := load(ctx, o)
	if err != nil {
		return err
	}
	c := *o.advise
	c.Jobs, c.Nodes = in.List, in.cluster
	if o.saves != nil {
		c.SaveCost = o.saves.cost
	}
	requested := 0
	if o.policies != "all" {
		chosen, err := policiesOf(o.policies)
		if err != nil {
			return err
		}
		for _, p := range chosen {
			if p.Lake || p.classes || p.best != nil {
				return cli.Usagef("-advise with policy %s, want policies without a lake, a cutoff or a best-of", p.Name)
			}
			request := 0.0
			if p.Requests {
				request, requested = cli.RequestFactor, in.unasked()
			}
			c.Candidates = append(c.Candidates, choose.Candidate{Name: p.Name, Why: p.About, Request: request, New: func(truth policy.Truth) (policy.Scheduler, error) {
				return p.scheduler(&setting{Setting: catalog.Setting{
					Truth: truth, Seed: o.seed, Past: in.History, Features: o.Features, Inherit: o.wing.inherit, Hopper: o.hopper, Kairos: o.kairos, ThreeSigma: o.threesigma,
				}})
			}})
		}
	}
	a, err := choose.Advise(ctx, c)
	if err != nil {
		return err
	}
	if !o.json {
		notes := append(in.Notes(), o.Notes()...)
		if requested > 0 {
			notes = append(notes, fmt.Sprintf("%s jobs request no time and count as requesting %d times their runtime", cli.Thousands(requested), cli.RequestFactor))
		}
		for _, note := range notes {
			if _, err := io.WriteString(stdout, note+"\n"); err != nil {
				return err
			}
		}
		return a.Write(stdout)
	}
	r := advice{Workload: in.Name, Advice: a, Requested: requested}
	for i := range a.Measured {
		m := &a.Measured[i]
		r.Policies = append(r.Policies, advised{m.Name, m.Why, m.Made, m.Set, nil, paired(m.ToFIFO), paired(m.P99), paired(m.ToBest)})
		if a.Windows > 0 {
			r.Policies[i].MeanJCT = cli.Some(m.JCT.Mean)
		}
	}
	return cli.WriteJSON(stdout, r)
}
