package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"example.com/augur/examples/internal/cli"
)

// A report collects what was published and what was measured.
type report struct {
	paper string
	from  int // seeds that are left out, from 1
	lines []line
}

// A line is a number of the paper and ours; its fields are the JSON of the results.
type line struct {
	Paper     string   `json:"paper"`
	Item      string   `json:"item"` // the table, figure or section
	Workload  string   `json:"workload"`
	Metric    string   `json:"metric"`
	Published *float64 `json:"published"`      // null: not given as a number
	Measured  *float64 `json:"measured"`       // the mean over the seeds
	Margin    *float64 `json:"margin"`         // half of its 95 % interval; null with one seed
	Note      string   `json:"note,omitempty"` // why it could not be run
	// Values are of each seed, with six digits; null where a seed has no such number. A ratio of sums over seeds is one value.
	Values []*float64 `json:"values"`
}

// unpublished is what the paper does not give.
var unpublished = math.NaN()

// orUnpublished returns what a table of published numbers has, and unpublished if it has nothing.
func orUnpublished[K comparable](numbers map[K]float64, key K) float64 {
	if x, ok := numbers[key]; ok {
		return x
	}
	return unpublished
}

// add adds a line: measured has a number for each seed, NaN if it has none.
func (r *report) add(item, workload, metric string, published float64, measured []float64) {
	l := line{Paper: r.paper, Item: item, Workload: workload, Metric: metric, Published: cli.Some(published)}
	for _, x := range measured {
		digits, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
		l.Values = append(l.Values, cli.Some(digits))
	}
	l.measure()
	r.lines = append(r.lines, l)
}

// measure sets what is measured by the values.
func (l *line) measure() {
	var values []float64
	for _, x := range l.Values {
		if x != nil {
			values = append(values, *x)
		}
	}
	mean, margin := interval(values)
	l.Measured, l.Margin = cli.Some(mean), cli.Some(margin)
}

// writeClaims writes the claims of the paper that have a line, and what became of them.
func (r *report) writeClaims(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s claims\titem\tpublished\tmeasured\toutcome\n", papers[r.paper].title)
	for i := range papers[r.paper].claims {
		f, err := r.judge(&papers[r.paper].claims[i])
		if f.line == nil {
			continue
		}
		outcome := f.outcome()
		if err != nil {
			outcome = string(untested) + ": not all readings and controls were run"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", f.says, f.row.item, short(f.line.Published), f.line.text(), outcome)
	}
	fmt.Fprintln(t)
	return t.Flush()
}

func (r *report) writeTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "item\tworkload\tmetric\tpublished\tmeasured\t± 95 %\tratio\tnote")
	for _, l := range r.lines {
		ratio := math.NaN()
		if l.Published != nil && l.Measured != nil {
			ratio = *l.Measured / *l.Published
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.Item, l.Workload, l.Metric, short(l.Published), short(l.Measured), short(l.Margin), short(cli.Some(ratio)), l.Note)
	}
	return t.Flush()
}

// short writes a number with four digits; - if there is none.
func short(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.4g", *x)
}

// list writes numbers.
func list(values []*float64) string { return strings.Join(each(values, short), " ") }
