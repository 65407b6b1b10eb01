package probing

import (
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// What each of the policies promises.
func TestPromises(t *testing.T) {
	t.Run("Sparrow binds a task when the turn of its probe comes", sparrowBindsLate)
	t.Run("Sparrow cancels the probes that are left over", sparrowCancelsProbesWithoutTask)
	t.Run("Hawk lets an idle node take over the probes that wait behind a long task", hawkSteals)
	t.Run("long tasks go where they would wait least, and never to the short partition", longTasksGoWhereTheyWaitLeast)
	t.Run("Eagle lets a probe serve one task of its job after the other", eagleSticksToItsProbes)
	t.Run("Eagle serves the shorter of two jobs that wait, though it came last", eagleServesTheShortestJob)
	t.Run("Eagle lets a node with a long task reject probes", eagleRejectsProbesBehindLongTasks)
	t.Run("BigC gives short tasks all cores of their share, by preemption", bigC)
}

const s = time.Second

// bagOf makes a job of one-core tasks, submitted so many seconds into the run, that run for so many each, and request that.
func bagOf(id policy.JobID, submitted, each float64, tasks uint32) *workload.Job {
	took := policy.Duration(each * 1e9)
	j := &workload.Job{
		Job: policy.Job{
			ID: id, Submitted: policy.Time(submitted * 1e9), Requested: took,
			Stages: []policy.Stage{{Tasks: tasks, Cores: 1}},
		},
		Runtimes: [][]policy.Duration{make([]policy.Duration, tasks)},
	}
	for i := range j.Runtimes[0] {
		j.Runtimes[0][i] = took
	}
	return j
}

// runtimes knows how long the tasks of one job run, by stage and index.
type runtimes [][]policy.Duration

func (r runtimes) Runtime(c policy.Copy) (policy.Duration, bool) {
	if int(c.Stage) >= len(r) || int(c.Index) >= len(r[c.Stage]) {
		return 0, false
	}
	return r[c.Stage][c.Index], true
}

func asRequested(j *policy.Job) (policy.Duration, bool) { return j.Requested, true }
