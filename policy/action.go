package policy

// An ActionKind says what an [Action] asks for: [Start], [Suspend], [Resume], [Kill], [GiveUp], [Report], [Send],
// [Post] or [Wake].
type ActionKind uint8

// The kinds of actions, and the fields that each reads besides Kind.
const (
	// Start runs a copy, or all of a gang: Copy; Node, if not 0, is where; else
	// Partition, if not 0, is where; else the host chooses among all nodes. A gang goes
	// to nodes of the host's choice, on one node if that is named, within one partition
	// if that is, and only as a whole.
	Start ActionKind = iota + 1
	// Suspend takes a running copy off its cores; it keeps its memory and its service:
	// Copy. The answer is Suspended, once the cores are free.
	Suspend
	// Resume lets a suspended copy go on where it is: Copy. The answer is Resumed, or
	// again Suspended, with Idle set, if there is no room.
	Resume
	// Kill ends a copy; its work is lost: Copy. The answer is its end, Killed.
	Kill
	// GiveUp ends a job: Copy.Job. Its copies are Killed, then it is Ended.
	GiveUp
	// Report asks for one Progress event of a copy: Copy, At. An instant that has passed
	// is taken as now. There is no Progress if the copy ends first, nor if At is [Never].
	Report
	// Send and Post give a message to another part: Node (0 is the centre), Msg. A
	// part may also write to itself. Send is for what must not be lost (rule Parts).
	Send
	Post
	// Wake sets the alarm of this part: At. An instant that has passed is taken as now, so
	// an At that is left 0 is one too. [Never] cancels the alarm.
	Wake
)

var actionKinds = [...]string{"", "Start", "Suspend", "Resume", "Kill", "GiveUp", "Report", "Send", "Post", "Wake"}

// String returns the kind's name.
func (k ActionKind) String() string { return kindName(k, actionKinds[:], "ActionKind") }

// MarshalText returns the kind's name. The error says that it has none.
func (k ActionKind) MarshalText() ([]byte, error) {
	return marshalKind(k, actionKinds[:], "action kind")
}

// UnmarshalText accepts a kind's name. The error quotes a text that is none.
func (k *ActionKind) UnmarshalText(text []byte) error {
	return unmarshalKind(k, text, actionKinds[:], "action kind")
}

// An Action is what a policy wants done. Which fields are read depends on Kind.
type Action struct {
	Kind      ActionKind  `json:"kind"`
	Copy      Copy        `json:"copy,omitzero"`
	Node      NodeID      `json:"node,omitzero"`
	Partition PartitionID `json:"partition,omitzero"`
	At        Time        `json:"at,omitzero"`
	Msg       Msg         `json:"msg,omitzero"`
}

// A Msg is what one part of a distributed policy tells another. The fields mean what
// the policy makes of them; the host carries them and never looks inside.
type Msg struct {
	Kind  uint32  `json:"kind,omitzero"`
	Count uint32  `json:"count,omitzero"`
	Copy  Copy    `json:"copy,omitzero"`
	Seq   uint64  `json:"seq,omitzero"`
	Value float64 `json:"value,omitzero"` // finite
	// Data is for what the other fields cannot hold. Once sent it is not changed, so
	// hosts need not copy it and receivers may keep it.
	Data []byte `json:"data,omitempty"`
}
