package sim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"example.com/augur/internal/parts"
	"example.com/augur/policy"
)

// entry is a line of a record: one Step of one part, or a restart of the policy.
type entry struct {
	Part    policy.NodeID   `json:"part,omitzero"` // 0: the centre
	Event   *policy.Event   `json:"event,omitempty"`
	Actions []policy.Action `json:"actions,omitempty"`
	Restart bool            `json:"restart,omitzero"`
}

// recorder writes a record.
type recorder struct {
	w   *bufio.Writer
	enc *json.Encoder
}

func newRecorder(w io.Writer) *recorder {
	b := bufio.NewWriterSize(w, 1<<16)
	return &recorder{b, json.NewEncoder(b)}
}

func (r *recorder) step(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
	return r.enc.Encode(entry{Part: part, Event: ev, Actions: actions})
}

func (r *recorder) restart() error { return r.enc.Encode(entry{Restart: true}) }

func (r *recorder) close() error { return r.w.Flush() }

// differs returns the error that names the line of a record, its event and the first action that
// is not what the record has.
func differs(line int, ev *policy.Event, got, want []policy.Action) error {
	i := 0
	for i < len(got) && i < len(want) && sameAction(&got[i], &want[i]) {
		i++
	}
	describe := func(as []policy.Action) string {
		if i >= len(as) {
			return "no more actions"
		}
		text, err := json.Marshal(as[i])
		if err != nil {
			return fmt.Sprintf("%+v", as[i])
		}
		return string(text)
	}
	return fmt.Errorf("sim: line %d of the record, %v at %v s: action %d is %s, want %s",
		line, ev.Kind, ev.Time.Seconds(), i, describe(got), describe(want))
}

func sameAction(a, b *policy.Action) bool {
	return a.Kind == b.Kind && a.Copy == b.Copy && a.Node == b.Node && a.Partition == b.Partition && a.At == b.At &&
		a.Msg.Kind == b.Msg.Kind && a.Msg.Count == b.Msg.Count && a.Msg.Copy == b.Msg.Copy && a.Msg.Seq == b.Msg.Seq &&
		a.Msg.Value == b.Msg.Value && bytes.Equal(a.Msg.Data, b.Msg.Data)
}

// maxLine is what a line of a record may have in bytes, and what is read ahead, so that a file without lines is
// not taken into memory.
const maxLine = 64 << 20

// Replay reads what [Config].Record wrote, tells a new policy all of the events, and
// compares what it answers. The policy must be made as the one in the record was: with
// the same configuration, the same random source, the same truth. newPolicy is called
// once, and again after each restart in the record.
//
// A record has no number of a version: of another version of the policy it would be refused for its
// decisions, and a line with a name that is not known is refused too. What is to be read by later versions is
// kept by package journal.
//
// The error names the line of the first difference, of what cannot be read or is longer than 64 MiB, or at
// which the policy failed. Replay returns the number of events.
func Replay(r io.Reader, newPolicy func() (policy.Scheduler, error)) (events int, err error) {
	if r == nil {
		return 0, errors.New("sim: Replay of a reader that is nil")
	}
	p, err := newPolicy()
	if err != nil {
		return 0, err
	}
	told := parts.Of(p)
	lines := &io.LimitedReader{R: r, N: maxLine}
	dec := json.NewDecoder(lines)
	dec.DisallowUnknownFields()
	var got []policy.Action
	for line := 1; ; line++ {
		var e entry
		if err := dec.Decode(&e); err != nil && lines.N == 0 { // also io.EOF, of blanks without end
			return events, fmt.Errorf("sim: line %d of the record is longer than %d MiB", line, maxLine>>20)
		} else if err == io.EOF {
			if events == 0 {
				return 0, errors.New("sim: the record is empty")
			}
			return events, nil
		} else if err != nil {
			return events, fmt.Errorf("sim: line %d of the record: %w", line, err)
		}
		lines.N = maxLine
		if e.Restart && e.Event != nil {
			return events, fmt.Errorf("sim: line %d of the record has an event and a restart, want one", line)
		}
		if e.Restart {
			if p, err = newPolicy(); err != nil {
				return events, err
			}
			told = parts.Of(p)
			continue
		}
		if e.Event == nil {
			return events, fmt.Errorf("sim: line %d of the record has no event", line)
		}
		if got, err = told.Step(e.Part, e.Event, got[:0]); err != nil {
			return events, fmt.Errorf("sim: line %d of the record: %w", line, err)
		}
		events++
		same := len(got) == len(e.Actions)
		for i := 0; same && i < len(got); i++ {
			same = sameAction(&got[i], &e.Actions[i])
		}
		if !same {
			return events, differs(line, e.Event, got, e.Actions)
		}
	}
}
