package trace_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// gang returns a job of that many tasks of one core, all of which run for the same time,
// with attributes that are given as name=value.
func gang(id policy.JobID, submitted policy.Duration, tasks int, runtime policy.Duration, attrs ...string) *workload.Job {
	runtimes := make([]policy.Duration, tasks)
	for i := range runtimes {
		runtimes[i] = runtime
	}
	j := jobtest.Bag(id, submitted, runtimes...)
	j.Stages[0].Gang = tasks > 1
	j.Attrs = nil
	for _, a := range attrs {
		name, value, _ := strings.Cut(a, "=")
		j.Attrs = append(j.Attrs, policy.Attr{Name: name, Value: value})
	}
	return j
}

// with changes a job, for tables.
func with(j *workload.Job, change func(j *workload.Job)) *workload.Job {
	change(j)
	return j
}

// swfText writes jobs as rows of an SWF file; a job of n tasks has n processors, which run for as long as the first.
func swfText(jobs []*workload.Job) []byte {
	var text bytes.Buffer
	fmt.Fprintln(&text, "; Version: 2.2\n; UnixStartTime: 749458803")
	for i, j := range jobs {
		fmt.Fprintf(&text, "%5d %8d     -1 %6d %4d     -1    -1 %4d     -1    -1 -1 %3d   1 %3d -1 -1 -1 -1\n",
			i, int64(j.Submitted.Seconds()), int64(j.Runtimes[0][0].Seconds()), min(j.Tasks(), 128), j.Tasks(), i%70, i%490)
	}
	return text.Bytes()
}

func TestSWF(t *testing.T) {
	const start = "; UnixStartTime: 749458803\n" // Friday, 1 October 1993, 07:00:03 UTC
	began := time.Date(1993, time.October, 1, 7, 0, 3, 0, time.UTC)
	for _, test := range []struct {
		name, text string
		want       []*workload.Job
	}{
		{"all is known", "71 10 5 20 4 19 300 8 60 1024 1 11 12 13 14 15 -1 -1\n", []*workload.Job{
			with(gang(1, 10*s, 4, 20*s, "user=11", "group=12", "program=13", "partition=15"), func(j *workload.Job) {
				j.Requested, j.Queue, j.Stages[0].Memory = 60*s, "14", 1<<20
			})}},
		{"nothing but what it needs", ";\n 71\t0 -1 7 1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1", []*workload.Job{gang(1, 0, 1, 7*s)}},
		{"requested processors", ";\n71 0 -1 7 -1 -1 -1 3 -1 -1 1 -1 -1 -1 -1 -1 -1 -1", []*workload.Job{gang(1, 0, 3, 7*s)}},
		{"allocated 0", ";\n71 0 -1 7 0 -1 -1 3 -1 -1 1 -1 -1 -1 -1 -1 -1 -1", []*workload.Job{gang(1, 0, 3, 7*s)}},
		{"run time 0", ";\n71 0 -1 0 2 -1 -1 -1 0 -1 1 -1 -1 -1 -1 -1 -1 -1", []*workload.Job{gang(1, 0, 2, 0)}},
		{"cancelled while it ran", ";\n71 0 -1 7 2 -1 -1 -1 -1 -1 5 -1 -1 -1 -1 -1 -1 -1", []*workload.Job{gang(1, 0, 2, 7*s)}},
		{"fractions", ";\n71 0.5 -1 7.25 2 -1 -1 -1 8.5 0.5 1 -1 -1 -1 -1 -1 -1 -1", []*workload.Job{
			with(gang(1, s/2, 2, 29*s/4), func(j *workload.Job) { j.Requested, j.Stages[0].Memory = 17*s/2, 512 })}},
		{"columns that are not read", "71 0 ? 7 1 ? ? 1 -1 -1 1 -1 -1 -1 -1 -1 ? ?", []*workload.Job{gang(1, 0, 1, 7*s)}},
		{"start", start + "71 3600 -1 7 1 -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1", []*workload.Job{
			with(gang(1, 3600*s, 1, 7*s, "user=1", "hour=8", "day=Friday"), func(j *workload.Job) { j.At = began.Add(time.Hour) })}},
		{"start 0 is not known", "; UnixStartTime: 0\n71 0 -1 7 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1", []*workload.Job{gang(1, 0, 1, 7*s)}},
		{"Unix seconds", "71 1356996147 0 7 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n72 1356996149 0 7 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1",
			[]*workload.Job{
				with(gang(1, 0, 1, 7*s, "hour=23", "day=Monday"), func(j *workload.Job) { j.At = time.Date(2012, time.December, 31, 23, 22, 27, 0, time.UTC) }),
				with(gang(2, 2*s, 1, 7*s, "hour=23", "day=Monday"), func(j *workload.Job) { j.At = time.Date(2012, time.December, 31, 23, 22, 29, 0, time.UTC) }),
			}},
		{"wagap", "71 20 0 7 4 1 1024 4 30 1001 1 62 1 1 -1 1 1 1 {9,9,8,8} q_1d 2:ppn=2:x86", []*workload.Job{
			with(gang(1, 20*s, 4, 7*s, "user=62"), func(j *workload.Job) {
				j.Requested, j.Queue, j.Stages[0].Memory = 30*s, "q_1d", 501
			})}},
	} {
		for _, j := range test.want {
			j.Name = fmt.Sprint(70 + j.ID)
		}
		t.Run(test.name, func(t *testing.T) {
			r := reader(t, []byte(test.text), trace.ReaderConfig{Format: "swf"})
			if diff := cmp.Diff(test.want, jobtest.All(t, r.Jobs())); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			wantSkipped(t, r, nil)
			if test.name == "columns that are not read" {
				return // auto wants numbers in all columns
			}
			auto := reader(t, []byte(test.text), trace.ReaderConfig{})
			if diff := cmp.Diff(test.want, jobtest.All(t, auto.Jobs())); diff != "" {
				t.Errorf("auto: -want +got:\n%s", diff)
			}
		})
	}
}

// Rows that are no error hold no job to run.
func TestSWFSkipped(t *testing.T) {
	text := strings.Join([]string{
		"1 0 -1 -1 4 -1 -1 4 -1 -1 0 -1 -1 -1 -1 -1 -1 -1",
		"2 0 -1 0 4 -1 -1 4 -1 -1 5 -1 -1 -1 -1 -1 -1 -1",
		"3 0 -1 -1359980917 4 -1 -1 4 -1 -1 1 -1 -1 -1 -1 -1 -1 -1",
		"4 0 -1 9 4 -1 -1 4 -1 -1 2 -1 -1 -1 -1 -1 -1 -1",
		"4 0 -1 9 4 -1 -1 4 -1 -1 3 -1 -1 -1 -1 -1 -1 -1",
		"4 0 -1 18 4 -1 -1 4 -1 -1 1 -1 -1 -1 -1 -1 -1 -1",
		"5 0 -1 9 -1 -1 -1 0 -1 -1 1 -1 -1 -1 -1 -1 -1 -1",
		"6 -1 -1 9 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1",
	}, "\n")
	for _, lenient := range []bool{false, true} {
		r := reader(t, []byte(text), trace.ReaderConfig{Lenient: lenient})
		if diff := cmp.Diff([]*workload.Job{with(gang(1, 0, 4, 18*s), func(j *workload.Job) { j.Name = "4" })}, jobtest.All(t, r.Jobs())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		want := map[string]int{
			"job did not run, or nobody knows for how long": 3,
			"job has no processors":                         1,
			"job has no submit time":                        1,
			"part of a job that has a row for the whole":    2,
		}
		wantSkipped(t, r, want)
		wantDropped(t, r, nil)
	}
}

func TestSWFBadRows(t *testing.T) {
	good, next := "1 0 -1 7 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1", "2 5 -1 7 2 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1"
	const columns = "columns are not 18, or 21 with the 19th in braces"
	row := func(column int, text string) string {
		cols := strings.Fields("9 5 -1 7 2 -1 -1 2 9 9 1 1 1 1 1 1 -1 -1")
		cols[column-1] = text
		return strings.Join(cols, " ")
	}
	badRows(t, trace.ReaderConfig{Format: "swf"}, good, 1, next, []badRow{
		{"17 columns", "1 0 -1 7 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1", columns, "got 17"},
		{"19 columns", next + " 1", columns, "got 19"},
		{"21 columns without braces", next + " 1 2 3", columns, "got 21"},
		{"22 columns", next + " {1} 2 3 4", columns, "got 22"},
		{"submit time is a word", row(2, "now"), "submit time is not a number", `"now"`},
		{"submit time in Unix seconds", row(2, "1356996147"), "submission is beyond 1e9 s", "1.356996147e+09 s"},
		{"submit time in milliseconds", row(2, "1356996147000"), "submit time is above 9e9 s", `"1356996147000"`},
		{"run time too long", row(4, "1000000001"), "run time is above 1e9 s", `"1000000001"`},
		{"processors", row(5, "1e9"), "number of processors is above 2^20", `"1e9"`},
		{"half a processor", row(5, "1.5"), "number of processors is not a whole number", `"1.5"`},
		{"requested processors", row(8, "1048577"), "number of requested processors is above 2^20", `"1048577"`},
		{"requested time", row(9, "2e9"), "requested time is above 1e9 s", `"2e9"`},
		{"requested memory", row(10, "1e16"), "requested memory is above 2^50", `"1e16"`},
		{"status", row(11, "ok"), "status is not a number", `"ok"`},
		{"not text", "\x00\xff", columns, "got 1"},
	})
}

// A file with a start of its own is moved to where it belongs, if the first one has one.
func TestSWFStarts(t *testing.T) {
	const row = "1 5 -1 7 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
	dir := saveFiles(t, map[string]string{"a": "; UnixStartTime: 1000\n" + row, "b": "; UnixStartTime: 1100\n" + row, "c": row})
	r, err := trace.Open(dir, trace.ReaderConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var submitted []float64
	for _, j := range jobtest.All(t, r.Jobs()) {
		submitted = append(submitted, j.Submitted.Seconds())
	}
	if diff := cmp.Diff([]float64{5, 105, 5}, submitted); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A row of .tr is not taken for one of SWF, and the other way round.
func TestSWFOrTR(t *testing.T) {
	tr := "0 15 1" + strings.Repeat(" 1", 15)
	for _, test := range []struct {
		text string
		jobs int
	}{
		{tr, 1},
		{"0 16 1" + strings.Repeat(" 1", 16), 1},
		{"0 30 1" + strings.Repeat(" 1", 30), 1},
		{"1 16 1" + strings.Repeat(" 2", 15), 0}, // status 2, which is skipped
		{"1 15 1" + strings.Repeat(" 2", 14) + " -1", 0},
	} {
		jobs := jobtest.All(t, reader(t, []byte(test.text), trace.ReaderConfig{}).Jobs())
		if len(jobs) != test.jobs {
			t.Errorf("%s: got %d jobs, want %d", test.text, len(jobs), test.jobs)
		}
	}
}

// The header tells the cluster, and remarks may follow the numbers. Of several files the largest counts.
func TestSWFCluster(t *testing.T) {
	const row = "1 5 -1 7 1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
	for _, test := range []struct {
		header       string
		nodes, cores int
	}{
		{"; Version: 2.2\n", 0, 0},
		{"; MaxNodes: 144\n; MaxProcs: 1152\n", 144, 8},
		{";MaxProcs:1152 (of 1160)\n;  MaxNodes:   144 (8 processors each)\n", 144, 8},
		{"; MaxProcs: 100\n", 100, 1},
		{"; MaxNodes: 64\n", 0, 0},
		{"; MaxNodes: 64\n; MaxProcs: 1,024\n", 64, 16},
		{"; MaxNodes: 30\n; MaxProcs: 100\n", 100, 1},
		{"; MaxNodes: 2\n; MaxProcs: 1\n", 1, 1},
		{"; MaxNodes: many\n; MaxProcs: -1\n", 0, 0},
		{"; MaxProcs: 1048577\n", 0, 0},
		{"; MaxProcs: 16\n" + row + "; MaxProcs: 32\n; MaxProcs: 8\n", 32, 1},
	} {
		r := reader(t, []byte(test.header+row), trace.ReaderConfig{})
		jobtest.All(t, r.Jobs())
		if nodes, cores := r.Cluster(); nodes != test.nodes || cores != test.cores {
			t.Errorf("%q: got %d nodes of %d cores, want %d of %d", test.header, nodes, cores, test.nodes, test.cores)
		}
	}
}

// A job waits for those before it in the file that its row names. Numbers are those of one file.
func TestSWFPreceding(t *testing.T) {
	row := func(number, status, preceding string) string {
		return number + " 5 -1 7 1 -1 -1 -1 -1 -1 " + status + " -1 -1 -1 -1 -1 " + preceding + " 60\n"
	}
	const unknown = "preceding job that is not among the jobs before"
	dir := saveFiles(t, map[string]string{
		"a": row("10", "1", "-1") + row("4", "1", "10") + row("20", "2", "10") + row("0", "1", "4&10&4") + row("6", "1", "20") + row("7", "1", "8&0") + row("8", "1", "8"),
		"b": row("9", "1", "10") + row("10", "1", "9"),
		"c": "1 5 0 7 1 1 1 1 9 64 1 3 1 1 -1 1 1 1 {9} q 1\n", // the dialect without preceding jobs
	})
	for _, test := range []struct {
		preceding bool
		want      [][]policy.JobID
		skipped   map[string]int
	}{
		{false, make([][]policy.JobID, 9), map[string]int{"part of a job that has a row for the whole": 1}},
		// 20 was left out, 8 comes later and then names itself, and the 10 of the other file is another job.
		{true, [][]policy.JobID{nil, {1}, {1, 2}, nil, {3}, nil, nil, {7}, nil}, map[string]int{"part of a job that has a row for the whole": 1, unknown: 4}},
	} {
		r, err := trace.Open(dir, trace.ReaderConfig{Preceding: test.preceding})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var got [][]policy.JobID
		for _, j := range jobtest.All(t, r.Jobs()) {
			var of []policy.JobID
			if j.Inputs != nil {
				if of = j.Inputs.Jobs; !j.Inputs.Wait {
					t.Errorf("job %s does not wait", j.Name)
				}
			}
			got = append(got, of)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Preceding %t: -want +got:\n%s", test.preceding, diff)
		}
		wantSkipped(t, r, test.skipped)
	}
	badRows(t, trace.ReaderConfig{Format: "swf", Preceding: true}, row("1", "1", "-1"), 1, row("2", "1", "1"), []badRow{
		{"a word", row("3", "1", "1&x"), "preceding job is not a number, or several joined by &", `"1&x"`},
	})
}
