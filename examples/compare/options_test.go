package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// table reads a CSV file.
func table(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// swf writes a trace of jobs, each given as when it is submitted, how long it runs, on how many processors, and for how long
// it asked.
func swf(t *testing.T, jobs ...[4]int) string {
	t.Helper()
	return swfOf(t, "", jobs...)
}

// swfOf writes a file with a header.
func swfOf(t *testing.T, header string, jobs ...[4]int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(header)
	for i, j := range jobs {
		row := slices.Repeat([]string{"-1"}, 18)
		row[0] = strconv.Itoa(i + 101)
		for field, x := range map[int]int{1: j[0], 3: j[1], 4: j[2], 7: j[2], 8: j[3], 10: 1} {
			row[field] = strconv.Itoa(x)
		}
		b.WriteString(strings.Join(row, " ") + "\n")
	}
	path := filepath.Join(t.TempDir(), "small.swf")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Job 2 asked for 50 s and takes 60, so it ends then; job 3 starts that much earlier; job 1 asked for just what it takes.
func TestKillRequested(t *testing.T) {
	path := swf(t, [4]int{0, 100, 2, 100}, [4]int{1, 60, 2, 50}, [4]int{2, 30, 4, 60})
	args := []string{"-trace", path, "-nodes", "1", "-cores", "4", "-policies", "fifo,easy"}
	for _, test := range []struct {
		more     []string
		timedOut int
		makespan float64
	}{{nil, 0, 130}, {[]string{"-kill-requested"}, 1, 130}} {
		for _, p := range reportOf(t, slices.Concat(args, []string{"-json"}, test.more)...).Policies {
			if p.TimedOut != test.timedOut || p.Failed != test.timedOut || p.Done != 3-test.timedOut || p.Makespan != test.makespan {
				t.Errorf("%v, %s: %d done, %d failed, %d of these timed out, in %v s; want %d timed out, %v s", test.more, p.Policy, p.Done, p.Failed, p.TimedOut, p.Makespan, test.timedOut, test.makespan)
			}
		}
	}
	copies := filepath.Join(t.TempDir(), "copies.csv")
	out, _, err := compare(t, append(args, "-kill-requested", "-copies-csv", copies)...)
	if err != nil || !strings.Contains(out, "failed under fifo: 1 TimedOut") {
		t.Errorf("got error %v and %s, want what failed", err, out)
	}
	if rows := table(t, copies); !slices.ContainsFunc(rows, func(r []string) bool {
		return slices.Equal(r, []string{"easy", "1", "2", "0", "0", "0", "1", "51", "2", "killed"})
	}) {
		t.Errorf("no span of 1 s to 51 s that ends as killed: %v", rows)
	}
}

// Two jobs of two cores on two cores, one after the other; the files have a row for each change and each span.
func TestUsageAndCopies(t *testing.T) {
	dir := t.TempDir()
	usage, copies := filepath.Join(dir, "usage.csv"), filepath.Join(dir, "copies.csv")
	_, _, err := compare(t, "-trace", swf(t, [4]int{5, 10, 2, 10}, [4]int{7, 3, 2, 3}), "-nodes", "2", "-cores", "1", "-policies", "fifo,srpt", "-usage-csv", usage, "-copies-csv", copies)
	if err != nil {
		t.Fatal(err)
	}
	var wantUsage, wantCopies [][]string
	for _, p := range []string{"fifo", "srpt"} {
		for _, row := range []string{"5,2,2,0,0", "7,2,2,2,1", "15,2,2,0,0", "18,0,2,0,0"} {
			wantUsage = append(wantUsage, append([]string{p}, strings.Split(row, ",")...))
		}
		for _, row := range []string{"1,1,0,0,0,5,15,1,finished", "2,1,0,0,0,5,15,1,finished", "1,2,0,0,0,15,18,1,finished", "2,2,0,0,0,15,18,1,finished"} {
			wantCopies = append(wantCopies, append([]string{p}, strings.Split(row, ",")...))
		}
	}
	for path, want := range map[string][][]string{
		usage:  slices.Insert(wantUsage, 0, strings.Split("policy,time_s,cores_in_use,cores,tasks_waiting,jobs_waiting", ",")),
		copies: slices.Insert(wantCopies, 0, strings.Split("policy,node,job,stage,task,copy,start_s,end_s,cores,end", ",")),
	} {
		if diff := cmp.Diff(want, table(t, path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", filepath.Base(path), diff)
		}
	}
}

// Each policy has a chart, with a title and bars.
func TestGantt(t *testing.T) {
	dir := t.TempDir()
	path := swf(t, [4]int{5, 10, 2, 10}, [4]int{7, 3, 2, 3})
	args := []string{"-trace", path, "-nodes", "2", "-cores", "1", "-policies", "fifo,gs/pilots", "-gantt", filepath.Join(dir, "g.svg")}
	if _, _, err := compare(t, args...); err != nil {
		t.Fatal(err)
	}
	for file, title := range map[string]string{"g.fifo.svg": "small.swf under fifo", "g.gs_pilots.svg": "small.swf under gs/pilots"} {
		svg, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(svg), "<title>"); got != 4 || !strings.Contains(string(svg), title) {
			t.Errorf("%s has %d bars, want 4, and the title %q:\n%s", file, got, title, svg)
		}
	}
}

// The cluster is that of the log's header, unless a flag says something of it. A job that is wider gets as many nodes as it needs.
func TestOwnCluster(t *testing.T) {
	jobs := [][4]int{{0, 100, 4, 100}, {1, 60, 2, 50}, {20000, 30, 4, 60}}
	const note = "the cluster is the log's own, by its header: nodes "
	for _, test := range []struct {
		header       string
		args         string
		nodes, cores int // in all
		note         string
	}{
		{"; MaxNodes: 6\n; MaxProcs: 12\n", "", 6, 12, note + "6, cores of each 2; arrivals stay as they are"},
		{"; MaxProcs: 3\n", "", 4, 4, note + "3, cores of each 1, and 1 more that its widest job needs"},
		{"; MaxProcs: 12\n", "-partitions 13", 13, 13, note + "12"},
		{"; MaxProcs: 12\n", "-nodes 2", 2, 8, ""},
		{"; MaxProcs: 12\n", "-cores 2", 2, 4, ""},
		{"; MaxProcs: 12\n", "-load 0.5", 1, 4, ""},
		{"", "", 1, 4, ""},
	} {
		args := append([]string{"-trace", swfOf(t, test.header, jobs...), "-policies", "fifo"}, strings.Fields(test.args)...)
		r := reportOf(t, append(args, "-json")...)
		if r.Nodes != test.nodes || r.Cores != test.cores {
			t.Errorf("%q %s: %d nodes, %d cores, want %d and %d", test.header, test.args, r.Nodes, r.Cores, test.nodes, test.cores)
		}
		out, _, err := compare(t, args...)
		if has := strings.Contains(out, note); err != nil || has != (test.note != "") || !strings.Contains(out, test.note) {
			t.Errorf("%q %s: error %v, want the note %q in\n%s", test.header, test.args, err, test.note, out)
		}
	}
}

// What -trim cuts off is not counted, but has run, and is in the file of jobs.
func TestTrim(t *testing.T) {
	path := swf(t, [4]int{0, 10, 1, 10}, [4]int{0, 20, 1, 20}, [4]int{1, 30, 1, 30}, [4]int{2, 40, 1, 40}, [4]int{3, 50, 1, 50})
	jobs := filepath.Join(t.TempDir(), "jobs.csv")
	r := reportOf(t, "-trace", path, "-nodes", "1", "-cores", "1", "-policies", "fifo,srpt", "-trim", "0.2", "-json", "-jobs-csv", jobs)
	for _, p := range r.Policies { // jobs 2 to 4 end at 30, 60 and 100 s
		if p.Done != 3 || *p.MeanJCT != (30+59+98)/3.0 || p.Makespan != 150 || *p.Utilization != 1 {
			t.Errorf("%s: %d jobs, mean JCT %v, makespan %v, utilization %v", p.Policy, p.Done, *p.MeanJCT, p.Makespan, *p.Utilization)
		}
	}
	rows := table(t, jobs)
	if r.Trim != 0.2 || r.Jobs != 5 || len(rows) != 11 {
		t.Errorf("trim %v of %d jobs, %d rows, want 0.2 of 5 jobs and 11 rows", r.Trim, r.Jobs, len(rows))
	}
	for _, row := range rows[1:] {
		if id, _ := strconv.Atoi(row[1]); row[2] != strconv.Itoa(100+id) {
			t.Errorf("job %s has the name %s, want %d as in the log", row[1], row[2], 100+id)
		}
	}
}

// One command writes the page, of one run with what happened in it, and of several by load; the trace is not written over.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	args := []string{"-jobs", "60", "-policies", "fifo,srpt", "-report", filepath.Join(dir, "out.html")}
	for _, test := range []struct {
		more       []string
		have, lack string
	}{
		{nil, `<summary>srpt</summary>`, "-copies-csv"},
		{[]string{"-loads", "0.5,0.9", "-seeds", "1-2"}, "means over 2 seeds", "There is no file of loads"},
	} {
		if _, _, err := compare(t, append(args, test.more...)...); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(dir, "out.html"))
		if err != nil || !strings.Contains(string(page), test.have) || strings.Contains(string(page), test.lack) {
			t.Errorf("%v: error %v, a page of %d bytes, want %q and no %q", test.more, err, len(page), test.have, test.lack)
		}
	}
	trace := swf(t, [4]int{0, 10, 1, 10})
	if _, exit, err := compare(t, "-trace", trace, "-report", trace); exit != 2 || err == nil {
		t.Errorf("over the trace: status %d, error %v", exit, err)
	}
}

// A feature that no job has is named, and what the jobs have.
func TestLackingFeatures(t *testing.T) {
	args := []string{"-jobs", "60", "-policies", "fifo,sjf/history", "-features"}
	const usr = "no job has the attributes of usr, user+cpu, by which -features calls jobs similar; these jobs have user, program, hour, day, width"
	const paper = "no job has the attributes of paper, by which -features calls jobs similar; these jobs have user, program, hour, day, width; paper, 3Sigma's, is to be given alone"
	const note = "no job has the attributes of jobname, cpu, memory, by which"
	for features, want := range map[string]string{"usr,user,user+cpu,*": usr, "user,paper": paper, "user,log(hour)": "", "paper": ""} {
		for _, more := range []string{"", "-advise"} {
			out, exit, err := compare(t, slices.Concat(args, []string{features}, strings.Fields(more))...)
			if want != "" && (err == nil || err.Error() != want || exit != 2) || want == "" && (err != nil || strings.Contains(out, note) != (features == "paper")) {
				t.Errorf("%s %s: status %d, error %v, want %q; got\n%s", features, more, exit, err, want, out)
			}
		}
	}
}

// The table has eight columns, and with -wide all; both end with the verdict.
func TestWide(t *testing.T) {
	for _, many := range []string{"", "-seeds 1-2"} {
		args := append([]string{"-jobs", "60", "-policies", "fifo,easy,srpt"}, strings.Fields(many)...)
		narrow, _, err1 := compare(t, args...)
		wide, _, err2 := compare(t, append(args, "-wide")...)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		for _, out := range []string{narrow, wide} {
			if !strings.Contains(out, "\nLower is better") || !strings.Contains(out, "\neasy equals fifo here, since each task takes one core") {
				t.Errorf("%s: no verdict in\n%s", many, out)
			}
		}
		if strings.Contains(narrow, "to bound") || !strings.Contains(wide, "to bound") {
			t.Errorf("%s: the bound is to be in the second only:\n%s\n%s", many, narrow, wide)
		}
	}
}
