package figure

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// A Comparison is what compare -json wrote: a run, or a sweep, which has several.
type Comparison struct {
	Run
	Loads []struct {
		Load  *float64
		Seeds int    // or what Kind says
		Kind  string // "": seed
	}
	Runs  []Run // by load, then by seed, window or copy
	Notes []string
	// Verdict is that of experiment.Result; none: the comparison was written without.
	Verdict []string
	// Baseline is the policy that the others are compared with; "" is the first.
	Baseline string
}

// A Run is one of all policies.
type Run struct {
	Workload           string
	Jobs, Tasks, Nodes int
	Cores              int
	Load               *float64
	Seed               uint64
	Policies           []Policy
}

// A Policy is what a policy came to, by the names of fields. What is not a number is left out.
type Policy struct {
	Name    string
	Figures map[string]float64
}

// UnmarshalJSON keeps the name and the numbers.
func (p *Policy) UnmarshalJSON(text []byte) error {
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	name, ok := fields["policy"].(string)
	if !ok {
		return fmt.Errorf("field policy of a policy is %v, want a name", fields["policy"])
	}
	p.Name, p.Figures = name, make(map[string]float64)
	for k, v := range fields {
		if x, ok := v.(float64); ok {
			p.Figures[k] = x
		}
	}
	return nil
}

// Parse reads what compare -json and experiment.Result.WriteJSON write. The error begins with the name of the text.
func Parse(name string, text []byte) (*Comparison, error) {
	c := new(Comparison)
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if c.Runs == nil && c.Policies == nil {
		return nil, fmt.Errorf("%s: there are neither policies nor runs, want what experiment.Result.WriteJSON or compare -json writes", name)
	}
	seeds := 0
	for _, l := range c.Loads {
		seeds += l.Seeds
	}
	if seeds != len(c.Runs) {
		return nil, fmt.Errorf("%s: there are %d runs of %d seeds at all loads", name, len(c.Runs), seeds)
	}
	for _, r := range c.Runs {
		if len(r.Policies) == 0 || len(r.Policies) != len(c.Runs[0].Policies) {
			return nil, fmt.Errorf("%s: there are runs of %d and of %d policies", name, len(c.Runs[0].Policies), len(r.Policies))
		}
	}
	return c, nil
}

// At returns the runs of each load.
func (c *Comparison) At() (loads [][]Run) {
	if c.Runs == nil {
		return [][]Run{{c.Run}}
	}
	from := 0
	for _, l := range c.Loads {
		loads = append(loads, c.Runs[from:from+l.Seeds])
		from += l.Seeds
	}
	return loads
}

// Kind is what there are several of at a load: seeds, windows or copies.
func (c *Comparison) Kind() string {
	if len(c.Loads) == 0 {
		return "seed"
	}
	return cmp.Or(c.Loads[0].Kind, "seed")
}

// Base returns the place and the name of the policy that the others are compared with.
func (c *Comparison) Base(runs []Run) (int, string) {
	i := max(0, slices.IndexFunc(runs[0].Policies, func(p Policy) bool { return p.Name == c.Baseline }))
	return i, runs[0].Policies[i].Name
}

// Across returns a figure of a policy in all runs; none if a run has none.
func Across(runs []Run, policy int, field string) (values []float64) {
	for _, r := range runs {
		x, ok := r.Policies[policy].Figures[field]
		if !ok {
			return nil
		}
		values = append(values, x)
	}
	return values
}
