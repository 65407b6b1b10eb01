package journal

import (
	"encoding/json"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// A class is a policy that answers with what its host has taught outside of it, and a host that teaches that from each
// end of which it hears, as the package comment says; or also from those that it is replayed.
type class struct {
	learnt   int
	replayed bool
}

func (c *class) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Replay {
		return actions, nil
	}
	return append(actions, policy.Action{Kind: policy.Wake, At: policy.Time(c.learnt)}), nil
}

func (c *class) heed(_ policy.NodeID, ev *policy.Event, _ []policy.Action) error {
	if ev.Kind == policy.Finished && (!ev.Replay || c.replayed) {
		c.learnt++
	}
	return nil
}

func (c *class) config() Config {
	return Config{
		New: func(kept map[string][]byte) (policy.Scheduler, error) {
			return c, json.Unmarshal(kept["learnt"], &c.learnt)
		},
		Keep: func() (map[string][]byte, error) {
			b, err := json.Marshal(c.learnt)
			return map[string][]byte{"learnt": b}, err
		},
		Told: c.heed,
	}
}

// What a host teaches after each Step, and in Told, is the same whenever it is killed, also after the journal has begun
// anew; a host that learns from what it is replayed learns that twice.
func TestTaughtByItsHost(t *testing.T) {
	for _, replayed := range []bool{false, true} {
		f := new(memory)
		c := &class{replayed: replayed}
		j, err := open(f, c.config())
		if err != nil {
			t.Fatal(err)
		}
		step := func(j *Journal, ev policy.Event) {
			t.Helper()
			if _, err := j.Step(0, &ev, nil); err != nil {
				t.Fatal(err)
			}
		}
		differ := 0
		for at := policy.Time(1); at <= 20; at++ {
			ev := policy.Event{Kind: policy.Finished, Time: at}
			step(j, ev)
			if err := c.heed(0, &ev, nil); err != nil {
				t.Fatal(err)
			}
			if at%7 == 0 {
				if err := j.Renew(func(next *Journal) error {
					step(next, policy.Event{Kind: policy.Finished, Time: at, Replay: true})
					step(next, policy.Event{Kind: policy.Restored, Time: at})
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			}
			if err := j.Sync(); err != nil {
				t.Fatal(err)
			}
			after := &class{replayed: replayed}
			if _, err := open(&memory{b: slices.Clone(f.b)}, after.config()); err != nil || after.learnt != c.learnt {
				differ++
			}
		}
		if (differ > 0) != replayed || c.learnt != 20 {
			t.Errorf("learns from a replay %v: %d of 20 restarts differ, %d ends learnt, want 20", replayed, differ, c.learnt)
		}
	}
}
