package main

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/augur/examples/internal/cli"
)

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.New("page.html").Funcs(template.FuncMap{
	// The style and the script are ours, and stand in the page as they are.
	"style": func() (template.CSS, error) {
		b, err := pageFiles.ReadFile("page/page.css")
		return template.CSS(string(b) + looks()), err
	},
	"script": func() (template.JS, error) {
		b, err := pageFiles.ReadFile("page/page.js")
		return template.JS(b), err
	},
}).ParseFS(pageFiles, "page/page.html"))

// onDark are the colours of [styles] on a dark page.
var onDark = [len(styles)]uint32{0xffffff, 0xf0932e, 0x7fa8f5, 0x62bce8, 0xff8fa0, 0x4fd1ab, 0xc9a2f0, 0xf29bcd, 0xd3a672, 0xe6da5a, 0xb98ad0, 0x7fc98a}

// looks returns the style sheet of curves and of the tones of jobs.
func looks() string {
	var b strings.Builder
	for i := range styles {
		c := styles[i].color
		fmt.Fprintf(&b, ".s%d { --c: #%02x%02x%02x", i, c.R, c.G, c.B)
		if styles[i].dashes != nil {
			fmt.Fprintf(&b, "; --d: %s", dashesOf(&styles[i]))
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
	q := &pagePolicy{Index: len(p.Policies), Name: name, Style: len(p.Policies) % len(styles), Shown: len(p.Policies) < shownAtFirst}
	p.Policies = append(p.Policies, q)
	return q
}

// Inputs of a page, in the folder of -data. The first two are either a run or a sweep.
const (
	pageRun    = "compare.json"
	pageSweep  = "sweep.json"
	pageJobs   = "jobs.csv"
	pageUsage  = "usage.csv"
	pageCopies = "copies.csv"
)

// writePage writes the page of what compare wrote into a folder.
func writePage(data, file string) error {
	p := new(page)
	var load *webChart
	for _, name := range []string{pageRun, pageSweep} {
		o, err := readComparison(filepath.Join(data, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		p.tables(o)
		if o.Runs != nil {
			if load, err = p.byLoad(o); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if p.Tables == nil {
		return cli.Usagef("-data is %s, which has neither %s nor %s; write one by compare -json", data, pageRun, pageSweep)
	}
	if err := p.distributions(filepath.Join(data, pageJobs)); err != nil {
		return err
	}
	p.Figures = append(p.Figures, pageFigure{
		ID: "load", Title: "Completion time by load", Chart: load, Missing: "The JSON is not of several loads: compare -seeds 1-10 -loads 0.5,0.7,0.9 -json writes such.",
		Caption: "Mean completion time over the seeds at each offered load. Bars are 95 % intervals; policies stand a little apart so that bars do not hide each other.",
	})
	if err := p.usage(filepath.Join(data, pageUsage)); err != nil {
		return err
	}
	if err := p.copies(filepath.Join(data, pageCopies)); err != nil {
		return err
	}
	// What is missing comes last.
	slices.SortStableFunc(p.Figures, func(a, b pageFigure) int { return cmp.Compare(a.rank(), b.rank()) })
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// readIfThere is readTable, but a file that is not there has no rows.
func readIfThere(file string, columns []string, use func(r *row) error) error {
	if err := readTable(file, columns, use); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// numbers returns the numbers in columns from one on.
func (r *row) numbers(from int, to []float64) (err error) {
	for i := range to {
		if to[i], err = r.number(from + i); err != nil {
			return err
		}
	}
	return nil
}

// distributions adds the figures of the jobs of a file.
func (p *page) distributions(file string) error {
	missing := "There is no " + pageJobs + ": compare -jobs-csv writes it."
	for _, f := range []struct {
		id, title, x, caption string
		value                 func(jct, ideal float64) (float64, bool)
	}{
		{"jct", "Distribution of completion times", "completion time (s)", "Share of the jobs that were done within a time of their submission; further left is better.", func(jct, _ float64) (float64, bool) { return jct, true }},
		{"slowdown", "Distribution of slowdowns", "completion time / ideal time", "The completion time over the time that the job takes on an idle cluster without end; further left is better.", slowdown},
	} {
		var all samples
		if there(file) {
			var err error
			if all, err = readJobs(file, f.value); err != nil {
				return err
			}
		}
		figure := pageFigure{ID: f.id, Title: f.title, Caption: f.caption, Missing: missing}
		if len(all) > 0 {
			figure.Chart = p.cdf(f.x, all)
		}
		p.Figures = append(p.Figures, figure)
	}
	return nil
}
