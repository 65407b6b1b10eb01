package main

import (
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A sigmaGreedy is a priority scheduler without a plan, as those are that section 5 says Prio stands for: at each
// event it starts what there is room for, jobs with deadlines first and of each kind those that came first.
// For a job with a deadline it kills best-effort jobs, the latest start first. It knows neither runtimes nor deadlines. One
// that is aware of preferences tries the partitions that a job prefers before all of them, also by killing; one that is
// not takes the first with room. A gang that needs several is where the host puts it, which knows the preferences.
type sigmaGreedy struct {
	aware bool
	view  central.View
	parts []policy.PartitionID                 // in the order in which they were first seen
	of    map[policy.NodeID]policy.PartitionID // of nodes
	runs  []sigmaBestEffort                    // in the order in which they started
	free  map[policy.PartitionID]int64         // within a step
}

// A sigmaBestEffort is a gang of a best-effort job that runs, and the cores that it holds.
type sigmaBestEffort struct {
	copy policy.Copy
	held map[policy.PartitionID]int64
}

// sigmaGreedies are one that is aware of preferences and one that is not.
var sigmaGreedies = []sigmaSystem{
	{name: "a greedy Prio", other: func() policy.Scheduler { return newSigmaGreedy(true) }},
	{name: "a greedy Prio blind to preferences", other: func() policy.Scheduler { return newSigmaGreedy(false) }},
}

func newSigmaGreedy(aware bool) *sigmaGreedy {
	return &sigmaGreedy{aware: aware, of: map[policy.NodeID]policy.PartitionID{}, free: map[policy.PartitionID]int64{}}
}

// Step is [policy.Scheduler].
func (s *sigmaGreedy) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	j, err := s.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	switch {
	case ev.Kind == policy.Joined:
		s.of[ev.Node] = ev.Info.Partition
		if !slices.Contains(s.parts, ev.Info.Partition) {
			s.parts = append(s.parts, ev.Info.Partition)
		}
	case ev.Kind == policy.Started && j.Job.SLO == nil:
		held := map[policy.PartitionID]int64{}
		for _, share := range ev.Gang {
			held[s.of[share.Node]] += int64(share.Tasks)
		}
		if len(ev.Gang) == 0 {
			held[s.of[ev.Node]] = 1
		}
		s.runs = append(s.runs, sigmaBestEffort{ev.Copy, held})
	case ev.Kind.End():
		s.runs = slices.DeleteFunc(s.runs, func(r sigmaBestEffort) bool { return r.copy == ev.Copy })
	}
	if !s.view.Decide(ev) {
		return actions, nil
	}
	for _, p := range s.parts {
		s.free[p] = s.view.Free(p)
	}
	for _, deadline := range []bool{true, false} {
		for _, j := range s.view.Jobs() {
			if stage, ok := j.Next(); ok && (j.Job.SLO != nil) == deadline {
				actions = s.start(j, &j.Job.Stages[stage], actions)
			}
		}
	}
	return actions, nil
}

// start starts a gang if there is room, or can be.
func (s *sigmaGreedy) start(j *central.Job, stage *policy.Stage, actions []policy.Action) []policy.Action {
	sets := [][]policy.PartitionID{s.parts}
	if s.aware && len(stage.Prefer) > 0 {
		sets = [][]policy.PartitionID{stage.Prefer, s.parts}
	}
	for _, set := range sets {
		room := int64(0)
		for _, p := range set {
			room += s.free[p]
		}
		kill := len(s.runs) // from this run on
		for kill > 0 && room < stage.Width() && j.Job.SLO != nil {
			kill--
			room += s.runs[kill].in(set)
		}
		if room < stage.Width() {
			continue
		}
		keep := s.runs[:kill]
		for _, r := range s.runs[kill:] {
			if r.in(set) == 0 {
				keep = append(keep, r)
				continue
			}
			actions = append(actions, policy.Action{Kind: policy.Kill, Copy: r.copy})
			for p, cores := range r.held {
				s.free[p] += cores
			}
		}
		s.runs = keep
		return append(actions, s.view.Start(j, s.place(set, stage.Width())))
	}
	return actions
}

// place takes cores of a set, of one partition if it has room.
func (s *sigmaGreedy) place(set []policy.PartitionID, width int64) central.Where {
	for _, p := range set {
		if s.free[p] >= width {
			s.free[p] -= width
			return central.Where{Partition: p}
		}
	}
	for _, p := range set {
		taken := min(width, max(0, s.free[p]))
		s.free[p] -= taken
		width -= taken
	}
	return central.Where{}
}

// in returns the cores that are held in a set.
func (r *sigmaBestEffort) in(set []policy.PartitionID) (cores int64) {
	for _, p := range set {
		cores += r.held[p]
	}
	return cores
}
