package paper_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/paper"
)

// lakeRun runs the experiment on a share of the cluster, as one queue, and returns what became
// of its jobs, and the share of the value that they attained.
func lakeRun(t testing.TB, log *paper.LakeLog, cores int, p policy.Scheduler) (*sim.Result, float64) {
	t.Helper()
	jobs, truth := workload.SplitSource(log.Source())
	// Every violation of the contract ends the run with an error.
	result, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: cores, Cores: 1}), Jobs: jobs, Truth: truth}, p)
	if err != nil {
		t.Fatal(err)
	}
	value := 0
	for i := range result.Jobs {
		if r := &result.Jobs[i]; r.Done() {
			value += log.Attained(r.ID, r.Ended)
		}
	}
	return result, float64(value) / float64(log.Achievable())
}

// On the whole cluster everything goes as it did in the log (section 7: more than 99 % of the
// jobs are done, with any policy); the smaller the cluster, the later jobs end, and the more
// of those that read from them fail.
func TestLakeRuns(t *testing.T) {
	l, log := paper.DefaultLake(), defaultLake(t)
	jobs, missing := 0, 0
	for _, r := range lakeJobs(t, log) {
		if r.Submitted >= log.Begin() {
			jobs++
			if r.MissingInput {
				missing++
			}
		}
	}
	t.Logf("%d jobs, of which %d failed in the log; they are worth %d downloads", jobs, missing, log.Achievable())
	last, failed := 1.0, 0
	for _, percent := range []int{100, 60, 20} {
		result, value := lakeRun(t, log, l.Cores*percent/100, baseline.NewPriority())
		n, missed := 0, 0
		for i := range result.Jobs {
			switch o := result.Jobs[i].Outcome; o {
			case policy.Done:
				n++
			case policy.NoInput:
				missed++
			default:
				t.Fatalf("job %d has ended with %v", result.Jobs[i].ID, o)
			}
		}
		t.Logf("%3d %% of the cluster: %5.1f %% of the value, %4.1f %% of the jobs without input; utilization %.2f",
			percent, 100*value, 100*float64(missed)/float64(jobs), result.Metrics().Utilization)
		if n+missed != jobs {
			t.Errorf("%d jobs have ended, want %d", n+missed, jobs)
		}
		if value > last || missed < failed {
			t.Errorf("%v of the value and %d failures, want less and more than on more cores: %v and %d", value, missed, last, failed)
		}
		if percent == 100 && !(value > 0.99 && n*100 > 99*jobs && missed >= missing) {
			t.Errorf("%v of the value, and %d of %d jobs done; want more than 99 %% of both", value, n, jobs)
		}
		if percent == 20 && !(value < 0.95) {
			t.Errorf("%v of the value on a fifth of the cluster: it is not too small", value)
		}
		last, failed = value, missed
	}
}
