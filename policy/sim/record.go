package sim

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	policyparts "example.com/augur/internal/parts"
	"example.com/augur/policy"
)

// entry is a line of a record: one Step of one part, or a restart of the policy.
type entry struct {
	Part    policy.NodeID   `json:"part,omitzero"` // 0: the centre
	Event   *policy.Event   `json:"event,omitempty"`
	Actions []policy.Action `json:"actions,omitempty"`
	Restart bool            `json:"restart,omitzero"`
}

// A recorder writes entries, and must be flushed in the end.
type recorder struct {
	*bufio.Writer
	*json.Encoder
}

func newRecorder(w io.Writer) *recorder {
	b := bufio.NewWriterSize(w, 1<<16)
	return &recorder{b, json.NewEncoder(b)}
}

// Replay reads a record that [Config].Record wrote, reports all of its events to a new policy, and compares the
// answers. The policy must be made like the one in the record: with the same configuration, the same random source,
// the same truth. newPolicy is called once, and again after each restart in the record.
//
// A record has no version number. Replay refuses the record of a different version of the policy, since its decisions
// differ, and a line with an unknown name. Use package journal for what later versions must read.
//
// Replay returns the number of events. It returns an error that names the line of the first difference, of the first
// unreadable entry, or at which the policy failed.
func Replay(r io.Reader, newPolicy func() (policy.Scheduler, error)) (events int, err error) {
	p, err := newPolicy()
	if err != nil {
		return 0, err
	}
	told := policyparts.Of(p)
	dec := json.NewDecoder(r)
	dec.DisallowUnknownFields()
	var got []policy.Action
	for line := 1; ; line++ {
		var e entry
		switch err := dec.Decode(&e); {
		case err == io.EOF && events == 0:
			return 0, errors.New("sim: the record is empty; want what Config.Record wrote")
		case err == io.EOF:
			return events, nil
		case err != nil:
			return events, fmt.Errorf("sim: line %d of the record: %w", line, err)
		case e.Restart == (e.Event != nil):
			return events, fmt.Errorf("sim: line %d of the record has an event and a restart, or neither; want one", line)
		case e.Restart:
			if p, err = newPolicy(); err != nil {
				return events, err
			}
			told = policyparts.Of(p)
			continue
		}
		if got, err = told.Step(e.Part, e.Event, got[:0]); err != nil {
			return events, fmt.Errorf("sim: line %d of the record: %w", line, err)
		}
		events++
		for i := range max(len(got), len(e.Actions)) {
			if got, want := describe(got, i), describe(e.Actions, i); got != want {
				return events, fmt.Errorf("sim: line %d of the record, %v at %v s: action %d is %s, want %s",
					line, e.Event.Kind, e.Event.Time.Seconds(), i, got, want)
			}
		}
	}
}

// describe writes an action as the record does.
func describe(actions []policy.Action, i int) string {
	if i >= len(actions) {
		return "no more actions"
	}
	text, err := json.Marshal(actions[i])
	if err != nil { // it is not a number
		return fmt.Sprintf("%+v", actions[i])
	}
	return string(text)
}
