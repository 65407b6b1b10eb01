package main

import (
	"math"
	"regexp"
)

var slackQuery = query{
	"threesigma", []string{"Fig. 7"},
	regexp.MustCompile(`slack (?P<x>\d+) %$`),
	regexp.MustCompile(`^deadlines missed under (?P<name>3Sigma|3SigmaNoDist|PointPerfEst|PointRealEst), %$`),
}

// missSlack draws Fig. 7 of 3Sigma's.
func missSlack(file string) (*chart, error) {
	curves, err := slackQuery.curves(file)
	if err != nil {
		return nil, err
	}
	c := newChart("3Sigma: deadlines missed by slack")
	levels, differences, err := c.pairs(file, curves, "slack of deadlines (% of the runtime)", "deadlines missed (%)", 0, 100, 3, false)
	if err != nil {
		return nil, err
	}
	levels.fromZero(10)
	differences.zero()
	for _, p := range c.panels {
		p.X.Min, p.X.Max = 0, p.X.Max+10
	}
	return c, nil
}

var queuesQuery = query{
	"wing", []string{"Fig. 10", "Fig. 11"},
	regexp.MustCompile(`^lake, queues of organisations$`),
	regexp.MustCompile(`^value under (?P<name>PRIO|Wing-Direct|Wing-Agg|Oracle Wing-Agg) at (?P<x>\d+) % capacity, %$`),
}

// valueCapacity draws Fig. 10 and 11 of Wing's.
func valueCapacity(file string) (*chart, error) {
	curves, err := queuesQuery.curves(file)
	if err != nil {
		return nil, err
	}
	c := newChart("Wing: value by capacity, queues of organisations")
	levels, differences, err := c.pairs(file, curves, "capacity of the cluster (% of the original)", "value attained (% of all)", 0, 100, 1.6, false)
	if err != nil {
		return nil, err
	}
	levels.Y.Min, levels.Y.Max = 0, 102
	levels.Y.Tick.Marker = linear(0, 100, 20)
	differences.zero()
	for _, p := range c.panels {
		p.X.Min, p.X.Max = p.X.Min-4, p.X.Max+4
	}
	return c, nil
}

// fromZero lets the y axis go from 0 to a multiple of a step that is above all there is.
func (p *panel) fromZero(step float64) {
	p.Y.Min, p.Y.Max = 0, step*math.Ceil(p.Y.Max/step)
	p.Y.Tick.Marker = linear(0, p.Y.Max, step)
}

// zero draws the line of no difference in a panel, if there is one.
func (p *panel) zero() {
	if p == nil {
		return
	}
	p.Y.Min, p.Y.Max = min(p.Y.Min, 0), max(p.Y.Max, 0)
	room := 0.04 * (p.Y.Max - p.Y.Min)
	p.Y.Min, p.Y.Max = p.Y.Min-room, p.Y.Max+room
	p.Y.Tick.Marker = linearTicks{}
	p.level(0)
}
