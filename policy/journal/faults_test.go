package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
)

// A record that is whole, but holds nothing that a journal writes, is refused with its place: no host that was
// killed leaves such a one.
func TestRecordWithoutEvent(t *testing.T) {
	good := appendEvent(nil, 0, 0, submitted(1))
	for name, body := range map[string][]byte{
		"one byte":        {0},
		"cut":             good[:len(good)-1],
		"more":            append(slices.Clone(good), 0),
		"unknown fields":  {0, byte(policy.Woken), 0x80, 0x80, 0x04, 0},
		"part too large":  {0xff, 0xff, 0xff, 0xff, 0x7f, byte(policy.Woken), 0, 0},
		"no truth value":  append(slices.Clone(good[:len(good)-1]), 2),
		"cores too large": {0, byte(policy.Joined), 0x80, 0x80, 0x01, 0, 1, 1, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0},
	} {
		f := journalOf(good)
		want := fmt.Sprintf("at byte %d, a record that holds no event", len(f.b))
		f = journalOf(good, body)
		if _, err := open(f, of(silent{})); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", name, err, want)
		}
	}
}

// A policy that cannot take what another one took is said to be at fault, not the file.
func TestPolicyThatFails(t *testing.T) {
	ready := &policy.Event{Kind: policy.Ready, Time: 1, Copy: policy.Copy{Task: policy.Task{Job: 9}}}
	f := journalOf(appendEvent(nil, 0, 0, submitted(1)), appendEvent(nil, 0, 1, ready))
	_, err := open(f, Config{New: policies["fifo"]})
	if err == nil || errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "event 2, at byte ") || !strings.Contains(err.Error(), "job 9") {
		t.Errorf("got error %v, want one of the policy, with the event and its place", err)
	}
}

// The checksum is that of the place, the tag and what the record holds, as the format says.
func TestChecksum(t *testing.T) {
	for _, offset := range []int64{0, 1, 15, 255, 1<<33 + 12345, 1<<62 + 7} {
		b := append(binary.LittleEndian.AppendUint64(nil, uint64(offset)), "some record"...)
		if got, want := checksum(offset, b[8], b[9:]), crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)); got != want {
			t.Errorf("at %d: got %08x, want %08x", offset, got, want)
		}
	}
}

// What a host or a policy must not do is an error and no panic.
func TestNothingPanics(t *testing.T) {
	j := opened(t, new(memory), of(forgetful{}))
	if _, err := j.Step(0, nil, nil); err == nil {
		t.Error("an event that is nil is taken")
	}
	if _, err := j.Step(0, submitted(1), make([]policy.Action, 2)); err == nil || !strings.Contains(err.Error(), "0 actions, want the 2") {
		t.Errorf("of a policy that forgets actions: got error %v", err)
	}
	if err := j.Sync(); err == nil {
		t.Error("what such a policy was told is kept")
	}
	for _, part := range []policy.NodeID{1, policy.MaxID, policy.MaxID + 1, 1<<32 - 1} {
		j := opened(t, new(memory), Config{New: newScribe})
		if _, err := j.Step(part, submitted(1), nil); err == nil {
			t.Errorf("part %d is told something before it has joined", part)
		}
		if _, err := j.Step(part, &policy.Event{Kind: policy.Joined}, nil); err == nil {
			t.Errorf("part %d joins without a node", part)
		}
	}
}

// After a panic of the policy, which knows of half a step then, its journal takes no more: what it would say to that, no
// other policy would say again.
func TestPolicyThatPanics(t *testing.T) {
	f := new(memory)
	c := Config{New: func(map[string][]byte) (policy.Scheduler, error) { return new(fuse), nil }}
	j := opened(t, f, c)
	step := func(kind policy.EventKind) (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("it panics: %v", r)
			}
		}()
		_, err = j.Step(0, &policy.Event{Kind: kind, Time: 1}, nil)
		return err
	}
	ok(t, errors.Join(step(policy.Woken), j.Sync(), step(policy.Woken)))
	if err := step(policy.Left); err == nil || !strings.Contains(err.Error(), "it panics") {
		t.Fatalf("got error %v, want that of a panic", err)
	}
	for what, err := range map[string]error{"a step": step(policy.Woken), "Sync": j.Sync(), "Close": j.Close()} {
		if !errors.Is(err, errAmid) {
			t.Errorf("%s after a panic: got error %v, want %v", what, err, errAmid)
		}
	}
	if n := opened(t, f, c).events; n != 1 {
		t.Errorf("opened again: %d events, want the 1 that was synced", n)
	}
}

// A fuse panics when a node has left, and answers with how many events it has begun to take.
type fuse struct{ counter }

func (f *fuse) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := f.counter.Step(ev, actions)
	if ev.Kind == policy.Left {
		panic("no such node")
	}
	return actions, err
}

// forgetful drops all actions that there were.
type forgetful struct{}

func (forgetful) Step(_ *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return actions[:0], nil
}
