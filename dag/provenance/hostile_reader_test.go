package provenance_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
)

// All instants are read as they are written, the first and the last too, and none beyond.
func TestAllInstants(t *testing.T) {
	for _, at := range []provenance.Time{math.MinInt64, math.MinInt64 + 1, -1, 0, 1e18, math.MaxInt64 - 1, math.MaxInt64} {
		l := &provenance.Log{Jobs: []provenance.Job{{Submitted: at, Completed: at, State: provenance.Failed}}}
		var b bytes.Buffer
		if err := l.WriteJobsCSV(&b); err != nil {
			t.Fatal(err)
		}
		r := reader(t, provenance.ReaderConfig{Unit: time.Nanosecond})
		if err := r.JobsCSV("jobs", &b); err != nil {
			t.Error(err)
		} else if got := r.Take().Jobs[0]; got.Submitted != at || got.Completed != at {
			t.Errorf("%d is read as %+v", at, got)
		}
	}
	for _, beyond := range []string{"9223372036854775808", "-9223372036854775809", "99999999999999999999", "-99999999999999999999"} {
		r := reader(t, provenance.ReaderConfig{Unit: time.Nanosecond})
		if err := r.JobsCSV("jobs", strings.NewReader("job,submitted\n1,"+beyond+"\n")); err == nil {
			t.Errorf("%s is read as %+v", beyond, r.Take().Jobs)
		}
	}
}

// A column that is said to be called otherwise must be there, also if none of that meaning is needed.
func TestMappedColumnsMustBeThere(t *testing.T) {
	for _, lenient := range []bool{false, true} {
		r := reader(t, provenance.ReaderConfig{Lenient: lenient, Columns: map[string]string{"org": "organisation", "file": "path"}})
		err := r.JobsCSV("jobs", strings.NewReader("job,submitted,organization\n1,1,a\n"))
		if want := "jobs:1: column is missing: organisation, which Columns has for org"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if err := r.JobsCSV("jobs", strings.NewReader("job,submitted,organisation\n1,1,a\n")); err != nil {
			t.Error(err)
		}
		if err := r.OpsCSV("ops", strings.NewReader("time,op,path,job\n2,write,f,1\n")); err != nil {
			t.Error(err)
		}
	}
}
