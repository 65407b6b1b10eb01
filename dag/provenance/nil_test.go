package provenance

import (
	"strings"
	"testing"
)

// A reader or writer that is nil is refused.
func TestNilIsRefused(t *testing.T) {
	r, err := NewReader(ReaderConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"JobsCSV", r.JobsCSV("a.csv", nil), `the reader of "a.csv" is nil`},
		{"OpsCSV", r.OpsCSV("a.csv", nil), `the reader of "a.csv" is nil`},
		{"OpenLineage", r.OpenLineage("a.json", nil), `the reader of "a.json" is nil`},
		{"WriteJobsCSV", new(Log).WriteJobsCSV(nil), "a writer that is nil"},
		{"WriteOpsCSV", new(Log).WriteOpsCSV(nil), "a writer that is nil"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, test.err, test.want)
		}
	}
}
