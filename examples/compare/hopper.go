package main

import (
	"fmt"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
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
var copyTurns = map[string]hopper.CopyTurn{"in-turn": hopper.InTurn, "after-own": hopper.AfterOwn, "after-all": hopper.AfterAll}

// parseHopper reads what -hopper says.
func parseHopper(spec string) (hopper.Config, error) {
	c := defaultHopper()
	if spec == "" {
		return c, nil
	}
	_, err := parseSpec("-hopper", spec, func(key, value string) (err error) {
		switch key {
		case "epsilon":
			c.Epsilon, err = cli.Decimal(value)
		case "locality":
			c.Locality, err = cli.Decimal(value)
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
	if _, err := hopper.NewScheduler(forAllocator(c, hopper.VirtualSizes)); err != nil {
		return c, cli.Usagef("-hopper: %q: %w", spec, err)
	}
	return c, nil
}

// forAllocator returns the parameters as they are for an allocator.
func forAllocator(c hopper.Config, a hopper.Allocator) hopper.Config {
	c.Allocator = a
	if a != hopper.VirtualSizes {
		c.Group = "" // its tails are of use to Hopper alone
	} else if c.Copies == hopper.AfterAll {
		c.Copies = hopper.InTurn
	}
	return c
}

// underHopper makes Hopper's scheduler with an allocator, a rule of speculation, and a share of the
// cores that is reserved for copies.
func underHopper(a hopper.Allocator, rule func() (hopper.Speculator, error), reserved float64) func(setting) (policy.Scheduler, error) {
	return func(s setting) (policy.Scheduler, error) {
		c := forAllocator(s.hopper, a)
		c.Reserved = reserved
		var err error
		if c.Rule, err = rule(); err != nil {
			return nil, err
		}
		return hopper.NewScheduler(c)
	}
}

func late() (hopper.Speculator, error)   { return hopper.NewLATE(hopper.LATEConfig{}) }
func mantri() (hopper.Speculator, error) { return hopper.NewMantri(hopper.MantriConfig{}) }
func grass() (hopper.Speculator, error)  { return hopper.NewGRASS(hopper.GRASSConfig{}) }
