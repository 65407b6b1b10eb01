package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

var barsOf = regexp.MustCompile(`<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" [^>]*><title>([^<]*)<`)

// draw returns the bars of a chart, as text, and the whole chart, which must be sound XML.
func draw(t *testing.T, g *chart) (bars []string, svg string) {
	t.Helper()
	var b strings.Builder
	if err := g.writeSVG(&b); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
	}
	for _, m := range barsOf.FindAllStringSubmatch(b.String(), -1) {
		bars = append(bars, fmt.Sprintf("x %s y %s %s by %s: %s", m[1], m[2], m[3], m[4], m[5]))
	}
	return bars, b.String()
}

// A copy of two cores is cut where another holds the core between; one that follows gets the first free core.
func TestChart(t *testing.T) {
	at := func(seconds float64) policy.Time { return policy.Time(seconds * 1e9) }
	span := func(node policy.NodeID, job policy.JobID, cores int64, begin, end float64, how policy.EventKind) sim.Span {
		return sim.Span{Node: node, Copy: policy.Copy{Task: policy.Task{Job: job}}, Cores: cores, Begin: at(begin), End: at(end), How: how}
	}
	g := &chart{Title: "a<b & \x00", Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 3}), Begin: at(100), Spans: []sim.Span{
		span(1, 1, 1, 100, 110, policy.Finished), span(1, 3, 2, 110, 150, policy.Killed), // ends before job 2 does
		span(1, 2, 1, 100, 200, policy.Finished), span(1, 4, 1, 100, 110, policy.Suspended),
		span(2, 5, 2, 150, 200, policy.Finished), span(2, 6, 1, 160, 160, policy.Finished), span(9, 7, 1, 100, 200, policy.Finished),
	}}
	got, svg := draw(t, g)
	if want := []string{
		"x 70.00 y 52.00 100.00 by 14.00: 1/0/0#0 on node 1, 0 s to 10 s, Finished",
		"x 70.00 y 66.00 1000.00 by 14.00: 2/0/0#0 on node 1, 0 s to 100 s, Finished",
		"x 70.00 y 80.00 100.00 by 14.00: 4/0/0#0 on node 1, 0 s to 10 s, Suspended",
		"x 170.00 y 52.00 400.00 by 14.00: 3/0/0#0 on node 1, 10 s to 50 s, Killed",
		"x 170.00 y 80.00 400.00 by 14.00: 3/0/0#0 on node 1, 10 s to 50 s, Killed",
		"x 570.00 y 94.00 500.00 by 28.00: 5/0/0#0 on node 2, 50 s to 100 s, Finished",
	}; !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !strings.Contains(svg, "a&lt;b &amp; \uFFFD") || !strings.Contains(svg, ">node 2<") || !strings.Contains(svg, ">60<") {
		t.Errorf("the title, a node or the time axis is missing:\n%s", svg)
	}
	if got, _ := draw(t, &chart{}); len(got) != 0 {
		t.Errorf("of nothing got %v", got)
	}
}
