package trace

import (
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// oneStage is a job of one stage and what it consists of, in one piece of memory, except
// for the runtimes of more than one task and more attributes than are usual.
type oneStage struct {
	workload.Job
	stage    [1]policy.Stage
	runtimes [1][]policy.Duration
	one      [1]policy.Duration
	attrs    [6]policy.Attr
}

// newOneStage returns a job of that many tasks of one core that run for the same time.
func newOneStage(tasks int, runtime policy.Duration) *oneStage {
	j := new(oneStage)
	j.stage[0] = policy.Stage{Tasks: uint32(tasks), Cores: 1}
	j.Stages = j.stage[:]
	runtimes := j.one[:]
	if tasks > 1 {
		runtimes = make([]policy.Duration, tasks)
	}
	for i := range runtimes {
		runtimes[i] = runtime
	}
	j.runtimes[0] = runtimes
	j.Runtimes = j.runtimes[:]
	j.Attrs = j.attrs[:0]
	return j
}

// maxAlike bounds the tasks that a row may have by saying their number, with no more text
// for each: their runtimes take 8 MB.
const maxAlike = 1 << 20
