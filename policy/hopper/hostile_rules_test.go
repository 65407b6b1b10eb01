package hopper_test

import (
	"fmt"
	"math"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/policy/hopper"
)

func fourRunning() *hopper.Phase {
	p := &hopper.Phase{New: 2, Slots: 6, Waiting: 1}
	for task, remaining := range []float64{1, 9, 3, math.Inf(1)} {
		p.Running = append(p.Running, hopper.Running{
			Task: uint32(task), Copies: 1 + task%2, Elapsed: 20, Youngest: 15, Progress: 0.5, Rate: 0.5 / (remaining + 1),
			Remaining: remaining, New: 2, Last: 1,
		})
	}
	p.Finished = []float64{1, 2, 2, 3}
	return p
}

// A rule is told of a phase what its host believes. Whatever that is, it moves a task of the phase, and
// changes nothing.
func TestHostileNumbersOfRules(t *testing.T) {
	var phase *hopper.Phase // that a rule was last asked about
	var before string
	next := func(rule hopper.Speculator, err error) func() (any, func() string) {
		if err != nil {
			t.Fatal(err)
		}
		return func() (any, func() string) {
			return func(p *hopper.Phase, r hopper.Room) (hopper.Move, bool) {
				phase, before = p, hostile.Dump(p)
				return rule.Next(p, r)
			}, nil
		}
	}
	ofPhase := func(results []any) error {
		if after := hostile.Dump(phase); after != before {
			return fmt.Errorf("the phase has become %s, from %s", after, before)
		}
		move, ok := results[0].(hopper.Move), results[1].(bool)
		for _, r := range phase.Running {
			if r.Task == move.Task {
				ok = false
			}
		}
		if ok {
			return fmt.Errorf("it moves task %d of %+v", move.Task, phase.Running)
		}
		return nil
	}
	args := []hostile.Arg{
		{Name: "p", Value: fourRunning(), Rules: hostile.Rules{
			"Waiting": hostile.Any, "New": hostile.Any, "Slots": hostile.Any, "Left": hostile.Any,
			"Running[].Task": hostile.Any, "Running[].Copies": hostile.Any, "Running[].Restarts": hostile.Any,
			"Running[].Elapsed": hostile.Any, "Running[].Progress": hostile.Any, "Running[].Rate": hostile.Any,
			"Running[].Remaining": hostile.Any, "Running[].New": hostile.Any, "Running[].Last": hostile.Any,
			"Running[].Youngest": hostile.Any, "Finished[]": hostile.Any,
		}},
		{Name: "r", Value: hopper.Room{Slots: 100, Copies: 2}, Rules: hostile.Rules{"Slots": hostile.Any, "Copies": hostile.Any}},
	}
	nothing, twice := hopper.Phase{}, fourRunning()
	twice.Running = append(twice.Running, twice.Running...)
	unknown := &hopper.Phase{New: math.NaN(), Running: make([]hopper.Running, 9)}
	for i := range unknown.Running {
		unknown.Running[i] = hopper.Running{Task: uint32(9 - i), Copies: 1, Rate: math.NaN(), Remaining: math.NaN(), New: math.NaN()}
	}
	cases := []hostile.Case{
		{Name: "nothing runs", Args: []any{&nothing, hopper.Room{}}, Want: hostile.Gives(hopper.Move{}, false)},
		{Name: "each task twice, unsorted", Args: []any{twice, hopper.Room{Slots: 100}}, Want: hostile.Takes},
		{Name: "nothing is known", Args: []any{unknown, hopper.Room{Slots: 100}}, Want: hostile.Gives(hopper.Move{}, false)},
	}
	asked := func(results []any) error {
		p := fourRunning()
		results[0].(hopper.Speculator).Next(p, hopper.Room{Slots: 100})
		if after := hostile.Dump(p); after != hostile.Dump(fourRunning()) {
			return fmt.Errorf("the phase has become %s", after)
		}
		return nil
	}
	is := func(f any) func() (any, func() string) { return func() (any, func() string) { return f, nil } }
	hostile.Test(t,
		hostile.Call{Name: "NewSimple", New: is(hopper.NewSimple), Sane: asked, Args: []hostile.Arg{
			{Name: "c", Value: hopper.SimpleConfig{}, Rules: hostile.Rules{"Delay": hostile.NotNegative}},
		}},
		hostile.Call{Name: "NewLATE", New: is(hopper.NewLATE), Sane: asked, Args: []hostile.Arg{
			{Name: "c", Value: hopper.LATEConfig{}, Rules: hostile.Rules{"Cap": hostile.Between(0, 1), "Slow": hostile.Between(0, 1), "Age": hostile.NotNegative}},
		}},
		hostile.Call{Name: "NewMantri", New: is(hopper.NewMantri), Sane: asked, Args: []hostile.Arg{
			{Name: "c", Value: hopper.MantriConfig{}, Rules: hostile.Rules{
				"Period": hostile.NotNegative, "Chance": hostile.Where(func(x float64) bool { return x >= 0 && x < 1 }, hostile.Refuses),
				"Restarts": hostile.Any, "Copies": hostile.NotNegative, "Gain": hostile.NotNegative,
			}},
		}},
		hostile.Call{Name: "NewGRASS", New: is(hopper.NewGRASS), Sane: asked, Args: []hostile.Arg{
			{Name: "c", Value: hopper.GRASSConfig{}, Rules: hostile.Rules{
				"Waves": hostile.NotNegative.Or(func(x float64) bool { return math.IsInf(x, 1) }, hostile.Takes),
			}},
		}},
		hostile.Call{Name: "Simple.Next", New: next(hopper.NewSimple(hopper.SimpleConfig{})), Sane: ofPhase, Args: args, Cases: cases},
		hostile.Call{Name: "LATE.Next", New: next(hopper.NewLATE(hopper.LATEConfig{})), Sane: ofPhase, Args: args, Cases: cases},
		hostile.Call{Name: "Mantri.Next", New: next(hopper.NewMantri(hopper.MantriConfig{})), Sane: ofPhase, Args: args, Cases: cases},
		hostile.Call{Name: "GRASS.Next", New: next(hopper.NewGRASS(hopper.GRASSConfig{})), Sane: ofPhase, Args: args, Cases: cases},
	)
}
