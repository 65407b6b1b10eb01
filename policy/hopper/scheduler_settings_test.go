package hopper_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
)

// A setting of a scheduler under test: Hopper, or what it is compared with.
type setting struct {
	name          string
	hopper.Config // of a rival its SpeculationConfig and Copies
	rival         func() central.Turn
	reserved      float64 // of a rival
}

// A line of parts is what a setting makes.
type line struct {
	*central.Scheduler
	hopper   *hopper.Scheduler // nil: it is a rival
	copies   *hopper.Speculation
	reserved float64
}

func (s setting) scheduler() (*line, error) {
	if s.rival == nil {
		h, err := hopper.NewScheduler(s.Config)
		if err != nil {
			return nil, err
		}
		return &line{Scheduler: h.Scheduler, hopper: h}, nil
	}
	copies, err := hopper.NewSpeculation(s.SpeculationConfig)
	if err != nil {
		return nil, err
	}
	c := central.Config{
		Turn: s.rival(), Place: new(hopper.Locality), Copy: copies, Copies: s.Copies, Reserved: s.reserved, CopyTurn: s.rival(),
	}
	p, err := central.New(c)
	return &line{Scheduler: p, copies: copies, reserved: s.reserved}, err
}

func newLine(t testing.TB, s setting) *line {
	t.Helper()
	l, err := s.scheduler()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Explain is that of Hopper.
func (l *line) Explain(id policy.JobID) (hopper.Explanation, bool) { return l.hopper.Explain(id) }

// Keeps reports whether free cores are kept from the tasks of a job: by Hopper, or since all but those reserved for copies
// are taken.
func (l *line) Keeps(id policy.JobID) bool {
	if l.hopper != nil {
		return l.hopper.Keeps(id)
	}
	cores, _ := l.View().Capacity()
	slots := min(int64(l.reserved*float64(cores)+0.5), cores-1)
	tasks := cores - l.View().Free(0) - l.View().Extra()
	return slots > 0 && tasks > 0 && tasks >= cores-slots
}

func fewest() central.Turn { return baseline.Fewest() }
func fair() central.Turn   { return baseline.Fair() }

// byDRF is dominant resource fairness of jobs: no attribute has such a name, and so each has a user of its own.
func byDRF() central.Turn {
	turn, err := baseline.DRF(baseline.DRFConfig{User: "\x00"})
	if err != nil {
		panic(err) // there is nothing that could be wrong
	}
	return turn
}

// asking is parameters with a rule that is asked so often.
func asking(rule hopper.Speculator, period policy.Duration) hopper.Config {
	return hopper.Config{SpeculationConfig: hopper.SpeculationConfig{Rule: rule, Period: period}}
}

// settings are turns with rules of speculation, each of both at least once, by name.
func settings(t testing.TB) []setting {
	rules := speculators(t)
	of := func(name string, change func(*setting)) setting {
		s := setting{name: name, Config: hopper.DefaultConfig()}
		change(&s)
		return s
	}
	return []setting{
		of("DRF, after all", func(s *setting) { s.rival, s.Copies = byDRF, central.AfterAll }),
		of("Fair", func(s *setting) { s.rival, s.Rule = fair, rules["Mantri"] }),
		of("Fair, after own", func(s *setting) { s.rival, s.Copies = fair, central.AfterOwn }),
		of("Hopper", func(s *setting) { s.Group = "user" }),
		of("Hopper, kept", func(s *setting) { s.Keep, s.Epsilon, s.Rule = true, 1, rules["RAS"] }),
		of("Hopper, memory", func(s *setting) { s.Group, s.Memory, s.Rule = "user", true, rules["Simple"] }),
		of("SRPT", func(s *setting) { s.rival, s.Rule = fewest, rules["LATE"] }),
		of("SRPT, no copies", func(s *setting) { s.rival, s.Rule = fewest, nil }),
		of("SRPT, reserved", func(s *setting) { s.rival, s.Rule, s.reserved = fewest, rules["GS"], 0.25 }),
	}
}

// allocators are Hopper and its rivals, with a rule that is asked so often.
func allocators(rule hopper.Speculator, period policy.Duration, epsilon float64) []setting {
	c := asking(rule, period)
	c.Epsilon = epsilon
	return []setting{
		{name: "VirtualSizes", Config: c}, {name: "SRPT", Config: c, rival: fewest},
		{name: "Fair", Config: c, rival: fair}, {name: "DRF", Config: c, rival: byDRF},
	}
}
