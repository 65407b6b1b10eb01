package journal

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
)

// arrived is a message of so many bytes, each of which takes two in a record.
func arrived(at policy.Time, bytes int) *policy.Event {
	return &policy.Event{Kind: policy.Arrived, Time: at, Msg: policy.Msg{Kind: 1, Data: slices.Repeat([]byte{0xff}, bytes)}}
}

// counter counts what it is told.
type counter struct{ events int }

func (c *counter) Step(_ *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	c.events++
	return append(actions, policy.Action{Kind: policy.Wake, At: policy.Time(c.events)}), nil
}

func newCounter(map[string][]byte) (policy.Scheduler, error) { return new(counter), nil }

// The longest event that Step takes can be written, read, and cut off if it is torn. A longer one is refused before the
// policy hears of it.
func TestLongestEvent(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes hundreds of megabytes")
	}
	f := new(memory)
	j, err := open(f, Config{New: newCounter})
	if err != nil {
		t.Fatal(err)
	}
	step := func(bytes int) error {
		_, err := j.Step(0, arrived(1, bytes), nil)
		return errors.Join(err, j.Sync())
	}
	if err := step(1); err != nil {
		t.Fatal(err)
	}
	first := len(f.b)
	long := maxBody - sizeOfAnswer - len(appendEvent(nil, 0, 1, arrived(1, 1<<25))) + 1<<25
	if _, err := j.Step(0, arrived(1, long+1), nil); err == nil || !strings.Contains(err.Error(), "Arrived takes") {
		t.Errorf("one that is too long: got error %v", err)
	}
	if told := j.Policy().(*counter).events; told != 1 {
		t.Errorf("the policy was told %d events, want 1", told)
	}
	if err := step(long); err != nil {
		t.Fatalf("the longest one: %v", err)
	}
	whole := f.b
	if n := len(whole) - first; n > maxFrame || n < maxFrame-60 {
		t.Errorf("the longest record has %d bytes, want close to %d", n, maxFrame)
	}
	for _, at := range []int{len(whole), len(whole) - 1, first + 5} {
		f := &memory{b: whole[:at:at]}
		j, err := open(f, Config{New: newCounter})
		if err != nil {
			t.Fatalf("cut to %d bytes of %d: %v", at, len(whole), err)
		}
		want := 1
		if at == len(whole) {
			want = 2
		}
		if events, cut := j.Restored(); events != want || cut != int64(at-first)*int64(2-want) {
			t.Errorf("cut to %d bytes of %d: %d events, %d bytes cut, want %d events", at, len(whole), events, cut, want)
		}
	}
}

// However much is behind the last record, it is cut off if there is no whole record in it, and found if there is one.
func TestLongTail(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes hundreds of megabytes")
	}
	whole, steps := run(t, policies["fifo"], 5, 1)
	tail := make([]byte, maxFrame+1000)
	tail[0] = tagStep
	torn := slices.Concat(whole.b, tail)
	for _, at := range []int{0, maxFrame - 1, maxFrame, len(tail) - 20} {
		record := appendFrame(nil, tagStep, []byte("some event"), int64(len(whole.b)+1+at))
		place := torn[len(whole.b)+1+at:][:len(record)]
		copy(place, record)
		f := &memory{b: torn}
		if _, err := open(f, Config{New: policies["fifo"]}); !errors.Is(err, ErrFormat) {
			t.Errorf("a record %d bytes behind the end: got error %v", at, err)
		}
		clear(place)
	}
	r := reader{in: bufio.NewReader(io.MultiReader(bytes.NewReader(tail), bytes.NewReader(tail[1:]))), version: version}
	if _, _, err := r.next(); err != io.EOF || cap(r.frame) > 3*maxFrame/2 {
		t.Errorf("of a record without an end: error %v, and %d bytes of memory, want few more than %d", err, cap(r.frame), maxFrame)
	}
	f := &memory{b: torn}
	j, err := open(f, Config{New: policies["fifo"]})
	if err != nil {
		t.Fatal(err)
	}
	if events, cut := j.Restored(); events != len(steps) || cut != int64(len(tail)) || !bytes.Equal(f.b, whole.b) {
		t.Errorf("%d events restored, %d bytes cut, want %d and %d", events, cut, len(steps), len(tail))
	}
}
