package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// readLoads returns the mean completion time by the offered load in percent, of each policy: the mean
// of all files of the same load, which differ by their seed, with the least and the greatest of them.
func readLoads(files []string) ([]*curve, error) {
	type at struct {
		policy string
		load   float64 // in whole percent
	}
	times := make(map[at][]float64)
	var curves []*curve
	var loads []float64
	for _, file := range files {
		list, err := readObjects(file)
		if err != nil {
			return nil, err
		}
		for _, o := range list {
			var load float64
			if err := o.get("load", &load); err != nil {
				return nil, err
			}
			load = math.Round(100 * load)
			loads = append(loads, load)
			policies, err := o.list("policies")
			if err != nil {
				return nil, err
			}
			for _, p := range policies {
				var name string
				var jct *float64
				if err := errors.Join(p.get("policy", &name), p.get("mean_jct_s", &jct)); err != nil {
					return nil, err
				}
				if jct == nil { // no job is done
					continue
				}
				if !(*jct > 0) {
					return nil, fmt.Errorf("%s: field mean_jct_s is %v, want above 0", p.where, *jct)
				}
				find(&curves, name)
				times[at{name, load}] = append(times[at{name, load}], *jct)
			}
		}
	}
	slices.Sort(loads)
	loads = slices.Compact(loads)
	for _, c := range curves {
		for _, load := range loads {
			if list := times[at{c.name, load}]; len(list) > 0 {
				c.at(load, mean(list), slices.Min(list), slices.Max(list))
			}
		}
	}
	return curves, nil
}

func jctLoad(files []string) (*chart, error) {
	curves, err := readLoads(files)
	if err != nil {
		return nil, err
	}
	c := newChart("Completion times by load", "offered load (% of all cores)", "mean job completion time (s)")
	margin, apart := "least to greatest", 0.35
	if !slices.ContainsFunc(curves, (*curve).varies) { // one file for each load
		margin, apart = "", 0
	}
	if err := c.drawCurves(files[0], curves, margin, apart); err != nil {
		return nil, err
	}
	c.Y.Min, c.Y.Max = c.Y.Min/1.1, c.Y.Max*1.1
	if logarithmic(&c.Y) {
		c.yLabel = "mean job completion time (s, logarithmic)"
	} else {
		c.Y.Min = 0
	}
	c.X.Min, c.X.Max = c.X.Min-3, c.X.Max+3
	return c, nil
}

func mean(list []float64) float64 {
	sum := 0.
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}
