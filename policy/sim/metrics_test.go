package sim_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Three jobs on one core, small enough to do every sum by hand:
//
//	job 1  0 s    20 s of work    runs 0-20, deadline 20 s, utility 3
//	job 2  10 s   4 s + 6 s       runs 20-24 and 24-30, deadline 29 s, utility 5
//	job 3  25 s   wider than the cluster
func metricsByHand(t *testing.T) {
	one, two, three := bag(1, 0, 20*s), bag(2, 10*s, 4*s, 6*s), bag(3, 25*s, s)
	one.SLO = &policy.SLO{Deadline: at(20), Utility: 3}
	two.SLO = &policy.SLO{Deadline: at(29), Utility: 5}
	three.Stages[0].Cores = 2
	three.SLO = &policy.SLO{Deadline: at(100), Utility: 7}
	r := run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})}, baseline.NewFIFO(), one, two, three)
	want := sim.Metrics{
		Done: 2, Failed: 1,
		MeanJCT: 20, P50JCT: 20, P90JCT: 20, P99JCT: 20,
		MeanWait: 5, P90Wait: 10, P99Wait: 10, MaxWait: 10, Fairness: 0.9, // 3² / (2·5)
		MeanSlowdown: (1 + 20.0/6) / 2, MaxSlowdown: 20.0 / 6, // job 2's tasks could run side by side
		MaxRho: 20 / (1.5 * 10), Unfair: 0.5, // each meets the other for half its life; job 2 keeps a core busy for 10 s; job 1 has 20 / (1.5 · 20)
		MeanBoundedSlowdown: (1 + 20.0/10) / 2, P50BoundedSlowdown: 1, MaxBoundedSlowdown: 2,
		Makespan:    30,
		Utilization: 1, Goodput: 1,
		Copies:   3,
		MissRate: 2.0 / 3, Value: 3,
	}
	if diff := gocmp.Diff(want, r.Metrics(), cmpopts.EquateApprox(1e-12, 0), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if got := r.Jobs[1]; got.MeanWait != 12*s || got.MeanTask != 5*s {
		t.Errorf("the tasks of job 2 wait for %v and run for %v, want a mean of 10 s and 14 s, and of 4 s and 6 s", got.MeanWait, got.MeanTask)
	}
}

// The p-th percentile is the least value that p % do not exceed: of 1 to 10 s the median
// is 5 s, and the 99th is 10 s.
func TestPercentiles(t *testing.T) {
	var r sim.Result
	for i := range 10 {
		r.Jobs = append(r.Jobs, sim.JobRecord{ID: policy.JobID(i + 1), Outcome: policy.Done, Ended: at(float64(10 - i))})
	}
	m := r.Metrics()
	if m.P50JCT != 5 || m.P90JCT != 9 || m.P99JCT != 10 {
		t.Errorf("percentiles %v, %v, %v s; want 5, 9, 10", m.P50JCT, m.P90JCT, m.P99JCT)
	}
}

// Goodput leaves out what was killed, and what was done for a job that failed.
func TestGoodput(t *testing.T) {
	p := quiet(func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0): // 2 s are lost, then 3 s count
			return list(startOn(1, task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(2)})
		case isReady(ev, 2, 0):
			return list(startOn(2, task(2, 0, 0), 0))
		case ev.Kind == policy.Woken && ev.Time == at(2):
			return list(do(policy.Kill, task(1, 0, 0), 0), startOn(1, task(1, 0, 0), 1), policy.Action{Kind: policy.Wake, At: at(4)})
		case ev.Kind == policy.Woken: // 4 s are lost
			return list(do(policy.GiveUp, task(2, 0, 0), 0))
		}
		return nil
	})
	nodes := sim.Cluster(sim.Partition{Nodes: 2, Cores: 1})
	m := run(t, sim.Config{Nodes: nodes}, p, bag(1, 0, 3*s), bag(2, 0, 9*s)).Metrics()
	if m.Utilization != 0.9 || m.Goodput != 0.3 || m.Wasted != 6 {
		t.Errorf("utilisation %v, goodput %v, wasted %v; want 0.9, 0.3, 6", m.Utilization, m.Goodput, m.Wasted)
	}
}

func TestCompare(t *testing.T) {
	record := func(id policy.JobID, o policy.Outcome, jct float64) sim.JobRecord {
		return sim.JobRecord{ID: id, Outcome: o, Ended: at(jct)}
	}
	a := &sim.Result{Jobs: []sim.JobRecord{record(1, policy.Done, 1), record(2, policy.Done, 30), record(3, policy.TaskFailed, 5), record(4, policy.Done, 7), record(6, policy.Done, 9)}}
	b := &sim.Result{Jobs: []sim.JobRecord{record(1, policy.Done, 2), record(2, policy.Done, 20), record(3, policy.Done, 5), record(4, policy.Done, 0), record(5, policy.Done, 1)}}
	want := sim.Comparison{Jobs: 2, RatioOfMeans: 31.0 / 22, P10Ratio: 0.5, P50Ratio: 0.5, P90Ratio: 1.5, Faster: 0.5, Slower: 0.5}
	if diff := gocmp.Diff(want, sim.Compare(a, b)); diff != "" {
		t.Errorf("comparison (-want +got):\n%s", diff)
	}
	if got := sim.Compare(a, &sim.Result{}); got.Jobs != 0 || !math.IsNaN(got.P50Ratio) {
		t.Errorf("comparison with nothing: %+v, want no jobs and NaN", got)
	}
}

// A truth that does not know a task, or lies, is an error that names the task.
func TestBadTruth(t *testing.T) {
	for _, truth := range []policy.Truth{knows{-s, true}, knows{0, false}} {
		_, err := try(t, sim.Config{Truth: truth}, baseline.NewFIFO(), bag(1, 0, s))
		if err == nil || !strings.Contains(err.Error(), "task 1/0/0#0") {
			t.Errorf("error %v, want one about task 1/0/0#0", err)
		}
	}
	_, err := try(t, sim.Config{Truth: knows{math.MaxInt64, true}}, baseline.NewFIFO(), bag(1, s, s))
	if err == nil || !strings.Contains(err.Error(), "policy.Time") {
		t.Errorf("error %v, want one about a time that does not fit", err)
	}
	slow := sim.Cluster(sim.Partition{Nodes: 1, Cores: 1, Speed: 1e-10})
	_, err = try(t, sim.Config{Nodes: slow, Truth: knows{3600 * s, true}}, baseline.NewFIFO(), bag(1, s, s))
	if err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("error %v, want one about a runtime that does not fit", err)
	}
}

// knows is a truth that gives one answer.
type knows struct {
	runtime policy.Duration
	ok      bool
}

func (k knows) Runtime(policy.Copy) (policy.Duration, bool) { return k.runtime, k.ok }

// Records that are handed out as jobs end are those that the result would hold.
func TestEndedGetsTheRecords(t *testing.T) {
	jobs := func() []*workload.Job {
		return []*workload.Job{bag(1, 0, 20*s), bag(2, 10*s, 4*s, 6*s), bag(3, 11*s, s)}
	}
	nodes := sim.Cluster(sim.Partition{Nodes: 1, Cores: 2})
	want := run(t, sim.Config{Nodes: nodes}, baseline.NewFIFO(), jobs()...)
	var records []sim.JobRecord
	got := run(t, sim.Config{Nodes: nodes, Ended: func(r *sim.JobRecord) { records = append(records, *r) }}, baseline.NewFIFO(), jobs()...)
	if len(got.Jobs) != 0 {
		t.Errorf("got %d records in the result, want none", len(got.Jobs))
	}
	slices.SortFunc(records, func(a, b sim.JobRecord) int { return cmp.Compare(a.ID, b.ID) })
	got.Jobs = records
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Runtimes on nodes of other speeds are rounded to the nearest nanosecond.
func TestRuntimeIsRounded(t *testing.T) {
	fast := sim.Cluster(sim.Partition{Nodes: 1, Cores: 1, Speed: 3})
	r := run(t, sim.Config{Nodes: fast}, baseline.NewFIFO(), bag(1, 0, 2*s))
	if got := r.Jobs[0].Ended; got != 666_666_667 {
		t.Errorf("2 s at speed 3 end at %d ns, want 666,666,667", got)
	}
}

func TestMetricsText(t *testing.T) {
	nan := math.NaN()
	for want, m := range map[string]sim.Metrics{
		"0 jobs done": {MeanJCT: nan, P99JCT: nan, MeanWait: nan, MaxWait: nan, MeanBoundedSlowdown: nan, Utilization: nan, MissRate: nan},
		"100 jobs done, mean completion time 112 s, P99 1340 s; mean wait 48.2 s, longest 900 s; mean bounded slowdown 3.14; utilization 88 %": {
			Done: 100, MeanJCT: 112, P99JCT: 1340.2, MeanWait: 48.2, MaxWait: 900, MeanBoundedSlowdown: 3.1416, Utilization: 0.88, MissRate: nan},
		"1 jobs done, failed 2, mean completion time 0.5 s, P99 0.5 s; mean wait 0 s, longest 0 s; mean bounded slowdown 1; utilization 10 %; deadlines missed 25 %; preemptions 3": {
			Done: 1, Failed: 2, MeanJCT: 0.5, P99JCT: 0.5, MeanBoundedSlowdown: 1, Utilization: 0.1, MissRate: 0.25, Preemptions: 3},
	} {
		if got := fmt.Sprint(m); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
