// Package page writes the comparison of policies as a page of HTML: tables that can be sorted, completion times by load, and what
// happened in a run. It is one file that needs no network. Most callers call
//
//	err := page.WriteFile("out.html", result)
//
// with the result of an experiment; a policy of one's own is drawn as any other. [Write] reads the JSON that experiments write, and adds what
// happened in one run. compare -report writes such a page in one command.
//
// Rows are sorted by a click on the name of a column; #sort=mean_jct_s in the address does it too, and #sort=-mean_jct_s turns the order
// around. What ran where is scrolled and zoomed, and #window=1000-2000 opens it at that window of seconds. All but sorting and
// zooming works without JavaScript. A page stays small: time series have some hundred pieces, each with its least, greatest and
// mean; of many nodes some are shown, and copies that are too short to be drawn apart become one grey block.
//
// # When not to use it
//
// For a table on a terminal call WriteTable of the Result. For pictures in a document there is the program examples/lab/figures.
//
// # Cost
//
// It reads each file once, and that of copies twice. Memory follows the jobs and what is shown of the copies.
//
// # Source
//
// It is this library's own.
package page

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"slices"
	"strings"

	"example.com/augur/internal/figure"
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

// A pageFigure is a chart of all policies, or a small one for each, or the sentence that says what is missing.
type pageFigure struct {
	ID, Title, Caption string
	Missing            string
	Chart              *webChart
	Strips             []webStrip
	UnitX              string // of strips
}

func (f *pageFigure) rank() int {
	if f.Chart == nil && f.Strips == nil {
		return 1
	}
	return 0
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

// Files are tables of one run of each policy, in CSV, as the program compare writes them. "" is none; the page then says what is missing.
type Files struct {
	Jobs   string // by compare -jobs-csv: distributions of completion times and slowdowns
	Usage  string // by compare -usage-csv: cores in use and jobs waiting over time
	Copies string // by compare -copies-csv: what ran where
}

// WriteFile writes the page of an experiment to a file.
func WriteFile(name string, r *experiment.Result) error {
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
	var load *webChart
	if o.Runs != nil {
		if load, err = p.byLoad(o); err != nil {
			return fmt.Errorf("page: %w", err)
		}
	}
	if err := p.distributions(files.Jobs); err != nil {
		return err
	}
	p.Figures = append(p.Figures, pageFigure{
		ID: "load", Title: "Completion time by load", Chart: load, Missing: "The runs are not of several loads: an experiment has Loads, and compare -loads 0.5,0.7,0.9.",
		Caption: "Mean completion time over the runs at each offered load. Bars are 95 % intervals; policies stand a little apart so that bars do not hide each other.",
	})
	if err := p.usage(files.Usage); err != nil {
		return err
	}
	if err := p.copies(files.Copies); err != nil {
		return err
	}
	// What is missing comes last.
	slices.SortStableFunc(p.Figures, func(a, b pageFigure) int { return cmp.Compare(a.rank(), b.rank()) })
	return pageTemplate.Execute(w, p)
}

// distributions adds the figures of the jobs of a file.
func (p *page) distributions(file string) error {
	missing := "There is no file of jobs: compare -jobs-csv writes one."
	for _, f := range []struct {
		id, title, x, caption string
		value                 func(jct, ideal float64) (float64, bool)
	}{
		{"jct", "Distribution of completion times", "completion time (s)", "Share of the jobs that were done within a time of their submission; further left is better.", func(jct, _ float64) (float64, bool) { return jct, true }},
		{"slowdown", "Distribution of slowdowns", "completion time / ideal time", "The completion time over the time that the job takes on an idle cluster without end; further left is better.", figure.Slowdown},
	} {
		var all figure.Samples
		if file != "" {
			var err error
			if all, err = figure.ReadJobs(file, f.value); err != nil {
				return err
			}
		}
		shown := pageFigure{ID: f.id, Title: f.title, Caption: f.caption, Missing: missing}
		if len(all) > 0 {
			shown.Chart = p.cdf(f.x, all)
		}
		p.Figures = append(p.Figures, shown)
	}
	return nil
}
