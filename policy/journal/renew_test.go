package journal

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
)

// restored tells that there is nothing.
func restored(next *Journal) error {
	return tell(next, &policy.Event{Kind: policy.Restored, Time: next.last})
}

// replayed is what a policy that begins anew first hears of a job.
func replayed(id policy.JobID) *policy.Event {
	ev := submitted(id)
	ev.Replay = true
	return ev
}

// withOne begins a journal of a tally, with one job.
func withOne(t *testing.T, d disk, c *tally) *Journal {
	t.Helper()
	j, err := openOn(d, "journal", c.config())
	ok(t, err)
	ok(t, tell(j, submitted(1)))
	return j
}

// What fails while a journal begins anew is said, and the one before is there.
func TestRenewThatFails(t *testing.T) {
	failed := errors.New("no such state")
	for name, test := range map[string]struct {
		change func(*Config)
		tell   func(next *Journal) error
	}{
		"keep": {func(c *Config) { c.Keep = func() (map[string][]byte, error) { return nil, failed } }, restored},
		"new":  {func(c *Config) { c.New = func(map[string][]byte) (policy.Scheduler, error) { return nil, failed } }, restored},
		"name": {func(c *Config) {
			c.Keep = func() (map[string][]byte, error) { return map[string][]byte{strings.Repeat("x", 256): nil}, nil }
		}, restored},
		"tell":    {nil, func(*Journal) error { return failed }},
		"step":    {nil, func(n *Journal) error { return tell(n, replayed(9)) }},
		"renewed": {nil, func(n *Journal) error { return n.Renew(restored) }},
		"closed":  {nil, (*Journal).Close},
	} {
		d, c := newFragile(0, fails), new(tally)
		j := withOne(t, d, c)
		if test.change != nil {
			test.change(&j.config)
		}
		var next *Journal
		err := j.Renew(func(n *Journal) error { next = n; return test.tell(n) })
		if next != nil {
			if err := next.Sync(); err == nil {
				t.Errorf("%s: the one that has not begun can be synced", name)
			}
		}
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

// A host that recovers from a panic of what it has handed to Open or to Renew finds no file open, nor half a journal.
func TestPanicLeavesNothing(t *testing.T) {
	d, c := newFragile(0, fails), new(tally)
	makes := c.config()
	makes.New = func(map[string][]byte) (policy.Scheduler, error) { panic("no such policy") }
	panics := func(what string, do func() error) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s: no panic", what)
			}
		}()
		if err := do(); err != nil {
			t.Errorf("%s: got error %v", what, err)
		}
	}
	nothing := func(what string, names int) {
		t.Helper()
		if d.held || d.files != 0 || len(d.names) != names {
			t.Errorf("%s: lock held %v, %d files open, %d there, want %d", what, d.held, d.files, len(d.names), names)
		}
	}
	open := func() error {
		_, err := openOn(d, "journal", makes)
		return err
	}
	panics("begun", open)
	nothing("begun", 0)
	j := withOne(t, d, c)
	panics("told", func() error { return j.Renew(func(*Journal) error { panic("no such state") }) })
	if _, err := j.Step(0, submitted(2), nil); err == nil || !strings.Contains(err.Error(), "open it again") {
		t.Errorf("a step after a panic of tell has error %v", err)
	}
	if err := j.Close(); err == nil {
		t.Error("closed after a panic of tell it has no error")
	}
	nothing("told", 1)
	panics("opened", open)
	nothing("opened", 1)
	if _, err := openOn(d, "journal", c.config()); err != nil || *c != (tally{1, 1}) {
		t.Errorf("got %+v, error %v, want the job and the journal of before", *c, err)
	}
}

// Two journals are never told by one: while one begins the old one takes nothing, and then it is the new one, and
// what was handed to tell is of no use.
func TestRenewedOnce(t *testing.T) {
	d, c := newFragile(0, fails), new(tally)
	j := withOne(t, d, c)
	var kept *Journal
	ok(t, j.Renew(func(next *Journal) error {
		kept = next
		if _, err := j.Step(0, submitted(2), nil); err == nil {
			t.Error("the old one takes a step while the next one begins")
		}
		return tell(next, replayed(2), &policy.Event{Time: 2, Kind: policy.Restored})
	}))
	if _, err := kept.Step(0, submitted(3), nil); err == nil {
		t.Error("what was next takes a step")
	}
	if err := kept.Close(); err == nil {
		t.Error("what was next can be closed without an error")
	}
	ok(t, tell(j, submitted(3)))
	ok(t, j.Close())
	if j, err := openOn(d, "journal", c.config()); err != nil || *c != (tally{3, 2}) {
		t.Errorf("got %+v, error %v, want 3 jobs, begun twice", *c, err)
	} else if err := j.Renew(restored); err != nil {
		t.Error(err)
	} else if events, _ := j.Restored(); events != 3 {
		t.Errorf("%d events were restored when it was opened, want 3", events)
	}
}

// The present state is told to its end, to all who hear of it, or the journal before stays.
func TestRenewTellsAll(t *testing.T) {
	type step struct {
		part policy.NodeID
		kind policy.EventKind
	}
	live := policy.Event{Time: 1, Node: 2, Info: &policy.Node{ID: 2, Partition: 1, Cores: 1, Speed: 1}}
	do := func(j *Journal, replay bool, steps []step) error {
		for _, s := range steps {
			ev := live
			ev.Kind, ev.Replay = s.kind, replay && s.kind != policy.Restored
			if _, err := j.Step(s.part, &ev, nil); err != nil {
				return err
			}
		}
		return nil
	}
	const join, end = policy.Joined, policy.Restored
	for name, test := range map[string]struct {
		before, tell []step
		live         bool
		want         string // "": it begins
	}{
		"nothing":                           {before: []step{{0, join}}, want: "has not told the centre Restored"},
		"nothing, and never":                {want: "has not told the centre Restored"},
		"no end":                            {before: []step{{0, join}}, tell: []step{{0, join}}, want: "has not told the centre Restored"},
		"no end of a part":                  {before: []step{{0, join}}, tell: []step{{2, join}, {0, join}, {0, end}}, want: "has not told part 2 Restored"},
		"parts, and no centre":              {before: []step{{0, join}}, tell: []step{{2, join}, {2, end}}, want: "has not told the centre Restored"},
		"live":                              {before: []step{{0, join}}, tell: []step{{0, join}, {0, end}}, live: true, want: "Joined without Replay for the centre"},
		"more":                              {before: []step{{0, join}}, tell: []step{{0, end}, {0, join}}, want: "Joined for the centre in Renew, after its Restored"},
		"restored twice":                    {before: []step{{0, join}}, tell: []step{{0, end}, {0, end}}, want: "Restored for the centre in Renew, after its Restored"},
		"an empty cluster":                  {before: []step{{0, join}}, tell: []step{{0, end}}},
		"all":                               {before: []step{{0, join}, {2, join}}, tell: []step{{2, join}, {0, join}, {0, end}, {2, end}}},
		"a part that is not there any more": {before: []step{{0, join}, {2, join}}, tell: []step{{0, join}, {0, end}}},
		"a part, without the centre":        {before: []step{{2, join}}, tell: []step{{2, join}, {2, end}}},
	} {
		for _, again := range []bool{false, true} {
			f := new(memory)
			c := Config{New: newScribe}
			j := opened(t, f, c)
			ok(t, errors.Join(do(j, false, test.before), j.Sync()))
			if again {
				j = opened(t, f, c)
			}
			n := len(test.before)
			err := j.Renew(func(next *Journal) error { return do(next, !test.live, test.tell) })
			if test.want == "" {
				if n = len(test.tell); err != nil {
					t.Errorf("%s: got error %v", name, err)
				}
				for _, part := range []policy.NodeID{0, 2} { // those that were told are there, and no others
					told := slices.Contains(test.tell, step{part, end})
					_, err := j.Step(part, &policy.Event{Kind: policy.Woken, Time: 1}, nil)
					if part == 2 && told != (err == nil) {
						t.Errorf("%s: a step of part %d has error %v", name, part, err)
					}
					if err == nil {
						n++
					}
				}
				ok(t, j.Sync())
			} else if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got error %v, want %q", name, err, test.want)
			}
			if got := opened(t, f, c).events; got != n {
				t.Errorf("%s: %d events are restored, want %d", name, got, n)
			}
		}
	}
}
