package workload_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// All stages can be saved but those at either side of a pipe.
func TestLetSave(t *testing.T) {
	j := policy.Job{ID: 1, Stages: []policy.Stage{
		{Tasks: 1, Cores: 1}, {Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 0, Pipe: true}}}, {Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 1}}},
	}}
	workload.LetSave(&j, func(stage int) policy.Duration { return policy.Duration(stage) })
	for i, want := range []bool{false, false, true} {
		if got := j.Stages[i]; got.Saves != want || want && got.Reload != 2 {
			t.Errorf("stage %d: %+v, want that it saves: %v", i, got, want)
		}
	}
	if err := j.Validate(); err != nil {
		t.Error(err)
	}
}
