package main

import (
	"fmt"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
)

const hopperExample = "epsilon=0.1,locality=0.03,group=group,period=3s,keep=off,copies=in-turn"

// defaultHopper returns the paper's parameters, with groups of jobs as the generators name them.
func defaultHopper() hopper.Config {
	c := hopper.DefaultConfig()
	c.Group = "group"
	return c
}

// copyTurns are when copies may have slots; with after-all, only those of others than Hopper.
var copyTurns = map[string]central.When{"in-turn": central.InTurn, "after-own": central.AfterOwn, "after-all": central.AfterAll}

// parseHopper reads what -hopper says.
func parseHopper(spec string) (hopper.Config, error) {
	c := defaultHopper()
	if spec == "" {
		return c, nil
	}
	_, err := parseSpec("-hopper", spec, func(key, value string) (err error) {
		switch key {
		case "epsilon":
			c.Epsilon, err = share(value)
		case "locality":
			c.Locality, err = share(value)
		case "group":
			c.Group = value
		case "period":
			c.Period, err = positive(value)
		case "keep":
			c.Keep, err = onOff(value)
		case "copies":
			var ok bool
			if c.Copies, ok = copyTurns[value]; !ok {
				err = fmt.Errorf("want in-turn, after-own or after-all")
			}
		default:
			err = fmt.Errorf("unknown parameter, want some of %s", hopperExample)
		}
		return err
	})
	if err != nil {
		return c, err
	}
	if _, err := hopper.NewScheduler(ofHopper(c)); err != nil {
		return c, cli.Usagef("-hopper: %q: %w", spec, err)
	}
	return c, nil
}

// ofHopper returns the parameters as they are for Hopper itself, whose copies do not go after all tasks.
func ofHopper(c hopper.Config) hopper.Config {
	if c.Copies == central.AfterAll {
		c.Copies = central.InTurn
	}
	return c
}

// underHopper makes Hopper's scheduler.
func underHopper(s setting) (policy.Scheduler, error) {
	c := ofHopper(s.hopper)
	var err error
	if c.Rule, err = grass(); err != nil {
		return nil, err
	}
	return hopper.NewScheduler(c)
}

// speculating makes what Hopper is compared with: a turn, a rule of speculation, and a share of the cores that is
// reserved for copies.
func speculating(turn func() central.Turn, rule func() (hopper.Speculator, error), reserved float64) func(setting) (policy.Scheduler, error) {
	return func(s setting) (policy.Scheduler, error) {
		c := s.hopper.SpeculationConfig
		var err error
		if c.Rule, err = rule(); err != nil {
			return nil, err
		}
		copies, err := hopper.NewSpeculation(c)
		if err != nil {
			return nil, err
		}
		return central.New(central.Config{
			Turn: turn(), Copy: copies, Place: new(hopper.Locality),
			Copies: s.hopper.Copies, Reserved: reserved, CopyTurn: turn(),
		})
	}
}

func fewest() central.Turn { return baseline.Fewest() }
func fair() central.Turn   { return baseline.Fair() }

// ofJobs is dominant resource fairness of jobs: no attribute has such a name, and so each has a user of its own.
func ofJobs() central.Turn {
	t, err := baseline.DRF(baseline.DRFConfig{User: "\x00"})
	if err != nil {
		panic(err) // there is nothing that could be wrong
	}
	return t
}

func late() (hopper.Speculator, error)   { return hopper.NewLATE(hopper.LATEConfig{}) }
func mantri() (hopper.Speculator, error) { return hopper.NewMantri(hopper.MantriConfig{}) }
func grass() (hopper.Speculator, error)  { return hopper.NewGRASS(hopper.GRASSConfig{}) }
