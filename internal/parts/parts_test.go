package parts

import (
	"errors"
	"strings"
	"testing"

	"example.com/augur/policy"
)

// A diary writes down when it was told something. It refuses a Woken.
type diary struct{ times []policy.Time }

var errDiary = errors.New("no alarm was set")

func (d *diary) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Kind == policy.Woken {
		return actions, errDiary
	}
	d.times = append(d.times, ev.Time)
	return append(actions, policy.Action{Kind: policy.Wake, At: ev.Time}), nil
}

// A chain is a diary with parts, of which the last one made is kept.
type chain struct {
	diary
	made int
	last *diary
	none bool // it makes nil
}

func (c *chain) Part(*policy.Node) policy.Scheduler {
	if c.none {
		return nil
	}
	c.made++
	c.last = new(diary)
	return c.last
}

func joined(at policy.Time) *policy.Event {
	return &policy.Event{Kind: policy.Joined, Time: at, Node: 3, Info: &policy.Node{ID: 3, Partition: 1, Cores: 1, Speed: 1}}
}

func TestParts(t *testing.T) {
	c := new(chain)
	p := Of(c)
	refused := func(id policy.NodeID, ev *policy.Event, want string) {
		t.Helper()
		before, made := len(c.times), c.last
		var part int
		if made != nil {
			part = len(made.times)
		}
		got, err := p.Step(id, ev, make([]policy.Action, 1, 4))
		if err == nil || !strings.Contains(err.Error(), want) || len(got) != 1 {
			t.Errorf("%v for part %d: got error %v and %d actions, want %q and the 1 before", ev.Kind, id, err, len(got), want)
		}
		if len(c.times) != before || made != nil && len(made.times) != part {
			t.Errorf("%v for part %d was refused, but told", ev.Kind, id)
		}
	}
	taken := func(id policy.NodeID, ev *policy.Event) {
		t.Helper()
		if got, err := p.Step(id, ev, make([]policy.Action, 1, 4)); err != nil || len(got) != 2 {
			t.Errorf("%v for part %d: got error %v and %d actions, want 2", ev.Kind, id, err, len(got))
		}
	}
	ready := func(at policy.Time) *policy.Event { return &policy.Event{Kind: policy.Ready, Time: at} }

	refused(3, ready(5), "Ready for part 3, which has not joined")
	refused(3, &policy.Event{Kind: policy.Joined, Time: 5}, "part 3 joins without a node")
	c.none = true
	refused(3, joined(5), "made no part for node 3")
	c.none = false
	taken(0, ready(-7)) // any time is good for the first event
	taken(0, ready(-7))
	refused(0, ready(-8), "Ready for the centre at -8 ns, which is before its last event, at -7 ns")
	taken(0, ready(9))
	taken(3, joined(4)) // each part has its own time
	first := c.last
	taken(3, ready(6))
	refused(3, ready(5), "Ready for part 3 at 5 ns, which is before its last event, at 6 ns")
	refused(0, &policy.Event{Kind: policy.Woken, Time: 20}, errDiary.Error())
	taken(0, ready(9)) // what was refused was no event
	refused(3, joined(5), "before its last event, at 6 ns")
	taken(3, ready(6))
	if len(first.times) != 3 {
		t.Errorf("the first part was told %d events, want 3: the second one never joined", len(first.times))
	}
	taken(3, joined(6))
	taken(3, ready(7))
	if c.last == first || len(c.last.times) != 2 {
		t.Errorf("the part that joined again was told %v, want two events", c.last.times)
	}
	if p.Centre() != policy.Scheduler(c) {
		t.Error("the centre is not what it was")
	}
}

// A central policy is said to have no parts, whatever is told to one.
func TestPartsOfACentralPolicy(t *testing.T) {
	p := Of(new(diary))
	for _, ev := range []*policy.Event{joined(1), {Kind: policy.Ready, Time: 1}, {Kind: policy.Joined}} {
		if _, err := p.Step(3, ev, nil); err == nil || !strings.Contains(err.Error(), "is central and has no parts") {
			t.Errorf("%v: got error %v", ev.Kind, err)
		}
	}
}
