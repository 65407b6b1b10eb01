package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/augur/examples/internal/cli"
)

// result is a row of the output; its fields are the JSON that -json promises. What does not
// apply is null. Errors are those over the runtime: (estimate - actual)/actual.
type result struct {
	Predictor string   `json:"predictor"`
	Jobs      int      `json:"jobs"`
	Predicted int      `json:"predicted"` // jobs for which there was an estimate
	Within2   *float64 `json:"within_factor_2"`
	P50Error  *float64 `json:"p50_error"` // of the absolute errors
	P90Error  *float64 `json:"p90_error"`
	P10Signed *float64 `json:"p10_signed_error"`
	P50Signed *float64 `json:"p50_signed_error"`
	P90Signed *float64 `json:"p90_signed_error"`
	NMAE      *float64 `json:"nmae"`
	// Coverages are the shares of the predictor's intervals that held; null in the rows of one feature or estimator.
	Coverage50 *float64 `json:"coverage_50"`
	Coverage80 *float64 `json:"coverage_80"`
	Coverage90 *float64 `json:"coverage_90"`
	P99        *float64 `json:"predict_p99_us"`  // of the predictor, whatever the row; null with -costs=false
	Bytes      *float64 `json:"bytes_per_value"` // the same
}

func newResult(r *run, row *row) result {
	signed := row.relative()
	absolute := absolute(signed)
	within, _ := row.within.Value()
	nmae, _ := row.nmae.Value()
	return result{
		Predictor: row.name, Jobs: row.jobs, Predicted: len(row.estimates),
		Within2:  cli.Some(within),
		P50Error: cli.Some(cli.Quantile(absolute, 0.5)), P90Error: cli.Some(cli.Quantile(absolute, 0.9)),
		P10Signed: cli.Some(cli.Quantile(signed, 0.1)), P50Signed: cli.Some(cli.Quantile(signed, 0.5)), P90Signed: cli.Some(cli.Quantile(signed, 0.9)),
		NMAE:       cli.Some(nmae),
		Coverage50: r.share(row, 0), Coverage80: r.share(row, 1), Coverage90: r.share(row, 2),
		P99: cli.Some(cli.Quantile(r.took, 0.99)), Bytes: cli.Some(r.bytes),
	}
}

func results(runs []*run) []result {
	list := []result{}
	for _, r := range runs {
		for _, row := range r.rows {
			if len(row.estimates) > 0 {
				list = append(list, newResult(r, row))
			}
		}
	}
	return list
}

// writeJSON writes the results, with what they cost or without, which differs from one time to the next.
func writeJSON(w io.Writer, runs []*run, costs bool) error {
	list := results(runs)
	if !costs {
		for i := range list {
			list[i].P99, list[i].Bytes = nil, nil
		}
	}
	return cli.WriteJSON(w, list)
}

// writeJobs writes to a file, but not over the trace, what was predicted for each job, by each way
// to get an estimate.
func writeJobs(name, trace string, runs []*run) (err error) {
	files := cli.Files{Inputs: []string{trace}}
	f, err := files.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	w := csv.NewWriter(f)
	w.Write([]string{"predictor", "job", "name", "estimate_s", "runtime_s"})
	for _, r := range runs {
		for _, row := range r.rows {
			for i, j := range row.predicted {
				w.Write([]string{row.name, strconv.FormatUint(uint64(j.ID), 10), j.Name, cli.Exact(row.estimates[i]), cli.Exact(row.actual[i])})
			}
		}
	}
	w.Flush()
	return w.Error()
}

func writeTable(w io.Writer, from *cli.Jobs, runs []*run) error {
	fmt.Fprintf(w, "%s: %d jobs\n", from.Name, len(from.List))
	for _, note := range from.Notes() {
		fmt.Fprintln(w, note)
	}
	for _, r := range runs {
		fmt.Fprintf(w, "%s: %s; %d values, %.0f B each; a prediction takes %.2f µs, P99 %.2f\n", r.name, strings.Join(r.predictor.Config().Features, " "),
			r.predictor.Values(), r.bytes, cli.Quantile(r.took, 0.5), cli.Quantile(r.took, 0.99))
		if missing := r.predictor.Missing(); len(missing) > 0 {
			fmt.Fprintf(w, "no job has %s\n", strings.Join(missing, " "))
		}
	}
	fmt.Fprintln(w)
	t := cli.NewTable(w)
	t.Row("predictor\tpredicted\twithin\t|error|\t\terror\t\t\tNMAE")
	t.Row("\t\tfactor 2\tP50\tP90\tP10\tP50\tP90")
	for _, x := range results(runs) {
		cells := []string{x.Predictor, strconv.Itoa(x.Predicted)}
		for _, f := range []*float64{x.Within2, x.P50Error, x.P90Error, x.P10Signed, x.P50Signed, x.P90Signed, x.NMAE} {
			cells = append(cells, cli.Percent(f))
		}
		t.Row(cells...)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return writeIntervals(w, runs)
}

// writeIntervals prints how often intervals held, and how wide they were.
func writeIntervals(w io.Writer, runs []*run) error {
	fmt.Fprintln(w, "\nintervals: coverage, and median width (upper over lower end)")
	t := cli.NewTable(w)
	t.Row("\tjobs\t50 %\twidth\t80 %\twidth\t90 %\twidth")
	for _, r := range runs {
		for _, kind := range []struct {
			name string
			of   *[len(levels)]coverage
		}{
			{fmt.Sprintf("after %d jobs", early), &r.held.first},
			{"all", &r.held.all},
			{"quantiles of the distribution", &r.quantiles.all},
		} {
			fmt.Fprintf(t, "%s: %s\t%d\t", r.name, kind.name, kind.of[0].made)
			for k := range levels {
				c := &kind.of[k]
				fmt.Fprintf(t, "%s\t%.3g\t", cli.Percent(cli.Some(c.share())), c.width())
			}
			fmt.Fprintln(t)
		}
	}
	return t.Flush()
}
