package provenance_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
)

// What is found in a log.
func TestPromises(t *testing.T) {
	t.Run("a read depends on the last write before it, by rules J1 to J4", findRules)
	t.Run("Find agrees with a naive join, whatever the order of the operations", findAgainstNaive)
	t.Run("a template and its dependencies have the classes of Table 1", table1)
	t.Run("Classify agrees with a naive version", classifyAgreesWithTheNaiveOne)
	t.Run("a Predictor agrees with a naive version", predictorAgreesWithTheNaiveOne)
	t.Run("AsOf leaves out what was not known yet at an instant, and the log as it is", asOfForgetsWhatCameLater)
	t.Run("a log is read from tables", csvTables)
	t.Run("a log is read from OpenLineage events", openLineage)
}

// Times reach from the first instant to the last one, and no further.
func TestAllInstants(t *testing.T) {
	for _, at := range []provenance.Time{math.MinInt64, math.MinInt64 + 1, -1, 0, 1e18, math.MaxInt64 - 1, math.MaxInt64} {
		r := reader(t, provenance.ReaderConfig{Unit: time.Nanosecond})
		if err := r.JobsCSV("jobs", strings.NewReader(fmt.Sprintf("job,submitted,completed\n1,%d,%d\n", at, at))); err != nil {
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
