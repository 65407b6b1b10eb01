package main

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"gonum.org/v1/plot/plotter"
)

// A query says which lines of reproduce are drawn: those of some items of a paper, whose workload and
// metric match. Named groups of both are what labels are made of; x is the number on the x axis of a curve.
type query struct {
	paper    string
	items    []string
	workload *regexp.Regexp
	metric   *regexp.Regexp
}

// find returns the lines, and what groups of its patterns are in each.
func (q *query) find(file string) (lines []line, groups []map[string]string, err error) {
	all, err := readLines(file)
	if err != nil {
		return nil, nil, err
	}
	if !slices.ContainsFunc(all, func(l line) bool { return l.Paper == q.paper }) {
		return nil, nil, fmt.Errorf("%w of %s in %s", errNothing, q.paper, file)
	}
	for _, l := range all {
		found := make(map[string]string)
		if l.Values.measured() && q.has(&l, found) {
			lines, groups = append(lines, l), append(groups, found)
		}
	}
	if len(lines) == 0 {
		return nil, nil, fmt.Errorf("%s: there is no line that is measured with field paper %q, item one of %q, workload like %s and metric like %s",
			file, q.paper, q.items, q.workload, q.metric)
	}
	return lines, groups, nil
}

// errNothing says that a figure cannot be drawn from a file, though nothing is wrong with it.
var errNothing = errors.New("there is nothing")

// has reports whether a line is drawn, and notes the named groups.
func (q *query) has(l *line, groups map[string]string) bool {
	return l.Paper == q.paper && slices.Contains(q.items, l.Item) && match(q.workload, l.Workload, groups) && match(q.metric, l.Metric, groups)
}

// match reports whether a text matches, and notes the named groups.
func match(pattern *regexp.Regexp, text string, groups map[string]string) bool {
	found := pattern.FindStringSubmatch(text)
	for i, name := range pattern.SubexpNames() {
		if found != nil && name != "" {
			groups[name] = found[i]
		}
	}
	return found != nil
}

// curves returns a curve for each name, by the groups name and x, in the order of x.
func (q *query) curves(file string) ([]*curve, error) {
	lines, groups, err := q.find(file)
	if err != nil {
		return nil, err
	}
	x := make([]float64, len(lines))
	order := make([]int, len(lines))
	for i := range lines {
		if x[i], err = strconv.ParseFloat(groups[i]["x"], 64); err != nil {
			return nil, fmt.Errorf("%s: no number in the metric %q of %q: %w", file, lines[i].Metric, lines[i].Workload, err)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	var curves []*curve
	for i := range lines {
		find(&curves, groups[i]["name"]) // so that they are in the order of the file
	}
	for _, i := range order {
		l, c := &lines[i], find(&curves, groups[i]["name"])
		c.at, c.values = append(c.at, x[i]), append(c.values, l.Values)
		if l.Published != nil {
			c.published = append(c.published, plotter.XY{X: x[i], Y: *l.Published})
		}
	}
	return curves, nil
}
