package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/sim"
)

// A watch follows a run for the files that tell of it as it goes, and for what is in use of what nodes offer.
type watch struct {
	*sim.Monitor
	inUse *cli.InUse // nil: nodes offer nothing but cores
	chart *chart     // nil: none is asked for
	file  *os.File   // that it is for
}

// watch returns what follows a run under a policy; nil if nothing asks for that.
func (out *outputs) watch(name string, in *input) *watch {
	w := &watch{Monitor: new(sim.Monitor), file: out.charts[name]}
	if out.usage != nil {
		w.Use = func(u sim.Use) { out.usage.Write(usageRow(name, u)) }
	}
	if w.file != nil {
		w.chart = &chart{Title: fmt.Sprintf("%s under %s", in.Name, name), Nodes: in.cluster, Begin: in.List[0].Submitted}
	}
	if len(in.cluster[0].Offers) > 0 {
		w.inUse = cli.NewInUse(in.List, in.List[0].Submitted)
	}
	if out.copies != nil || w.chart != nil || w.inUse != nil {
		w.Span = func(s sim.Span) {
			if w.inUse != nil {
				w.inUse.Add(s)
			}
			if out.copies != nil {
				out.copies.Write(copyRow(name, s))
			}
			if w.chart != nil {
				w.chart.Spans = append(w.chart.Spans, s)
			}
		}
	}
	if w.Use == nil && w.Span == nil {
		return nil
	}
	return w
}

// shares returns what was in use of what nodes offer, nil if they offer nothing. All spans have ended with the run.
func (w *watch) shares(in *input) map[string]float64 {
	if w == nil || w.inUse == nil {
		return nil
	}
	return w.inUse.Shares(in.cluster)
}

// end writes what is left when the run is over.
func (w *watch) end() error {
	w.Flush()
	if w.chart == nil {
		return nil
	}
	return w.chart.writeSVG(w.file)
}

// usageColumns are those of -usage-csv: a row for each instant at which a number has changed.
var usageColumns = []string{"policy", "time_s", "cores_in_use", "cores", "tasks_waiting", "jobs_waiting"}

func usageRow(name string, u sim.Use) []string {
	row := []string{name, cli.Exact(u.Time.Seconds())}
	for _, n := range []int64{u.InUse, u.Cores, u.Tasks, u.Jobs} {
		row = append(row, strconv.FormatInt(n, 10))
	}
	return row
}

// copyColumns are those of -copies-csv: a row for each span for which a copy held cores.
var copyColumns = []string{"policy", "node", "job", "stage", "task", "copy", "start_s", "end_s", "cores", "end"}

func copyRow(name string, s sim.Span) []string {
	row := []string{name}
	for _, n := range []uint32{uint32(s.Node), uint32(s.Copy.Job), s.Copy.Stage, s.Copy.Index, s.Copy.N} {
		row = append(row, strconv.FormatUint(uint64(n), 10))
	}
	return append(row, cli.Exact(s.Begin.Seconds()), cli.Exact(s.End.Seconds()), strconv.FormatInt(s.Cores, 10), strings.ToLower(s.How.String()))
}
