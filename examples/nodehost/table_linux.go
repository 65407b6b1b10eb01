package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/augur/examples/internal/cli"
)

// An outcome is what became of the jobs under one scheduler.
type outcome struct {
	name  string
	tasks []task
}

// writeTable writes completion times by kind of job, those of jobs that failed among them.
func writeTable(w io.Writer, outcomes []outcome) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "scheduler\tjobs\tnumber\tfailed\tmean s\tP50 s\tP90 s\tmax s\tprocessor s\tpreemptions")
	for _, o := range outcomes {
		kinds := map[string][]task{}
		for _, x := range o.tasks {
			kinds[x.kind] = append(kinds[x.kind], x)
		}
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			writeLine(t, o.name, kind, kinds[kind])
		}
		writeLine(t, o.name, "all", o.tasks)
	}
	return t.Flush()
}

func writeLine(w io.Writer, scheduler, kind string, tasks []task) {
	var times []float64
	sum, used, preemptions, failed := 0.0, time.Duration(0), 0, 0
	for _, x := range tasks {
		times = append(times, (x.ended - x.at).Seconds())
		sum += times[len(times)-1]
		used += x.used
		preemptions += x.preemptions
		if x.err != nil {
			failed++
		}
	}
	slices.Sort(times)
	n := len(times)
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%d\n", scheduler, kind, n, failed, sum/float64(n),
		cli.Quantile(times, 0.5), cli.Quantile(times, 0.9), times[n-1], used.Seconds(), preemptions)
}

// display returns what shows the tasks that have come and are not over, in place, if w is
// a terminal; else nil.
func display(w io.Writer, name string, cores int) func(frame) {
	out := cli.Terminal(w)
	if out == nil {
		return nil
	}
	return func(f frame) {
		var b strings.Builder
		b.WriteString("\x1b[H\x1b[J") // to the first place, and clear what follows
		suspended := 0
		for _, p := range f.processes {
			if p.Suspended {
				suspended++
			}
		}
		waiting := len(f.tasks) - f.coming - f.over - len(f.processes)
		fmt.Fprintf(&b, "%s on %d cores, %.1f s: %d jobs to come, %d wait, %d run, %d suspended, %d over\n\n", name, cores, f.now.Seconds(),
			f.coming, max(0, waiting), len(f.processes)-suspended, suspended, f.over)
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "job\tkind\tpid\tstate\tprocessor s\tpreemptions")
		for _, p := range f.processes {
			state := map[bool]string{false: "running", true: "suspended"}[p.Suspended]
			x := &f.tasks[p.Copy.Job-1]
			fmt.Fprintf(t, "%d\t%s\t%d\t%s\t%.2f\t%d\n", p.Copy.Job, x.kind, p.PID, state, p.Used.Seconds(), x.preemptions)
		}
		_ = t.Flush() // to a Builder, which cannot fail
		_, _ = io.WriteString(out, b.String())
	}
}
