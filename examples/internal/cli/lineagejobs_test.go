package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
)

const runEvent = `{"eventType":%q,"eventTime":"2026-03-02T%sZ","run":{"runId":%q},"job":{"namespace":"etl","name":%q,"facets":{"ownership":{"owners":[{"name":"ann"}]}}},"inputs":[%s],"outputs":[%s]}`

// Jobs of lineage are those of a trace, whatever file they come from, and wait for what they read if that is asked for.
func TestJobsOfLineage(t *testing.T) {
	const table = `{"namespace":"db","name":"t"}`
	events := strings.Join([]string{
		fmt.Sprintf(runEvent, "START", "10:00:05", "report 1", "report", table, ""),
		fmt.Sprintf(runEvent, "FAIL", "10:00:07", "report 1", "report", "", ""),
		fmt.Sprintf(runEvent, "START", "10:00:00", "load 1", "load", "", ""),
		fmt.Sprintf(runEvent, "COMPLETE", "10:00:04", "load 1", "load", "", table),
		fmt.Sprintf(runEvent, "START", "10:00:09", "report 2", "report", table, ""), // and never ends
		fmt.Sprintf(runEvent, "COMPLETE", "10:00:09", "once", "once", "", ""),
	}, "\n")
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := write("events.json", events)
	for _, test := range []struct {
		flags JobFlags
		waits bool
	}{
		{JobFlags{Trace: file, Format: "auto"}, false},
		{JobFlags{Trace: dir, Format: "openlineage", Preceding: true}, true},
		{JobFlags{Trace: "-", Format: "auto", Stdin: strings.NewReader(events), Preceding: true}, true},
	} {
		js, err := test.flags.Read(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, j := range js.List {
			user, _ := j.Attr("user")
			program, _ := j.Attr("program")
			day, _ := j.Attr("day")
			got = append(got, fmt.Sprint(j.ID, " ", j.Name, " ", j.Submitted.Seconds(), " ", j.Runtimes[0][0], " ", user, " ", program, " ", day))
		}
		if diff := cmp.Diff([]string{"1 load 1 0 4s ann etl load Monday", "2 report 1 5 2s ann etl report Monday"}, got); diff != "" {
			t.Errorf("%+v: -want +got:\n%s", test.flags, diff)
		}
		if in := js.List[1].Inputs; (in != nil) != test.waits || test.waits && (!in.Wait || !slices.Equal(in.Jobs, []policy.JobID{1})) {
			t.Errorf("%+v: got inputs %+v, want that it waits: %v", test.flags, in, test.waits)
		}
		if notes := strings.Join(js.Notes(), "\n"); !strings.Contains(notes, "job without a known start or end: 2") || !strings.Contains(notes, "one task of one core") {
			t.Errorf("got notes %q", notes)
		}
	}
	_, err := (&JobFlags{Trace: write("notes.txt", "of Monday"), Format: "openlineage"}).Read(t.Context(), 1)
	if err == nil || Status(err) != 2 || !strings.Contains(err.Error(), "notes.txt: want run events of OpenLineage") {
		t.Errorf("of another file: got error %v, want that it has no lineage", err)
	}
}

// Who reads a stream does not wait until it ends.
func TestReadersOfStreams(t *testing.T) {
	const topic = `{"namespace":"kafka","name":"t"}`
	events := strings.Join([]string{
		fmt.Sprintf(runEvent, "START", "10:00:00", "producer", "produce", "", ""), fmt.Sprintf(runEvent, "RUNNING", "10:01:00", "producer", "produce", "", topic),
		fmt.Sprintf(runEvent, "START", "10:05:00", "consumer", "consume", topic, ""), fmt.Sprintf(runEvent, "COMPLETE", "11:00:00", "producer", "produce", "", ""),
		fmt.Sprintf(runEvent, "COMPLETE", "11:00:00", "consumer", "consume", "", ""),
	}, "\n")
	events = strings.ReplaceAll(events, `"facets":{"ownership"`, `"facets":{"jobType":{"processingType":"STREAMING","integration":"FLINK"},"ownership"`)
	js, err := (&JobFlags{Trace: "-", Format: "auto", Stdin: strings.NewReader(events), Preceding: true}).Read(t.Context(), 1)
	if err != nil || len(js.List) != 2 || js.List[1].Inputs != nil {
		t.Errorf("got %d jobs, error %v, want that the consumer waits for nothing", len(js.List), err)
	}
}

// A trace may come from standard input in any format.
func TestTraceFromStandardInput(t *testing.T) {
	for _, flags := range []JobFlags{
		{Format: "auto", Stdin: strings.NewReader("1 2 5 5 5\n3 1 4 4\n")},
		{Format: "tr", Stdin: strings.NewReader("1 2 5 5 5\n3 1 4 4\n")},
		{Format: "auto", Columns: "submit=at,runtime=took", Stdin: strings.NewReader("at,took\n1,5\n3,4\n")},
	} {
		flags.Trace = "-"
		js, err := flags.Read(t.Context(), 1)
		if err != nil || len(js.List) != 2 || js.Name != "standard input" {
			t.Errorf("%q: got %d jobs of %s and error %v, want 2", flags.Format, len(js.List), js.Name, err)
		}
	}
}
