package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
)

// A host is broken off before and amid each call of its disk: what was not synced is lost, in part or as a whole, and
// so is a name. What is there then is opened by a host that comes after it.

// A fragile is a disk that breaks at a call. What it has then is what survives.
type fragile struct {
	names map[string]*memory
	calls int
	stop  int // at this call; 0: never
	way   int // how it breaks, of so many ways
	lost  map[string]*memory
	held  bool // its lock, until the process ends
}

const ways = 4

var errPower = errors.New("power failure")

// call counts a call. If it is the one to break at, or one after that, it returns an error.
func (d *fragile) call() error {
	if d.calls++; d.stop == 0 || d.calls < d.stop {
		return nil
	}
	if d.calls == d.stop {
		d.breaks()
	}
	return errPower
}

// breaks keeps of each file what was synced, and as much of the rest as the way says.
func (d *fragile) breaks() {
	d.lost = make(map[string]*memory)
	for name, f := range d.names {
		n := f.synced + (len(f.b)-f.synced)*d.way/(ways-1)
		d.lost[name] = &memory{b: slices.Clone(f.b[:n]), synced: n}
	}
}

func (d *fragile) lock(string) (io.Closer, error) {
	if d.held {
		return nil, errLocked
	}
	d.held = true
	return &held{d}, nil
}

type held struct{ disk *fragile }

func (h *held) Close() error {
	if !h.disk.held {
		return errors.New("the lock was given back before")
	}
	h.disk.held = false
	return nil
}

func (d *fragile) open(name string) (file, error) {
	if err := d.call(); err != nil {
		return nil, err
	}
	f, ok := d.names[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	f.at = 0
	return &brittle{f, d}, nil
}

func (d *fragile) create(name, _ string) (file, error) {
	if err := d.call(); err != nil {
		return nil, err
	}
	d.names[name] = new(memory)
	return &brittle{d.names[name], d}, nil
}

func (d *fragile) rename(from, to string) error {
	before := maps.Clone(d.names)
	err := d.call()
	if err != nil && d.calls != d.stop {
		return err
	}
	d.names[to] = d.names[from]
	delete(d.names, from)
	if err != nil { // it has happened, or not
		if d.breaks(); d.way%2 == 0 {
			d.names = before
			d.breaks()
		}
	}
	return err
}

func (d *fragile) remove(name string) error {
	if err := d.call(); err != nil {
		return err
	}
	delete(d.names, name)
	return nil
}

// A brittle is a file of such a disk.
type brittle struct {
	*memory
	disk *fragile
}

func (b *brittle) Write(p []byte) (int, error) {
	err := b.disk.call()
	if err != nil && b.disk.calls != b.disk.stop {
		return 0, err
	}
	n, _ := b.memory.Write(p)
	if err != nil {
		b.disk.breaks()
	}
	return n, err
}

func (b *brittle) Sync() error {
	if err := b.disk.call(); err != nil {
		return err
	}
	return b.memory.Sync()
}

func (b *brittle) Truncate(size int64) error {
	if err := b.disk.call(); err != nil {
		return err
	}
	return b.memory.Truncate(size)
}

func (b *brittle) Close() error { return b.disk.call() }

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
			return map[string][]byte{"tally": b, "rest": make([]byte, 2*piece+1), "nothing": nil}, err
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
			_, err := next.Step(0, &policy.Event{Kind: policy.Restored, Time: policy.Time(c.N)}, nil)
			return err
		}); err != nil {
			return err
		}
		*said = *c
	}
	return nil
}

func TestBrokenOffAtEveryCall(t *testing.T) {
	tried, fewer, more := 0, 0, 0
	for way := range ways {
		for stop := 1; ; stop++ {
			d := &fragile{names: make(map[string]*memory), stop: stop, way: way}
			var said, found tally
			if err := live(d, &said); err == nil {
				if stop < 39 {
					t.Errorf("only %d calls", stop-1)
				}
				break
			} else if !errors.Is(err, errPower) {
				t.Fatalf("broken off at call %d: %v", stop, err)
			}
			if d.held {
				t.Fatalf("broken off at call %d in way %d: the lock is not given back", stop, way)
			}
			tried++
			after := &fragile{names: d.lost}
			j, err := openOn(after, "journal", found.config())
			if err != nil {
				t.Fatalf("broken off at call %d in way %d, with %+v acknowledged: %v", stop, way, said, err)
			}
			if found.N < said.N || found.Begun < said.Begun || found.N > said.N+3 || found.Begun > said.Begun+1 {
				t.Fatalf("broken off at call %d in way %d: found %+v, and %+v was acknowledged", stop, way, found, said)
			}
			if found.N > said.N {
				more++
			}
			if found.Begun > said.Begun && said.Begun > 0 {
				fewer++
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			if err := live(after, &said); err != nil { // and it goes on, over what was left
				t.Fatalf("after it was broken off at call %d in way %d: %v", stop, way, err)
			}
			if len(after.names) != 1 {
				t.Errorf("broken off at call %d in way %d: %d files are left in the end, want 1", stop, way, len(after.names))
			}
		}
	}
	if tried < 150 || fewer == 0 || more == 0 {
		t.Errorf("%d tried, %d found a new journal and %d steps that were not acknowledged, want some", tried, fewer, more)
	}
}

// What is kept is given to New as it was, whatever its size, and is read in its beginning only.
func TestKept(t *testing.T) {
	want := map[string][]byte{"": []byte("x"), "empty": nil, "one piece": make([]byte, piece), "two": []byte(strings.Repeat("ab", piece/2+1))}
	var got map[string][]byte
	c := Config{
		New:  func(kept map[string][]byte) (policy.Scheduler, error) { got = kept; return silent{}, nil },
		Keep: func() (map[string][]byte, error) { return want, nil },
	}
	f := new(memory)
	for range 2 {
		if _, err := open(f, c); err != nil {
			t.Fatal(err)
		}
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

// An error of Told is that of Open.
func TestToldFails(t *testing.T) {
	whole, _ := run(t, policies["fifo"], 5, 1)
	failed, n := errors.New("the host does not know the job"), 0
	_, err := open(whole, Config{New: policies["fifo"], Told: func(policy.NodeID, *policy.Event, []policy.Action) error {
		if n++; n == 3 {
			return failed
		}
		return nil
	}})
	if !errors.Is(err, failed) || n != 3 {
		t.Errorf("got error %v after %d events, want %v after 3", err, n, failed)
	}
}
