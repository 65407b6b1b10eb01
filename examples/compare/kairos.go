package main

import (
	"fmt"
	"math/rand/v2"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

const kairosExample = "quantum=50s,queue=4,starvation=on,centres=1"

// parseKairos reads what -kairos says.
func parseKairos(spec string) (kairos.Config, error) {
	c := kairos.DefaultConfig()
	if spec == "" {
		return c, nil
	}
	_, err := parseSpec("-kairos", spec, func(key, value string) (err error) {
		switch key {
		case "quantum":
			c.Node.Quantum, err = positive(value)
		case "queue":
			c.Central.Queue, err = whole(value, 0, kairos.MaxQueue)
		case "starvation":
			var on bool
			if on, err = onOff(value); !on {
				c.Node.Starvation = kairos.Never
			}
		case "centres":
			c.Centres, err = whole(value, 1, 1<<16)
		default:
			err = fmt.Errorf("unknown parameter, want some of %s", kairosExample)
		}
		return err
	})
	if err != nil {
		return c, err
	}
	if _, err := kairos.NewScheduler(c); err != nil {
		return c, cli.Usagef("-kairos: %q: %w", spec, err)
	}
	return c, nil
}

// underKairos makes Kairos, with a way to break ties between nodes.
func underKairos(tie kairos.Tie) func(setting) (policy.Scheduler, error) {
	return func(s setting) (policy.Scheduler, error) {
		c := s.kairos
		c.Central.Tie, c.Central.Src = tie, rand.NewPCG(s.seed, 0x6b6169726f73)
		return kairos.NewScheduler(c)
	}
}
