package trace_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload/trace"
)

const overBudget = "the jobs are over the Budget of the reader"

// wantOverBudget reads jobs to an error, which must be about the budget, come before the jobs take much more than
// it, at one of so many lines, and name an option.
func wantOverBudget(t *testing.T, r *trace.Reader, tasks, lines int) {
	t.Helper()
	got, jobs := 0, 0
	var row *trace.RowError
	for j, err := range r.Jobs() {
		if err != nil {
			if !errors.As(err, &row) || row.Reason != overBudget {
				t.Fatalf("got error %v, want one about the budget", err)
			}
			break
		}
		jobs++
		if got += j.Tasks(); got > tasks {
			t.Fatalf("got %d jobs of %d tasks and no error, want at most %d", jobs, got, tasks)
		}
	}
	if row == nil {
		t.Fatalf("got %d jobs of %d tasks and no error, want one about the budget", jobs, got)
	}
	if !strings.Contains(row.Detail, "a greater Budget allows more") || row.Line == 0 || row.Line > lines {
		t.Errorf("got error %v, want one that names the option and a row up to %d", row, lines)
	}
	if _, again := jobtest.First(r.Jobs()); again != error(row) {
		t.Errorf("again: got error %v, want %v", again, row)
	}
	if n := len(r.Dropped()); n > 0 {
		t.Errorf("got %d reasons for rows that are dropped, want none", n)
	}
}

// In each format a row may stand for many tasks, or much text for few bytes.
func TestBudgetOfFormats(t *testing.T) {
	repeat := func(rows int, row func(i int) string) []byte {
		var text bytes.Buffer
		for i := range rows {
			text.WriteString(row(i))
		}
		return text.Bytes()
	}
	same := func(row string) func(int) string { return func(int) string { return row } }
	const most = 1 << 20
	for i, test := range []struct {
		name, format, columns string
		text                  []byte
	}{
		{"tasks", "csv", "submit=t,runtime=d,tasks=n", append([]byte("t,d,n\n"), repeat(100, same("0,1,10000\n"))...)},
		{"processors", "swf", "", repeat(100, same("1 0 0 1 10000 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"))},
		{"instances", "alibaba2018", "", repeat(100, func(i int) string { return fmt.Sprintf("M1,10000,j%d,1,Terminated,1,2,100,1\n", i) })},
		{"packed tasks", "tr", "", repeat(100, same("0 10000 1"+strings.Repeat(" 1", 10000)+"\n"))},
		{"packed stages", "augur", "", repeat(1000, func(i int) string {
			return fmt.Sprintf(`{"id":%d,"stages":[{"tasks":1,"cores":1}%s],"runtimes":[[1]%s]}`, i+1, strings.Repeat(`,{"tasks":1,"cores":1}`, 99), strings.Repeat(",[1]", 99)) + "\n"
		})},
		{"packed names", "augur", "", repeat(1000, func(i int) string {
			return fmt.Sprintf(`{"id":%d,"stages":[{"tasks":1,"cores":1}],"runtimes":[[1]],"name":"%s"}`, i+1, strings.Repeat("n", 10_000)) + "\n"
		})},
		{"packed rows of jobs", "csv", "submit=t,runtime=d,job=j", append([]byte("t,d,j\n"), repeat(20_000, func(i int) string { return fmt.Sprintf("0,1,%d\n", i) })...)},
		{"packed rows of a job", "csv", "submit=t,runtime=d,job=*", append([]byte("t,d\n"), repeat(150_000, same("0,1\n"))...)},
		{"packed rows of live jobs", "google2011", "", repeat(100, func(i int) string { return fmt.Sprintf("0,,%d,0,%s,0,n,l\n", i, strings.Repeat("u", 20_000)) })},
		{"packed rows of instances", "alibaba2018", "", repeat(500_000, same("i,M1,j,1,Terminated,1,2,m,1,1,,,,\n"))},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, lines := test.text, bytes.Count(test.text, []byte("\n"))
			if strings.HasPrefix(test.name, "packed rows") {
				lines-- // before the end
			}
			if strings.HasPrefix(test.name, "packed") {
				text = gzipped(t, text)
			}
			// Leniency is no way round the budget.
			config := trace.ReaderConfig{Format: test.format, Columns: test.columns, Budget: most, Lenient: i%2 == 0}
			wantOverBudget(t, reader(t, text, config), (most+128*len(text))/8+1<<20, lines)
			// Enough is enough.
			config.Budget = 1 << 30
			if _, err := jobtest.Drain(reader(t, text, config).Jobs()); err != nil {
				t.Errorf("with a greater budget: got error %v", err)
			}
		})
	}
}

// A trace that says of each job what it is may be as long as it likes.
func TestBudgetOfLongTraces(t *testing.T) {
	jobs := jobtest.Generate(t, 500)
	var google bytes.Buffer
	if err := googleTrace(&google, len(jobs)); err != nil {
		t.Fatal(err)
	}
	for format, text := range map[string][]byte{
		"tr": trText(jobs), "csv": csvText(jobs), "augur": jobtest.Text(t, jobs...), "google2011": google.Bytes(), "alibaba2018": alibabaTrace(len(jobs)),
	} {
		jobtest.All(t, reader(t, text, trace.ReaderConfig{Format: format, Budget: 1}).Jobs())
	}

	// What is stored in a hundredth of the bytes is too, since a job's rows are forgotten with it.
	const rows = 20000
	google.Reset()
	packed := gzip.NewWriter(&google)
	if err := googleTrace(packed, rows); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	jobtest.All(t, reader(t, google.Bytes(), trace.ReaderConfig{Format: "google2011", Budget: 1 << 23}).Jobs())
}

// A task counts as its runtime and as what a simulation keeps of it.
func TestBudgetOfTasks(t *testing.T) {
	if _, err := trace.NewReader("x", strings.NewReader(""), trace.ReaderConfig{Budget: -1}); err == nil || !strings.Contains(err.Error(), "Budget is -1, want at least 1 byte") {
		t.Errorf("a budget of -1: got error %v", err)
	}
	for _, tt := range []struct {
		tasks int
		ok    bool
	}{{65_000, true}, {66_000, false}} {
		text := fmt.Appendf(nil, "t,d,n\n0,1,%d\n", tt.tasks)
		_, err := jobtest.Drain(reader(t, text, trace.ReaderConfig{Columns: "submit=t,runtime=d,tasks=n", Budget: 1 << 20}).Jobs())
		if ok := err == nil; ok != tt.ok {
			t.Errorf("%d tasks of a budget of 2^20 bytes: got error %v, want none: %t", tt.tasks, err, tt.ok)
		}
	}
}

// A row that is dropped takes nothing of the budget, and those of a job do no more when the job is made.
func TestBudgetOfRows(t *testing.T) {
	const times = 1000
	var tasks, instances strings.Builder
	for i := range times {
		fmt.Fprintf(&tasks, "%d,1,,0,1\n", i)
		fmt.Fprintf(&instances, "i,M1,%d,1,Terminated,1,2,m,1,1,,,,\n", i)
	}
	for _, test := range []struct {
		name, format, columns, text string
		jobs                        int
	}{
		{"dropped tasks", "csv", "job=j,task=i,parents=p,submit=t,runtime=d", "j,i,p,t,d\n" + strings.Repeat("w,1,,0,1\n", 10*times), 1},
		{"dropped instances", "alibaba2018", "", alibabaTasks + strings.Repeat("M1,x,j,1,Terminated,1,2,100,1\n", 10*times), 2},
		{"jobs of tasks", "csv", "job=j,task=i,parents=p,submit=t,runtime=d", "j,i,p,t,d\n" + tasks.String(), times},
		{"jobs of instances", "alibaba2018", "", instances.String(), times},
	} {
		config := trace.ReaderConfig{Format: test.format, Columns: test.columns, Lenient: true, Budget: 700 * times}
		if jobs := jobtest.All(t, reader(t, gzipped(t, []byte(test.text)), config).Jobs()); len(jobs) != test.jobs {
			t.Errorf("%s: got %d jobs, want %d", test.name, len(jobs), test.jobs)
		}
	}
}

// A header of many columns takes more memory than its text.
func TestColumnsOfATable(t *testing.T) {
	text := "t,d" + strings.Repeat(",x", 1<<16-2)
	config := trace.ReaderConfig{Columns: "submit=t,runtime=d"}
	jobtest.All(t, reader(t, []byte(text), config).Jobs())
	for _, more := range []string{",x", `,"x"`} {
		_, err := jobtest.Drain(reader(t, []byte(text+more), config).Jobs())
		if want := "x:1: more than 2^16 columns"; err == nil || err.Error() != want {
			t.Errorf("got error %v, want %s", err, want)
		}
	}
}
