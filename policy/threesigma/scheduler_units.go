package threesigma

import (
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
)

// A unit is a task or a gang that runs, or whose Start is on its way.
type unit struct {
	job     *job
	copy    policy.Copy
	at      int    // in Scheduler.running
	width   int64  // cores
	held    []hold // none if it may start in several partitions, and has not begun
	set     int32  // where it is to start, then
	began   bool
	factor  float64      // by which it runs longer here
	since   float64      // when it would have started if it had never stood still, s since the first event
	runtime Distribution // here; nil: unknown
	ends    Increments
	killed  bool // it has been told to end
}

// add takes note of a unit whose Start is on its way, or that runs.
func (s *Scheduler) add(j *job, c policy.Copy) *unit {
	if s.units == nil {
		s.units = make(map[policy.Copy]*unit)
	}
	u := &unit{job: j, copy: c, at: len(s.running), width: j.Job.Stages[c.Stage].Width(), factor: 1}
	s.units[c] = u
	s.running = append(s.running, u)
	return u
}

// forget lets go of a unit, if there is such.
func (s *Scheduler) forget(c policy.Copy) {
	u := s.units[c]
	if u == nil {
		return
	}
	delete(s.units, c)
	last := s.running[len(s.running)-1]
	s.running[u.at], last.at = last, u.at
	s.running[len(s.running)-1] = nil
	s.running = s.running[:len(s.running)-1]
}

// started takes note of where a unit runs.
func (s *Scheduler) started(j *job, ev *policy.Event) {
	u := s.units[ev.Copy]
	if u == nil {
		u = s.add(j, ev.Copy)
	}
	u.began = true
	j.refused, j.skip, j.served = 0, 0, s.last.N
	stage := &j.Job.Stages[ev.Copy.Stage]
	u.held = u.held[:0]
	if len(ev.Gang) == 0 {
		s.hold(u, stage, ev.Node, int64(stage.Cores))
	}
	for _, share := range ev.Gang {
		s.hold(u, stage, share.Node, int64(share.Tasks)*int64(stage.Cores))
	}
	u.since = s.seconds(s.now) - ev.Service.Seconds()
	if d := j.stages[ev.Copy.Stage].runtime; d != nil {
		u.runtime = scale(d, u.factor)
	}
}

// hold takes note of what a unit holds on a node.
func (s *Scheduler) hold(u *unit, stage *policy.Stage, id policy.NodeID, cores int64) {
	n := &s.cluster.nodes[id]
	f := slowdown(stage, s.cluster.parts[n.part].id, n.speed)
	if len(u.held) == 0 {
		u.factor = f
	}
	u.factor = max(u.factor, f)
	for i := range u.held {
		if u.held[i].part == n.part {
			u.held[i].cores += cores
			return
		}
	}
	u.held = append(u.held, hold{n.part, cores})
}

// left returns for how long a unit has run, and the distribution of its runtime given that; nil if nothing is
// known.
func (s *Scheduler) left(u *unit) (runtime Distribution, elapsed float64, err error) {
	switch {
	case u.killed:
		return forecast.Known(0), 0, nil // it is expected to be gone in the next slot
	case !u.began:
		return u.runtime, 0, nil
	}
	elapsed = math.Max(0, s.seconds(s.now)-u.since)
	if u.runtime == nil {
		return nil, elapsed, nil
	}
	r, err := u.ends.After(u.runtime, elapsed, s.config.Interval.Seconds())
	return r, elapsed, err
}
