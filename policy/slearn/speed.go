package slearn

import "example.com/augur/policy"

// By speed (see GSConfig.BySpeed), all core-seconds that GS speaks of are those of a node of
// speed 1: a copy that runs for t seconds on a node of speed s has had t*s seconds of each of
// its cores. They enter here, with what is told of copies, so that pilots, what an Estimator
// learns, charges and attained service agree.

// The speeds that count lie within bounds in which no sum of core-seconds becomes infinite, and no rate
// of them is lost beside another.
const leastSpeed, mostSpeed = 1e-4, 1e4

// joined takes note of a node's speed.
func (g *GS) joined(n *policy.Node) {
	if missing := int(n.ID) + 1 - len(g.speeds); missing > 0 {
		g.speeds = append(g.speeds, make([]float64, missing)...)
	}
	g.speeds[n.ID] = min(max(n.Speed, leastSpeed), mostSpeed)
}

// speed returns the speed at which a copy runs that an event is about: 1 unless it is to be
// looked at. The tasks of a gang end together, so that its slowest node counts. If the event does not say where,
// the copy has had no service.
func (g *GS) speed(ev *policy.Event) float64 {
	switch {
	case !g.config.BySpeed:
		return 1
	case ev.Node != 0:
		return g.speeds[ev.Node]
	}
	slowest := mostSpeed
	for _, share := range ev.Gang {
		slowest = min(slowest, g.speeds[share.Node])
	}
	return slowest
}
