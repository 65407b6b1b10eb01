package journal

import (
	"bufio"
	"bytes"
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

// The longest event that Step takes can be written and read. A longer one is refused before the policy hears of it.
func TestLongestEvent(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes hundreds of megabytes")
	}
	f := new(memory)
	j := opened(t, f, Config{New: newCounter})
	long := maxBody - sizeOfAnswer - len(appendEvent(nil, 0, 0, arrived(1, 1<<25))) + 1<<25
	if _, err := j.Step(0, arrived(1, long+1), nil); err == nil || !strings.Contains(err.Error(), "Arrived takes") {
		t.Errorf("one that is too long: got error %v", err)
	}
	if told := j.parts.Centre().(*counter).events; told != 0 {
		t.Errorf("the policy was told %d events, want 0", told)
	}
	ok(t, tell(j, arrived(1, long)))
	ok(t, j.Sync())
	if n := len(f.b) - len(start); n > maxFrame || n < maxFrame-60 {
		t.Errorf("the longest record has %d bytes, want close to %d", n, maxFrame)
	}
	if n := opened(t, f, Config{New: newCounter}).events; n != 1 {
		t.Errorf("opened again: %d events, want 1", n)
	}
}

// A reader takes memory for one record, however much is behind the last one, and finds a whole record behind that.
func TestLongTail(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes hundreds of megabytes")
	}
	tail := make([]byte, maxFrame+1000)
	tail[0] = tagStep
	record := appendFrame(nil, tagStep, []byte("some event"), int64(len(tail)))
	r := reader{in: bufio.NewReader(io.MultiReader(bytes.NewReader(tail), bytes.NewReader(record)))}
	if _, body, err := r.next(); err != nil || string(body) != "some event" || r.start != int64(len(tail)) {
		t.Errorf("got %q at byte %d, error %v, want the event behind %d bytes", body, r.start, err, len(tail))
	}
	if cap(r.frame) > 3*maxFrame/2 {
		t.Errorf("the reader takes %d bytes of memory, want few more than %d", cap(r.frame), maxFrame)
	}
}
