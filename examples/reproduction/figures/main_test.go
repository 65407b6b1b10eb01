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
// in which unit, and all that the legend or the labels of bars name.
var contents = map[string][]string{
	"jct-cdf":              {"job completion time (s)", "share of jobs (%)", "fifo", "fair", "srpt"},
	"slowdown-cdf":         {"slowdown (completion time / ideal time)", "share of jobs (%)", "fifo", "fair", "srpt"},
	"jct-load":             {"offered load (% of all cores)", "mean job completion time (s)", "fifo", "srpt", "least to greatest"},
	"error-cdf-features":   {"error of the prediction (% of the runtime)", "share of predicted jobs (%)", "chosen by score", "user", "program"},
	"error-cdf-estimators": {"error of the prediction (% of the runtime)", "share of predicted jobs (%)", "chosen by score", "by mean", "by median", "by rolling", "by recent mean", "median of distribution", "utility 1/t^2"},
	"miss-slack":           {"slack of deadlines (% of the runtime)", "deadlines missed (%)", "3Sigma", "PointPerfEst", "PointRealEst", "3SigmaNoDist", "3SigmaNoOE", "3SigmaNoAdapt", "95 % interval"},
	"value-capacity-queues": {"capacity of the cluster (% of the original)", "value attained (% of all)",
		"PRIO", "Wing-Direct", "Wing-Agg", "Wing-MIL", "MIL", "Oracle Wing-Agg", "95 % interval", "hollow: published"},
	"value-capacity-one-queue": {"capacity of the cluster (% of the original)", "value attained (% of all)",
		"PRIO", "Wing-Direct", "Wing-Agg", "Wing-MIL", "MIL", "Oracle Wing-Agg", "95 % interval", "hollow: published"},
	"pilots-time":          {"wide jobs so far (number)", "tasks that are pilots (%, mean of 100 jobs)", "2strace", "gtrace11", "gtrace19", "95 % interval", "hollow: published"},
	"published-slearn":     {"mean completion time over that of SLearn (ratio)", "published", "measured", "95 % interval", "FIFO, 2strace", "3SigmaTL, gtrace11", "LAS, gtrace19"},
	"published-kairos":     {"job completion time (s)", "published", "measured", "95 % interval", "FIFO, P50", "Big-C, largest", "Kairos, P99"},
	"published-hopper":     {"mean completion time of Hopper below that of others (%)", "published", "measured", "95 % interval", "SRPT with copies in turn, facebook", "DRF with copies after all, facebook, memory"},
	"published-wing":       {"value attained (% of all)", "published", "measured", "95 % interval", "PRIO at 60 %, queues of organisations", "Oracle Wing-Agg at 20 %, one queue"},
	"published-threesigma": {"deadlines missed (%)", "published", "measured", "95 % interval", "3Sigma, 600 jobs", "Prio, 600 jobs, over 2 hours"},
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
	out, small := t.TempDir(), t.TempDir()
	said, err := output(t, "-data", "testdata", "-out", out, "-small", small)
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
		size(t, filepath.Join(out, f.name+".png"), 800, 0)
		if f.readme {
			size(t, filepath.Join(small, f.name+".png"), 480, 300)
		}
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
	if files, _ := filepath.Glob(filepath.Join(small, "*")); len(files) != 4 {
		t.Errorf("-small draws %q, want 4 files", files)
	}
}

// The repository has the small figures, small enough for its README.
func TestSmallFigures(t *testing.T) {
	for _, f := range figures {
		if !f.readme {
			continue
		}
		file := filepath.Join("..", "..", "..", "docs", "figures", f.name+".png")
		size(t, file, 480, 300)
		if info, err := os.Stat(file); err == nil && info.Size() >= 40_000 {
			t.Errorf("%s has %d bytes, want less than 40,000", file, info.Size())
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
	if testing.Short() {
		t.Skip("draws all figures, in one goroutine")
	}
	a, b := t.TempDir(), t.TempDir()
	for _, out := range []string{a, b} {
		if _, err := output(t, "-data", "testdata", "-out", out); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(a, "*"))
	if err != nil || len(files) != 2*len(figures) {
		t.Fatalf("%d files, %v; want %d", len(files), err, 2*len(figures))
	}
	for _, file := range files {
		one, err1 := os.ReadFile(file)
		two, err2 := os.ReadFile(filepath.Join(b, filepath.Base(file)))
		if err1 != nil || err2 != nil || !bytes.Equal(one, two) {
			t.Errorf("%s differs when it is drawn again (%v, %v)", filepath.Base(file), err1, err2)
		}
	}
}

// An axis without a unit is none, but the one that names bars.
func TestUnits(t *testing.T) {
	unit := regexp.MustCompile(`.\(.+\)$`)
	for _, f := range figures {
		c := chartOf(t, &f)
		if !unit.MatchString(c.xLabel) {
			t.Errorf("%s: the x axis is %q, which has no unit in brackets", f.name, c.xLabel)
		}
		if !unit.MatchString(c.yLabel) && !strings.HasPrefix(f.name, "published-") {
			t.Errorf("%s: the y axis is %q, which has no unit in brackets", f.name, c.yLabel)
		}
	}
}

func chartOf(t *testing.T, f *figure) *chart {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", f.file))
	if err != nil {
		t.Fatal(err)
	}
	c, err := f.draw(files)
	if err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	return c
}

// Of the files of a folder, those figures are drawn that need no other.
func TestSomeFiles(t *testing.T) {
	data, out := t.TempDir(), t.TempDir()
	put(t, data, "jobs.csv", "policy,outcome,submitted_s,ended_s,ideal_s\na,Done,0,10,5\nb,Done,0,20,5\nb,Failed,0,900,5\n")
	said, err := output(t, "-data", data, "-out", out)
	if err != nil {
		t.Fatal(err)
	}
	if want := "miss-slack: left out, there is no reproduce.json in " + data; !strings.Contains(said, want) {
		t.Errorf("the output has no %q:\n%s", want, said)
	}
	put(t, data, "reproduce.json", strings.ReplaceAll(lines, "wing", "other"))
	said, err = output(t, "-data", data, "-out", out)
	if err != nil {
		t.Fatal(err)
	}
	if want := "published-wing: left out, there is nothing of wing in " + filepath.Join(data, "reproduce.json"); !strings.Contains(said, want) {
		t.Errorf("the output has no %q:\n%s", want, said)
	}
	var names []string
	files, _ := filepath.Glob(filepath.Join(out, "*.png"))
	for _, file := range files {
		names = append(names, filepath.Base(file))
	}
	if want := []string{"jct-cdf.png", "slowdown-cdf.png"}; !slices.Equal(names, want) {
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
	const line = `{"paper": "threesigma", "item": "Fig. 7", "workload": "e2e, 600 jobs, slack 20 %", "metric": "deadlines missed under 3Sigma, %", "published": null, "measured": 3, "margin": 1}`
	many := new(strings.Builder)
	many.WriteString("policy,outcome,submitted_s,ended_s,ideal_s\n")
	for i := range len(styles) + 1 {
		many.WriteString("p" + string(rune('a'+i)) + ",Done,0,1,1\n")
	}
	for _, test := range []struct{ name, file, text, want string }{
		{"no column", "jobs.csv", "policy,outcome,submitted_s,ended_s\na,Done,0,1\n", "jobs.csv: there is no column ideal_s"},
		{"no header", "jobs.csv", "", "jobs.csv: no header"},
		{"no number", "jobs.csv", "policy,outcome,submitted_s,ended_s,ideal_s\na,Done,0,1,1\na,Done,0,soon,1\n", `jobs.csv:3: column ended_s is "soon", want a number`},
		{"NaN", "jobs.csv", "policy,outcome,submitted_s,ended_s,ideal_s\na,Done,0,NaN,1\n", `jobs.csv:2: column ended_s is "NaN", want a number`},
		{"no rows", "jobs.csv", "policy,outcome,submitted_s,ended_s,ideal_s\n", "jobs.csv: there is nothing to draw"},
		{"too many", "jobs.csv", many.String(), "jobs.csv: there are 13 curves to draw, want at most 12"},
		{"ragged", "predictions.csv", "predictor,estimate_s,runtime_s\npaper,1\n", "predictions.csv: record on line 2: wrong number of fields"},
		{"no field", "load-1.json", `{"load": 0.5}`, "load-1.json: there is no field policies"},
		{"no inner field", "load-1.json", `{"load": 0.5, "policies": [{"policy": "a", "mean_jct_s": 1}, {"policy": "b"}]}`, "load-1.json: field policies: object 2: there is no field mean_jct_s"},
		{"zero", "load-1.json", `{"load": 0.5, "policies": [{"policy": "a", "mean_jct_s": 0}]}`, "load-1.json: field policies: field mean_jct_s is 0, want above 0"},
		{"of another kind", "load-1.json", `{"load": "high", "policies": []}`, "load-1.json: field load: json: cannot unmarshal string"},
		{"null", "load-1.json", `{"load": null, "policies": []}`, "load-1.json: field load is null"},
		{"no JSON", "reproduce.json", "item workload\n", "reproduce.json: invalid character"},
		{"no margin", "reproduce.json", "[" + line + "," + strings.Replace(line, `"margin"`, `"sigma"`, 1) + "]", "reproduce.json: object 2: there is no field margin"},
		{"no such line", "reproduce.json", "[" + strings.Replace(line, "Fig. 7", "Fig. 8", 1) + "]", `reproduce.json: there is no line that is measured with field paper "threesigma", item one of ["Fig. 7"]`},
		{"nothing published", "reproduce.json", "[" + line + "," + strings.NewReplacer("Fig. 7", "Fig. 5", ", slack 20 %", "").Replace(line) + "]", `reproduce.json: there is no line that is published with field paper "threesigma", item one of ["Fig. 5"]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := t.TempDir()
			put(t, data, test.file, test.text)
			_, err := output(t, "-data", data, "-out", t.TempDir())
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
		{[]string{"-nonsense"}, "not defined: -nonsense, want one of -data -out -report -small"},
		{[]string{"x"}, `unexpected argument "x"`},
		{[]string{"-data", t.TempDir(), "-out", t.TempDir()}, "which has no file that figures are drawn from"},
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
