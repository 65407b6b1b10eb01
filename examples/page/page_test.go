package page

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/augur/examples/internal/figure"
	"example.com/augur/policy/experiment"
)

const (
	runJSON, sweepJSON           = "compare.json", "sweep.json"
	jobsCSV, usageCSV, copiesCSV = "jobs.csv", "usage.csv", "copies.csv"
)

// write writes the page of what is in a folder.
func write(data string) (string, error) {
	there := func(name string) string {
		if _, err := os.Stat(filepath.Join(data, name)); err != nil {
			return ""
		}
		return filepath.Join(data, name)
	}
	text, err := os.ReadFile(cmp.Or(there(runJSON), there(sweepJSON)))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = Write(&b, text, Files{Jobs: there(jobsCSV), Usage: there(usageCSV), Copies: there(copiesCSV)})
	return b.String(), err
}

// pageOf writes the page of a folder.
func pageOf(t *testing.T, data string) string {
	t.Helper()
	text, err := write(data)
	if err != nil {
		t.Fatal(err)
	}
	wellFormed(t, text)
	return text
}

// put writes a file.
func put(t *testing.T, folder, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

var (
	scripts = regexp.MustCompile(`(?s)<(script|style)>.*?</(script|style)>`)
	outside = regexp.MustCompile(`(?i)https?://|\bsrc=|url\(|@import|href="[^#]`)
)

// wellFormed checks that each element ends where it should, and that nothing comes from elsewhere.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	if found := outside.FindString(page); found != "" {
		t.Errorf("the page has %s, want all in itself", found)
	}
	d := xml.NewDecoder(strings.NewReader(scripts.ReplaceAllString(page, "")))
	d.Strict, d.Entity = false, xml.HTMLEntity
	var open []string
	ids := make(map[string]bool)
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			for _, a := range e.Attr {
				if a.Name.Local == "id" && ids[a.Value] {
					t.Errorf("two elements have the id %s", a.Value)
				} else if a.Name.Local == "id" {
					ids[a.Value] = true
				}
			}
			if e.Name.Local != "meta" && e.Name.Local != "input" {
				open = append(open, e.Name.Local)
			}
		case xml.EndElement:
			if n := len(open); n == 0 || open[n-1] != e.Name.Local {
				t.Fatalf("</%s> ends %q", e.Name.Local, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("%q do not end", open)
	}
}

func TestPage(t *testing.T) {
	same := func(s string) string { return s }
	run := pageOf(t, "testdata")
	sweep := pageOf(t, copyData(t, same, sweepJSON))
	for want, page := range map[string]string{
		`<figure id="jct">`: run, `<figure id="slowdown">`: run, `<figure id="mean">`: sweep, `<figure id="p99">`: sweep, "A dot is a seed": sweep, `class="level"`: run, "3 seeds of ": sweep, "over that of fifo": run, `<figure id="cores">`: run, `<figure id="waiting">`: run, `<section id="gantt">`: run,
		"at load 0.90, seed 1": run, "means over 3 seeds, with 95 % intervals": sweep, `data-key="mean_jct_s"`: run, `data-key="ratio"`: sweep, `data-sort="1">1.000<`: run,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	for _, policy := range []string{"fifo", "fair", "srpt"} {
		for page, want := range map[string][3]int{run: {6, 1, 1}, sweep: {2, 2, 0}} { // two ratios, two distributions and two strips, or two ratios by load
			if policy == "fifo" { // it is the line that the ratios are over
				want[0] -= 2
			}
			got := [3]int{strings.Count(page, "<title>"+policy+"</title>") + strings.Count(page, "<p>"+policy+"</p>"), strings.Count(page, `<th scope="row">`+policy+"</th>"),
				strings.Count(page, "<summary>"+policy+"</summary>")}
			if got != want {
				t.Errorf("%s is in %v figures, tables and charts of what ran where, want %v", policy, got, want)
			}
		}
	}
}

// A file that cannot be written is an error.
func TestWriteFile(t *testing.T) {
	if err := WriteFile(t.TempDir(), &experiment.Result{Runs: []*experiment.Report{{Policies: []experiment.Row{{Policy: "a"}}}}}); err == nil {
		t.Error("a directory was written")
	}
	if err := WriteFile(filepath.Join(t.TempDir(), "out.html"), new(experiment.Result)); err == nil || !strings.Contains(err.Error(), "no run of the experiment is done") {
		t.Errorf("no run is done: error %v", err)
	}
}

// Ratios are to the baseline.
func TestBaseline(t *testing.T) {
	page := pageOf(t, copyData(t, func(s string) string { return strings.Replace(s, "{", `{"baseline": "srpt",`, 1) }, sweepJSON))
	if !strings.Contains(page, "over srpt&#39;s") || strings.Contains(page, "over fifo&#39;s") {
		t.Error("the ratios are not to srpt")
	}
}

// copyData copies files of testdata, changed.
func copyData(t *testing.T, change func(string) string, files ...string) string {
	t.Helper()
	data := t.TempDir()
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		put(t, data, file, change(string(text)))
	}
	return data
}

// Names of policies, jobs and nodes are text, whatever is in them.
func TestPageOfBadNames(t *testing.T) {
	const bad = "</script></title><script>alert(1)</script><b onload='x'>&"
	inJSON, inCSV := strings.NewReplacer(`"fifo"`, `"`+bad+`"`), strings.NewReplacer("\nfifo,0,1,", "\n"+bad+","+bad+","+bad+",", "\nfifo,", "\n"+bad+",")
	data := copyData(t, func(s string) string { return inJSON.Replace(inCSV.Replace(s)) }, runJSON, jobsCSV, usageCSV, copiesCSV)
	page := pageOf(t, data)
	if strings.Count(page, "<script") != 1 || strings.Count(page, "</script") != 1 || strings.Contains(page, "<b ") {
		t.Error("a name is in the page as markup")
	}
	if got := strings.Count(page, "alert(1)"); got < 15 {
		t.Errorf("the name is in the page %d times, want it in all figures", got)
	}
	if !strings.Contains(page, "<title>job &lt;/script&gt;") {
		t.Error("no block is of the job with that name")
	}
}

// What is not given has neither a figure nor a word.
func TestPageOfFew(t *testing.T) {
	same := func(s string) string { return s }
	for file, figures := range map[string]int{runJSON: 2, sweepJSON: 2} {
		page := pageOf(t, copyData(t, same, file))
		if got := strings.Count(page, "<figure"); got != figures || strings.Contains(page, "compare -") || strings.Contains(page, "gantt\"") {
			t.Errorf("%s: %d figures, want %d, and no word of files", file, got, figures)
		}
	}
	one := `{"workload": "w", "jobs": 3, "policies": [{"policy": "a", "mean_jct_s": 1, "p99_jct_s": 2}]}`
	data := t.TempDir()
	put(t, data, runJSON, one)
	if page := pageOf(t, data); strings.Contains(page, "<figure") || strings.Contains(page, "Figures") {
		t.Error("one policy has a figure of ratios")
	}
}

// At one load, and at several in any order, each policy has a dot for each seed, a mean with its interval, and a place in columns; the
// baseline is the line at 1.
func TestRatios(t *testing.T) {
	run := func(load string, a, b, c float64) string {
		return fmt.Sprintf(`{"load": %s, "policies": [{"policy": "a", "mean_jct_s": %v}, {"policy": "b", "mean_jct_s": %v}, {"policy": "c", "mean_jct_s": %v}]}`, load, a, b, c)
	}
	for _, test := range []struct {
		name, text           string
		curves, points, dots int
		whiskers, ticks      int
	}{
		{"one load", `{"baseline": "b", "loads": [{"load": 0.9, "seeds": 3, "kind": "window"}], "runs": [` + run("0.9", 1, 2, 3) + "," + run("0.91", 2, 2, 3) + "," + run("0.88", 3, 2, 9) + "]}", 2, 1, 3, 1, 1},
		{"loads", `{"baseline": "b", "loads": [{"load": 0.9, "seeds": 2}, {"load": 0.5, "seeds": 2}], "runs": [` + strings.Join([]string{run("0.9", 1, 2, 3), run("0.9", 2, 2, 3), run("0.5", 5, 2, 3), run("0.5", 4, 2, 3)}, ",") + "]}", 2, 2, 4, 2, 2},
		{"no load", `{"baseline": "b", "loads": [{"load": null, "seeds": 1}], "runs": [` + run("null", 1, 2, 3) + "]}", 2, 1, 0, 0, 0},
		{"nothing done", `{"loads": [{"load": 0.9, "seeds": 1}], "runs": [` + run("0.9", 0, 2, 3) + "]}", 0, 0, 0, 0, 0},
	} {
		o, err := figure.Parse("", []byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		p := new(page)
		p.ratios(o, "mean", "Mean", "mean_jct_s")
		if test.curves == 0 {
			if p.Figures != nil {
				t.Errorf("%s: a figure %+v", test.name, p.Figures)
			}
			continue
		}
		c := p.Figures[0].Chart
		if len(c.Curves) != test.curves || len(c.XTicks) != test.ticks || c.Level == "" || c.YLabel[:len("ratio to b")] != "ratio to b" {
			t.Fatalf("%s: %+v", test.name, c)
		}
		first := c.Curves[0]
		if got := [3]int{strings.Count(first.Marks, "M"), strings.Count(first.Dots, "h0"), strings.Count(first.Whisk, "V")}; got != [3]int{test.points, test.dots, test.whiskers} || first.Policy.Name != "a" {
			t.Errorf("%s: %v points, dots and bars of %s, want %v", test.name, got, first.Policy.Name, [3]int{test.points, test.dots, test.whiskers})
		}
		for _, y := range regexp.MustCompile(`(?:M\S+ |V)(-?[0-9.]+)`).FindAllStringSubmatch(first.Dots+first.Whisk, -1) {
			var at float64
			if fmt.Sscan(y[1], &at); at < webTop || at > webBottom {
				t.Errorf("%s: %v is outside of the chart", test.name, y[1])
			}
		}
	}
}

func TestBadPages(t *testing.T) {
	for name, test := range map[string]struct{ file, text, want string }{
		"no JSON":        {runJSON, "policy", "comparison: invalid character"},
		"other JSON":     {runJSON, "{}", "neither policies nor runs"},
		"no name":        {runJSON, `{"policies": [{"mean_jct_s": 1}]}`, "want a name"},
		"a run too few":  {sweepJSON, `{"loads": [{"load": 0.5, "seeds": 2}], "runs": [{"policies": [{"policy": "a"}]}]}`, "1 runs of 2 seeds"},
		"other policies": {sweepJSON, `{"loads": [{"seeds": 2}], "runs": [{"policies": [{"policy": "a"}]}, {"policies": []}]}`, "runs of 1 and of 0 policies"},
		"no number":      {usageCSV, "policy,time_s,cores_in_use,cores,jobs_waiting\na,0,x,1,1\n", "usage.csv:2: column cores_in_use"},
		"back in time":   {usageCSV, "policy,time_s,cores_in_use,cores,jobs_waiting\na,5,1,1,1\na,4,1,1,1\n", "usage.csv:3: column time_s is 4"},
		"ends too early": {copiesCSV, "policy,node,job,stage,task,copy,start_s,end_s,cores,end\na,0,1,0,0,0,5,4,1,Finished\n", "copies.csv:2"},
		"no column":      {copiesCSV, "policy,node\na,1\n", "no column job"},
	} {
		t.Run(name, func(t *testing.T) {
			data := copyData(t, func(s string) string { return s }, runJSON)
			if test.file == sweepJSON {
				data = t.TempDir()
			}
			put(t, data, test.file, test.text)
			_, err := write(data)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

// Each bucket has the extremes and the mean of its time, whatever the instants are.
func TestBuckets(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 7))
		var s series
		now := 0.
		for range 1 + random.IntN(60) {
			s.at, s.value = append(s.at, now), append(s.value, float64(random.IntN(9)))
			now += float64(random.IntN(4)) // some instants have several values
		}
		to, n := s.at[len(s.at)-1]+1, 1+random.IntN(8)
		got := s.in(0, to, n)
		// By small steps, which instants of whole seconds are multiples of.
		const fine = 840
		for i, b := range got {
			least, most, sum := math.Inf(1), math.Inf(-1), 0.
			for k := range fine {
				at := (float64(i) + (float64(k)+0.5)/fine) * to / float64(n)
				last := 0
				for j := range s.at {
					if s.at[j] <= at {
						last = j
					}
				}
				least, most, sum = min(least, s.value[last]), max(most, s.value[last]), sum+s.value[last]
			}
			if b.least > least || b.most < most || math.Abs(b.mean-sum/fine) > 0.1 {
				t.Errorf("seed %d: bucket %d of %d is %+v, want %v to %v, mean %v", seed, i, n, b, least, most, sum/fine)
			}
		}
	}
}

// If there are many nodes and copies, only some are drawn. The longest copies stay apart.
func TestManyCopies(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var rows strings.Builder
	rows.WriteString("policy,node,job,stage,task,copy,start_s,end_s,cores,end\n")
	const nodes, each = 40, 1500
	for node := range nodes {
		for core := range 2 {
			at := 0.
			for i := range each {
				took := random.ExpFloat64()
				if i == each/2 {
					took = 5000 // one is long
				}
				fmt.Fprintf(&rows, "a,%d,%d,0,%d,0,%v,%v,1,Finished\n", node, i, core, at, at+took)
				at += took
			}
		}
	}
	data := t.TempDir()
	put(t, data, copiesCSV, rows.String())
	p := new(page)
	if err := p.copies(filepath.Join(data, copiesCSV)); err != nil {
		t.Fatal(err)
	}
	g := &p.Gantt
	c := g.Charts[0]
	if g.Of != nodes || g.Shown != ganttMinNodes || g.Lanes != 2*ganttMinNodes || len(c.Blocks) > ganttMaxBlocks || c.Merged == 0 {
		t.Errorf("%d of %d nodes, %d lanes, %d blocks, merged up to %v", g.Shown, g.Of, g.Lanes, len(c.Blocks), c.Merged)
	}
	long := 0
	for _, b := range c.Blocks {
		if strings.Contains(b.Title, fmt.Sprintf("job %d,", each/2)) {
			long++
		}
	}
	if long != 2*ganttMinNodes {
		t.Errorf("%d long copies stand apart, want %d", long, 2*ganttMinNodes)
	}
}

// What is merged is drawn on all lanes on which it ran, once, and gaps stay that are as long as a copy must be to stay apart.
func TestMerge(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 6))
		var list []*ran
		for range 1 + random.IntN(80) {
			start := float64(random.IntN(100))
			list = append(list, &ran{start: start, stop: start + float64(1+random.IntN(9)), cores: 1 + random.IntN(4)})
		}
		parts, lanes := stack(list)
		shorter := float64(2 + random.IntN(9))
		drawn := func(list []*ran) []string {
			at := make([]string, lanes)
			for lane := range at {
				line := []byte(strings.Repeat(" ", 110))
				for _, x := range list {
					for now := x.start; x.lane <= lane && lane < x.lane+x.tall && now < x.stop; now++ {
						if line[int(now)] != ' ' {
							t.Errorf("seed %d: two blocks on lane %d at %v", seed, lane, now)
						}
						line[int(now)] = '#'
					}
				}
				at[lane] = string(line)
			}
			return at
		}
		before, few := drawn(parts), merge(parts, shorter)
		for lane, after := range drawn(few) {
			busy, idle := 0, 0 // how long the lane has been empty before merging, and drawn as that after
			for now := range before[lane] {
				switch {
				case before[lane][now] == '#' && after[now] != '#':
					t.Errorf("seed %d: nothing on lane %d at %d, where a copy ran", seed, lane, now)
				case before[lane][now] == '#':
					busy, idle = 0, 0
				case after[now] == '#':
					busy++
				default:
					idle++
				}
				if busy >= int(shorter) || busy > 0 && idle > 0 {
					t.Errorf("seed %d: lane %d at %d is drawn as busy for %d s of a gap, want gaps of %v s empty", seed, lane, now, busy, shorter)
				}
			}
		}
		for _, x := range parts {
			if x.stop-x.start >= shorter && !slices.ContainsFunc(few, func(y *ran) bool {
				return y.start == x.start && y.stop == x.stop && y.lane == x.lane && y.tall == x.tall && y.merged == 0
			}) {
				t.Errorf("seed %d: %+v is not drawn as it is, though it takes %v s", seed, x, shorter)
			}
		}
	}
}

func TestEven(t *testing.T) {
	if even := even([]string{"0", "1", "2", "3", "4"}, 3); !slices.Equal(even, []string{"0", "2", "4"}) {
		t.Errorf("three of five are %q", even)
	}
}
