package provenance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag/provenance"
)

// The same events give the same log in every form, however the file is cut into reads.
func TestOpenLineageForms(t *testing.T) {
	events := []string{
		event("START", 1, "r1", `load "{[\`, "raw", ""),
		event("COMPLETE", 3, "r1", `load "{[\`, "", "table"),
		event("START", 7, "r2", "report", "table", "page"),
	}
	lines, list := strings.Join(events, "\n"), "["+strings.Join(events, ",")+"]"
	read := func(text string) []string {
		r := reader(t, provenance.ReaderConfig{})
		if err := r.OpenLineage("x", strings.NewReader(text)); err != nil {
			t.Fatalf("%.80s: %v", text, err)
		}
		slow := reader(t, provenance.ReaderConfig{})
		if err := slow.OpenLineage("x", iotest.OneByteReader(strings.NewReader(text))); err != nil {
			t.Fatalf("%.80s: %v", text, err)
		}
		log := texts(r.Take())
		if diff := cmp.Diff(log, texts(slow.Take())); diff != "" {
			t.Errorf("%.80s: byte by byte: -want +got:\n%s", text, diff)
		}
		return log
	}
	want := read(lines)
	if len(want) != 5 {
		t.Fatalf("got %v, want two jobs with three operations", want)
	}
	for name, text := range map[string]string{
		"carriage returns":    strings.ReplaceAll(lines, "\n", "\r\n") + "\r\n",
		"byte-order mark":     "\ufeff" + lines,
		"on one line":         strings.Join(events, " "),
		"pretty":              indent(t, events[0]) + "\n" + indent(t, events[1]) + "\n\n" + indent(t, events[2]) + "\n",
		"without indents":     strings.ReplaceAll(strings.ReplaceAll(lines, `[{`, "[\n{"), `,"facets"`, ",\n\"facets\""),
		"list":                list,
		"list of lines":       "[\n" + strings.Join(events, ",\n") + "\n]\n",
		"pretty list":         indent(t, list),
		"object":              `{"events":` + list + `,"totalCount":3}`,
		"object, count first": `{"totalCount":3, "events" : ` + list + `}`,
		"events on two lines": "{\"events\":\n" + list + "}",
		"pretty object":       indent(t, `{"totalCount":3,"events":`+list+`}`),
		"log of a program":    "26/11/04 01:00:00 INFO Transport: " + strings.Join(events, "\n26/11/04 02:00:00 INFO Transport: "),
	} {
		if diff := cmp.Diff(want, read(text)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

func indent(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Objects with lists of events may be many, or begin again and again, and cost no stack.
func TestOpenLineageManyLists(t *testing.T) {
	r := reader(t, provenance.ReaderConfig{Lenient: true})
	text := strings.Repeat(`{"events":[`, 1e6) + event("START", 1, "r", "load", "", "")
	if err := r.OpenLineage("x", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if l := r.Take(); len(l.Jobs) != 0 || len(r.Dropped()) != 1 {
		t.Errorf("got %d jobs, dropped %v, want one row that is dropped", len(l.Jobs), r.Dropped())
	}
}

// A lenient reader loses no more than the events that are broken off, and says on which line they begin.
func TestOpenLineageBrokenOff(t *testing.T) {
	first, last := event("START", 1, "r1", "load", "raw", ""), event("START", 7, "r2", "report", "table", "")
	for _, test := range []struct {
		name, text string
		line       int
		detail     string
	}{
		{"in a field", "\n" + first[:12] + "\n" + last, 2, "unexpected end of JSON input"},
		{"in a text", "\n" + strings.TrimSuffix(first, `"p"}`) + "\"\n" + last, 2, `invalid character '\n' in string literal`},
		{"in the last", last + "\n" + first[:40], 2, "unexpected end of JSON input"},
		{"in a pretty one", "{\n  \"run\": {\n" + last, 1, "unexpected end of JSON input"},
		{"in a text of a pretty one", "{\n  \"run\": \"r\n" + indent(t, last), 1, `invalid character '\n' in string literal`},
		{"after a long line", last + strings.Repeat(" ", 1<<18) + "\n" + first[:40], 2, "unexpected end of JSON input"},
		{"no object", "no event\n" + last, 1, "invalid character 'o' in literal null (expecting 'u')"},
		{"too long", `{"x":"` + strings.Repeat("x", 1<<24) + "\"}\n" + last, 1, ""},
	} {
		var row *provenance.RowError
		err := reader(t, provenance.ReaderConfig{}).OpenLineage("x", strings.NewReader(test.text))
		if !errors.As(err, &row) || row.Line != test.line || row.Detail != test.detail {
			t.Errorf("%s: got error %v, want line %d, %s", test.name, err, test.line, test.detail)
		}
		r := reader(t, provenance.ReaderConfig{Lenient: true})
		if err := r.OpenLineage("x", strings.NewReader(test.text)); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		dropped := 0
		for n := range maps.Values(r.Dropped()) {
			dropped += n
		}
		if l := r.Take(); dropped != 1 || len(l.Jobs) != 1 || l.IDs.Name(0) != "r2" {
			t.Errorf("%s: got %d jobs, dropped %v, want run r2 and one dropped", test.name, len(l.Jobs), r.Dropped())
		}
	}
}
