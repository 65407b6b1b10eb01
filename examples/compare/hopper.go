package main

import (
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

// underHopper makes Hopper's scheduler with the paper's parameters, but for the allocator, the
// rule of speculation, and the share of the cores that is reserved for copies.
func underHopper(a hopper.Allocator, rule func() (hopper.Speculator, error), reserved float64) func(setting) (policy.Scheduler, error) {
	return func(setting) (policy.Scheduler, error) {
		c := hopper.DefaultConfig()
		c.Allocator, c.Reserved = a, reserved
		if a == hopper.VirtualSizes {
			c.Group = "group" // whose tails others have no use for
		}
		var err error
		if c.Rule, err = rule(); err != nil {
			return nil, err
		}
		return hopper.New(c)
	}
}

func late() (hopper.Speculator, error)   { return hopper.NewLATE(hopper.LATEConfig{}) }
func mantri() (hopper.Speculator, error) { return hopper.NewMantri(hopper.MantriConfig{}) }
func grass() (hopper.Speculator, error)  { return hopper.NewGRASS(hopper.GRASSConfig{}) }
