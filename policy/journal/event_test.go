package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/policy"
)

// Whatever a host says, also what it must not, is read as it was written, to the last bit.

// anyEvent draws an event with some of its fields set.
func anyEvent(rng *rand.Rand) *policy.Event {
	ev := new(policy.Event)
	draw(rng, reflect.ValueOf(ev).Elem())
	return ev
}

// draw sets some of what a value is made of, often to the largest or smallest value.
func draw(rng *rand.Rand, v reflect.Value) {
	switch {
	case rng.IntN(3) == 0:
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(rng.Int64N(1e11)-1e10, []int64{0, rng.Int64N(1e9), 999_999_999}[rng.IntN(3)]).In(time.FixedZone("", rng.IntN(100_000)-50_000))))
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt([]int64{-1, rng.Int64N(1e9), rng.Int64(), math.MaxInt64, math.MinInt64}[rng.IntN(5)] >> (64 - v.Type().Bits()))
	case v.CanUint():
		v.SetUint([]uint64{1, rng.Uint64N(1000), rng.Uint64(), math.MaxUint64}[rng.IntN(4)])
	case v.CanFloat():
		v.SetFloat([]float64{math.Copysign(0, -1), 1, rng.Float64(), -rng.ExpFloat64() * 1e300, math.SmallestNonzeroFloat64, math.Inf(1), math.NaN()}[rng.IntN(7)])
	case v.Kind() == reflect.String:
		b := make([]byte, rng.IntN(10))
		for i := range b {
			b[i] = byte(rng.Uint32()) // of which most is not UTF-8
		}
		v.SetString(string(b))
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		draw(rng, v.Elem())
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rng.IntN(4), 4))
		for i := range v.Len() {
			draw(rng, v.Index(i))
		}
	case v.Kind() == reflect.Struct:
		for _, field := range v.Fields() {
			draw(rng, field)
		}
	}
}

// exactly compares numbers by their bits, and instants by the hour that they are.
var exactly = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }),
	cmp.Comparer(func(a, b time.Time) bool {
		_, x := a.Zone()
		_, y := b.Zone()
		return a.Equal(b) && x == y
	}),
}

func TestEventIsReadAsItWasWritten(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	last := policy.Time(0)
	var s step
	for i := range 3_000 {
		ev := anyEvent(rng)
		part, actions, check := policy.NodeID(rng.Uint32()), rng.IntN(3), uint32(0)
		if actions > 0 {
			check = rng.Uint32()
		}
		c := codec{b: appendEvent(nil, part, last, ev)}
		c.answer(actions, check)
		b := c.b
		if !s.decode(b, last) {
			t.Fatalf("event %d cannot be read: %+v", i, ev)
		}
		if diff := cmp.Diff(ev, &s.event, exactly); diff != "" {
			t.Fatalf("event %d (-want +got):\n%s", i, diff)
		}
		if s.part != part || s.actions != uint64(actions) || s.answer != check {
			t.Fatalf("event %d: part %d, %d actions, %08x, want %d, %d, %08x", i, s.part, s.actions, s.answer, part, actions, check)
		}
		n := rng.IntN(len(b))
		if whole := len(appendEvent(nil, part, last, ev)); n == whole {
			n--
		}
		if s.decode(b[:n], last) {
			t.Fatalf("event %d can be read from %d bytes of %d", i, n, len(b))
		}
		last = ev.Time
	}
}

// A scribe takes any event, and answers with a checksum of it: it answers otherwise if anything in the event is another.
type scribe struct{}

func (scribe) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	text, err := json.Marshal(ev)
	if err != nil {
		return actions, err
	}
	h := fnv.New64a()
	h.Write(text)
	return append(actions, policy.Action{Kind: policy.Wake, At: policy.Time(h.Sum64())}), nil
}

func (scribe) Part(*policy.Node) policy.Scheduler { return scribe{} }

func newScribe(map[string][]byte) (policy.Scheduler, error) { return scribe{}, nil }

// full are events with every field that there is, as a host might tell them.
func full() []told {
	node := policy.Node{ID: 3, Partition: 2, Cores: 16, Memory: 64 << 30, Speed: 1.5, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 8}, {Name: "link", Amount: 1}}}
	job := policy.Job{
		ID: 7, Submitted: 12e9, At: time.Date(2026, 2, 3, 4, 5, 6, 7, time.FixedZone("", 3600)),
		Attrs: []policy.Attr{{Name: "user", Value: "ann"}, {Name: "program", Value: "ün\"bau"}},
		Stages: []policy.Stage{
			{Tasks: 2, Cores: 1, Memory: 1 << 30, Needs: []policy.Need{{Name: "gpu", Amount: 500}}, Prefer: []policy.PartitionID{1, 2}, Elsewhere: 1.25, Holders: []policy.NodeID{1, 3, 2, 0}},
			{Tasks: 4, Cores: 2, Gang: true, Reads: []policy.Dep{{Stage: 0, Pipe: true}}},
		},
		Queue: "night", Requested: time.Hour, Priority: -0.5,
		SLO: &policy.SLO{Deadline: 1e12, Utility: 3.25}, Inputs: &policy.Inputs{Jobs: []policy.JobID{1, 2}, Wait: true},
	}
	first := policy.Copy{Task: policy.Task{Job: 7, Index: 1}, N: 2}
	return []told{
		{part: 3, event: policy.Event{Kind: policy.Joined, Node: 3, Info: &node, Replay: true}},
		{event: policy.Event{Kind: policy.Joined, Node: 3, Info: &node, Replay: true}},
		{event: policy.Event{Kind: policy.Restored}},
		{event: policy.Event{Time: 12e9, Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 7}}, Job: &job, More: true}},
		{event: policy.Event{Time: 12e9, Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: 7}}}},
		{part: 3, event: policy.Event{Time: 13e9, Kind: policy.Arrived, Msg: policy.Msg{Kind: 1, Count: 2, Copy: first, Seq: 1 << 63, Value: 1.0 / 3, Data: []byte{0, 255}}}},
		{event: policy.Event{Time: 12.5e9, Kind: policy.Started, Copy: first, Gang: []policy.Share{{Node: 3, Tasks: 3, Devices: 1}, {Node: 1, Tasks: 1}}, Partition: 2}},
		{event: policy.Event{Time: 20e9, Kind: policy.Progress, Copy: first, Node: 3, Devices: 1 << 63, Service: 7.5e9, Value: 0.125}},
		{event: policy.Event{Time: 30e9, Kind: policy.Failed, Copy: first, Node: 3, Service: 17.5e9, Again: true, Idle: true}},
		{event: policy.Event{Time: 30e9, Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: 7}}, Outcome: policy.GivenUp}},
	}
}

var write = flag.Bool("write", false, "write the file of testdata that is of the present version, if there is none")

// The format stays as it is: a file of the present version is kept, and read with each field of each event, and what is
// written today has the same bytes.
func TestFileOfThisVersion(t *testing.T) {
	present := new(memory)
	j := opened(t, present, Config{New: newScribe})
	for _, s := range full() {
		if _, err := j.Step(s.part, &s.event, nil); err != nil {
			t.Fatal(err)
		}
	}
	ok(t, j.Sync())
	name := filepath.Join("testdata", fmt.Sprintf("events.v%d.journal", version))
	if _, err := os.Stat(name); *write && errors.Is(err, os.ErrNotExist) {
		ok(t, os.WriteFile(name, present.b, 0o666))
	}
	b, err := os.ReadFile(name)
	ok(t, err)
	if !bytes.Equal(b, present.b) {
		t.Errorf("the events take %d bytes today, want the %d of %s", len(present.b), len(b), name)
	}
	want, n := full(), 0
	j, err = open(&memory{b: b}, Config{New: newScribe, Replayed: func(part policy.NodeID, ev *policy.Event, _ []policy.Action) error {
		if diff := cmp.Diff(&want[n].event, ev, exactly); diff != "" || part != want[n].part {
			t.Errorf("event %d of part %d, want part %d (-want +got):\n%s", n, part, want[n].part, diff)
		}
		n++
		return nil
	}})
	ok(t, err)
	if _, cut := j.Restored(); n != len(want) || cut != 0 {
		t.Errorf("%d events, %d bytes cut, want %d events", n, cut, len(want))
	}
}

// No bytes whatever make Open panic, and what it has taken once it takes again. What it takes is nothing but whole records.
func FuzzOpen(f *testing.F) {
	whole := new(memory)
	j := opened(f, whole, Config{New: newScribe})
	for _, s := range full() {
		if _, err := j.Step(s.part, &s.event, nil); err != nil {
			f.Fatal(err)
		}
	}
	ok(f, j.Sync())
	f.Add(whole.b, byte(0))
	f.Add(whole.b[:len(whole.b)-3], byte(0))
	f.Add([]byte(magic+"\x01"), byte(0))
	rng := rand.New(rand.NewPCG(5, 5))
	for range 20 {
		f.Add(appendEvent(nil, 0, 0, anyEvent(rng)), byte(tagStep)) // one record, to be sealed
	}
	f.Add([]byte("\x04name, and what is kept under it"), byte(tagKept))
	f.Add([]byte(nil), byte(tagBegun))
	f.Fuzz(func(t *testing.T, b []byte, seal byte) {
		switch seal {
		case tagStep:
			b = journalOf(b).b
		case tagKept, tagBegun: // where it belongs, in the beginning
			b = appendFrame([]byte(header), seal, b, int64(len(header)))
			b = appendFrame(b, tagBegun, nil, int64(len(b)))
		}
		file := &memory{b: append([]byte(nil), b...)}
		c := of(silent{})
		j, err := open(file, c)
		if err != nil {
			if string(file.b) != string(b) {
				t.Fatalf("the file was changed in spite of error %v", err)
			}
			return
		}
		events, cut := j.Restored()
		ok(t, j.Sync())
		if j, err = open(file, c); err != nil {
			t.Fatalf("what was taken once, %d events with %d bytes cut, is refused: %v", events, cut, err)
		}
		if again, more := j.Restored(); again != events || more != 0 {
			t.Fatalf("%d events and %d bytes cut the second time, want %d and 0", again, more, events)
		}
	})
}

// silent takes anything and says nothing.
type silent struct{}

func (silent) Step(_ *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return actions, nil
}
func (silent) Part(*policy.Node) policy.Scheduler { return silent{} }
