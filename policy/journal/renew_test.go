package journal

import (
	"errors"
	"strings"
	"testing"

	"example.com/augur/policy"
)

// What fails while a journal begins anew is said, and the one before is there.
func TestRenewThatFails(t *testing.T) {
	failed := errors.New("no such state")
	for name, fail := range map[string]func(c *Config) func(*Journal) error{
		"keep": func(c *Config) func(*Journal) error {
			c.Keep = func() (map[string][]byte, error) { return nil, failed }
			return nil
		},
		"new": func(c *Config) func(*Journal) error {
			c.New = func(map[string][]byte) (policy.Scheduler, error) { return nil, failed }
			return nil
		},
		"no new": func(c *Config) func(*Journal) error {
			c.New = func(map[string][]byte) (policy.Scheduler, error) { return nil, nil }
			return nil
		},
		"tell": func(*Config) func(*Journal) error { return func(*Journal) error { return failed } },
		"step": func(*Config) func(*Journal) error {
			return func(n *Journal) error { _, err := n.Step(0, submitted(9), nil); return err }
		},
		"renewed": func(*Config) func(*Journal) error {
			return func(n *Journal) error { return n.Renew(func(*Journal) error { return nil }) }
		},
		"closed": func(*Config) func(*Journal) error { return func(n *Journal) error { return n.Close() } },
		"name": func(c *Config) func(*Journal) error {
			c.Keep = func() (map[string][]byte, error) { return map[string][]byte{strings.Repeat("x", 256): nil}, nil }
			return nil
		},
	} {
		d := &fragile{names: make(map[string]*memory)}
		c := new(tally)
		j, err := openOn(d, "journal", c.config())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := j.Step(0, submitted(1), nil); err != nil {
			t.Fatal(err)
		}
		tell := fail(&j.config)
		if tell == nil {
			tell = func(*Journal) error { return nil }
		}
		err = j.Renew(tell)
		if err == nil || (name == "keep" || name == "new" || name == "tell") && !errors.Is(err, failed) {
			t.Errorf("%s: got error %v", name, err)
		}
		_, stepped := j.Step(0, submitted(2), nil)
		if closed := j.Close(); stepped == nil || !strings.Contains(closed.Error(), "open it again") {
			t.Errorf("%s: it takes steps, error %v, or closes with error %v", name, stepped, closed)
		}
		if err := j.Close(); err != errClosed {
			t.Errorf("%s: closed twice it has error %v", name, err)
		}
		if j, err = openOn(d, "journal", c.config()); err != nil || c.N != 1 || c.Begun != 1 || len(d.names) != 1 {
			t.Errorf("%s: got %+v, %d files, error %v, want the journal before", name, *c, len(d.names), err)
		}
		if err := j.Renew(nil); err == nil {
			t.Errorf("%s: the present state is told by nobody", name)
		}
		if _, err := j.Step(0, submitted(2), nil); err != nil {
			t.Errorf("%s: after a Renew that has not begun: %v", name, err)
		}
	}
}

// Two journals are never told by one: while one begins the old one takes nothing, and then it is the new one, and
// what was handed to tell is of no use.
func TestRenewedOnce(t *testing.T) {
	d := &fragile{names: make(map[string]*memory)}
	c := new(tally)
	j, err := openOn(d, "journal", c.config())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Step(0, submitted(1), nil); err != nil {
		t.Fatal(err)
	}
	var kept *Journal
	if err := j.Renew(func(next *Journal) error {
		kept = next
		if _, err := j.Step(0, submitted(2), nil); err == nil {
			t.Error("the old one takes a step while the next one begins")
		}
		_, err := next.Step(0, submitted(2), nil)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Step(0, submitted(3), nil); err == nil {
		t.Error("what was next takes a step")
	}
	if err := kept.Close(); err == nil {
		t.Error("what was next can be closed without an error")
	}
	if _, err := j.Step(0, submitted(3), nil); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err = openOn(d, "journal", c.config()); err != nil || *c != (tally{3, 2}) {
		t.Errorf("got %+v, error %v, want 3 jobs, begun twice", *c, err)
	}
}

// The parts of a policy begin anew with it: those that are told the present state, and no others.
func TestRenewParts(t *testing.T) {
	f := new(memory)
	j, err := open(f, Config{New: newScribe})
	if err != nil {
		t.Fatal(err)
	}
	joined := func(j *Journal, id policy.NodeID, at policy.Time, replay bool) {
		t.Helper()
		ev := policy.Event{Kind: policy.Joined, Time: at, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: 1, Speed: 1}, Replay: replay}
		for _, part := range []policy.NodeID{0, id} {
			if _, err := j.Step(part, &ev, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	joined(j, 1, 5, false)
	joined(j, 2, 5, false)
	if err := j.Renew(func(next *Journal) error {
		joined(next, 2, 6, true)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for again := range 2 {
		for part, wants := range []bool{true, false, true} {
			_, err := j.Step(policy.NodeID(part), &policy.Event{Kind: policy.Woken, Time: 7}, nil)
			if wants != (err == nil) {
				t.Errorf("opened %d times: a step of part %d has error %v", again, part, err)
			}
		}
		if err := j.Sync(); err != nil {
			t.Fatal(err)
		}
		if j, err = open(f, Config{New: newScribe}); err != nil {
			t.Fatal(err)
		}
		if events, _ := j.Restored(); events != 4+2*again {
			t.Errorf("%d events restored, want %d", events, 4+2*again)
		}
	}
}
