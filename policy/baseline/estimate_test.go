package baseline

import (
	"testing"
	"time"

	"example.com/augur/policy"
)

// runtimes knows how long the tasks of one job run, by stage and index.
type runtimes [][]policy.Duration

func (r runtimes) Runtime(c policy.Copy) (policy.Duration, bool) {
	if int(c.Stage) >= len(r) || int(c.Index) >= len(r[c.Stage]) {
		return 0, false
	}
	return r[c.Stage][c.Index], true
}

func TestMeanRuntime(t *testing.T) {
	j := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}, {Tasks: 1, Cores: 1}}}
	for _, test := range []struct {
		name  string
		truth policy.Truth
		want  policy.Duration
		ok    bool
	}{
		{"all stages", runtimes{{s, 2 * s}, {6 * s}}, 3 * s, true},
		{"part of a second", runtimes{{s, 2 * s}, {5 * s}}, 8 * s / 3, true},
		{"centuries", runtimes{{1<<63 - 1, 1<<63 - 1}, {1<<63 - 1}}, 1<<62 - 1, true},
		{"a task unknown", runtimes{{s, 2 * s}}, 0, false},
		{"a negative runtime", runtimes{{s, -s}, {s}}, 0, false},
		{"no truth", nil, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := MeanRuntime(test.truth)(j)
			if ok != test.ok || (got-test.want).Abs() > 1 { // ns
				t.Errorf("the mean is %v, %v, want %v, %v", got, ok, test.want, test.ok)
			}
			got, ok = WholeSeconds(MeanRuntime(test.truth))(j)
			if want := test.want.Truncate(time.Second); ok != test.ok || got != want {
				t.Errorf("in whole seconds %v, %v, want %v, %v", got, ok, want, test.ok)
			}
		})
	}
}
