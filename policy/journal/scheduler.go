package journal

import "example.com/augur/policy"

// Scheduler returns a policy for a host that takes one, such as Run of policy/sim: what it and its parts are told
// goes through [Journal.Step]. It is a [policy.Distributed] if the policy in the journal is. Nothing calls Sync:
// a host that carries actions out in earnest must do that before.
//
// When a simulation restarts its policy (Restarts of sim.Faults), it tells the next one the present state: NewPolicy must make
// that without a journal, or with a new one under another name. The same one, opened again, has been told all of
// that already.
func (j *Journal) Scheduler() policy.Scheduler {
	if _, ok := j.Policy().(policy.Distributed); ok {
		return distributed{kept{j, 0}}
	}
	return kept{j, 0}
}

// A kept is a part whose steps are kept; 0 is the centre.
type kept struct {
	journal *Journal
	part    policy.NodeID
}

func (k kept) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return k.journal.Step(k.part, ev, actions)
}

type distributed struct{ kept }

// Part returns what tells the journal; that makes the part itself, at its first event.
func (d distributed) Part(n *policy.Node) policy.Scheduler { return kept{d.journal, n.ID} }
