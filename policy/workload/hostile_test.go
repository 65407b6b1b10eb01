package workload_test

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

func valid(jobs []*workload.Job, err error) error { return jobtest.Draw(workload.Of(jobs), err) }

const (
	tiny     = math.SmallestNonzeroFloat64 // the least number above 0
	huge     = math.MaxFloat64
	mostJobs = 1 << 28
)

// thousand returns jobs for what is made of other jobs.
func thousand(t testing.TB) []*workload.Job {
	h := workload.DefaultHeavyTail()
	h.Jobs = 20
	source, err := h.Source()
	if err != nil {
		t.Fatal(err)
	}
	return jobtest.All(t, source)
}

func TestHostileNumbersOfGenerators(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	heavy := workload.DefaultHeavyTail()
	heavyRules := jobtest.Ranges(map[string][2]float64{
		"Jobs": {1, mostJobs}, "MeanGap": {1, 1e16}, "Swing": {0, 1}, "Users": {1, 1 << 20}, "Programs": {1, 1 << 20}, "Recurring": {0, 1}, "WidthTail": {tiny, huge},
		"MaxWidth": {1, policy.MaxTasks}, "MedianRuntime": {1, math.MaxInt64}, "RuntimeSigma": {0, 10}, "RunSigma": {0, 10}, "TaskSigma": {0, 10},
	})
	deadlines := func(prefix string) hostile.Rules {
		return hostile.Rules{
			prefix + "Seed": hostile.Any, prefix + "Share": hostile.Between(0, 1), prefix + "Slack[]": hostile.Between(0, 1e5), prefix + "Utility": hostile.Between(0, policy.MaxUtility),
			prefix + "Partitions[]": hostile.Between(1, policy.MaxID), prefix + "Prefer": hostile.Between(tiny, 1), prefix + "Elsewhere": hostile.AtLeast(1),
		}
	}
	orZero := func(least float64) hostile.Rule {
		return hostile.AtLeast(least).Or(func(x float64) bool { return x == 0 }, hostile.Takes)
	}
	mixed := workload.DefaultMixed()
	mixed.Deadlines.Share, mixed.Deadlines.Slack, mixed.Deadlines.Partitions = 0, []float64{0.5}, []policy.PartitionID{1}
	mixedRules := jobtest.Ranges(map[string][2]float64{
		"Drift": {0, 10}, "Groups": {1, 1000}, "LeastTail": {1 + 1e-9, huge}, "MostTail": {1 + 1e-9, huge}, "Gangs": {0, 1}, "MaxGang": {2, 1 << 20}, "Staged": {0, 1},
		"MostStages": {2, 100}, "Pipes": {0, 1}, "Dependent": {0, 1}, "Odd": {0, 1}, "Requested": {0, 1}, "Overestimate": {1, 1e6},
	})
	delete(mixedRules, "Seed") // that of HeavyTail
	mixedRules["Bound"] = orZero(1 + 1e-9)
	maps.Copy(mixedRules, deadlines("Deadlines."))
	mixedRules["Deadlines.Slack[]"] = hostile.AtLeast(0) // no job has a deadline
	for name, rule := range heavyRules {
		mixedRules["HeavyTail."+name] = rule
	}
	mixedRules["HeavyTail.MaxWidth"] = hostile.Between(1, policy.MaxTasks/float64(mixed.MostStages))
	jobs := thousand(t)
	d := workload.DefaultDeadlines()
	d.Slack, d.Partitions = []float64{0.5}, []policy.PartitionID{1}
	slack := deadlines("")
	hostile.Test(t,
		hostile.Call{Name: "HeavyTail.Source", New: hostile.Func(func(h workload.HeavyTail) error { return jobtest.Draw(h.Source()) }), Args: []hostile.Arg{
			{Name: "h", Value: heavy, Rules: heavyRules},
		}},
		hostile.Call{Name: "Mixed.Source", New: hostile.Func(func(m workload.Mixed) error { return jobtest.Draw(m.Source()) }), Args: []hostile.Arg{
			{Name: "m", Value: mixed, Rules: mixedRules},
		}},
		hostile.Call{Name: "Mixed.History", New: hostile.Func(func(jobs int) error {
			if jobs > 1e5 && jobs <= mostJobs {
				return nil // right, and slow
			}
			return jobtest.Draw(mixed.History(jobs))
		}), Args: []hostile.Arg{hostile.Number("jobs", 10, hostile.Between(1, mostJobs))}},
		hostile.Call{Name: "Locality.Source", New: hostile.Func(func(l workload.Locality) error { return jobtest.Draw(l.Source(workload.Of(jobs))) }), Args: []hostile.Arg{
			{Name: "l", Value: workload.Locality{Nodes: 20, Replicas: 2, Elsewhere: 2}, Rules: hostile.Rules{
				"Seed": hostile.Any, "Nodes": hostile.Between(2, policy.MaxID), "Replicas": hostile.Between(0, 16), "Elsewhere": hostile.AtLeast(1).Or(func(x float64) bool { return x == 0 }, hostile.Takes),
			}},
		}},
		hostile.Call{Name: "Stragglers.Source", New: hostile.Func(func(s workload.Stragglers) error { return jobtest.Draw(s.Source(workload.Of(jobs))) }), Args: []hostile.Arg{
			{Name: "s", Value: workload.Stragglers{Tail: 1.5, Bound: 10}, Rules: hostile.Rules{
				"Seed": hostile.Any, "Tail": hostile.AtLeast(1 + 1e-9), "Bound": hostile.AtLeast(1+1e-9).Or(func(x float64) bool { return x == 0 }, hostile.Takes),
			}},
		}, Cases: []hostile.Case{
			{Name: "ratios", Args: []any{workload.Stragglers{Ratios: []float64{0, math.MaxFloat64}}}, Want: hostile.Takes},
			{Name: "a ratio that is none", Args: []any{workload.Stragglers{Ratios: []float64{1, math.NaN()}}}, Want: hostile.Refuses},
			{Name: "neither", Args: []any{workload.Stragglers{}}, Want: hostile.Refuses}, {Name: "both", Args: []any{workload.Stragglers{Tail: 2, Ratios: []float64{1}}}, Want: hostile.Refuses},
			{Name: "too many ratios", Args: []any{workload.Stragglers{Ratios: make([]float64, 4097)}}, Want: hostile.Refuses},
		}},
		hostile.Call{Name: "Deadlines.Source", New: hostile.Func(func(d workload.Deadlines) error { return jobtest.Draw(d.Source(workload.Of(jobs))) }), Args: []hostile.Arg{
			{Name: "d", Value: d, Rules: slack},
		}, Cases: []hostile.Case{
			{Name: "no slack", Args: []any{workload.Deadlines{Share: 1, Prefer: 1, Elsewhere: 1}}, Want: hostile.Refuses},
			{Name: "a partition twice", Args: []any{workload.Deadlines{Share: 1, Slack: []float64{1}, Prefer: 1, Elsewhere: 1, Partitions: []policy.PartitionID{1, 1}}}, Want: hostile.Refuses},
		}},
	)
}

func TestHostileNumbersOfJobs(t *testing.T) {
	jobs := thousand(t)
	finite := hostile.Between(1e-5, 1e5)
	id := jobs[0].ID
	job := workload.Job{Job: policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}, Runtimes: [][]policy.Duration{{1, 1}}}
	luck := workload.Luck{Tail: 1.5, Bound: 10, Base: []policy.Duration{1e9, 1e9}}
	hostile.Test(t,
		hostile.Call{Name: "Job.Validate", New: hostile.Func(func(id policy.JobID, runtime policy.Duration) error {
			j := job
			j.ID, j.Runtimes = id, [][]policy.Duration{{1, runtime}}
			return j.Validate()
		}), Args: []hostile.Arg{hostile.Number("ID", policy.JobID(1), hostile.AtLeast(1)), hostile.Number("run", policy.Duration(1), hostile.NotNegative)}},
		hostile.Call{Name: "Luck.Runtime", New: hostile.Func(luck.Runtime), Args: []hostile.Arg{
			{Name: "c", Value: policy.Copy{}, Rules: hostile.Rules{"Task.Job": hostile.Any, "Task.Stage": hostile.Only(hostile.Panics, 0), "Task.Index": hostile.Any, "N": hostile.Any}},
		}, Sane: func(results []any) error {
			if d := results[0].(policy.Duration); d < 0 || d > 1e18 {
				return fmt.Errorf("a copy runs for %v", d)
			}
			return nil
		}},
		hostile.Call{Name: "Stretch", New: hostile.Func(func(f float64) error {
			if err := valid(workload.Stretch(jobs, f)); err != nil {
				return fmt.Errorf("%v: %w", f, err) // the job is named, and where it would go
			}
			return nil
		}), Args: []hostile.Arg{hostile.Number("factor", 2.0, finite.Or(func(x float64) bool { return x > 0 && x < 1 }, hostile.Takes))}},
		hostile.Call{Name: "ToLoad", New: hostile.Func(func(cores, load float64) error { return valid(workload.ToLoad(jobs, cores, load)) }), Args: []hostile.Arg{
			hostile.Number("cores", 100.0, hostile.Between(1, 1e20)), hostile.Number("load", 0.8, hostile.Between(1e-5, huge)),
		}},
		hostile.Call{Name: "Offered.Load", New: hostile.Func(workload.Measure(jobs).Load), Args: []hostile.Arg{hostile.Number("cores", 10.0, hostile.Any)}},
		hostile.Call{Name: "Request", New: hostile.Func(func(f float64) error { return jobtest.Draw(workload.Request(workload.Of(jobs), f)) }), Args: []hostile.Arg{hostile.Number("factor", 2.0, hostile.AtLeast(1))}},
		hostile.Call{Name: "Window", New: hostile.Func(func(from, to policy.Time) error { return valid(workload.Window(jobs, from, to)) }), Args: []hostile.Arg{
			hostile.Number("from", policy.Time(0), hostile.Between(-4.6e18, 1e10)), hostile.Number("to", policy.Time(2e10), hostile.AtLeast(1)),
		}},
		hostile.Call{Name: "Ratios", New: hostile.Func(func(least, n int) []float64 { return workload.Ratios(jobs, least, n) }), Args: []hostile.Arg{
			hostile.Number("least", 2, hostile.Any), hostile.Number("n", 10, hostile.Any),
		}, Sane: func(results []any) error {
			for _, x := range results[0].([]float64) {
				if !(x >= 0 && x <= huge) {
					return fmt.Errorf("a ratio is %v", x)
				}
			}
			return nil
		}},
		hostile.Call{Name: "Truth.Runtime", New: func() (any, func() string) {
			_, truth := workload.Split(jobs)
			return func(c policy.Copy) (policy.Duration, bool) { return truth.Runtime(c) }, func() string { return hostile.Dump(truth) }
		}, Args: []hostile.Arg{{Name: "c", Value: policy.Copy{Task: policy.Task{Job: id}}, Rules: hostile.Rules{
			"Task.Job": hostile.Always(hostile.Gives(policy.Duration(0), false)), "Task.Stage": hostile.Always(hostile.Takes), "Task.Index": hostile.Always(hostile.Takes), "N": hostile.Any,
		}}}},
		hostile.Call{Name: "Truth.Forget", New: func() (any, func() string) {
			_, truth := workload.Split(jobs)
			return truth.Forget, func() string { return hostile.Dump(truth) }
		}, Args: []hostile.Arg{hostile.Number("id", id, hostile.Any)}},
	)
}
