// Package page writes a comparison of policies as a page of HTML: the verdict, sortable tables, ratios to the baseline for each seed or
// window and load, and charts of a run. It is one file that needs no network. Most callers call
//
//	err := page.WriteFile("out.html", result)
//
// with the result of an experiment. It is in the module of the examples: a program in a module of its own needs
//
//	go mod edit -replace example.com/augur=../augur -replace example.com/augur/examples=../augur/examples && go mod tidy
//
// [Write] reads the JSON that experiments write, and adds charts of one run. compare -report
// writes such a page in one command.
//
// A click on the name of a column sorts the rows; so does #sort=mean_jct_s in the address, and #sort=-mean_jct_s reverses the
// order. The chart of copies on nodes can be scrolled and zoomed, and #window=1000-2000 opens it at that window of seconds. All but
// sorting and zooming works without JavaScript. A page stays small: time series have some hundred pieces, each with its least,
// greatest and mean; of many nodes some are shown, and copies that are too short to see become one grey block.
//
// # When not to use it
//
// For a table on a terminal call WriteTable of the Result. For pictures in a document use the program examples/lab/figures.
//
// # Cost
//
// It reads each file once, and the file of copies twice. Memory grows with the jobs and the shown copies.
//
// # Source
//
// It is this library's own.
package page

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"strings"

	"example.com/augur/examples/internal/figure"
	"example.com/augur/policy/experiment"
)

//go:embed files
var pageFiles embed.FS

var pageTemplate = template.Must(template.New("page.html").Funcs(template.FuncMap{
	// The style and the script are ours, and stand in the page as they are.
	"style": func() (template.CSS, error) {
		b, err := pageFiles.ReadFile("files/page.css")
		return template.CSS(string(b) + looks()), err
	},
	"script": func() (template.JS, error) {
		b, err := pageFiles.ReadFile("files/page.js")
		return template.JS(b), err
	},
}).ParseFS(pageFiles, "files/page.html"))

// onDark are the colours of figure.Styles on a dark page.
var onDark = [len(figure.Styles)]uint32{0xffffff, 0xf0932e, 0x7fa8f5, 0x62bce8, 0xff8fa0, 0x4fd1ab, 0xc9a2f0, 0xf29bcd, 0xd3a672, 0xe6da5a, 0xb98ad0, 0x7fc98a}

// looks returns the style sheet of curves and of the tones of jobs.
func looks() string {
	var b strings.Builder
	for i, of := range figure.Styles {
		fmt.Fprintf(&b, ".s%d { --c: #%06x", i, of.Color)
		if of.Dashes != nil {
			fmt.Fprintf(&b, "; --d: %s", dashesOf(of.Dashes))
		}
		fmt.Fprintf(&b, " }\n@media screen and (prefers-color-scheme: dark) { .s%d { --c: #%06x } }\n", i, onDark[i])
	}
	return b.String()
}

// A page is a comparison as one HTML file.
type page struct {
	Title    string
	Facts    []string
	Policies []*pagePolicy
	Tables   []pageTable
	Figures  []pageFigure
	Gantt    gantt
}

// A pagePolicy has the same look in all figures.
type pagePolicy struct {
	Index int
	Name  string
	Style int  // of the curves
	Shown bool // before the reader chooses
}

// A pageFigure is a chart of all policies, or a small one for each.
type pageFigure struct {
	ID, Title, Caption string
	Chart              *webChart
	Strips             []webStrip
	UnitX              string // of strips
}

// shownAtFirst is how many policies figures show before the reader chooses.
const shownAtFirst = 6

// policy returns the policy of a name, a new one if there is none.
func (p *page) policy(name string) *pagePolicy {
	for _, q := range p.Policies {
		if q.Name == name {
			return q
		}
	}
	q := &pagePolicy{Index: len(p.Policies), Name: name, Style: len(p.Policies) % len(figure.Styles), Shown: len(p.Policies) < shownAtFirst}
	p.Policies = append(p.Policies, q)
	return q
}

// Files are tables of one run of each policy, in CSV, as the program compare writes them. "" is none.
type Files struct {
	Jobs   string // by compare -jobs-csv: distributions of completion times and slowdowns
	Usage  string // by compare -usage-csv: cores in use and jobs waiting over time
	Copies string // by compare -copies-csv: what ran where
}

// WriteFile writes the page of an experiment to a file. It returns an error if no run is done, or if a policy has failed in some cells.
func WriteFile(name string, r *experiment.Result) error {
	if len(r.Runs) == 0 {
		return errors.New("page: no run of the experiment is done, so there is nothing to draw: the error of experiment.Run says why")
	}
	var text bytes.Buffer
	if err := r.WriteJSON(&text); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	return errors.Join(Write(f, text.Bytes(), Files{}), f.Close())
}

// Write writes the page of a comparison, which is what WriteJSON of an experiment.Result writes, or compare -json. Figures of runs that
// are not named in the tables of the page are left out. An error names a field, or the row of a file, that is wrong.
func Write(w io.Writer, comparison []byte, files Files) error {
	p := new(page)
	o, err := figure.Parse("comparison", comparison)
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	p.tables(o)
	p.ratios(o, "mean", "Mean completion time", "mean_jct_s")
	p.ratios(o, "p99", "99th percentile of completion times", "p99_jct_s")
	if err := p.distributions(files.Jobs); err != nil {
		return err
	}
	if err := p.usage(files.Usage); err != nil {
		return err
	}
	if err := p.copies(files.Copies); err != nil {
		return err
	}
	return pageTemplate.Execute(w, p)
}

// distributions adds the figures of the jobs of a file.
func (p *page) distributions(file string) error {
	if file == "" {
		return nil
	}
	for _, f := range []struct {
		id, title, x, caption string
		value                 func(jct, ideal float64) (float64, bool)
	}{
		{"jct", "Distribution of completion times", "completion time (s)", "Share of jobs done within a time from submission; further left is better.", func(jct, _ float64) (float64, bool) { return jct, true }},
		{"slowdown", "Distribution of slowdowns", "completion time / ideal time", "Completion time over the job's time on an idle, unlimited cluster; further left is better.", figure.Slowdown},
	} {
		all, err := figure.ReadJobs(file, f.value)
		if err != nil {
			return err
		}
		if len(all) > 0 {
			p.Figures = append(p.Figures, pageFigure{ID: f.id, Title: f.title, Caption: f.caption, Chart: p.cdf(f.x, all)})
		}
	}
	return nil
}
