package cli

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A gang needs as many nodes as its tasks fill, in cores or in memory.
func TestSizeForGangs(t *testing.T) {
	for _, test := range []struct {
		cores  int32 // of a task
		tasks  uint32
		memory int64 // of a task
		node   int64 // memory of a node of 4 cores
		want   int   // nodes
	}{
		{1, 8, 6, 0, 2},
		{1, 8, 6, 24, 2},
		{1, 8, 6, 23, 3},
		{1, 8, 6, 11, 8},
		{2, 8, 0, 1, 4},
		{2, 8, 6, 11, 8},
		{1, 8, 6, 5, 8}, // too large for any number of nodes
	} {
		j := &workload.Job{Job: policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: test.tasks, Cores: test.cores, Memory: test.memory, Gang: true}}}}
		f := ClusterFlags{Cores: 4, Memory: test.node, Load: 1}
		if got, err := f.Fit(&Jobs{List: []*workload.Job{j}}); err != nil || len(got) != test.want {
			t.Errorf("%+v: got %d nodes, error %v", test, len(got), err)
		}
	}
}
