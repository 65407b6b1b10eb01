package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
)

// A host is broken off at each call of its disk, by the death of its process or by a loss of power, and so is the one that
// comes after it. What was not synced is lost in a loss of power, in part or as a whole, and so are names.

// A tally counts the jobs that it is told, each once and in order, and how often it was begun anew.
type tally struct{ N, Begun int }

func (c *tally) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	switch {
	case ev.Kind == policy.Restored:
	case ev.Copy.Job != policy.JobID(c.N+1):
		return actions, fmt.Errorf("told job %d after %d", ev.Copy.Job, c.N)
	default:
		c.N++
	}
	return actions, nil
}

func (c *tally) config() Config {
	return Config{
		New: func(kept map[string][]byte) (policy.Scheduler, error) {
			*c = tally{}
			return c, json.Unmarshal(kept["tally"], c)
		},
		Keep: func() (map[string][]byte, error) {
			b, err := json.Marshal(tally{c.N, c.Begun + 1})
			return map[string][]byte{"tally": b, "rest": make([]byte, piece+1), "nothing": nil}, err
		},
	}
}

// live opens a journal, tells some jobs, begins anew, and so on. It adds to said what was acknowledged.
func live(d disk, said *tally) (err error) {
	c := new(tally)
	j, err := openOn(d, "journal", c.config())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	*said = *c
	for range 2 {
		for range 2 {
			for range 3 {
				if _, err := j.Step(0, submitted(policy.JobID(c.N+1)), nil); err != nil {
					return err
				}
			}
			if err := j.Sync(); err != nil {
				return err
			}
			*said = *c
		}
		if err := j.Renew(func(next *Journal) error {
			return tell(next, &policy.Event{Kind: policy.Restored, Time: policy.Time(c.N)})
		}); err != nil {
			return err
		}
		*said = *c
	}
	return nil
}

// A survivor counts what hosts find that come after one that was broken off.
type survivor struct{ tried, fewer, more int }

// opens opens what is left when a host was broken off that had been told what said says, and goes on.
func (s *survivor) opens(t *testing.T, left *fragile, said tally, when string) {
	t.Helper()
	s.tried++
	var found tally
	left = left.clone()
	j, err := openOn(left, "journal", found.config())
	if err != nil {
		t.Fatalf("%s, with %+v acknowledged: %v", when, said, err)
	}
	if found.N < said.N || found.Begun < said.Begun || found.N > said.N+3 || found.Begun > said.Begun+1 {
		t.Fatalf("%s: found %+v, and %+v was acknowledged", when, found, said)
	}
	if found.N > said.N {
		s.more++
	}
	if found.Begun > said.Begun && said.Begun > 0 {
		s.fewer++
	}
	ok(t, j.Close())
	if err := live(left, &said); err != nil { // and it goes on, over what was left
		t.Fatalf("%s: %v", when, err)
	}
	if len(left.names) != 1 || left.files != 0 {
		t.Errorf("%s: %d files are left in the end and %d open, want 1 and none", when, len(left.names), left.files)
	}
}

func TestBrokenOffAtEveryCall(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	var s survivor
	for way := range ways {
		for stop := 1; ; stop++ {
			d := newFragile(stop, way)
			when := fmt.Sprintf("broken off at call %d in way %d", stop, way)
			var said tally
			if err := live(d, &said); err == nil {
				if stop < 39 || d.calls >= stop {
					t.Errorf("%s: no error after %d calls, want one, or at least 38 calls", when, d.calls)
				}
				break
			} else if !errors.Is(err, errBroken) {
				t.Fatalf("%s: %v", when, err)
			}
			if d.held || d.files != 0 {
				t.Fatalf("%s: lock held %v, %d files open, want none", when, d.held, d.files)
			}
			if way == fails {
				if d.after = d; d.names["journal"+suffix] != nil {
					t.Errorf("%s: half a journal is left", when)
				}
			}
			s.opens(t, d.after, said, when)
			for stop := range 8 { // as it resumes, and once it has, what was only in memory is lost
				if way != kill {
					break
				}
				next := d.after.clone()
				next.stop, next.way = 1+stop, power
				said := said
				if err := live(next, &said); !errors.Is(err, errBroken) {
					t.Fatal(err)
				}
				s.opens(t, next.after, said, fmt.Sprintf("%s, and then at call %d in way %d", when, next.stop, next.way))
			}
		}
	}
	if s.tried < 800 || s.fewer == 0 || s.more == 0 {
		t.Errorf("%d tried, %d found a new journal and %d steps that were not acknowledged, want some", s.tried, s.fewer, s.more)
	}
}

// What is kept is given to New as it was, whatever its size, and is read in its beginning only.
func TestKept(t *testing.T) {
	want := map[string][]byte{"": []byte("x"), strings.Repeat("n", 255): []byte("y"), "empty": nil, "one piece": make([]byte, piece), "two": []byte(strings.Repeat("ab", piece/2+1))}
	var got map[string][]byte
	c := Config{
		New:  func(kept map[string][]byte) (policy.Scheduler, error) { got = kept; return silent{}, nil },
		Keep: func() (map[string][]byte, error) { return want, nil },
	}
	f := new(memory)
	for range 2 {
		opened(t, f, c)
		if !maps.EqualFunc(got, want, slices.Equal) {
			t.Errorf("New is given %d things, want what was kept", len(got))
		}
	}
	for name, records := range map[string][]struct {
		tag  byte
		body []byte
	}{
		"kept late":      {{tagBegun, nil}, {tagKept, []byte("\x01aa")}},
		"kept after":     {{tagStep, appendEvent(nil, 0, 0, submitted(1))}, {tagKept, []byte("\x01aa")}, {tagBegun, nil}},
		"begun twice":    {{tagBegun, nil}, {tagBegun, nil}},
		"begun with":     {{tagBegun, []byte{1}}},
		"kept badly":     {{tagKept, []byte("\x05a")}, {tagBegun, nil}},
		"never begun":    {{tagKept, []byte("\x01aa")}, {tagStep, appendEvent(nil, 0, 0, submitted(1))}},
		"kept by nobody": {{tagKept, nil}, {tagBegun, nil}},
	} {
		f := &memory{b: []byte(header)}
		for _, r := range records {
			f.b = appendFrame(f.b, r.tag, r.body, int64(len(f.b)))
		}
		if _, err := open(f, c); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: got error %v, want %v", name, err, ErrFormat)
		}
	}
}

// An error of Replayed is that of Open.
func TestToldFails(t *testing.T) {
	whole, _ := run(t, policies["fifo"], 5, 1)
	failed, n := errors.New("the host does not know the job"), 0
	_, err := open(whole, Config{New: policies["fifo"], Replayed: func(policy.NodeID, *policy.Event, []policy.Action) error {
		if n++; n == 3 {
			return failed
		}
		return nil
	}})
	if !errors.Is(err, failed) || n != 3 {
		t.Errorf("got error %v after %d events, want %v after 3", err, n, failed)
	}
}
