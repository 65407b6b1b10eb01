package baseline_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/hostile"
	"example.com/augur/internal/hostile/trial"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/queue"
)

func TestHostileNumbers(t *testing.T) {
	is := func(f any) func() (any, func() string) { return func() (any, func() string) { return f, nil } }
	runs := func(results []any) error { return trial.Run(results[0].(policy.Scheduler)) }
	// known says what the tasks of all jobs but the first take.
	known := func(j *policy.Job) (policy.Duration, bool) { return policy.Duration(j.ID) * time.Second, j.ID > 1 }
	src := func() rand.Source { return rand.NewPCG(1, 2) }
	ratio := hostile.Where(func(x float64) bool { return x == 0 || x >= 1 && x <= 1000 }, hostile.Refuses)
	share := hostile.Between(0, 1)
	// two returns a policy with two jobs, of which the second has more to do and was submitted later.
	two := func(s policy.Scheduler, err error) policy.Scheduler {
		for id := policy.JobID(1); id <= 2 && err == nil; id++ {
			of := policy.Copy{Task: policy.Task{Job: id}}
			job := &policy.Job{ID: id, Submitted: policy.Time(id), Stages: []policy.Stage{{Tasks: uint32(id), Cores: 1}}}
			if _, err = s.Step(&policy.Event{Time: 2, Kind: policy.Submitted, Copy: of, Job: job}, nil); err == nil {
				_, err = s.Step(&policy.Event{Time: 2, Kind: policy.Ready, Copy: of}, nil)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	las := func() (*baseline.LAS, error) { return baseline.NewLAS(queue.MultilevelConfig{}) }
	drf := func() (*baseline.DRF, error) { return baseline.NewDRF(baseline.DRFConfig{}) }
	l, lerr := las()
	d, derr := drf()
	two(l, lerr)
	two(d, derr)
	c := baseline.NewConservative()
	two(c, nil)
	// Job 1 goes before any other, which if they are not there go by their IDs, after it and the second.
	ids := []hostile.Arg{
		{Name: "a", Value: policy.JobID(1), Rules: hostile.Rules{"": hostile.Always(hostile.Gives(1))}},
		{Name: "b", Value: policy.JobID(2), Rules: hostile.Rules{"": hostile.Always(hostile.Gives(-1))}},
	}
	compares := func(compare func(a, b policy.JobID) int) func() (any, func() string) {
		return is(func(a, b policy.JobID) (int, error) {
			if there, back := compare(a, b), compare(b, a); cmp.Compare(there, 0) != -cmp.Compare(back, 0) {
				return there, fmt.Errorf("Compare(%d, %d) is %d, and the other way round %d", a, b, there, back)
			}
			return cmp.Compare(compare(a, b), 0), nil
		})
	}
	unknown := []hostile.Case{
		{Name: "one job", Args: []any{policy.JobID(2), policy.JobID(2)}, Want: hostile.Gives(0)},
		{Name: "neither is there", Args: []any{policy.JobID(9), policy.JobID(7)}, Want: hostile.Gives(1)},
		{Name: "of one that is not there", Args: []any{policy.JobID(9), policy.JobID(2)}, Want: hostile.Gives(1)},
	}
	hostile.Test(t,
		hostile.Call{
			Name: "NewSparrow", New: is(baseline.NewSparrow), Sane: runs,
			Args:  []hostile.Arg{{Name: "c", Value: baseline.SparrowConfig{Src: src()}, Rules: hostile.Rules{"ProbeRatio": ratio}}},
			Cases: []hostile.Case{{Name: "no source", Args: []any{baseline.SparrowConfig{}}, Want: hostile.Refuses}},
		},
		hostile.Call{
			Name: "NewHawk", New: is(baseline.NewHawk), Sane: runs,
			Args: []hostile.Arg{{Name: "c", Value: baseline.HawkConfig{Src: src(), Estimate: known, Cutoff: 3 * time.Second}, Rules: hostile.Rules{
				"Cutoff": hostile.Positive, "LongShare": share, "ProbeRatio": ratio,
			}}},
			Cases: []hostile.Case{
				{Name: "no estimator", Args: []any{baseline.HawkConfig{Src: src(), Cutoff: 1}}, Want: hostile.Refuses},
				{Name: "zero", Args: []any{baseline.HawkConfig{}}, Want: hostile.Refuses},
			},
		},
		hostile.Call{Name: "NewEagle", New: is(baseline.NewEagle), Sane: runs, Args: []hostile.Arg{
			{Name: "c", Value: baseline.EagleConfig{Src: src(), Estimate: known, Cutoff: 3 * time.Second}, Rules: hostile.Rules{
				"Cutoff": hostile.Positive, "LongShare": share, "ProbeRatio": ratio, "MinProbes": hostile.Between(0, 1e6), "Bypass": hostile.NotNegative,
			}},
		}},
		hostile.Call{Name: "NewBigC", New: is(baseline.NewBigC), Sane: runs, Args: []hostile.Arg{
			{Name: "c", Value: baseline.BigCConfig{Estimate: known, Cutoff: 3 * time.Second}, Rules: hostile.Rules{"Cutoff": hostile.Positive, "ShortShare": share}},
		}},
		hostile.Call{Name: "NewLAS", New: is(baseline.NewLAS), Sane: runs, Args: []hostile.Arg{
			{Name: "levels", Value: queue.MultilevelConfig{First: 3, Growth: 2, Levels: 4}, Rules: hostile.Rules{
				"First": hostile.NotNegative, "Growth": hostile.Where(func(x float64) bool { return x == 0 || x > 1 }, hostile.Refuses), "Levels": hostile.Between(0, 64),
			}},
		}},
		hostile.Call{Name: "NewDRF", New: is(func(weight float64) (*baseline.DRF, error) {
			return baseline.NewDRF(baseline.DRFConfig{Weights: map[string]float64{"u": weight, "v": 1}})
		}), Sane: runs, Args: []hostile.Arg{{Name: "weight", Value: 2.0, Rules: hostile.Rules{"": hostile.Positive}}}},
		hostile.Call{Name: "NewMultifactor", New: is(baseline.NewMultifactor), Sane: runs, Args: []hostile.Arg{
			{Name: "c", Value: baseline.MultifactorConfig{Age: 1, FairShare: 2, Size: 3, Priority: 4}, Rules: hostile.Rules{
				"Age": hostile.Between(0, 1<<32), "FairShare": hostile.Between(0, 1<<32), "Size": hostile.Between(0, 1<<32), "Priority": hostile.Between(0, 1<<32),
				"MaxAge": hostile.NotNegative, "TopPriority": hostile.NotNegative, "HalfLife": hostile.NotNegative, "CalcPeriod": hostile.NotNegative,
			}},
		}},
		hostile.Call{Name: "LAS.Compare", New: compares(l.Compare), Args: ids, Cases: unknown},
		hostile.Call{Name: "DRF.Compare", New: compares(d.Compare), Args: ids, Cases: unknown},
		hostile.Call{Name: "Conservative.Compare", New: compares(c.Compare), Args: ids, Cases: unknown},
		hostile.Call{Name: "Conservative.Planned", New: is(c.Planned), Args: []hostile.Arg{
			{Name: "id", Value: policy.JobID(1), Rules: hostile.Rules{"": hostile.Always(hostile.Gives(policy.Time(0), false))}}, // there are no nodes
		}},
	)
}
