package probing

import (
	"testing"

	"example.com/augur/policy"
)

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
		})
	}
}
