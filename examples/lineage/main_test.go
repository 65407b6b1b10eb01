package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag/value"
	"example.com/augur/examples/internal/cli"
)

var update = flag.Bool("update", false, "write the files of testdata anew")

// output runs the program on some standard input.
func lineage(t testing.TB, stdin string, args ...string) (string, error) {
	t.Helper()
	var stdout bytes.Buffer
	err := run(t.Context(), args, strings.NewReader(stdin), &stdout, io.Discard)
	return stdout.String(), err
}

func mustLineage(t testing.TB, stdin string, args ...string) string {
	t.Helper()
	out, err := lineage(t, stdin, args...)
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return out
}

// told is what -json tells.
func told(t testing.TB, stdin string, args ...string) *output {
	t.Helper()
	out := &output{read: new(read)}
	if err := json.Unmarshal([]byte(mustLineage(t, stdin, append([]string{"-json"}, args...)...)), out); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return out
}

func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprint(z, text)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What is printed of the demo is reviewed like code: go test ./examples/lineage -update
func TestDemoText(t *testing.T) {
	got := mustLineage(t, "")
	const golden = "testdata/demo.txt"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A log that is shorter than the window tells no values, but all else.
func TestLongWindow(t *testing.T) {
	short, long := told(t, ""), told(t, "", "-window", "60d")
	for _, v := range long.Values {
		if v.Aggregate != nil || v.Efficiency != nil || v.Jobs == 0 {
			t.Errorf("got %+v, want that its value is not known", v)
		}
	}
	if len(long.Values) != len(short.Values) {
		t.Errorf("got %d values, want %d", len(long.Values), len(short.Values))
	}
	if diff := cmp.Diff(short.Pairs, long.Pairs); diff != "" {
		t.Errorf("-short window +long window:\n%s", diff)
	}
	if text := mustLineage(t, "", "-window", "60d"); !strings.Contains(text, "no job is done 60d before the last submission") {
		t.Errorf("the text does not say why nothing is known:\n%s", text)
	}
}

// The events that -demo prints are those that are taken without a file.
func TestDemoIsAFile(t *testing.T) {
	events := mustLineage(t, "", "-demo")
	want := mustLineage(t, "")
	for _, stdin := range []string{events, gzipped(t, events)} {
		got := strings.Replace(mustLineage(t, stdin, "-template", "-"), "-: ", "demo: ", 1)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-without a file +the same from standard input:\n%s", diff)
		}
	}
}

// The lake of the demo is made so that this is to be found.
func TestDemoFindings(t *testing.T) {
	out := told(t, "")
	for _, want := range []string{
		"ingest backup #-#-# (ingest, queue ingest): priority too high.",
		"sales report #-#-# (sales, queue sales): priority inverted. Its priority of 4 is below that of sales dashboard #-#-# (8), which reads its output. Give it at least 8.",
		"ads bids #-#-#T# (ads, queue ads): priority inverted. Its priority of 3 is below that of ads attribution #-#-# (6), which reads its output. Give it at least 6.",
		"finance revenue #-#-# (finance, queue finance): submitted too early. 3 of its 28 jobs failed because input from ingest load_orders #-#-# was not there yet.",
		"ingest load_prices #-#-# (ingest, queue ingest): can be shifted.",
		"ingest load_orders #-#-# (ingest, queue ingest): read unawares.",
	} {
		found := false
		for _, a := range out.Advice {
			found = found || strings.HasPrefix(a.Text, want)
		}
		if !found {
			t.Errorf("no advice is %q", want)
		}
	}
	if out.Recurring != 10 { // the programs; questions do not recur
		t.Errorf("%d templates recur, want 10", out.Recurring)
	}
	if out.Value != "jobs" || out.Compute != "runtime" {
		t.Errorf("value is %s and compute time %s, want jobs and runtime", out.Value, out.Compute)
	}
	if v := out.Values[0]; v.Template != "ingest load_orders #-#-#" || *v.Own != 1 || !(*v.Aggregate > 3) {
		t.Errorf("worth most: got %+v, want load_orders, of which more than two others live", v)
	}
}

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store")
	out := told(t, mustLineage(t, "", "-demo"), "-template", "-save", path, "-")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	store, err := value.Load(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range out.Values {
		s, known := store.Priority(v.Template, v.User)
		if !known || s.Efficiency != *v.Efficiency || s.Value != *v.Aggregate {
			t.Errorf("%s%s: got %v, %+v, want efficiency %v, value %v", v.Template, v.User, known, s, *v.Efficiency, *v.Aggregate)
		}
	}
}

func TestOwner(t *testing.T) {
	all, some := told(t, "").Advice, []adviceRow{}
	for _, a := range all {
		if strings.Contains(a.Text, "(sales, queue sales)") {
			some = append(some, a)
		}
	}
	if len(some) == 0 || len(some) == len(all) {
		t.Fatalf("%d of %d pieces of advice are to sales, want some", len(some), len(all))
	}
	if diff := cmp.Diff(some, told(t, "", "-owner", "sales").Advice); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// -top cuts the lists, and nothing else.
func TestTop(t *testing.T) {
	all, two := told(t, ""), told(t, "", "-top", "2")
	all.Pairs, all.Values, all.Predictions, all.Advice = all.Pairs[:2], all.Values[:2], all.Predictions[:2], all.Advice[:2]
	if diff := cmp.Diff(all, two, cmp.AllowUnexported(output{}, read{}), cmp.Comparer(func(a, b *read) bool { return true })); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n := strings.Count(mustLineage(t, "", "-top", "1"), ": read unawares. "); n != 1 {
		t.Errorf("with -top 1 there are %d texts of a kind, want 1", n)
	}
}

// Without anything to find there are no sections that fail, and no numbers that are none.
func TestLittle(t *testing.T) {
	for _, rows := range []string{
		"job,submitted\na,0\nb,60\n",
		"job,submitted,completed,state\na,0,0,done\nb,60,60,done\nc,90,100,failed\nd,120,130,noinput\n",
		"job,submitted,completed,state\n" + strings.Repeat(" ", 3) + "x1,-100000,-90000,done\nx2,0,1,done\nx3,100000,100001,done\nx4,200000,200001,done\n",
	} {
		jobs, operations := file(t, "jobs.csv", rows), file(t, "operations.csv", "time,op,file,job\n")
		args := []string{operations, jobs}
		told(t, "", args...)
		if out := mustLineage(t, "", args...); strings.Contains(out, "NaN") || strings.Contains(out, "Inf") {
			t.Errorf("%q: got\n%s", rows, out)
		}
	}
}

// A feed and its reader come on days 8, 10 and 19 to 27. Of all 28 days that is in each third, but of
// the first 21 it is not: when predictions are tried, nobody can know yet that they recur.
func TestTriedByWhatWasKnown(t *testing.T) {
	jobs, operations := "job,name,submitted,completed\n", "time,op,file,job\n"
	for d := range 28 {
		at := d * 86400
		jobs += fmt.Sprintf("x%d,steady-%d,%d,%d\n", d, d, at, at+60)
		if d == 8 || d == 10 || d >= 19 {
			jobs += fmt.Sprintf("f%d,feed-%d,%d,%d\nr%d,report-%d,%d,%d\n", d, d, at+100, at+200, d, d, at+300, at+400)
			operations += fmt.Sprintf("%d,write,f%d,f%d\n%d,read,f%d,r%d\n", at+200, d, d, at+300, d, d)
		}
	}
	jobs += fmt.Sprintf("last,last,%d,\n", 28*86400)
	args := []string{"-template", file(t, "jobs.csv", jobs), file(t, "operations.csv", operations)}
	out := told(t, "", args...)
	want := []predictionRow{{"feed-#", "report-#", 1, 200, 7}}
	if diff := cmp.Diff(want, out.Predictions); diff != "" {
		t.Errorf("predictions: -want +got:\n%s", diff)
	}
	if out.Tried.Predicted != 0 || out.Tried.Missed != 0 {
		t.Errorf("got %+v, want nothing to be predicted", out.Tried)
	}
	if text := mustLineage(t, "", args...); !strings.Contains(text, "nothing to predict for the last") {
		t.Errorf("the text does not say that nothing was to be predicted:\n%s", text)
	}
}

// A row that cannot be used ends it with file and line, and status 1.
func TestBadRows(t *testing.T) {
	lines := newDemo(2, 1).lines()
	broken := func(i int, line string) string {
		all := append([]string{}, lines...)
		all[i] = line
		return strings.Join(all, "\n")
	}
	const jobs, operations = "job,submitted\na,0\nb,90\n", "time,op,file,job\n1,write,f,a\n"
	late := strings.Replace(lines[0], "2026-02-02", "2026-01-01", 1)
	for _, test := range []struct {
		name, text string
		args       []string
		want       string
	}{
		{"damaged.jsonl", broken(6, lines[6][:40]), nil, "damaged.jsonl:7: row is no event in JSON: unexpected end of JSON input"},
		{"damaged.jsonl.gz", gzipped(t, broken(6, lines[6][:40])), nil, "damaged.jsonl.gz:7: row is no event in JSON"},
		{"late.jsonl", broken(9, strings.Replace(late, `"runId":"`, `"runId":"x`, 1)), []string{"-lateness", "2h"}, "late.jsonl:10: row is too late: by"},
		{"type.jsonl", broken(1, strings.Replace(lines[1], `"eventType":"`, `"eventType":"NO`, 1)), nil, `type.jsonl:2: eventType is none of START, RUNNING, COMPLETE, FAIL, ABORT, OTHER: "NOSTART"`},
		{"cut.gz", gzipped(t, strings.Join(lines, "\n"))[:300], nil, "cut.gz:"},
		{"rubbish.gz", "\x1f\x8brubbish", nil, "rubbish.gz: "},
	} {
		path := file(t, test.name, test.text)
		_, err := lineage(t, "", append(test.args, "-strict", path)...)
		if err == nil || !strings.Contains(err.Error(), test.want) || cli.Status(err) != 1 {
			t.Errorf("%s: got error %v of status %d, want one with %q of status 1", test.name, err, cli.Status(err), test.want)
		}
	}
	for _, test := range []struct{ jobs, operations, want string }{
		{"job,submitted\na,0\na,90\n", operations, "jobs.csv:3: job comes twice: a"},
		{jobs, "time,op,file,job\n1,write,f,c\n", "operations.csv:2: job is in no table of jobs read before: c"},
		{jobs, "time,op,file,job\n1,move,f,a\n", "operations.csv:2: op is none of read, write, download, upload"},
	} {
		_, err := lineage(t, "", "-strict", file(t, "jobs.csv", test.jobs), file(t, "operations.csv", test.operations))
		if err == nil || !strings.Contains(err.Error(), test.want) || cli.Status(err) != 1 {
			t.Errorf("got error %v, want one with %q of status 1", err, test.want)
		}
	}
}

func TestBadUse(t *testing.T) {
	good := file(t, "good.jsonl", strings.Join(newDemo(2, 1).lines(), "\n"))
	jobs, operations := file(t, "jobs.csv", "job,submitted\na,0\nb,90\n"), file(t, "operations.csv", "time,op,file,job\n1,write,f,a\n")
	unwritten := filepath.Join(t.TempDir(), "new")
	inputs := map[string]string{}
	for _, name := range []string{good, jobs, operations} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		inputs[name] = string(text)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-nonsense"}, "not defined: -nonsense, want one of -columns"},
		{[]string{good, "-json"}, "flag -json comes after a file"},
		{[]string{"none.jsonl"}, "none.jsonl"},
		{[]string{good, good}, "good.jsonl is given twice"},
		{[]string{jobs, "none.csv"}, "none.csv"},
		{[]string{"-columns", "org"}, `have "org", want a list`},
		{[]string{"-columns", "org=a,org=b"}, "column org comes twice"},
		{[]string{"-columns", "queue=a", jobs, operations}, `Columns has "queue"`},
		{[]string{"-unit", "h"}, "want s, ms, us or ns"},
		{[]string{"-strict"}, "-strict without a file"},
		{[]string{"-save", good}, "-save without a file to read, want one"},
		{[]string{"-dependencies", good, "-demo"}, "-dependencies without a file"},
		{[]string{"-tables", filepath.Dir(jobs)}, "-tables without a file"},
		{[]string{"-save", jobs, jobs, operations}, "jobs.csv would overwrite the input "},
		{[]string{"-dependencies", filepath.Dir(good) + "/../" + filepath.Base(filepath.Dir(good)) + "/good.jsonl", filepath.Dir(good)}, "good.jsonl would overwrite the input "},
		{[]string{"-tables", filepath.Dir(jobs), jobs, operations}, "jobs.csv would overwrite the input "},
		{[]string{"-save", unwritten, "-dependencies", filepath.Dir(unwritten) + "/./new", good}, "new would be written twice"},
		{[]string{jobs, file(t, "notes.txt", "of Monday")}, "notes.txt: want run events of OpenLineage, or a table"},
		{[]string{file(t, "others.csv", "job,start\na,0\n")}, "others.csv: want run events of OpenLineage, or a table"},
		{[]string{t.TempDir()}, "has no files, want"},
		{[]string{"-lateness", "0s", good}, "want a time above 0"},
		{[]string{"-window", "7"}, "want a time above 0"},
		{[]string{"-window", "1h2d"}, "want a time above 0"},
		{[]string{"-month", "-1d"}, "want a time above 0"},
		{[]string{"-month", "30d"}, "-month 30d is too long: the log of 27d20h holds less than 3 of them"},
		{[]string{"-months", "0"}, "want a whole number of 1 to 1000"},
		{[]string{"-least", "2"}, "want a number of 0 to 1"},
		{[]string{"-threshold", "0"}, "want a number of 0.01 to 1"},
		{[]string{"-top", "0"}, "want a whole number of 1"},
		{[]string{"-value", "money"}, "want downloads or jobs"},
		{[]string{"-value", "downloads"}, "-value downloads: the log has none, want -value jobs"},
		{[]string{"-owner", "nobody"}, "-owner nobody is no organisation that has jobs, want one of ads, finance, ingest, sales"},
		{[]string{"-save", filepath.Join(t.TempDir(), "no", "store"), good}, "no such file"},
		{[]string{file(t, "empty.csv", "job,submitted\n")}, "no jobs, want at least 1"},
		{[]string{file(t, "bad.jsonl", "x\n{\"eventTime\":1}\n")}, "bad.jsonl: no jobs (row is no event in JSON: 2), want at least 1"},
	} {
		_, err := lineage(t, "", test.args...)
		if err == nil || err == flag.ErrHelp || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want one with %q", test.args, err, test.want)
		} else if cli.Status(err) != 2 {
			t.Errorf("%q: exit status %d, want 2", test.args, cli.Status(err))
		}
	}
	for name, want := range inputs {
		if got, err := os.ReadFile(name); string(got) != want {
			t.Errorf("%s is not as it was: %q, error %v", name, got, err)
		}
	}
	if _, err := os.Stat(unwritten); err == nil {
		t.Errorf("%s was written", unwritten)
	}
}

func TestHelp(t *testing.T) {
	out, err := lineage(t, "", "-help")
	if err != flag.ErrHelp {
		t.Errorf("-help has error %v, want flag.ErrHelp", err)
	}
	for _, want := range []string{"lineage [flags] [FILE ...]", "-dependencies FILE", "-window time"} {
		if !strings.Contains(out, want) {
			t.Errorf("the help has no %q:\n%s", want, out)
		}
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{nil, {"-"}} {
		if err := run(ctx, args, strings.NewReader(strings.Join(newDemo(2, 1).lines(), "\n")), new(bytes.Buffer), io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("%q: got error %v, want that it was interrupted", args, err)
		}
	}
}

func TestDays(t *testing.T) {
	for _, test := range []struct {
		of   time.Duration
		want string
	}{
		{0, "0s"}, {1500 * time.Microsecond, "2ms"}, {42 * time.Second, "42s"}, {90 * time.Second, "1m30s"},
		{10 * time.Minute, "10m"}, {59*time.Minute + 59600*time.Millisecond, "1h"}, {3*time.Hour + 25*time.Minute + 40*time.Second, "3h26m"},
		{23*time.Hour + 59*time.Minute + 59*time.Second, "1d"}, {7 * day, "7d"}, {9*day + 6*time.Hour + 59*time.Minute, "9d7h"}, {-90 * time.Second, "-1m30s"},
	} {
		if got := days(test.of); got != test.want {
			t.Errorf("%v: got %s, want %s", test.of, got, test.want)
		}
	}
}
