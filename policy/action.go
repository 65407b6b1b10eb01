package policy

import (
	"fmt"
	"strconv"
	"strings"
)

// An ActionKind says what an [Action] asks for.
type ActionKind uint8

// The kinds of actions, and the fields that each reads besides Kind.
const (
	// Start runs a copy, or a whole gang: Copy. It runs on Node if that is not 0, else in Partition if that is not 0,
	// else where the host chooses.
	Start ActionKind = iota + 1
	// Suspend takes a running copy off its cores: Copy. The copy keeps its memory and its
	// service. The answer is Suspended, once the cores are free.
	Suspend
	// Resume lets a suspended copy go on where it is: Copy. The answer is Resumed, or
	// Suspended with Idle set if there is no room.
	Resume
	// Kill ends a copy: Copy, Save. Its work is lost, unless Save is set and the host saves it first. The answer is
	// Killed, and its Saved says what is saved.
	Kill
	// GiveUp ends a job: Copy.Job. Its copies are Killed, then it is Ended.
	GiveUp
	// Report asks for one Progress event of a copy: Copy, At. An instant that has passed
	// means now. There is no Progress if the copy ends first.
	Report
	// Send and Post send a message to a part: Node (0 is the centre), Msg. A part may send to itself. Use Send for
	// what must not be lost (rule Parts).
	Send
	Post
	// Wake sets the alarm of this part: At. An instant that has passed means now, and
	// [Never] cancels the alarm.
	Wake
)

var actionKinds = [...]string{"", "Start", "Suspend", "Resume", "Kill", "GiveUp", "Report", "Send", "Post", "Wake"}

// String returns the kind's name.
func (k ActionKind) String() string { return kindName(k, actionKinds[:], "ActionKind") }

// MarshalText returns the kind's name.
func (k ActionKind) MarshalText() ([]byte, error) {
	return marshalKind(k, actionKinds[:], "action kind")
}

// UnmarshalText accepts a kind's name.
func (k *ActionKind) UnmarshalText(text []byte) error {
	return unmarshalKind(k, text, actionKinds[:], "action kind")
}

// An Action is an order from a policy to its host. Kind says which fields are set.
type Action struct {
	Kind      ActionKind  `json:"kind"`
	Save      bool        `json:"save,omitzero"` // Kill: save first what the copy has done; its stage must have Saves
	Copy      Copy        `json:"copy,omitzero"`
	Node      NodeID      `json:"node,omitzero"`
	Partition PartitionID `json:"partition,omitzero"`
	At        Time        `json:"at,omitzero"`
	Msg       Msg         `json:"msg,omitzero"`
}

// A Msg is a message between two parts of a distributed policy. Only the policy gives its fields a meaning.
type Msg struct {
	Kind  uint32  `json:"kind,omitzero"`
	Count uint32  `json:"count,omitzero"`
	Copy  Copy    `json:"copy,omitzero"`
	Seq   uint64  `json:"seq,omitzero"`
	Value float64 `json:"value,omitzero"` // finite
	Data  []byte  `json:"data,omitempty"` // never changed once it is sent
}

// String returns the action as a person would say it: "start 1/0/3#0 on node 7". It leaves out what is not set.
func (a Action) String() string {
	switch a.Kind {
	case Start:
		return "start " + a.Copy.String() + place(a.Node, a.Partition)
	case Suspend:
		return "suspend " + a.Copy.String()
	case Resume:
		return "resume " + a.Copy.String()
	case Kill:
		if a.Save {
			return "save and kill " + a.Copy.String()
		}
		return "kill " + a.Copy.String()
	case GiveUp:
		return fmt.Sprintf("give up job %d", a.Copy.Job)
	case Report:
		return "report " + a.Copy.String() + " at " + instant(a.At)
	case Send, Post:
		return strings.ToLower(a.Kind.String()) + " " + a.Msg.String() + " to " + part(a.Node)
	case Wake:
		if a.At == Never {
			return "cancel the alarm"
		}
		return "wake at " + instant(a.At)
	}
	return a.Kind.String()
}

// String returns the message with what is set: "message 3 (copy 1/0/3#0, count 2, value 0.5)".
func (m Msg) String() string {
	var set []string
	if m.Copy != (Copy{}) {
		set = append(set, "copy "+m.Copy.String())
	}
	if m.Count != 0 {
		set = append(set, fmt.Sprintf("count %d", m.Count))
	}
	if m.Seq != 0 {
		set = append(set, fmt.Sprintf("number %d", m.Seq))
	}
	if m.Value != 0 {
		set = append(set, "value "+digits(m.Value))
	}
	if len(m.Data) > 0 {
		set = append(set, fmt.Sprintf("%d bytes", len(m.Data)))
	}
	text := fmt.Sprintf("message %d", m.Kind)
	if set != nil {
		text += " (" + strings.Join(set, ", ") + ")"
	}
	return text
}

// place says where something runs, "" if that is left open.
func place(node NodeID, partition PartitionID) string {
	switch {
	case node != 0:
		return fmt.Sprintf(" on node %d", node)
	case partition != 0:
		return fmt.Sprintf(" in partition %d", partition)
	}
	return ""
}

// part names a part of a distributed policy.
func part(node NodeID) string {
	if node == 0 {
		return "the centre"
	}
	return fmt.Sprintf("node %d", node)
}

func instant(t Time) string { return digits(t.Seconds()) + " s" }

// digits writes a number without an exponent.
func digits(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
