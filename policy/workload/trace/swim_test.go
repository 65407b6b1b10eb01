package trace_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// mapReduce returns a job of a map stage and, if there are such runtimes, a reduce stage.
func mapReduce(id policy.JobID, submitted policy.Duration, maps, reduces []policy.Duration) *workload.Job {
	j := jobtest.Bag(id, submitted, maps...)
	j.Name = "job0"
	if reduces != nil {
		j.Stages = append(j.Stages, policy.Stage{Tasks: uint32(len(reduces)), Cores: 1, Reads: []policy.Dep{{Stage: 0}}})
		j.Runtimes = append(j.Runtimes, reduces)
	}
	return j
}

// swimText writes a sample of SWIM with that many jobs of at most 20 tasks.
func swimText(jobs int) []byte {
	var text bytes.Buffer
	for i := range jobs {
		fmt.Fprintf(&text, "job%d\t%d\t3\t%d\t%d\t%d\tinputPath%d\t\t\n", i, 3*i, i*7919%10*67108864+i, i%3*12295202, i%5*1491950, i%97)
	}
	return text.Bytes()
}

func TestSWIM(t *testing.T) {
	const block = 64 << 20
	ms := s / 1000
	for _, test := range []struct {
		name       string
		throughput float64
		text       string
		want       *workload.Job
	}{
		{"map only", 1e6, "job0\t3\t1\t2000000\t0\t1000000\n", mapReduce(1, 3*s, []policy.Duration{3 * s}, nil)},
		{"map and reduce", 1e6, "job0\t3.5\t1\t2000000\t3000000\t1000000\n", mapReduce(1, 7*s/2, []policy.Duration{2 * s}, []policy.Duration{4 * s})},
		{"the default throughput", 0, "job0\t0\t0\t200000000\t0\t0", mapReduce(1, 0, []policy.Duration{666666667, 666666667, 666666667}, nil)},
		{"nothing", 1e6, "job0\t0\t0\t0\t0\t0", mapReduce(1, 0, []policy.Duration{0}, nil)},
		{"a block", block, fmt.Sprintf("job0\t0\t0\t%d\t0\t0", block), mapReduce(1, 0, []policy.Duration{s}, nil)},
		{"a byte more", block, fmt.Sprintf("job0\t0\t0\t%d\t0\t0", block+1), mapReduce(1, 0, []policy.Duration{500000007, 500000007}, nil)},
		{"reduces are rounded down", block, fmt.Sprintf("job0\t0\t0\t0\t%d\t0", block*5/4), mapReduce(1, 0, []policy.Duration{0}, []policy.Duration{1250 * ms})},
		{"and up", block, fmt.Sprintf("job0\t0\t0\t0\t1\t%d", block*7/4-1), mapReduce(1, 0, []policy.Duration{0}, []policy.Duration{875 * ms, 875 * ms})},
		{"input path", 1e6, "job0\t0\t0\t1000000\t0\t0\tinputPath7\t\t\n", with(mapReduce(1, 0, []policy.Duration{s}, nil), func(j *workload.Job) {
			j.Attrs = []policy.Attr{{Name: "input", Value: "inputPath7"}}
		})},
	} {
		for _, format := range []string{"", "swim"} {
			got := jobtest.All(t, reader(t, []byte(test.text), trace.ReaderConfig{Format: format, Throughput: test.throughput}).Jobs())
			if diff := cmp.Diff([]*workload.Job{test.want}, got); diff != "" {
				t.Errorf("%s: -want +got:\n%s", test.name, diff)
			}
		}
	}
}

func TestSWIMBadRows(t *testing.T) {
	row := func(column int, text string) string {
		cols := strings.Split("job7 5 1 100 200 300 path", " ")
		cols[column-1] = text
		return strings.Join(cols, "\t")
	}
	badRows(t, trace.ReaderConfig{Format: "swim"}, row(1, "a"), 1, row(1, "b"), []badRow{
		{"a column", "job0", "fewer than 6 columns", "got 1"},
		{"5 columns", "job0\t1\t1\t1\t1", "fewer than 6 columns", "got 5"},
		{"blanks for tabs", "job0 1 1 1 1 1", "fewer than 6 columns", "got 1"},
		{"submission a word", row(2, "now"), "submission is not a number", `"now"`},
		{"submission negative", row(2, "-1"), "submission is negative", `"-1"`},
		{"input blank", row(4, ""), "input is not in 0 to 9.007199e+15", `""`},
		{"input negative", row(4, "-1"), "input is not in 0 to 9.007199e+15", `"-1"`},
		{"output large", row(6, "1e16"), "output is not in 0 to 9.007199e+15", `"1e16"`},
		{"many maps", row(4, "140737488355329"), "more than 2^21 map or reduce tasks", "2.097153e+06 map, 1 reduce"},
		{"many reduces", row(5, "1e15"), "more than 2^21 map or reduce tasks", "1 map, 1.4901161e+07 reduce"},
	})
	r := reader(t, []byte("job0\t0\t0\t1\t0\t1e12"), trace.ReaderConfig{Throughput: 1})
	_, err := jobtest.First(r.Jobs())
	want := &trace.RowError{File: "x", Line: 1, Reason: "a task runs for more than 1e9 s", Detail: "1.000000000001e+12 s"}
	if diff := cmp.Diff(error(want), err); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSWIMThroughput(t *testing.T) {
	for _, x := range []float64{-1, 0.5, math.NaN(), math.Inf(1)} {
		if _, err := trace.NewReader("x", strings.NewReader(""), trace.ReaderConfig{Format: "swim", Throughput: x}); err == nil {
			t.Errorf("%v: got no error", x)
		}
	}
}
