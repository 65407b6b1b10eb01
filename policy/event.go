package policy

import (
	"fmt"
	"strings"
)

// An EventKind says what an [Event] reports.
type EventKind uint8

// The kinds of events, and the fields that each sets besides Time, Kind, More and Replay.
const (
	Submitted EventKind = iota + 1 // a job has come: Job, Copy.Job
	Ready                          // a stage may start: Copy.Job, Copy.Stage
	Ended                          // a job is over: Copy.Job, Outcome

	Started   // a copy runs: Copy, Node and Devices or Gang, Partition, Service (not 0 if it goes on from what was saved, or in a replay)
	Refused   // a Start was not carried out: Copy, Partition, Again
	Suspended // a copy stands still and holds no cores, only memory: Copy, Node and Devices or Gang, Service, Idle
	Resumed   // a suspended copy runs again: Copy, Node and Devices or Gang, Service
	Progress  // the answer to a Report: Copy, Node and Devices or Gang, Service, Value

	Finished // a task is done: Copy, Node and Devices or Gang, Service, Idle
	Failed   // a copy broke: as Finished, and Again and Saved
	Killed   // a copy was killed by the policy or the host: as Failed
	Lost     // a copy went down with its node or its input: as Failed

	Joined   // a node is there: Node, Info
	Left     // a node is gone: Node
	Arrived  // a message: Node (the sender, 0 is the centre), Msg
	Woken    // the part's alarm rings, or what was Refused may be asked for again (rule No circles)
	Restored // the replay is over
)

var eventKinds = [...]string{
	"", "Submitted", "Ready", "Ended",
	"Started", "Refused", "Suspended", "Resumed", "Progress",
	"Finished", "Failed", "Killed", "Lost",
	"Joined", "Left", "Arrived", "Woken", "Restored",
}

// String returns the kind's name.
func (k EventKind) String() string { return kindName(k, eventKinds[:], "EventKind") }

// MarshalText returns the kind's name.
func (k EventKind) MarshalText() ([]byte, error) { return marshalKind(k, eventKinds[:], "event kind") }

// UnmarshalText accepts a kind's name.
func (k *EventKind) UnmarshalText(text []byte) error {
	return unmarshalKind(k, text, eventKinds[:], "event kind")
}

// End reports whether the kind is the end of a copy: Finished, Failed, Killed or Lost.
func (k EventKind) End() bool { return Finished <= k && k <= Lost }

// An Event is what a host reports to a policy. Kind says which fields are set.
type Event struct {
	Time Time      `json:"t"` // now, for the part that hears it
	Kind EventKind `json:"kind"`

	More   bool `json:"more,omitzero"`   // another event of this instant follows
	Replay bool `json:"replay,omitzero"` // part of a restart: take note, return no actions
	Again  bool `json:"again,omitzero"`  // the task needs another Start
	Idle   bool `json:"idle,omitzero"`   // an end, or Suspended: it was suspended before and held no cores

	Outcome   Outcome     `json:"outcome,omitzero"`
	Copy      Copy        `json:"copy,omitzero"`
	Node      NodeID      `json:"node,omitzero"`
	Partition PartitionID `json:"partition,omitzero"` // what the Start named
	Gang      []Share     `json:"gang,omitempty"`     // where a gang's tasks are, in place of Node
	Devices   Devices     `json:"devices,omitzero"`   // of Node, that the task holds; for a gang, see Share
	// Service is how long the copy has run, including what it took over. In Started, Service is only what it took over. It does
	// not count the time in which the copy was suspended, was being saved, or reloaded.
	Service Duration `json:"service,omitzero"`
	// Saved is, at an end, what the next copy of the task need not do again: a runtime at speed 1 where its stage prefers, which is
	// Service over [Stage.Slowdown], of a gang that of its slowest node. If saving failed it is what was saved before. It is 0
	// once the task is finished.
	Saved Duration `json:"saved,omitzero"`
	Value float64  `json:"value,omitzero"` // Progress: the share of its work that is done, 0 to 1
	Job   *Job     `json:"job,omitempty"`
	Info  *Node    `json:"info,omitempty"`
	Msg   Msg      `json:"msg,omitzero"`
}

// String returns the event as a person would say it: "at 12.5 s: finished 1/0/3#0 on node 7, service 5 s". It leaves out what is
// not set.
func (e Event) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "at %s: ", instant(e.Time))
	switch e.Kind {
	case Submitted:
		fmt.Fprintf(&b, "job %d submitted", e.Copy.Job)
		if e.Job != nil {
			fmt.Fprintf(&b, " with %d stages", len(e.Job.Stages))
		}
	case Ready:
		fmt.Fprintf(&b, "stage %d of job %d ready", e.Copy.Stage, e.Copy.Job)
	case Ended:
		fmt.Fprintf(&b, "job %d ended, %v", e.Copy.Job, e.Outcome)
	case Joined:
		fmt.Fprintf(&b, "node %d joined", e.Node)
		if e.Info != nil {
			fmt.Fprintf(&b, " with %d cores", e.Info.Cores)
		}
	case Left:
		fmt.Fprintf(&b, "node %d left", e.Node)
	case Arrived:
		fmt.Fprintf(&b, "%v from %s", e.Msg, part(e.Node))
	case Woken, Restored:
		b.WriteString(strings.ToLower(e.Kind.String()))
	default:
		e.ofCopy(&b)
	}
	for _, flag := range []struct {
		set  bool
		text string
	}{{e.Again, "to be started again"}, {e.Idle, "held no cores"}, {e.Replay, "replayed"}, {e.More, "more follows"}} {
		if flag.set {
			b.WriteString(", " + flag.text)
		}
	}
	return b.String()
}

// ofCopy writes what has become of a copy.
func (e *Event) ofCopy(b *strings.Builder) {
	what := strings.ToLower(e.Kind.String())
	if e.Kind == Progress {
		what += " of"
	}
	b.WriteString(what + " " + e.Copy.String())
	for i, share := range e.Gang {
		word := ", "
		if i == 0 {
			word = " on "
		}
		fmt.Fprintf(b, "%s%d × node %d%s", word, share.Tasks, share.Node, share.Devices.text())
	}
	b.WriteString(place(e.Node, e.Partition) + e.Devices.text())
	if e.Service != 0 {
		b.WriteString(", service " + digits(e.Service.Seconds()) + " s")
	}
	if e.Saved != 0 {
		b.WriteString(", saved " + digits(e.Saved.Seconds()) + " s")
	}
	if e.Kind == Progress {
		b.WriteString(", " + digits(100*e.Value) + " % done")
	}
}

// text lists the devices, "" if there are none.
func (d Devices) text() string {
	var list []string
	for k := range MaxDevices {
		if d>>k&1 != 0 {
			list = append(list, fmt.Sprint(k))
		}
	}
	if list == nil {
		return ""
	}
	return " with devices " + strings.Join(list, ",")
}

// A Share is a number of tasks of a gang that run on one node, on the same devices. Tasks on other devices of that
// node are another Share.
type Share struct {
	Node    NodeID  `json:"node"`
	Tasks   uint32  `json:"tasks"`
	Devices Devices `json:"devices,omitzero"` // that each of the tasks has
}

// An Outcome says how a job ended.
type Outcome uint8

// The outcomes of a job.
const (
	Done       Outcome = iota + 1 // all tasks are finished
	TaskFailed                    // a task failed too often
	NoInput                       // a job that it reads will never have an output
	TooLarge                      // the whole cluster could not hold it
	Cancelled                     // its user took it back
	GivenUp                       // the policy gave it up
	Stalled                       // nothing could happen any more
	TimedOut                      // a copy had run for the time that its user requested, and the host ended the job
)

var outcomes = [...]string{"", "Done", "TaskFailed", "NoInput", "TooLarge", "Cancelled", "GivenUp", "Stalled", "TimedOut"}

// String returns the outcome's name.
func (o Outcome) String() string { return kindName(o, outcomes[:], "Outcome") }

// MarshalText returns the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return marshalKind(o, outcomes[:], "outcome") }

// UnmarshalText accepts an outcome's name.
func (o *Outcome) UnmarshalText(text []byte) error {
	return unmarshalKind(o, text, outcomes[:], "outcome")
}

func kindName[K ~uint8](k K, names []string, typ string) string {
	if k > 0 && int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("%s(%d)", typ, uint8(k))
}

func marshalKind[K ~uint8](k K, names []string, what string) ([]byte, error) {
	if k > 0 && int(k) < len(names) {
		return []byte(names[k]), nil
	}
	return nil, fmt.Errorf("policy: no %s has number %d", what, uint8(k))
}

func unmarshalKind[K ~uint8](k *K, text []byte, names []string, what string) error {
	for i := 1; i < len(names); i++ {
		if names[i] == string(text) {
			*k = K(i)
			return nil
		}
	}
	return fmt.Errorf("policy: unknown %s %q", what, text)
}
