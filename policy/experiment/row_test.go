package experiment

import (
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

func TestByClass(t *testing.T) {
	record := func(mean, jct time.Duration) sim.JobRecord {
		return sim.JobRecord{Outcome: policy.Done, MeanTask: mean, Ended: policy.Time(jct)}
	}
	got := byClass(&sim.Result{Jobs: []sim.JobRecord{
		record(9*time.Second, 11*time.Second), record(10*time.Second, 100*time.Second), record(time.Second, time.Second),
	}}, 10*time.Second)
	if got.ShortJobs != 2 || got.LongJobs != 1 || *got.ShortP50 != 1 || *got.ShortP99 != 11 || *got.LongP50 != 100 {
		t.Errorf("the classes are %+v, want two short jobs, of 1 s and 11 s, and a long one of 100 s", got)
	}
}

// By the metrics of 3Sigma: what is done late or longer counts, and what is done after the last submission does not.
func TestByDeadline(t *testing.T) {
	const s = policy.Time(time.Second)
	due := &policy.SLO{Deadline: 50 * s, Utility: 2}
	result := &sim.Result{Jobs: []sim.JobRecord{
		{Outcome: policy.Done, Ended: 50 * s, Service: 3600, SLO: due},
		{Outcome: policy.Done, Ended: 51 * s, Service: 7200, Wasted: 1800, SLO: due},
		{Outcome: policy.Done, Submitted: 10 * s, Ended: 100 * s, Service: 3600},
		{Outcome: policy.Done, Submitted: 100 * s, Ended: 110 * s, Service: 9000},
		{Outcome: policy.Stalled, Submitted: 20 * s, Ended: 100 * s, Service: 1800, Wasted: 1800},
	}}
	got := byDeadline(result, 100*s)
	latency := got.BestEffortLatency
	got.BestEffortLatency = nil
	if want := (ByDeadline{SLOJobs: 2, SLODone: 2, SLOGoodput: 2.5, BestEffortJobs: 3, BestEffortDone: 2, BestEffortGoodput: 1}); *got != want || *latency != 50 {
		t.Errorf("got %+v and a latency of %v, want %+v and 50 s", *got, *latency, want)
	}
	if got := byDeadline(&sim.Result{Jobs: result.Jobs[:2]}, 100*s); got.BestEffortLatency != nil {
		t.Errorf("the latency of no best-effort jobs is %v, want none", *got.BestEffortLatency)
	}
}
