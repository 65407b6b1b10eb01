package provenance_test

import (
	"errors"
	"io"
	"maps"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag/provenance"
)

// noTime is what is said of a column that has none.
const noTime = " is no time such as 2026-03-02T10:00:00Z, or number such as 1772445600"

func reader(t testing.TB, o provenance.ReaderConfig) *provenance.Reader {
	t.Helper()
	r, err := provenance.NewReader(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func csvTables(t *testing.T) {
	r := reader(t, provenance.ReaderConfig{Template: true})
	jobs := "\ufeffpriority, Job,colour,submitted,completed,state,name,user,org,compute\n" +
		"-2.5,b,red,1.5,1970-01-01T00:00:02.25Z,,\"x, 1\",ann,,3\n\n" +
		",a, ,-0.000000001,,,,,maps,\n" +
		",c,,1970-01-01T01:00:00+01:00,7,noinput,\"x, 2\",ann,maps,1e3\n"
	if err := r.JobsCSV("jobs", strings.NewReader(jobs)); err != nil {
		t.Fatal(err)
	}
	ops := "time,op,file,job\n3,read,f,b\n3,write,g,a\n1,write,f,c\n4,download,g,\n2,upload,f,\n"
	if err := r.OpsCSV("ops", strings.NewReader(ops)); err != nil {
		t.Fatal(err)
	}
	if late := r.Notes()["row is late, but used"]; late != 4 { // jobs a and c, both operations on f but the read
		t.Errorf("late: got %d, want 4", late)
	}
	l := r.Take()
	want := []provenance.Job{
		{Template: 0, User: 0, Org: 0, State: provenance.Complete, Submitted: 1.5e9, Completed: 2.25e9, Priority: -2.5, Compute: 3},
		{Template: 1, User: 1, Org: 1, State: provenance.Running, Submitted: -1},
		{Template: 0, User: 0, Org: 1, State: provenance.NoInput, Submitted: 0, Completed: 7e9, Compute: 1000},
	}
	if diff := cmp.Diff(want, l.Jobs); diff != "" {
		t.Errorf("jobs: -want +got:\n%s", diff)
	}
	wantOps := []provenance.Op{{1e9, 2, 0, W}, {2e9, U, 0, W}, {3e9, 0, 0, R}, {3e9, 1, 1, W}, {4e9, U, 1, R}}
	if diff := cmp.Diff(wantOps, l.Ops); diff != "" {
		t.Errorf("operations: -want +got:\n%s", diff)
	}
	if got := l.Templates.Name(0) + "|" + l.Templates.Name(1) + "|" + l.Users.Name(0) + "|" + l.Orgs.Name(1) + "|" + l.IDs.Name(2) + "|" + l.Files.Name(1) + l.Files.Name(2); got != "x, #|a|ann|maps|c|g" {
		t.Errorf("names: got %s", got)
	}
	if again := r.Take(); len(again.Jobs) > 0 || again.Files.Len() > 0 {
		t.Error("a second log is not empty")
	}
}

// Times in nanoseconds, columns of other names.
func TestCSVOfOtherNames(t *testing.T) {
	r := reader(t, provenance.ReaderConfig{Unit: time.Nanosecond, Columns: map[string]string{"op": "action", "org": "organisation", "state": "outcome", "compute": "coreseconds"}})
	jobs := "job,organisation,submitted,completed,Outcome,coreseconds,op\n7,ads,9223372036854775799,9223372036854775799,missing,2,x\n"
	ops := "time,action,job,user,file\n-5,download,,ann,f\n"
	if err := errors.Join(r.JobsCSV("jobs", strings.NewReader(jobs)), r.OpsCSV("ops", strings.NewReader(ops))); err != nil {
		t.Fatal(err)
	}
	l := r.Take()
	want := []provenance.Job{{State: provenance.NoInput, Submitted: 9223372036854775799, Completed: 9223372036854775799, Compute: 2}}
	if diff := cmp.Diff(want, l.Jobs); diff != "" || l.Orgs.Name(0) != "ads" {
		t.Errorf("organisation %q; jobs: -want +got:\n%s", l.Orgs.Name(0), diff)
	}
	if diff := cmp.Diff([]provenance.Op{{-5, U, 0, R}}, l.Ops); diff != "" {
		t.Errorf("operations: -want +got:\n%s", diff)
	}
	err := r.OpsCSV("ops", strings.NewReader("time,action,job,file\n0.5,download,,f\n"))
	if err == nil || err.Error() != "ops:2: time"+noTime+`: "0.5"` {
		t.Errorf("half a nanosecond: got error %v", err)
	}
}

// A bad row stands between two good ones: strictly it is the error, leniently it is counted.
func TestCSVBadRows(t *testing.T) {
	const jobs = "job,submitted,completed,state,priority,compute\n"
	const ops = "time,op,file,job\n"
	for _, test := range []struct{ name, row, reason, detail string }{
		{"no ID", jobs + ",1,,,,", "job has no ID", ""},
		{"twice", jobs + "good,1,,,,", "job comes twice", "good"},
		{"submitted", jobs + "x,one,,,,", "submitted" + noTime, `"one"`},
		{"no submitted", jobs + "x,,,,,", "submitted" + noTime, `""`},
		{"ten decimals", jobs + "x,0.0000000001,,,,", "submitted" + noTime, `"0.0000000001"`},
		{"far", jobs + "x,9999999999,,,,", "submitted" + noTime, `"9999999999"`},
		{"far year", jobs + "x,2300-01-01T00:00:00Z,,,,", "submitted" + noTime, `"2300-01-01T00:00:00Z"`},
		{"point", jobs + "x,1.,,,,", "submitted" + noTime, `"1."`},
		{"completed", jobs + "x,1,--2,,,", "completed" + noTime, `"--2"`},
		{"backwards", jobs + "x,1,0.5,,,", "job completes before it is submitted", "x"},
		{"state", jobs + "x,1,2,Done,,", "state is none of running, complete, done, failed, noinput, missing", `"Done"`},
		{"running", jobs + "x,1,2,running,,", "state does not agree with completed", `running, "2"`},
		{"not running", jobs + "x,1,,failed,,", "state does not agree with completed", `failed, ""`},
		{"priority", jobs + "x,1,,,NaN,", "priority is no finite number such as 4.5", `"NaN"`},
		{"infinite", jobs + "x,1,,,-Inf,", "priority is no finite number such as 4.5", `"-Inf"`},
		{"priority with underscores", jobs + "x,1,,,1_000,", "priority is no finite number such as 4.5", `"1_000"`},
		{"compute hexadecimal", jobs + "x,1,,,,0x1p4", "compute is no finite number from 0, such as 4.5", `"0x1p4"`},
		{"compute", jobs + "x,1,,,,-1", "compute is no finite number from 0, such as 4.5", `"-1"`},
		{"short", jobs + "x,1", "row has another number of values than the first", "2, not 6"},
		{"quote", jobs + "x,1\"2,,,,", "row is no CSV", "bare \" in non-quoted-field"},
		{"late", jobs + "x,-6,,,,", "row is too late", "by 6s"},

		{"time", ops + "x,read,f,good", "time" + noTime, `"x"`},
		{"op", ops + "1,Read,f,good", "op is none of read, write, download, upload", `"Read"`},
		{"no job", ops + "1,read,f,", "job is needed by read and write, and by nothing else", `read by ""`},
		{"a job", ops + "1,upload,f,good", "job is needed by read and write, and by nothing else", `upload by "good"`},
		{"unknown", ops + "1,write,f,x", "job is in no table of jobs read before", "x"},
		{"file", ops + "1,write,,good", "file has no name", ""},
		{"late", ops + "-6,write,f,good", "row is too late", "by 6s"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, lenient := range []bool{false, true} {
				r := reader(t, provenance.ReaderConfig{Lenient: lenient, Lateness: 5 * time.Second})
				head, row, _ := strings.Cut(test.row, "\n")
				file := head + "\ngood,0,,,,\n" + row + "\nlast,1,,,,\n"
				read := r.JobsCSV
				if head+"\n" == ops {
					if err := r.JobsCSV("jobs", strings.NewReader(jobs+"good,0,,,,\nlast,1,,,,\n")); err != nil {
						t.Fatal(err)
					}
					file = head + "\n0,write,f,good\n" + row + "\n1,read,f,last\n"
					read = r.OpsCSV
				}
				err := read("x", strings.NewReader(file))
				l := r.Take()
				n := len(l.Jobs)
				if head+"\n" == ops {
					n = len(l.Ops)
				}
				if lenient {
					if want := map[string]int{test.reason: 1}; err != nil || n != 2 || !maps.Equal(r.Dropped(), want) {
						t.Errorf("lenient: got %d rows, dropped %v and error %v, want 2, %v and no error", n, r.Dropped(), err, want)
					}
					continue
				}
				want := &provenance.RowError{File: "x", Line: 3, Reason: test.reason, Detail: test.detail}
				if diff := cmp.Diff(error(want), err); diff != "" || n != 1 {
					t.Errorf("strict: got %d rows, want 1; error -want +got:\n%s", n, diff)
				}
			}
		})
	}
}

func TestCSVBadTables(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		in   io.Reader
		want string
	}{
		{strings.NewReader(""), "x: the file is empty, want a row that names the columns"},
		{strings.NewReader("job,name\n"), "x:1: column is missing: submitted"},
		{strings.NewReader("job,submitted,JOB\n"), "x:1: column comes twice: job"},
		{io.MultiReader(strings.NewReader("job,submitted\n1,1\n"), iotest.ErrReader(broken)), "x: broken"},
	} {
		r := reader(t, provenance.ReaderConfig{Lenient: true})
		if err := r.JobsCSV("x", test.in); err == nil || err.Error() != test.want {
			t.Errorf("got error %v, want %s", err, test.want)
		}
	}
	for _, o := range []provenance.ReaderConfig{{Lateness: -1}, {Unit: time.Minute}, {Columns: map[string]string{"organisation": "org"}}, {Columns: map[string]string{"jobs.file": "x"}}, {Columns: map[string]string{"operations.user": "x"}}} {
		if _, err := provenance.NewReader(o); err == nil {
			t.Errorf("%+v: got no error", o)
		}
	}
}

func FuzzCSV(f *testing.F) {
	f.Add("job,submitted\n1,2\n2,3\n", "time,op,file,job\n3,write,f,1\n4,read,f,2\n5,download,f,\n")
	f.Add("job,submitted,completed,state\n\"1\n\",2,2020-11-04T13:00:00Z,complete\n", "file,time,job,op\nf,-0.5,,upload")
	f.Fuzz(func(t *testing.T, jobs, ops string) {
		for _, lenient := range []bool{false, true} {
			r := reader(t, provenance.ReaderConfig{Lenient: lenient})
			r.JobsCSV("jobs", strings.NewReader(jobs))
			r.OpsCSV("ops", strings.NewReader(ops))
			l := r.Take()
			wantSound(t, l)
		}
	})
}

// wantSound checks that all numbers in a log have names, and that it can be joined.
func wantSound(t *testing.T, l *provenance.Log) {
	t.Helper()
	if l.IDs.Len() != len(l.Jobs) {
		t.Errorf("%d jobs have %d IDs", len(l.Jobs), l.IDs.Len())
	}
	for _, j := range l.Jobs {
		if int(j.Template) >= l.Templates.Len() || int(j.User) >= l.Users.Len() || int(j.Org) >= l.Orgs.Len() ||
			j.State != provenance.Running && j.Completed < j.Submitted || !(j.Compute >= 0) {
			t.Errorf("unsound job: %+v", j)
		}
	}
	for _, op := range l.Ops {
		if int(op.File) >= l.Files.Len() {
			t.Errorf("unsound operation: %v", op)
		}
	}
	found, err := l.Find(0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := found.Graph(len(l.Jobs)); err != nil {
		t.Error(err)
	}
}

// The ID of a job has a name of its own in each table.
func TestColumnsOfOneTable(t *testing.T) {
	for _, columns := range []map[string]string{
		{"jobs.job": "id"},
		{"job": "id", "operations.job": "job"},
	} {
		r := reader(t, provenance.ReaderConfig{Columns: columns})
		if err := r.JobsCSV("jobs", strings.NewReader("id,submitted,job\na,1,no\n")); err != nil {
			t.Fatal(err)
		}
		if err := r.OpsCSV("ops", strings.NewReader("time,op,file,job,id\n2,write,f,a,no\n")); err != nil {
			t.Fatal(err)
		}
		if l := r.Take(); len(l.Ops) != 1 || l.Ops[0].Job != 0 || l.IDs.Name(0) != "a" {
			t.Errorf("%v: got %+v", columns, l)
		}
	}
	err := reader(t, provenance.ReaderConfig{Columns: map[string]string{"job": "id"}}).OpsCSV("ops", strings.NewReader("time,op,file,job\n"))
	if err == nil || err.Error() != "ops:1: column is missing: id, which Columns has for job" {
		t.Errorf("got %v", err)
	}
}

// A log that is written as tables and read again is the same.
func TestWriteCSV(t *testing.T) {
	r := reader(t, provenance.ReaderConfig{})
	rows := []string{
		event("START", 1.000000001, "r 1", "load, \"2020\"", "raw", ""), event("COMPLETE", 3, "r 1", "load, \"2020\"", "", "table"),
		with(event("FAIL", 9, "r2", "report", "table", ""), `"airflow":{"task":{"owner":"ann","priority_weight":-2.5}}`, "", ""), event("START", 7, "r3", "report", "raw", ""),
		with(event("COMPLETE", 12, "r4", "drop", "", "table"), "", "", change("DROP", "")),
	}
	if err := r.OpenLineage("x", strings.NewReader(strings.Join(rows, "\n"))); err != nil {
		t.Fatal(err)
	}
	l := r.Take()
	l.Ops = append(l.Ops, provenance.Op{Time: 13e9, Job: U, File: 0, Kind: R})
	l.Jobs[0].Compute = 1e21
	var jobs, ops strings.Builder
	if err := errors.Join(l.WriteJobsCSV(&jobs), l.WriteOpsCSV(&ops)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.JobsCSV("jobs", strings.NewReader(jobs.String())), r.OpsCSV("ops", strings.NewReader(ops.String()))); err != nil {
		t.Fatal(err)
	}
	again := r.Take()
	if diff := cmp.Diff(texts(l), texts(again)); diff != "" || again.Jobs[0].Compute != 1e21 || again.Jobs[1].Priority != -2.5 || len(again.Ops) != 6 {
		t.Errorf("%d operations, jobs %v; -want +got:\n%s", len(again.Ops), again.Jobs, diff)
	}
}

// Tables may have any separator, and no job of one is a run of events.
func TestCSVSeparators(t *testing.T) {
	for _, c := range []string{",", ";", "\t", "|"} {
		r := reader(t, provenance.ReaderConfig{})
		text := strings.ReplaceAll("job,submitted,name\na,1,\"x,;\t|y\"\n", ",s", c+"s")
		text = strings.ReplaceAll(strings.ReplaceAll(text, ",n", c+"n"), "a,1,", "a"+c+"1"+c)
		if err := r.JobsCSV("x", strings.NewReader(text)); err != nil {
			t.Errorf("%q: %v", c, err)
			continue
		}
		if l := r.Take(); l.Templates.Name(0) != "x,;\t|y" {
			t.Errorf("%q: got name %q", c, l.Templates.Name(0))
		}
	}
	r := reader(t, provenance.ReaderConfig{})
	run := event("COMPLETE", 1, "a", "load", "", "f")
	if err := r.OpenLineage("x", strings.NewReader(run)); err != nil {
		t.Fatal(err)
	}
	if err := r.JobsCSV("y", strings.NewReader("job,submitted\na,1\n")); err == nil || !strings.Contains(err.Error(), "y:2: job comes twice: a") {
		t.Errorf("a job that is a run: got error %v", err)
	}
	r = reader(t, provenance.ReaderConfig{})
	if err := r.JobsCSV("y", strings.NewReader("job,submitted\na,1\n")); err != nil {
		t.Fatal(err)
	}
	if err := r.OpenLineage("x", strings.NewReader(run)); err == nil || !strings.Contains(err.Error(), "x:1: run is a job of a table: run a") {
		t.Errorf("a run that is a job: got error %v", err)
	}
}
