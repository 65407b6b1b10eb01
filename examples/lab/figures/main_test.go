package main

import (
	"bytes"
	"encoding/xml"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/augur/examples/internal/cli"
)

// contents are the texts that each figure has besides its title and numbers: what the axes are, and
// in which unit, and what the legend or the labels of rows name.
var contents = map[string][]string{
	"jct-cdf":    {"job completion time (s), logarithmic", "share of jobs (%)", "fifo", "fair", "srpt"},
	"jct-load":   {"offered load (% of all cores)", "mean completion time (s), logarithmic", "over fifo, seed by seed", "fifo", "fair", "srpt", interval},
	"miss-slack": {"slack of deadlines (% of the runtime)", "deadlines missed (%)", "points above 3Sigma, seed by seed", "3Sigma", "PointPerfEst", "PointRealEst", "3SigmaNoDist", interval},
	"value-capacity-queues": {"capacity of the cluster (% of the original)", "value attained (% of all)", "points above PRIO, seed by seed",
		"PRIO", "Wing-Direct", "Wing-Agg", "Oracle Wing-Agg", interval, "hollow: published"},
}

func output(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), args, &out, &out)
	return out.String(), err
}

func TestAllFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("draws all figures, in one goroutine")
	}
	out, docs := t.TempDir(), t.TempDir()
	said, err := output(t, "-data", "testdata", "-results", filepath.Join("testdata", resultsFile), "-out", out, "-docs", docs)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures {
		if contents[f.name] == nil {
			t.Errorf("%s: the test does not know what is in it", f.name)
		}
		if !strings.Contains(said, filepath.Join(out, f.name)+".png") {
			t.Errorf("%s: the output does not name it:\n%s", f.name, said)
		}
		size(t, filepath.Join(out, f.name+".png"), 1600, 0)
		size(t, filepath.Join(docs, f.name+".png"), 1600, 880)
		svg, err := os.ReadFile(filepath.Join(out, f.name+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(svg, new(struct{})); err != nil {
			t.Errorf("%s.svg: %v", f.name, err)
		}
		for _, want := range contents[f.name] {
			if !bytes.Contains(svg, []byte(">"+want+"</text>")) {
				t.Errorf("%s.svg has no text %q", f.name, want)
			}
		}
	}
}

// The repository has the figures, in few bytes.
func TestFiguresOfReadme(t *testing.T) {
	for _, f := range figures {
		file := filepath.Join("..", "..", "..", "docs", "figures", f.name+".png")
		size(t, file, 1600, 880)
		if info, err := os.Stat(file); err == nil && info.Size() >= 100_000 {
			t.Errorf("%s has %d bytes, want less than 100,000", file, info.Size())
		}
	}
}

// size checks the size of an image; a height of 0 may be any that is not small.
func size(t *testing.T, file string, width, height int) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	image, err := png.Decode(f)
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return
	}
	if got := image.Bounds().Size(); got.X != width || height != 0 && got.Y != height || got.Y < 170 {
		t.Errorf("%s is of %v, want %d×%d", file, got, width, height)
	}
}

// The same data make the same bytes.
func TestSameBytes(t *testing.T) {
	for i, f := range figures {
		names := []string{"a.svg", "b.svg"}
		if i == 0 { // PNG is drawn alike, and takes longer
			names = append(names, "a.png", "b.png")
		}
		folder := t.TempDir()
		text := make([][]byte, len(names))
		for k, name := range names {
			file := filepath.Join(folder, name)
			if err := chartOf(t, &f).write(file); err != nil {
				t.Fatal(err)
			}
			var err error
			if text[k], err = os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
		}
		for k := 0; k < len(text); k += 2 {
			if !bytes.Equal(text[k], text[k+1]) {
				t.Errorf("%s differs when it is drawn again as %s", f.name, names[k+1])
			}
		}
	}
}

// An axis without a unit is none. Each figure is explained in README.md.
func TestUnits(t *testing.T) {
	unit := regexp.MustCompile(`.\(.+\)(, logarithmic)?$|, seed by seed`)
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures {
		for _, p := range chartOf(t, &f).panels {
			if !unit.MatchString(p.xLabel) {
				t.Errorf("%s: the x axis is %q, which has no unit in brackets", f.name, p.xLabel)
			}
			if !unit.MatchString(p.yLabel) {
				t.Errorf("%s: the y axis is %q, which has no unit in brackets", f.name, p.yLabel)
			}
		}
		if !bytes.Contains(readme, []byte("| "+f.name+" | "+f.file+" | ")) {
			t.Errorf("README.md does not tell what %s shows", f.name)
		}
	}
}

func chartOf(t *testing.T, f *picture) *chart {
	t.Helper()
	c, err := f.draw(filepath.Join("testdata", f.file))
	if err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	return c
}

// The results of reproduce that are kept have what figures are drawn from.
func TestKeptResults(t *testing.T) {
	file := filepath.Join("..", resultsFile)
	for _, f := range figures {
		if f.file == resultsFile {
			if _, err := f.draw(file); err != nil {
				t.Errorf("%s: %v", f.name, err)
			}
		}
	}
}

// Of the files of a folder, those figures are drawn that need no other.
func TestSomeFiles(t *testing.T) {
	data, out := t.TempDir(), t.TempDir()
	results := filepath.Join(data, resultsFile)
	put(t, data, "jobs.csv", "policy,outcome,submitted_s,ended_s,ideal_s\na,Done,0,10,5\nb,Done,0,20,5\nb,Failed,0,900,5\n")
	said, err := output(t, "-data", data, "-results", results, "-out", out)
	if err != nil {
		t.Fatal(err)
	}
	if want := "miss-slack: left out, there is no " + results; !strings.Contains(said, want) {
		t.Errorf("the output has no %q:\n%s", want, said)
	}
	put(t, data, resultsFile, gzipped(t, strings.ReplaceAll(lines, "wing", "other")))
	if said, err := output(t, "-data", data, "-out", out); err != nil || strings.Contains(said, "miss-slack") {
		t.Errorf("without -results: error %v, want nothing of the papers in\n%s", err, said)
	}
	said, err = output(t, "-data", data, "-results", results, "-out", out)
	if err != nil {
		t.Fatal(err)
	}
	if want := "value-capacity-queues: left out, there is nothing of wing in " + results; !strings.Contains(said, want) {
		t.Errorf("the output has no %q:\n%s", want, said)
	}
	var names []string
	files, _ := filepath.Glob(filepath.Join(out, "*.png"))
	for _, file := range files {
		names = append(names, filepath.Base(file))
	}
	if want := []string{"jct-cdf.png"}; !slices.Equal(names, want) {
		t.Errorf("drawn are %q, want %q", names, want)
	}
}

func put(t *testing.T, folder, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestBadFiles(t *testing.T) {
	const line = `{"paper": "threesigma", "item": "Fig. 7", "workload": "e2e, 600 jobs, slack 20 %", "metric": "deadlines missed under 3Sigma, %", "published": null, "values": [3]}`
	for _, test := range []struct{ name, file, text, want string }{
		{"no column", "jobs.csv", "policy,outcome,submitted_s,ended_s\na,Done,0,1\n", "jobs.csv: there is no column ideal_s"},
		{"no header", "jobs.csv", "", "jobs.csv: no header"},
		{"no number", "jobs.csv", "policy,outcome,submitted_s,ended_s,ideal_s\na,Done,0,1,1\na,Done,0,soon,1\n", `jobs.csv:3: column ended_s is "soon", want a number`},
		{"NaN", "jobs.csv", "policy,outcome,submitted_s,ended_s,ideal_s\na,Done,0,NaN,1\n", `jobs.csv:2: column ended_s is "NaN", want a number`},
		{"no rows", "jobs.csv", "policy,outcome,submitted_s,ended_s,ideal_s\n", "jobs.csv: there is nothing to draw"},
		{"ragged", "jobs.csv", "policy,outcome,submitted_s,ended_s,ideal_s\na,Done\n", "jobs.csv: record on line 2: wrong number of fields"},
		{"zero", sweepFile, `{"load": 0.5, "policies": [{"policy": "a", "mean_jct_s": 0}]}`, "sweep.json: field mean_jct_s of a is 0, want above 0"},
		{"of another kind", sweepFile, `{"load": "high", "policies": []}`, "sweep.json: json: cannot unmarshal string"},
		{"no load", sweepFile, `{"load": null, "policies": [{"policy": "a", "mean_jct_s": 1}]}`, "sweep.json: there is nothing to draw"},
		{"no gzip", resultsFile, line, resultsFile + ": gzip: invalid header"},
		{"no JSON", resultsFile, gzipped(t, "item workload\n"), resultsFile + ": object 1: invalid character"},
		{"no metric", resultsFile, gzipped(t, line+strings.Replace(line, `"metric"`, `"number"`, 1)), resultsFile + ": object 2: want fields paper, item and metric"},
		{"no such line", resultsFile, gzipped(t, strings.Replace(line, "Fig. 7", "Fig. 8", 1)), resultsFile + `: there is no line that is measured with field paper "threesigma", item one of ["Fig. 7"]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := t.TempDir()
			put(t, data, test.file, test.text)
			_, err := output(t, "-data", data, "-results", filepath.Join(data, resultsFile), "-out", t.TempDir())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestBadUse(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-nonsense"}, "not defined: -nonsense, want one of -data -docs -out -results"},
		{[]string{"x"}, `unexpected argument "x"`},
		{[]string{"-data", t.TempDir(), "-results", "none", "-out", t.TempDir()}, "which has no file of a figure"},
		{[]string{"-out", "main.go"}, "main.go"},
	} {
		_, err := output(t, test.args...)
		if err == nil || err == flag.ErrHelp || !strings.Contains(err.Error(), test.want) || cli.Status(err) != 2 {
			t.Errorf("%q: error %v, want one of usage with %q", test.args, err, test.want)
		}
	}
	if said, err := output(t, "-help"); err != flag.ErrHelp || !strings.Contains(said, "-data") {
		t.Errorf("-help: %v, %q; want the flags", err, said)
	}
}
