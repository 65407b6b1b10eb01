package journal

import (
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
)

// Notes come back in their places among the steps. A journal that begins anew has only those of its tell.
func TestNotes(t *testing.T) {
	var heard []string
	config := of(nil)
	config.New = func(map[string][]byte) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }
	config.Replayed = func(_ policy.NodeID, ev *policy.Event, _ []policy.Action) error {
		heard = append(heard, ev.Kind.String())
		return nil
	}
	config.Noted = func(note []byte) error {
		heard = append(heard, string(note))
		return nil
	}
	f := new(memory)
	j := opened(t, f, config)
	for _, step := range []func() error{
		func() error { return j.Note([]byte("first \xfd\xf9")) },
		func() error { return tell(j, submitted(1)) },
		func() error { return j.Note(nil) },
		j.Close,
	} {
		ok(t, step())
	}
	if err := j.Note(nil); err == nil {
		t.Error("a journal that is closed takes notes")
	}
	j = opened(t, f, config)
	if want := []string{"first \xfd\xf9", "Submitted", ""}; !slices.Equal(heard, want) {
		t.Errorf("got %q, want %q", heard, want)
	}
	if err := j.Note(make([]byte, maxBody+1)); err == nil {
		t.Error("a note that is too long is taken")
	}
	ok(t, j.Renew(func(next *Journal) error {
		ok(t, next.Note([]byte("anew")))
		return tell(next, replayed(1), &policy.Event{Kind: policy.Restored, Time: 1})
	}))
	ok(t, j.Note([]byte("after")))
	ok(t, j.Close())
	heard = nil
	ok(t, opened(t, f, config).Close())
	if want := []string{"anew", "Submitted", "Restored", "after"}; !slices.Equal(heard, want) {
		t.Errorf("after Renew, got %q, want %q", heard, want)
	}
}

// A journal without a name does all that one with a name does, and keeps nothing.
func TestInMemory(t *testing.T) {
	ledger := new(Ledger)
	config := Config{New: func(map[string][]byte) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }, Ledger: ledger}
	j, err := Open("", config)
	ok(t, err)
	joined := &policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}}
	for round := range 3 {
		ok(t, tell(j, joined, submitted(1), &policy.Event{Kind: policy.Ready, Time: 1, Copy: policy.Copy{Task: policy.Task{Job: 1}}}))
		if o, some := ledger.Next(); !some || o.Kind != policy.Start {
			t.Fatalf("round %d: the ledger has %v, want a Start", round, o)
		}
		ok(t, j.Sync())
		ok(t, j.Renew(restored))
	}
	if j.Size() > 200 {
		t.Errorf("it has %d bytes, and nothing has happened since it was renewed", j.Size())
	}
	ok(t, j.Close())
	if _, err := Open("", config); err != nil {
		t.Error(err)
	}
}
