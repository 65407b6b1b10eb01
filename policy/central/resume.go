package central

import (
	"slices"

	"example.com/augur/policy"
)

// A halted copy was suspended by the policy before this one.
type halted struct {
	event policy.Event // Suspended: where it is
	asked bool         // to be resumed, so that its cores are kept for it
}

// halt takes note of copies that are suspended and go on.
func (v *View) halt(ev *policy.Event) {
	at := slices.IndexFunc(v.halted, func(x halted) bool { return x.event.Copy == ev.Copy })
	switch {
	case at >= 0 && (ev.Kind == policy.Suspended || ev.Kind == policy.Resumed || ev.Kind.End()):
		v.keepFor(at, false)
		if ev.Kind != policy.Suspended {
			v.halted = slices.Delete(v.halted, at, at+1)
		}
	case at < 0 && ev.Kind == policy.Suspended:
		x := halted{event: *ev}
		x.event.Gang = slices.Clone(ev.Gang)
		v.halted = append(v.halted, x)
	}
}

// keepFor takes the cores of a halted copy, or gives them back.
func (v *View) keepFor(at int, asked bool) {
	x := &v.halted[at]
	j := v.Job(x.event.Copy.Job)
	if j == nil || x.asked == asked {
		return
	}
	sign := int64(1)
	if asked {
		sign = -1
	}
	x.asked = asked
	v.held(&x.event, &j.Job.Stages[x.event.Copy.Stage], sign)
}

// Resume lets copies go on that are suspended, where there are cores for them. A policy that suspends none calls it before each
// decision, since the policy before it may have been another one. [View.Resumes] must be set.
func (v *View) Resume(actions []policy.Action) []policy.Action {
	for at := range v.halted {
		x := &v.halted[at]
		j := v.Job(x.event.Copy.Job)
		if x.asked || j == nil {
			continue
		}
		if v.keepFor(at, true); v.overdrawn(&x.event) {
			v.keepFor(at, false)
			continue
		}
		actions = append(actions, policy.Action{Kind: policy.Resume, Copy: x.event.Copy})
	}
	return actions
}

// overdrawn reports whether a node of a copy has fewer cores than are held there.
func (v *View) overdrawn(ev *policy.Event) bool {
	if ev.Node != 0 && v.nodes[ev.Node].room < 0 {
		return true
	}
	return slices.ContainsFunc(ev.Gang, func(x policy.Share) bool { return v.nodes[x.Node].room < 0 })
}
