package main

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"example.com/augur/examples/internal/lanes"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// A chart is a Gantt chart of which copy held which cores, for runs that are small enough to look at. It has a lane for
// each core, and a bar for each [sim.Span], coloured by its job. The spans come from a [sim.Monitor] that watches the run.
// The simulator does not number the cores of a node, so the chart gives a copy the first free ones.
type chart struct {
	Title string
	Nodes []policy.Node // their cores are the lanes, in this order
	Begin policy.Time   // where the time axis begins, which it calls 0; it ends with the last span
	Spans []sim.Span    // of nodes in Nodes; others are left out
}

// The chart is drawn in these measures, in pixels.
const (
	ganttLeft, ganttTop, ganttWidth = 70.0, 52.0, 1000.0
	ganttHeight                     = 700.0 // of all lanes, within the limits of a lane
	ganttThin, ganttThick           = 3.0, 14.0
)

// ganttColours are light enough for black text, and jobs take turns with them.
var ganttColours = [...]string{"#7fb2e5", "#f2a65a", "#8fcf8f", "#e58f9c", "#c3a6e0", "#d9c25c", "#7fd0cf", "#c99b7a", "#f0a8d0", "#b0b0b0"}

// maxChartCores is the largest number of cores that a chart draws.
const maxChartCores = 4096

// writeSVG writes the chart as an SVG image.
func (g *chart) writeSVG(w io.Writer) error {
	first, all := make(map[policy.NodeID]int), 0 // the first lane of each node
	for i := range g.Nodes {
		first[g.Nodes[i].ID] = all
		all += int(g.Nodes[i].Cores)
	}
	bars, end := g.bars(), g.Begin.Add(1)
	for _, b := range bars {
		end = max(end, b.End)
	}
	scale := ganttWidth / end.Sub(g.Begin).Seconds()
	x := func(t policy.Time) float64 {
		return ganttLeft + float64(scale*min(max(t, g.Begin), end).Sub(g.Begin).Seconds())
	}
	lane := min(max(ganttHeight/float64(max(1, all)), ganttThin), ganttThick)
	y := func(k int) float64 { return ganttTop + float64(lane*float64(k)) }
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" font-size=\"11\">\n", ganttLeft+ganttWidth+30, y(all)+40)
	fmt.Fprintf(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%.0f\" y=\"18\" font-size=\"14\">%s</text>\n", ganttLeft, escape(g.Title))
	at := ganttLeft
	for _, how := range [...]policy.EventKind{policy.Finished, policy.Suspended, policy.Killed} {
		fmt.Fprintf(out, "<rect x=\"%.0f\" y=\"28\" width=\"22\" height=\"11\" %s/><text x=\"%.0f\" y=\"38\">%s</text>\n", at, look(0, how), at+27,
			map[policy.EventKind]string{policy.Finished: "finished", policy.Suspended: "suspended", policy.Killed: "killed, failed or lost; the number is the job's, and so is the colour"}[how])
		at += 105
	}
	under := -math.MaxFloat64 // the last label of a node
	for i := range g.Nodes {
		top := y(first[g.Nodes[i].ID])
		fmt.Fprintf(out, "<path d=\"M%.0f %.2fh%.0f\" stroke=\"#ddd\"/>\n", ganttLeft, top, ganttWidth)
		if top-under >= 11 {
			fmt.Fprintf(out, "<text x=\"%.0f\" y=\"%.2f\" text-anchor=\"end\">node %d</text>\n", ganttLeft-6, top+10, g.Nodes[i].ID)
			under = top
		}
	}
	for _, b := range bars {
		left, right, top, height := x(b.Begin), x(b.End), y(first[b.Node]+b.lane), float64(lane*float64(b.lanes))
		fmt.Fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" %s><title>%v on node %d, %v s to %v s, %v</title></rect>\n",
			left, top, right-left, height, look(b.Copy.Job, b.How), b.Copy, b.Node, b.Begin.Sub(g.Begin).Seconds(), b.End.Sub(g.Begin).Seconds(), b.How)
		if text := strconv.FormatUint(uint64(b.Copy.Job), 10); right-left >= float64(7*len(text)+4) && height >= 9 {
			fmt.Fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"9\" text-anchor=\"middle\" pointer-events=\"none\">%s</text>\n", (left+right)/2, top+height/2+3, text)
		}
	}
	bottom := y(all)
	fmt.Fprintf(out, "<path d=\"M%.0f %.2fh%.0f\" stroke=\"black\"/>\n", ganttLeft, bottom, ganttWidth)
	to := end.Sub(g.Begin).Seconds()
	step := roundStep(to / 8)
	for k := range 10 {
		tick := float64(float64(k) * step)
		if tick > to {
			break
		}
		px := ganttLeft + float64(scale*tick)
		fmt.Fprintf(out, "<path d=\"M%.2f %.2fv5\" stroke=\"black\"/><text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%.10g</text>\n", px, bottom, px, bottom+18, tick)
	}
	fmt.Fprintf(out, "<text x=\"%.0f\" y=\"%.2f\" text-anchor=\"middle\">time (s)</text>\n</svg>\n", ganttLeft+ganttWidth/2, bottom+34)
	return out.Flush()
}

// A bar is a part of a span on neighbouring lanes. Its first lane is counted from the node's first lane.
type bar struct {
	sim.Span
	lane, lanes int
}

// bars gives the spans lanes of their nodes.
func (g *chart) bars() (bars []bar) {
	of := make(map[policy.NodeID][]sim.Span)
	for _, s := range g.Spans {
		of[s.Node] = append(of[s.Node], s)
	}
	for i := range g.Nodes {
		spans := of[g.Nodes[i].ID]
		list, _ := lanes.Of(int(g.Nodes[i].Cores), len(spans), func(i int) (begin, end policy.Time, cores int64) {
			return spans[i].Begin, spans[i].End, spans[i].Cores
		})
		for _, b := range list {
			bars = append(bars, bar{spans[b.Span], b.Lane, b.Lanes})
		}
	}
	return bars
}

// look returns the attributes of a bar.
func look(job policy.JobID, how policy.EventKind) string {
	fill := ganttColours[job%policy.JobID(len(ganttColours))]
	switch how {
	case policy.Finished:
		return fmt.Sprintf("fill=%q stroke=\"#555\" stroke-width=\".4\"", fill)
	case policy.Suspended:
		return fmt.Sprintf("fill=%q stroke=\"black\" stroke-width=\"1\" stroke-dasharray=\"3 2\"", fill)
	}
	return fmt.Sprintf("fill=%q fill-opacity=\".35\" stroke=\"#c00\" stroke-width=\".8\"", fill)
}

// roundStep returns the least of 1, 2 and 5 times a power of ten that is not below x.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range [...]float64{1, 2, 5} {
		if k*power >= x {
			return k * power
		}
	}
	return 10 * power
}

// escape escapes a text for XML.
func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // writes to b cannot fail
	return b.String()
}
