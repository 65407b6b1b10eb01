package main

import (
	"math"
	"regexp"
)

// interval is what margins of reproduce are.
const interval = "95 % interval"

var slackQuery = query{
	"threesigma", []string{"Fig. 7"},
	regexp.MustCompile(`slack (?P<x>\d+) %$`),
	regexp.MustCompile(`^deadlines missed under (?P<name>\w+), %$`),
	true,
}

// missSlack draws Fig. 7 of 3Sigma's.
func missSlack(files []string) (*chart, error) {
	curves, err := slackQuery.curves(files[0])
	if err != nil {
		return nil, err
	}
	c := newChart("3Sigma: deadlines missed by slack", "slack of deadlines (% of the runtime)", "deadlines missed (%)")
	if err := c.drawCurves(files[0], curves, interval, 1.6); err != nil {
		return nil, err
	}
	c.fromZero(10)
	c.X.Min, c.X.Max = 0, c.X.Max+10
	return c, nil
}

// Wing's Fig. 10 to 12, of policies that are not oracles, and of one that is.
var (
	queuesQuery = query{
		"wing", []string{"Fig. 10", "Fig. 11"},
		regexp.MustCompile(`^lake, queues of organisations$`),
		attained,
		true,
	}
	oneQueueQuery = query{
		"wing", []string{"Fig. 12"},
		regexp.MustCompile(`^lake, one queue$`),
		attained,
		true,
	}
	attained = regexp.MustCompile(`^value under (?P<name>PRIO|MIL|Wing-\w+|Oracle Wing-Agg) at (?P<x>\d+) % capacity, %$`)
)

func valueInQueues(files []string) (*chart, error) {
	return valueCapacity(files[0], "Wing: value by capacity, queues of organisations", &queuesQuery)
}

func valueInOne(files []string) (*chart, error) {
	return valueCapacity(files[0], "Wing: value by capacity, one queue for all", &oneQueueQuery)
}

func valueCapacity(file, title string, q *query) (*chart, error) {
	curves, err := q.curves(file)
	if err != nil {
		return nil, err
	}
	c := newChart(title, "capacity of the cluster (% of the original)", "value attained (% of all)")
	if err := c.drawCurves(file, curves, interval, 0.85); err != nil {
		return nil, err
	}
	c.Y.Min, c.Y.Max = 0, 102
	c.Y.Tick.Marker = linear(0, 100, 20)
	c.X.Min, c.X.Max = c.X.Min-4, c.X.Max+4
	return c, nil
}

var pilotsQuery = query{
	"slearn", []string{"Fig. 5"},
	regexp.MustCompile(`^(?P<name>.+)$`),
	regexp.MustCompile(`^ratio of wide jobs \d+-(?P<x>\d+), %$`),
	false,
}

// pilotsTime draws Fig. 5 of SLearn's.
func pilotsTime(files []string) (*chart, error) {
	curves, err := pilotsQuery.curves(files[0])
	if err != nil {
		return nil, err
	}
	c := newChart("SLearn: share of pilots as time goes on", "wide jobs so far (number)", "tasks that are pilots (%, mean of 100 jobs)")
	if err := c.drawCurves(files[0], curves, interval, 12); err != nil {
		return nil, err
	}
	c.fromZero(1)
	c.X.Min, c.X.Max = 0, c.X.Max+40
	c.X.Tick.Marker = linear(0, c.X.Max, 200)
	return c, nil
}

// fromZero lets the y axis go from 0 to a multiple of a step that is above all there is.
func (c *chart) fromZero(step float64) {
	c.Y.Min, c.Y.Max = 0, step*math.Ceil(c.Y.Max/step)
	c.Y.Tick.Marker = linear(0, c.Y.Max, step)
}
