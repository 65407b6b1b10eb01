package main

import (
	"fmt"
	"io"
	"math"
	"slices"
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

// A line is a number of the paper and ours; its fields are the JSON that -json promises.
type line struct {
	Paper     string   `json:"paper"`
	Item      string   `json:"item"` // the table, figure or section
	Workload  string   `json:"workload"`
	Metric    string   `json:"metric"`
	Published *float64 `json:"published"`      // null: not given as a number
	Measured  *float64 `json:"measured"`       // the mean over the seeds
	Margin    *float64 `json:"margin"`         // half of its 95 % interval; null with one seed
	Note      string   `json:"note,omitempty"` // why the published number does not come out
	// Values are of each seed, with six digits; null where a seed has no such number. A ratio of sums over seeds is one value.
	Values []*float64 `json:"values"`
	// Unexplained is of jobs that reasons are not for, since they are for generated ones.
	Unexplained bool `json:"-"`
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

// off reports whether what was published does not come out: what was measured is further
// from it than the margin and than a tenth of it. One seed does not tell.
func (l *line) off() bool {
	if l.Published == nil || l.Measured == nil || l.Margin == nil {
		return false
	}
	return math.Abs(*l.Measured-*l.Published) > max(*l.Margin, math.Abs(*l.Published)/10)
}

// A reason says why what was published does not come out, for the lines of an item, of a
// workload or of all if it is empty, that have this in their metric.
type reason struct{ item, workload, metric, why string }

// explain notes at each line that does not come out the first reason that is for it.
func (r *report) explain(reasons []reason) {
	for i := range r.lines {
		l := &r.lines[i]
		if at := slices.IndexFunc(reasons, func(y reason) bool { return y.isFor(l) }); at >= 0 && l.off() && !l.Unexplained {
			l.Note = reasons[at].why
		}
	}
}

func (y *reason) isFor(l *line) bool {
	return y.item == l.Item && (y.workload == "" || y.workload == l.Workload) && strings.Contains(l.Metric, y.metric)
}

func (r *report) writeJSON(w io.Writer) error {
	return cli.WriteJSON(w, r.lines)
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
