package check

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"example.com/augur/policy"
)

// A Violation is a breach of the contract.
type Violation struct {
	// Rule is the name of the broken rule, as in the comment on package policy: "Time", "Job", "Copy", "Node",
	// "Order", "Legal start", "No circles" or "Parts". It is "Restart" if a replay breaks none of these but is not
	// the present state. A [Checker] cannot check "Late is harmless" and "Pipelines".
	Rule string
	Text string // what was broken
	Host bool   // the host broke the rule, not the policy

	time   policy.Time
	part   policy.NodeID // that was told or acted, 0 for the centre
	recent []string      // the last events and actions, oldest first
	err    error         // what Validate has said, if it has
}

// The rules that a Checker reports, by their names in package policy.
const (
	ruleTime    = "Time"
	ruleJob     = "Job"
	ruleCopy    = "Copy"
	ruleNode    = "Node"
	ruleOrder   = "Order"
	ruleLegal   = "Legal start"
	ruleCircles = "No circles"
	ruleParts   = "Parts"
	ruleRestart = "Restart"
)

// Unwrap returns the error about an invalid job or node, nil if the violation is another one.
func (v *Violation) Unwrap() error { return v.err }

// Error says who broke which rule, when, and the last events.
func (v *Violation) Error() string {
	who := "policy"
	if v.Host {
		who = "host"
	}
	where := "centre"
	if v.part != 0 {
		where = fmt.Sprintf("node %d", v.part)
	}
	return fmt.Sprintf("check: the %s broke rule %q at %v s (%s): %s\nlast events and actions:\n\t%s",
		who, v.Rule, v.time.Seconds(), where, v.Text, strings.Join(v.recent, "\n\t"))
}

const recentEvents = 16

// moment is what the checker remembers of an event, an action or a restart for its messages.
type moment struct {
	at             policy.Time
	part           policy.NodeID
	acted, restart bool // what it is, if not an event
	event          policy.EventKind
	action         policy.ActionKind
	copy           policy.Copy
	node           policy.NodeID
	replay, again  bool
}

func (c *Checker) note(m moment) {
	c.recent[c.seen%recentEvents] = m
	c.seen++
}

// violation returns the error that the host broke a rule.
func (c *Checker) violation(rule, format string, args ...any) error {
	return c.broke(true, rule, format, args...)
}

// Breach returns the [*Violation] of a policy that has broken a rule in a way that only its host can see.
func (c *Checker) Breach(rule, format string, args ...any) error {
	return c.broke(false, rule, format, args...)
}

func (c *Checker) broke(host bool, rule, format string, args ...any) error {
	last := &c.recent[(c.seen+recentEvents-1)%recentEvents]
	text := fmt.Errorf(format, args...)
	v := &Violation{Rule: rule, Text: text.Error(), Host: host, time: last.at, part: last.part, err: errors.Unwrap(text)}
	for i := max(0, c.seen-recentEvents); i < c.seen; i++ {
		v.recent = append(v.recent, c.recent[i%recentEvents].String())
	}
	return v
}

// instant returns the time of the last event, 0 if there was none.
func (c *Checker) instant() policy.Time {
	if c.now == math.MinInt64 {
		return 0
	}
	return c.now
}

func (m moment) String() string {
	if m.restart {
		return "the policy is restarted"
	}
	s := fmt.Sprintf("%v s, ", m.at.Seconds())
	if m.part != 0 {
		s += fmt.Sprintf("node %d: ", m.part)
	}
	switch {
	case m.acted:
		s += "-> " + m.action.String()
	case m.event == 0:
		s += "an event without a kind"
	default:
		s += m.event.String()
	}
	if m.copy != (policy.Copy{}) {
		s += " " + m.copy.String()
	}
	if m.node != 0 {
		s += fmt.Sprintf(" node %d", m.node)
	}
	if m.replay {
		s += ", Replay"
	}
	if m.again {
		s += ", Again"
	}
	return s
}
