package policytest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/check"
)

// A finding says which rule a policy broke, and where.
type finding struct {
	Rule string // name of the rule in the package comment, such as "Legal start" or "finish"
	Case string // subtest of [Test] that found it, such as "faults/seed=3"
	Err  error  // the reason; for a rule of package policy, a [*check.Violation]
}

// Error returns all of it.
func (f *finding) Error() string {
	if f.Rule == "config" {
		return fmt.Sprintf("policytest: bad Config, in %s: %v", f.Case, f.Err)
	}
	return fmt.Sprintf("policytest: rule %q is broken in %s: %v", f.Rule, f.Case, f.Err)
}

// Unwrap returns f.Err.
func (f *finding) Unwrap() error { return f.Err }

func failure(rule, format string, args ...any) *finding {
	return &finding{Rule: rule, Err: fmt.Errorf(format, args...)}
}

// failed returns the rule that an error of the simulator is about.
func failed(err error) *finding {
	if v, ok := errors.AsType[*check.Violation](err); ok {
		if v.Host {
			return &finding{Rule: "host", Err: err}
		}
		return &finding{Rule: v.Rule, Err: err}
	}
	if f, ok := errors.AsType[*finding](err); ok {
		return f
	}
	return &finding{Rule: "legal", Err: err}
}

// differ returns where the answers of a policy and its replica begin to differ, and both answers from there; nil if they are equal.
func differ(part policy.NodeID, ev *policy.Event, actions, replica []policy.Action) error {
	alike := 0
	for alike < min(len(replica), len(actions)) && same(&replica[alike], &actions[alike]) {
		alike++
	}
	if alike == len(replica) && alike == len(actions) {
		return nil
	}
	after := ""
	if alike > 0 {
		after = fmt.Sprintf("after %d equal actions ", alike)
	}
	return fmt.Errorf("%s: %sit answers %s, and its replica %s", when(part, ev), after, list(actions[alike:]), list(replica[alike:]))
}

// list writes the first few actions of an answer.
func list(actions []policy.Action) string {
	if len(actions) == 0 {
		return "nothing"
	}
	const most = 4
	var texts []string
	for i := range actions[:min(len(actions), most)] {
		texts = append(texts, text(&actions[i]))
	}
	if n := len(actions) - most; n > 0 {
		texts = append(texts, fmt.Sprintf("%d more", n))
	}
	return strings.Join(texts, ", ")
}

// when describes an event: its time, the part that hears it, and the event.
func when(part policy.NodeID, ev *policy.Event) string {
	where := "the centre"
	if part != 0 {
		where = fmt.Sprintf("the part on node %d", part)
	}
	return fmt.Sprintf("at %v s, %s, told %s", ev.Time.Seconds(), where, tell(ev))
}

// tell writes an event, but for its job.
func tell(ev *policy.Event) string {
	brief := *ev
	brief.Job = nil
	return text(&brief)
}

// text writes an event or an action as JSON.
func text(x any) string {
	doc, err := json.Marshal(x)
	if err != nil {
		return fmt.Sprintf("%+v", x)
	}
	return string(doc)
}

func same(a, b *policy.Action) bool {
	return a.Kind == b.Kind && a.Save == b.Save && a.Copy == b.Copy && a.Node == b.Node && a.Partition == b.Partition && a.At == b.At &&
		a.Msg.Kind == b.Msg.Kind && a.Msg.Count == b.Msg.Count && a.Msg.Copy == b.Msg.Copy && a.Msg.Seq == b.Msg.Seq &&
		math.Float64bits(a.Msg.Value) == math.Float64bits(b.Msg.Value) && bytes.Equal(a.Msg.Data, b.Msg.Data)
}
