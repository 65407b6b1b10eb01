package provenance_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag/provenance"
)

// event writes a run event. Files are separated by spaces.
func event(kind string, second float64, run, job, inputs, outputs string) string {
	files := func(names string) string {
		var list []string
		for name := range strings.FieldsSeq(names) {
			list = append(list, fmt.Sprintf(`{"namespace":"s3://lake","name":%q,"facets":{"x":{}}}`, name))
		}
		return strings.Join(list, ",")
	}
	at := time.Unix(0, int64(second*1e9)).UTC().Format(time.RFC3339Nano)
	return fmt.Sprintf(`{"eventType":%q,"eventTime":%q,"run":{"runId":%q},"job":{"namespace":"etl","name":%q},"inputs":[%s],"outputs":[%s],"producer":"p"}`,
		kind, at, run, job, files(inputs), files(outputs))
}

func openLineage(t *testing.T) {
	rows := []string{
		event("OTHER", 0, "r1", "load 2020-11-04", "", ""), // waits for resources
		event("START", 1, "r1", "load 2020-11-04", "raw", ""),
		event("START", 2, "r2", "load 2020-11-05", "raw", "table"),
		event("RUNNING", 2.5, "r1", "load 2020-11-04", "raw more", ""),
		event("COMPLETE", 3, "r1", "load 2020-11-04", "", "table"),
		"",
		`{"eventTime":"2020-11-04T13:00:00Z","job":{"namespace":"etl","name":"load"}}`,
		`{"eventTime":"2020-11-04T13:00:00Z","dataset":{"namespace":"etl","name":"load"}}`,
		event("RUNNING", 5, "r3", "report", "table", "page"), // its START is lost, and it does not end
		strings.Replace(event("FAIL", 6, "r2", "load 2020-11-05", "", "table"), `{"runId":"r2"}`,
			`{"runId":"r2","facets":{"errorMessage":{"message":"java.io.FileNotFoundException: raw","programmingLanguage":"JAVA"}}}`, 1),
		event("START", 7, "r4", "report", "table", "page"),
		event("ABORT", 8, "r4", "report", "", "page"),
		strings.Replace(event("", 7.5, "r4", "report", "", ""), `"name":"report"`,
			`"name":"report","facets":{"ownership":{"owners":[{"name":"team:ann","type":"MAINTAINER"},{"name":"bob"}]}}`, 1),
	}
	r := reader(t, provenance.ReaderConfig{Template: true})
	if err := r.OpenLineage("events", strings.NewReader(strings.Join(rows, "\n"))); err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"event is of no run, and passed over": 2, "row is late, but used": 1}; !maps.Equal(r.Notes(), want) {
		t.Errorf("got notes %v, want %v", r.Notes(), want)
	}
	l := r.Take()
	const s = 1e9
	want := []provenance.Job{
		{Template: 0, State: provenance.Complete, Submitted: 0, Completed: 3 * s},
		{Template: 0, State: provenance.NoInput, Submitted: 2 * s, Completed: 6 * s},
		{Template: 1, State: provenance.Running, Submitted: 5 * s},
		{Template: 1, User: 1, State: provenance.Failed, Submitted: 7 * s, Completed: 8 * s},
	}
	if diff := cmp.Diff(want, l.Jobs); diff != "" {
		t.Errorf("jobs: -want +got:\n%s", diff)
	}
	raw, table, more := uint32(0), uint32(1), uint32(2)
	wantOps := []provenance.Op{{s, 0, raw, R}, {s, 0, more, R}, {2 * s, 1, raw, R}, {3 * s, 0, table, W}, {5 * s, 2, table, R}, {5 * s, 2, 3, W}, {7 * s, 3, table, R}}
	if diff := cmp.Diff(wantOps, l.Ops); diff != "" {
		t.Errorf("operations: -want +got:\n%s", diff)
	}
	if got := strings.Join([]string{l.Templates.Name(0), l.Templates.Name(1), l.Users.Name(1), l.Orgs.Name(0), l.IDs.Name(3), l.Files.Name(1)}, "|"); got != "etl load #-#-#|etl report|team:ann|etl|r4|s3://lake table" {
		t.Errorf("names: got %s", got)
	}
}

// Spark's integration starts and ends a run for each of the jobs that it consists of. In whatever order
// such events come, and however often, the log is the same.
func TestOpenLineageRepeated(t *testing.T) {
	rows := []string{
		event("START", 1, "r", "load", "a", ""),
		event("START", 2, "r", "load", "b", ""),
		event("COMPLETE", 3, "r", "load", "", "x"),
		event("START", 4, "r", "load", "c", ""),
		event("COMPLETE", 6, "r", "load", "", "y"),
		event("START", 1, "s", "load", "", ""),
		event("COMPLETE", 5, "s", "load", "", "z"),
		event("FAIL", 5, "s", "load", "", ""),
		event("START", 8, "u", "load", "", ""), // and never again
		event("COMPLETE", 7, "u", "load", "", "v"),
	}
	// Of u the last START comes after its end: it is done all the same. s failed, and so wrote nothing.
	want := []string{
		"1000000000 r s3://lake a read\n", "1000000000 r s3://lake b read\n", "1000000000 r s3://lake c read\n",
		"6000000000 r s3://lake x write\n", "6000000000 r s3://lake y write\n", "7000000000 u s3://lake v write\n",
		"r etl load  etl complete 1000000000 6000000000\n", "s etl load  etl failed 1000000000 5000000000\n", "u etl load  etl complete 7000000000 7000000000\n",
	}
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rows := append(slices.Clone(rows), rows[rng.IntN(len(rows))])
		rng.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
		r := reader(t, provenance.ReaderConfig{})
		if err := r.OpenLineage("x", strings.NewReader(strings.Join(rows, "\n"))); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, texts(r.Take())); diff != "" {
			t.Fatalf("seed %d: -want +got:\n%s", seed, diff)
		}
	}
}

// A facet that is no part of the specification may have any form.
func TestOpenLineageAirflow(t *testing.T) {
	const base = `{"eventType":"START","eventTime":"2020-11-04T13:00:00Z","run":{"runId":"r","facets":{"airflow":%s}},"job":{"namespace":"etl","name":"load","facets":%s}}`
	owned := `{"ownership":{"owners":[{"name":"ann"}]}}`
	for _, test := range []struct {
		airflow, job string
		user         string
		priority     float64
	}{
		{`{"task":{"task_id":"load","owner":"bob","priority_weight":7},"taskUuid":"x"}`, `{}`, "bob", 7},
		{`{"task":{"owner":"bob","priority_weight":-3}}`, owned, "ann", -3},
		{`{"task":{"owner":"bob"}}`, `{}`, "bob", 0},
		{`{}`, owned, "ann", 0},
		{`null`, owned, "ann", 0},
		{`"none"`, owned, "ann", 0},
		{`{"task":{"owner":"bob","priority_weight":"high"}}`, owned, "ann", 0},
		{`{"task":{"owner":"bob","priority_weight":1e999}}`, owned, "ann", 0},
	} {
		r := reader(t, provenance.ReaderConfig{})
		if err := r.OpenLineage("x", strings.NewReader(fmt.Sprintf(base, test.airflow, test.job))); err != nil {
			t.Errorf("%s: %v", test.airflow, err)
			continue
		}
		l := r.Take()
		if user, priority := l.Users.Name(l.Jobs[0].User), l.Jobs[0].Priority; user != test.user || priority != test.priority {
			t.Errorf("%s: got user %q, priority %v, want %q, %v", test.airflow, user, priority, test.user, test.priority)
		}
	}
	// The first that tells counts, be it 0.
	r := reader(t, provenance.ReaderConfig{})
	for _, facet := range []string{`{}`, `{"task":{"priority_weight":0}}`, `{"task":{"priority_weight":5,"owner":"bob"}}`, `{"task":{"owner":"eve"}}`} {
		row := strings.Replace(fmt.Sprintf(base, facet, `{}`), "START", "RUNNING", 1)
		if err := r.OpenLineage("x", strings.NewReader(row)); err != nil {
			t.Fatal(err)
		}
	}
	l := r.Take()
	if user, priority := l.Users.Name(l.Jobs[0].User), l.Jobs[0].Priority; user != "bob" || priority != 0 {
		t.Errorf("got user %q, priority %v, want bob, 0", user, priority)
	}
}

func TestOpenLineageBadRows(t *testing.T) {
	good := event("START", 10, "good", "load", "f", "")
	end := event("COMPLETE", 20, "good", "load", "", "g")
	for _, test := range []struct{ name, row, reason, detail string }{
		{"no JSON", `{"eventType":`, "row is no event in JSON", "unexpected end of JSON input"},
		{"null", `null`, "event has no run", ""},
		{"no run", `{}`, "event has no run", ""},
		{"no run ID", event("START", 11, "", "load", "", ""), "event has no run", ""},
		{"no job", event("START", 11, "x", "", "", ""), "event has no job", "run x"},
		{"time", strings.Replace(event("START", 11, "x", "load", "", ""), "1970", "197", 1), "eventTime is no time such as 2026-03-02T10:00:00Z", `"197-01-01T00:00:11Z"`},
		{"far", strings.Replace(event("START", 11, "x", "load", "", ""), "1970", "2262", 1), "eventTime is no time such as 2026-03-02T10:00:00Z", `"2262-01-01T00:00:11Z"`},
		{"type", event("STOP", 11, "x", "load", "", ""), "eventType is none of START, RUNNING, COMPLETE, FAIL, ABORT, OTHER", `"STOP"`},
		{"parts", `{"inputs":[` + strings.Repeat("{},", 1<<18) + "{}]}", "row has more than 2^18 objects and lists", "262147"},
		{"late", event("START", 4, "x", "load", "", ""), "row is too late", "by 6s"},
		{"long", `{"x":"` + strings.Repeat("x", 1<<24) + `"}`, "row is longer than 2^24 bytes", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := strings.Join([]string{good, test.row, end}, "\n")
			strict := reader(t, provenance.ReaderConfig{Lateness: 5 * time.Second})
			err := strict.OpenLineage("x", strings.NewReader(file))
			want := &provenance.RowError{File: "x", Line: 2, Reason: test.reason, Detail: test.detail}
			if diff := cmp.Diff(error(want), err); diff != "" {
				t.Errorf("strict: -want +got:\n%s", diff)
			}
			lenient := reader(t, provenance.ReaderConfig{Lenient: true, Lateness: 5 * time.Second})
			if err := lenient.OpenLineage("x", strings.NewReader(file)); err != nil {
				t.Fatal(err)
			}
			if got, want := lenient.Dropped(), map[string]int{test.reason: 1}; !maps.Equal(got, want) {
				t.Errorf("lenient: dropped %v, want %v", got, want)
			}
			sound := reader(t, provenance.ReaderConfig{})
			if err := sound.OpenLineage("x", strings.NewReader(good+"\r\n"+end)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(texts(sound.Take()), texts(lenient.Take())); diff != "" {
				t.Errorf("lenient: -want +got:\n%s", diff)
			}
		})
	}
	r := reader(t, provenance.ReaderConfig{})
	for _, row := range []string{good, good, end, end} {
		if err := r.OpenLineage("x", strings.NewReader(row)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := r.Notes(), map[string]int{"event comes twice": 2}; !maps.Equal(got, want) {
		t.Errorf("got notes %v, want %v", got, want)
	}
	broken := errors.New("broken")
	if err := r.OpenLineage("x", io.MultiReader(strings.NewReader(good[:9]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("got error %v, want that it is broken", err)
	}
}

// texts writes a log with names for numbers, in an order that is the same for logs that tell the same.
func texts(l *provenance.Log) (lines []string) {
	for i, j := range l.Jobs {
		lines = append(lines, fmt.Sprintln(l.IDs.Name(uint32(i)), l.Templates.Name(j.Template), l.Users.Name(j.User), l.Orgs.Name(j.Org), j.State, j.Submitted, j.Completed))
	}
	for _, op := range l.Ops {
		lines = append(lines, fmt.Sprintln(op.Time, l.IDs.Name(op.Job), l.Files.Name(op.File), op.Kind))
	}
	slices.Sort(lines)
	return lines
}

func FuzzOpenLineage(f *testing.F) {
	f.Add([]byte(event("START", 1, "r", "load", "a b", "") + "\n" + event("COMPLETE", 2, "r", "load", "", "c") + "\n{}\n\n[]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, lenient := range []bool{false, true} {
			r := reader(t, provenance.ReaderConfig{Lenient: lenient})
			r.OpenLineage("x", bytes.NewReader(data))
			wantSound(t, r.Take())
		}
	})
}
