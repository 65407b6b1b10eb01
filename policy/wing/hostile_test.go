package wing_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/augur/dag"
	"example.com/augur/internal/hostile"
	"example.com/augur/internal/hostile/trial"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/wing"
	"example.com/augur/queue"
)

func TestHostileNumbers(t *testing.T) {
	is := func(f any) func() (any, func() string) { return func() (any, func() string) { return f, nil } }
	amount := hostile.Between(0, 1e100)
	templates := []wing.Template{
		{Name: "a", Queue: "q", Owner: "x", Jobs: 10, Priority: 3, Value: 5, Work: 7, Own: 6, NoInput: 4, Late: time.Hour, Runtime: time.Hour, Gap: 7 * time.Hour, Periodic: true},
		{Name: "b", Queue: "q", Owner: "y", Jobs: 20, Priority: 9, Value: 1, Work: 9, Own: 5, NoInput: 4},
		{Name: "c", Queue: "q", Owner: "x", Jobs: 10, Priority: 5, Value: 50, Work: 7, Own: 6, NoInput: 4, Late: time.Hour, Runtime: time.Hour, Gap: 7 * time.Hour, Periodic: true},
	}
	links := []wing.Link{{Up: 0, Down: 1, Jobs: 7}, {Up: 2, Down: 0, Jobs: 3}}
	places := hostile.Rules{
		"[].Jobs": hostile.AtLeast(4), "[].Priority": hostile.Finite, "[].Value": amount, "[].Own": amount,
		"[].Work": hostile.Where(func(x float64) bool { return x > 0 && x <= 1e100 }, hostile.Refuses), "[].NoInput": hostile.Between(0, 10),
		"[].Late": hostile.NotNegative, "[].Runtime": hostile.NotNegative, "[].Gap": hostile.NotNegative,
	}
	finite := func(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
	advised := func(results []any) error {
		for _, f := range results[0].([]wing.Finding) {
			if !(f.Harm >= 0 && finite(f.Harm) && finite(f.Suggested) && f.Worth >= 0 && f.Worth <= 1 && f.Standing >= 0 && f.Standing <= 1) || f.Text == "" || f.Delay < 0 {
				return fmt.Errorf("it finds %+v", f)
			}
		}
		return nil
	}
	// A dependent raises job 1 from 2 s on, whatever it is.
	dependent := wing.Dependent{Queue: "q", Priority: 5, After: 10 * time.Second}
	raises := func(results []any) error {
		r := results[0].(wing.Ranker)
		j := &policy.Job{ID: 1, Queue: "q", Priority: 2}
		for _, now := range []policy.Time{0, 2e9, math.MaxInt64 - 1} {
			if priority, until := r.Rank(j, now); !(priority >= 2) || until <= now {
				return fmt.Errorf("at %d the priority is %v until %d", now, priority, until)
			}
		}
		s, err := wing.NewScheduler(wing.Config{Ranker: r})
		return cmp.Or(err, trial.Run(s))
	}
	scheduler := func() *wing.Scheduler {
		s, err := wing.NewScheduler(wing.Config{Ranker: wing.ByPriority()})
		for id := policy.JobID(1); id <= 2 && err == nil; id++ {
			of := policy.Copy{Task: policy.Task{Job: id}}
			if _, err = s.Step(&policy.Event{Kind: policy.Submitted, Copy: of, Job: &policy.Job{ID: id, Priority: float64(-id), Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}}, nil); err == nil {
				_, err = s.Step(&policy.Event{Kind: policy.Ready, Copy: of}, nil)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	share := hostile.Between(0, 0.5)
	one := func(x float64) hostile.Rules { return hostile.Rules{"": hostile.Always(hostile.Gives(int(x)))} }
	configs := []hostile.Arg{
		{Name: "c", Value: wing.Config{Ranker: wing.ByPriority(), Queues: []wing.Queue{{Name: "q", Share: queue.Share{Guaranteed: 0.25, Maximum: 0.5}}}}, Rules: hostile.Rules{
			"Queues[].Share.Guaranteed": share, "Queues[].Share.Maximum": hostile.Where(func(x float64) bool { return x == 0 || x >= 0.25 && x <= 1 }, hostile.Refuses),
			"Inherit": hostile.Only(hostile.Refuses, 0, 1, 2),
		}},
	}
	hostile.Test(t,
		hostile.Call{
			Name: "Advise", New: is(wing.Advise), Sane: advised,
			Args: []hostile.Arg{
				{Name: "templates", Value: templates, Rules: places},
				{Name: "links", Value: links, Rules: hostile.Rules{
					"[].Up": hostile.Only(hostile.Refuses, 0), "[].Down": hostile.Only(hostile.Refuses, 0, 1), "[].Jobs": hostile.Between(1, 20),
				}},
				{Name: "c", Value: wing.AdviceConfig{MinGap: 0.1, Delays: []time.Duration{time.Hour, time.Minute}}, Rules: hostile.Rules{
					"MinGap": hostile.Between(0, 1), "Delays[]": hostile.Positive,
				}},
			},
			Cases: []hostile.Case{
				{Name: "nothing", Args: []any{nil, nil, wing.AdviceConfig{}}, Want: hostile.Takes},
				{Name: "a link twice", Args: []any{templates, []wing.Link{links[0], links[0]}, wing.AdviceConfig{}}, Want: hostile.Refuses},
				{Name: "all fail", Args: []any{[]wing.Template{{Jobs: 4, Work: 1, NoInput: 4, Value: 1e100}}, nil, wing.AdviceConfig{}}, Want: hostile.Takes},
				{Name: "as many as there are", Args: []any{
					[]wing.Template{{Jobs: math.MaxInt, Work: 1e100, Own: 1e100, NoInput: math.MaxInt - 1, Value: 1e100, Late: math.MaxInt64}, {Jobs: math.MaxInt, Work: 1, Priority: math.MaxFloat64}},
					nil, wing.AdviceConfig{},
				}, Want: hostile.Takes},
			},
		},
		hostile.Call{Name: "Fixed.Rank", New: is(func(priority float64, now policy.Time) (float64, policy.Time) {
			return wing.Fixed(func(*policy.Job) float64 { return priority }).Rank(&policy.Job{}, now)
		}), Args: []hostile.Arg{
			{Name: "priority", Value: 3.0, Rules: hostile.Rules{"": func(x any) hostile.Answer { return hostile.Gives(x, wing.Never) }}},
			{Name: "now", Value: policy.Time(3), Rules: hostile.Rules{"": hostile.Always(hostile.Gives(3.0, wing.Never))}},
		}},
		hostile.Call{
			Name: "Inherit", New: is(wing.Inherit), Args: []hostile.Arg{
				{Name: "dst", Value: []float64(nil)},
				{Name: "priority", Value: []float64{1, 2, 3}, Rules: hostile.Rules{"[]": hostile.Rule(hostile.Any).Or(math.IsNaN, hostile.Refuses)}},
				{Name: "edges", Value: []dag.Edge{{From: 1, To: 2}, {From: 2, To: 0}}, Rules: hostile.Rules{
					"[].From": hostile.Only(hostile.Refuses, 0, 1, 2), "[].To": hostile.Only(hostile.Refuses, 0, 1, 2),
				}},
			},
			Cases: []hostile.Case{
				{Name: "nothing", Args: []any{nil, nil, nil}, Want: hostile.Gives([]float64(nil))},
				{Name: "an edge of nothing", Args: []any{nil, nil, make([]dag.Edge, 1)}, Want: hostile.Refuses},
				{Name: "a circle, and an edge twice", Args: []any{nil, []float64{1, 2}, []dag.Edge{{From: 0, To: 1}, {From: 1, To: 0}, {From: 1, To: 0}}}, Want: hostile.Gives([]float64{2, 2})},
				{Name: "from itself", Args: []any{nil, []float64{math.Inf(-1)}, make([]dag.Edge, 1)}, Want: hostile.Gives([]float64{math.Inf(-1)})},
			},
			Sane: func(results []any) error {
				if slices.ContainsFunc(results[0].([]float64), math.IsNaN) {
					return fmt.Errorf("priorities are %v", results[0])
				}
				return nil
			},
		},
		hostile.Call{
			Name: "NewRaise", New: is(func(c wing.RaiseConfig, d wing.Dependent) (wing.Ranker, error) {
				if c.Ranker != nil {
					c.Dependents = func(*policy.Job) []wing.Dependent { return []wing.Dependent{d} }
				}
				return wing.NewRaise(c)
			}), Args: []hostile.Arg{
				{Name: "c", Value: wing.RaiseConfig{Ranker: wing.ByPriority(), Lead: 8 * time.Second}, Rules: hostile.Rules{"Lead": hostile.NotNegative}},
				{Name: "dependent", Value: dependent, Rules: hostile.Rules{"Priority": hostile.Any, "After": hostile.Any}},
			},
			Cases: []hostile.Case{{Name: "zero", Args: []any{wing.RaiseConfig{}, dependent}, Want: hostile.Refuses}},
			Sane:  raises,
		},
		hostile.Call{
			Name: "NewScheduler", New: is(wing.NewScheduler), Args: configs,
			Cases: []hostile.Case{
				{Name: "a name twice", Args: []any{wing.Config{Ranker: wing.ByPriority(), Queues: []wing.Queue{{Name: "q"}, {Name: "q"}}}}, Want: hostile.Refuses},
				{Name: "a parent that is not there", Args: []any{wing.Config{Ranker: wing.ByPriority(), Queues: []wing.Queue{{Name: "q", Parent: "p"}}}}, Want: hostile.Refuses},
				{Name: "more than all", Args: []any{wing.Config{Ranker: wing.ByPriority(), Queues: []wing.Queue{{Name: "p", Share: queue.Share{Guaranteed: 0.75}}, {Name: "q", Share: queue.Share{Guaranteed: 0.75}}}}}, Want: hostile.Refuses},
			},
			Sane: func(results []any) error { return trial.Run(results[0].(*wing.Scheduler)) },
		},
		hostile.Call{
			Name: "NewHierarchy", New: is(wing.NewHierarchy), Args: configs,
			Sane: func(results []any) error {
				s, err := central.New(central.Config{Turn: results[0].(*wing.Hierarchy)})
				return cmp.Or(err, trial.Run(s))
			},
		},
		hostile.Call{Name: "Hierarchy.Explain", New: is(func(id policy.JobID) (wing.Explanation, bool) { return scheduler().Queues().Explain(id) }), Args: []hostile.Arg{
			{Name: "id", Value: policy.JobID(1), Rules: hostile.Rules{"": hostile.Only(hostile.Gives(wing.Explanation{}, false), 1)}},
		}},
		hostile.Call{Name: "Hierarchy.Claim", New: is(func(c central.Claim) error {
			s := scheduler()
			s.Queues().Claim(s.View().Job(1), c)
			if e, ok := s.Explain(1); !ok || !finite(e.Use) {
				return fmt.Errorf("it is told %+v, %v", e, ok)
			}
			return nil
		}), Args: []hostile.Arg{
			{Name: "c", Value: central.Claim{Cores: 1, Memory: 1, Wants: true}, Rules: hostile.Rules{"Cores": hostile.Any, "Memory": hostile.Any}},
		}},
		hostile.Call{Name: "Scheduler.Explain", New: is(scheduler().Explain), Args: []hostile.Arg{
			{Name: "id", Value: policy.JobID(1), Rules: hostile.Rules{"": hostile.Only(hostile.Gives(wing.Explanation{}, false), 1)}},
		}},
		hostile.Call{
			Name: "Scheduler.Compare", New: is(func(a, b policy.JobID) int { return cmp.Compare(scheduler().Compare(a, b), 0) }),
			Args: []hostile.Arg{{Name: "a", Value: policy.JobID(1), Rules: one(1)}, {Name: "b", Value: policy.JobID(2), Rules: one(-1)}},
		},
	)
}
