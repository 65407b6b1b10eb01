package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A Curve is points with what each run had there.
type Curve struct {
	Name   string
	At     []float64
	Values [][]float64
}

// find returns the curve of a name, a new one at the end if there is none.
func find(curves *[]*Curve, name string) *Curve {
	for _, c := range *curves {
		if c.Name == name {
			return c
		}
	}
	c := &Curve{Name: name}
	*curves = append(*curves, c)
	return c
}

// ByLoad returns the mean completion times of the runs by the offered load in percent, of each policy.
func ByLoad(c *Comparison) ([]*Curve, error) {
	var curves []*Curve
	at := c.At()
	for _, runs := range at {
		if runs[0].Load == nil {
			return nil, nil
		}
		for i := range runs[0].Policies {
			v := find(&curves, runs[0].Policies[i].Name)
			values := Across(runs, i, "mean_jct_s")
			if len(values) == 0 { // no job is done
				continue
			}
			if !(slices.Min(values) > 0) {
				return nil, fmt.Errorf("field mean_jct_s of %s is %v, want above 0", v.Name, slices.Min(values))
			}
			v.At, v.Values = append(v.At, math.Round(100**runs[0].Load)), append(v.Values, values)
		}
	}
	for _, v := range curves {
		order := make([]int, len(v.At))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v.At[a], v.At[b]) })
		sorted := &Curve{Name: v.Name}
		for _, i := range order {
			sorted.At, sorted.Values = append(sorted.At, v.At[i]), append(sorted.Values, v.Values[i])
		}
		*v = *sorted
	}
	return curves, nil
}
