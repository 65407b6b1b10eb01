package hopper_test

import (
	"math"
	"strings"
	"testing"

	"example.com/augur/policy/hopper"
)

func TestConfigurationsAreChecked(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	simple := func(c hopper.SimpleConfig) error { _, err := hopper.NewSimple(c); return err }
	late := func(c hopper.LATEConfig) error { _, err := hopper.NewLATE(c); return err }
	mantri := func(c hopper.MantriConfig) error { _, err := hopper.NewMantri(c); return err }
	grass := func(c hopper.GRASSConfig) error { _, err := hopper.NewGRASS(c); return err }
	for _, tt := range []struct {
		err  error
		want string // part of it, "": none
	}{
		{simple(hopper.SimpleConfig{}), ""},
		{simple(hopper.SimpleConfig{Delay: -1}), "SimpleConfig.Delay is -1ns"},
		{simple(hopper.SimpleConfig{Copies: 1}), "SimpleConfig.Copies is 1"},
		{late(hopper.LATEConfig{}), ""},
		{late(hopper.LATEConfig{Cap: 1, Slow: 1}), ""},
		{late(hopper.LATEConfig{Cap: 1.5}), "LATEConfig.Cap is 1.5"},
		{late(hopper.LATEConfig{Cap: nan}), "LATEConfig.Cap is NaN"},
		{late(hopper.LATEConfig{Slow: -0.1}), "LATEConfig.Slow is -0.1"},
		{late(hopper.LATEConfig{Slow: nan}), "LATEConfig.Slow is NaN"},
		{late(hopper.LATEConfig{Age: -1}), "LATEConfig.Age is -1ns"},
		{mantri(hopper.MantriConfig{}), ""},
		{mantri(hopper.MantriConfig{Restarts: -1}), ""},
		{mantri(hopper.MantriConfig{Period: -1}), "MantriConfig.Period is -1ns"},
		{mantri(hopper.MantriConfig{Chance: 1}), "MantriConfig.Chance is 1"},
		{mantri(hopper.MantriConfig{Chance: nan}), "MantriConfig.Chance is NaN"},
		{mantri(hopper.MantriConfig{Copies: -1}), "MantriConfig.Copies is -1"},
		{mantri(hopper.MantriConfig{Gain: inf}), "MantriConfig.Gain is +Inf"},
		{mantri(hopper.MantriConfig{Gain: -2}), "MantriConfig.Gain is -2"},
		{grass(hopper.GRASSConfig{Waves: inf}), ""},
		{grass(hopper.GRASSConfig{Waves: -1}), "GRASSConfig.Waves is -1"},
		{grass(hopper.GRASSConfig{Waves: nan}), "GRASSConfig.Waves is NaN"},
	} {
		switch {
		case tt.want == "" && tt.err != nil:
			t.Errorf("got error %q, want none", tt.err)
		case tt.want != "" && (tt.err == nil || !strings.HasPrefix(tt.err.Error(), "hopper: "+tt.want)):
			t.Errorf("got error %v, want one of %q", tt.err, tt.want)
		}
	}
}
