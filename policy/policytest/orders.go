package policytest

import (
	"slices"

	"example.com/augur/policy"
)

// last reports whether the last order under way is of a kind.
func (p *placed) last(kind policy.ActionKind) bool {
	n := len(p.orders)
	return n > 0 && p.orders[n-1] == kind
}

// holds reports whether a copy has cores, or claims them: one that stands, as long as a Resume is under way.
func (p *placed) holds() bool { return !p.stands || p.last(policy.Resume) }

// turn brings the cores that a copy holds up to date with a change of it.
func (l *ledger) turn(p *placed, change func()) {
	before := p.holds()
	change()
	switch after := p.holds(); {
	case before && !after:
		l.hold(p, -1, 0)
	case after && !before:
		l.hold(p, 1, 0)
	}
}

// answered takes note of the answer to an order, and so of those before it: of Suspended with Idle set to a Resume, which
// a Suspend after it may have taken back (Late is harmless).
func (p *placed) answered(ev *policy.Event) {
	kind := policy.Resume
	if p.stands = ev.Kind == policy.Suspended; p.stands && !ev.Idle {
		kind = policy.Suspend
	}
	if i := slices.Index(p.orders, kind); i >= 0 {
		p.orders = p.orders[i+1:]
	}
	if p.stands && ev.Idle && len(p.orders) > 0 && p.orders[0] == policy.Suspend {
		p.orders = p.orders[1:]
	}
}
