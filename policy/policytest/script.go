package policytest

import (
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// A script is a source of random numbers: each of its bytes decides the next one, as far as anybody looks.
type script struct {
	left []byte
	rest *rand.PCG
}

func newScript(bytes []byte) *script {
	return &script{bytes[:min(len(bytes), maxScript)], rand.NewPCG(1, 2)}
}

// Uint64 is rand.Source. IntN goes by the highest byte or the lowest, and ExpFloat64 by the fourth.
func (s *script) Uint64() uint64 {
	u := s.rest.Uint64()
	if len(s.left) > 0 {
		b := uint64(s.left[0])
		u, s.left = u&^(0xff<<56|0xff<<24|0xff)|b<<56|b<<24|b, s.left[1:]
	}
	return u
}

// over reports whether there are no more bytes.
func (s *script) over() bool { return len(s.left) == 0 }

// scripted reads a scene from a script: of what nodes and jobs there are, what the network and the host are like, and what
// is planned to go wrong. What is left of the script says, byte by byte, what else does.
func scripted(in *script) *scene {
	rng := rand.New(in)
	sc := drawScene(rng, 1+rng.IntN(10))
	for i := range sc.config.Nodes { // so that those of a partition differ
		sc.config.Nodes[i].Cores = int32(1 + rng.IntN(6))
	}
	sc.shift([]policy.Duration{0, -100 * s, 1_700_000_000 * s}[rng.IntN(3)])
	sc.config.Delay, sc.config.MaxFailures = []policy.Duration{0, 0, s / 100, s, 10 * s}[rng.IntN(5)], 1+rng.IntN(3)
	chance := func() float64 { return float64(rng.IntN(3)) / 10 }
	f := &sc.config.Faults
	f.TaskFailure, f.TaskEviction = chance(), chance()
	f.PostLoss, f.PostLate, f.PostEarly, f.PostTwice, f.MeanLate = chance(), chance(), chance(), chance(), s
	f.ActionLate, f.ActionForgotten, f.MeanSlip = chance(), chance(), s
	now := sc.jobs[0].Submitted
	for range rng.IntN(12) {
		now = now.Add(seconds(rng, 4))
		switch rng.IntN(6) {
		case 0, 1, 2:
			f.Outages = append(f.Outages, sim.Outage{Node: policy.NodeID(1 + rng.IntN(len(sc.config.Nodes))), At: now, For: 1 + seconds(rng, 4)})
		case 3:
			f.Cancels = append(f.Cancels, sim.Cancel{Job: policy.JobID(1 + rng.IntN(len(sc.jobs))), At: now})
		case 4:
			f.Restarts = append(f.Restarts, now)
		case 5:
			f.Jumps = append(f.Jumps, sim.Jump{At: now, For: seconds(rng, 4)})
		}
	}
	drawn := map[float64]float64{}
	f.Luck = func(u float64) float64 {
		v, known := drawn[u]
		if !known {
			if v = 1 - 1.0/512; !in.over() { // else nothing goes wrong any more
				v = (float64(rng.IntN(256)) + 0.5) / 256
			}
			drawn[u] = v
		}
		return v
	}
	return sc
}

// scriptedShadows are told, amid what the policy is told, events that cannot be, and the second one such as are not true. The
// script says when, and which.
func scriptedShadows(in *script) (shadows []*shadow) {
	rng := rand.New(in)
	for _, kinds := range [][]forgery{impossible, untrue} {
		wait, blind := rng.IntN(32), len(shadows) > 0
		shadows = append(shadows, &shadow{
			rule: "repeat", says: "two policies, told the same, answer otherwise", blind: blind,
			before: func(sh *shadow, part policy.NodeID, _ *policy.Event) error {
				if wait--; wait >= 0 || in.over() || !sh.world.live() {
					return nil
				}
				wait = rng.IntN(32)
				sh.rule = "illegal"
				if !blind {
					part = 0
				}
				return sh.forge(kinds[rng.IntN(len(kinds))], part)
			},
		})
	}
	return shadows
}
