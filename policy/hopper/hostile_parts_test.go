package hopper_test

import (
	"fmt"
	"maps"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/internal/hostile/trial"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/view"
)

func TestHostileNumbersOfScheduler(t *testing.T) {
	unit := hostile.Between(0, 1)
	above1 := hostile.Where(func(x float64) bool { return x == 0 || x > 1 && x <= 1e100 }, hostile.Refuses)
	sizes := hostile.Rules{
		"Epsilon": unit, "Locality": unit, "Dampening": unit,
		"Tail": above1,
	}
	period := hostile.Rules{"Period": hostile.Positive}
	all := hostile.Rules{"Copies": hostile.Only(hostile.Refuses, 0, 1)}
	for part, rules := range map[string]hostile.Rules{"SpeculationConfig.": period, "VirtualSizesConfig.": sizes} {
		for place, rule := range rules {
			all[part+place] = rule
		}
	}
	config := hopper.DefaultConfig()
	config.Group = "user"
	memory := config.VirtualSizesConfig
	memory.Memory = true
	run := func(c central.Config, err error) error {
		if err != nil {
			return err
		}
		s, err := central.New(c)
		if err != nil {
			return err
		}
		return trial.Run(s)
	}
	hostile.Test(t,
		hostile.Call{Name: "NewScheduler", New: hostile.Func(hopper.NewScheduler), Args: []hostile.Arg{
			{Name: "c", Value: config, Rules: all},
		}, Sane: func(results []any) error { return trial.Run(results[0].(*hopper.Scheduler)) }},
		hostile.Call{Name: "NewVirtualSizes", New: hostile.Func(hopper.NewVirtualSizes), Args: []hostile.Arg{
			{Name: "c", Value: memory, Rules: maps.Clone(sizes)},
		}, Sane: func(results []any) error {
			copies, err := hopper.NewSpeculation(config.SpeculationConfig)
			return run(central.Config{Turn: results[0].(*hopper.VirtualSizes), Copy: copies}, err)
		}},
		hostile.Call{Name: "NewSpeculation", New: hostile.Func(hopper.NewSpeculation), Args: []hostile.Arg{
			{Name: "c", Value: config.SpeculationConfig, Rules: period},
		}, Sane: func(results []any) error {
			return run(central.Config{
				Turn: baseline.Fewest(), Copy: results[0].(*hopper.Speculation), Copies: central.AfterAll, CopyTurn: baseline.Fair(), Reserved: 0.2,
			}, nil)
		}},
	)
}

// parts are those of a scheduler, with a job of two tasks, of which the first runs, on a node of four cores.
type parts struct {
	turn   *hopper.VirtualSizes
	copies *hopper.Speculation
	places *hopper.Locality
	job    *central.Job
	all    *hopper.Scheduler
}

func newParts(t *testing.T) parts {
	c := asking(always{}, 1)
	turn, err := hopper.NewVirtualSizes(c.VirtualSizesConfig)
	if err != nil {
		t.Fatal(err)
	}
	copies, err := hopper.NewSpeculation(c.SpeculationConfig)
	if err != nil {
		t.Fatal(err)
	}
	p := parts{turn: turn, copies: copies, places: new(hopper.Locality)}
	s, err := central.New(central.Config{Turn: turn, Copy: copies, Place: p.places})
	if err != nil {
		t.Fatal(err)
	}
	if p.all, err = hopper.NewScheduler(c); err != nil {
		t.Fatal(err)
	}
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1, Holders: []policy.NodeID{1, 1}}}}
	for _, s := range []*central.Scheduler{s, p.all.Scheduler} {
		for _, ev := range []policy.Event{
			{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Cores: 4, Speed: 1, Partition: 1}},
			{Kind: policy.Submitted, Copy: copyOf(1, 0, 0), Job: job},
			{Kind: policy.Ready, Copy: copyOf(1, 0, 0), More: true},
			{Kind: policy.Started, Copy: copyOf(1, 0, 0), Node: 1, Replay: true},
		} {
			if _, err := s.Step(&ev, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	p.job = s.View().Job(1)
	return p
}

func TestHostileNumbersOfParts(t *testing.T) {
	var p parts
	of := func(method func() any, state func() any) func() (any, func() string) {
		return func() (any, func() string) {
			p = newParts(t)
			return method(), func() string { return hostile.Dump(state()) }
		}
	}
	turn := func() any { return p.turn }
	copies := func() any { return p.copies }
	goesOn := func([]any) error {
		if j := p.turn.Next(); j != p.job {
			return fmt.Errorf("next is %v", j)
		}
		if share, _ := p.turn.Share(1); share != 4 {
			return fmt.Errorf("the share is %v slots", share)
		}
		return nil
	}
	none := []hostile.Arg{{Name: "actions", Value: []policy.Action(nil)}}
	hostile.Test(t,
		hostile.Call{Name: "VirtualSizes.Claim", New: of(func() any {
			return func(c central.Claim) { p.turn.Claim(p.job, c) }
		}, turn), Sane: goesOn, Args: []hostile.Arg{
			{Name: "c", Value: central.Claim{Cores: 1, Wants: true}, Rules: hostile.Rules{"Cores": hostile.Any, "Memory": hostile.Any}},
		}},
		hostile.Call{Name: "VirtualSizes.Share", New: of(func() any { return p.turn.Share }, turn), Args: []hostile.Arg{
			hostile.Number("id", policy.JobID(1), hostile.Only(hostile.Gives(0.0, false), 1)),
		}},
		hostile.Call{Name: "Locality.Where", New: of(func() any {
			return func(stage uint32) view.Where { return p.places.Where(p.job, stage) }
		}, func() any { return p.places }), Args: []hostile.Arg{
			hostile.Number("stage", uint32(0), hostile.Only(hostile.Panics, 0)),
		}},
		hostile.Call{Name: "Speculation.Note", New: of(func() any {
			return func(actions []policy.Action) ([]policy.Action, bool) {
				return p.copies.Note(&policy.Event{Time: 1, Kind: policy.Progress, Copy: copyOf(1, 0, 0)}, p.job, actions)
			}
		}, copies), Args: none},
		hostile.Call{Name: "Speculation.Review", New: of(func() any { return p.copies.Review }, copies), Args: none},
		hostile.Call{Name: "Speculation.Next", New: of(func() any {
			return func(actions []policy.Action) ([]policy.Action, bool) {
				_, actions, ok := p.copies.Next(p.job, actions)
				return actions, ok
			}
		}, copies), Args: none},
		hostile.Call{Name: "Speculation.Began", New: of(func() any {
			return func(c policy.Copy, actions []policy.Action) []policy.Action {
				return p.copies.Began(p.job, c, true, actions)
			}
		}, copies), Args: []hostile.Arg{
			{Name: "c", Value: copyOf(1, 0, 1), Rules: hostile.Rules{
				"Task.Job": hostile.Any, "Task.Stage": hostile.Any, "Task.Index": hostile.Any, "N": hostile.Any,
			}}, none[0],
		}},
		hostile.Call{Name: "Scheduler.Explain", New: of(func() any { return p.all.Explain }, func() any { return p.all }), Args: []hostile.Arg{
			hostile.Number("id", policy.JobID(1), hostile.Only(hostile.Gives(hopper.Explanation{}, false), 1)),
		}},
	)
}
