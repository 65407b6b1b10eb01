package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

// What a journal promises, and the policy that is restored from it.
func TestPromises(t *testing.T) {
	t.Run("wherever a run is broken off, the restored policy goes on with the same answers, and the journal with the same bytes", restoredPolicyGoesOn)
	t.Run("what stands behind the last record is cut off", rubbishAtTheEndIsCutOff)
	t.Run("a journal with a changed bit is refused, unless its last record looks torn", damageIsRefused)
	t.Run("a policy that answers otherwise than the one before is refused", otherAnswers)
	t.Run("an event that the policy cannot take changes nothing, and is not kept", refusedEventIsNotKept)
	t.Run("after an error of the file nothing more is told, and what was synced is still there", brokenFile)
	t.Run("a step allocates nothing of its own", stepAllocatesNothing)
}

// ends returns where the beginning of a journal, and then its records, end.
func ends(t testing.TB, b []byte) []int {
	t.Helper()
	list := []int{len(start)}
	for at := len(start); at < len(b); {
		n := bytes.IndexByte(b[at:], end)
		if n < 0 {
			t.Fatalf("no record at byte %d", at)
		}
		at += n + 1
		list = append(list, at)
	}
	return list
}

func restoredPolicyGoesOn(t *testing.T) {
	for name, make := range policies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(3) {
				whole, steps := run(t, make, 12, seed)
				end := ends(t, whole.b)
				if len(end) != len(steps)+1 {
					t.Fatalf("%d records of %d steps", len(end)-1, len(steps))
				}
				rng := rand.New(rand.NewPCG(seed, 1))
				for range 10 {
					at := len(start) + rng.IntN(len(whole.b)-len(start)+1)
					n, found := slices.BinarySearch(end, at)
					if !found {
						n--
					}
					goOn(t, make, whole.b, at, n, steps)
				}
			}
		})
	}
}

// goOn breaks a journal off at a byte, where it has n whole steps, and takes all others again.
func goOn(t *testing.T, make func(map[string][]byte) (policy.Scheduler, error), whole []byte, at, n int, steps []told) {
	t.Helper()
	f := &memory{b: slices.Clone(whole[:at])}
	heard := 0
	j := opened(t, f, Config{New: make, Replayed: func(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
		if want := &steps[heard]; part != want.part || !reflect.DeepEqual(*ev, want.event) || !slices.EqualFunc(actions, want.actions, sameAction) {
			t.Errorf("step %d is told as %d %+v %+v, want %+v", heard, part, *ev, actions, *want)
		}
		heard++
		return nil
	}})
	if events, cut := j.Restored(); events != n || heard != n || cut != int64(at-len(f.b)) {
		t.Fatalf("broken off at byte %d: %d events restored, %d told, %d bytes cut, want %d events and %d bytes", at, events, heard, cut, n, at-len(f.b))
	}
	var actions []policy.Action
	for i := n; i < len(steps); i++ {
		s := &steps[i]
		var err error
		actions, err = j.Step(s.part, &s.event, actions[:0])
		ok(t, err)
		if !slices.EqualFunc(actions, s.actions, sameAction) {
			t.Fatalf("broken off at byte %d: answer to step %d is %+v, want %+v", at, i, actions, s.actions)
		}
	}
	ok(t, j.Sync())
	if !bytes.Equal(f.b, whole) {
		t.Errorf("broken off at byte %d: the journal went on otherwise", at)
	}
}

func sameAction(a, b policy.Action) bool { return reflect.DeepEqual(a, b) }

func damageIsRefused(t *testing.T) {
	whole, steps := run(t, policies["fifo"], 2, 1)
	end := ends(t, whole.b)
	last := end[len(end)-2]
	for at := range whole.b {
		for bit := range 8 {
			f := &memory{b: slices.Clone(whole.b)}
			f.b[at] ^= 1 << bit
			before := slices.Clone(f.b)
			j, err := open(f, Config{New: policies["fifo"]})
			if at >= last {
				if err != nil {
					t.Fatalf("bit %d of byte %d, in the last record: %v", bit, at, err)
				}
				if events, cut := j.Restored(); events != len(steps)-1 || cut != int64(len(whole.b)-last) {
					t.Fatalf("bit %d of byte %d, in the last record: %d events, %d bytes cut", bit, at, events, cut)
				}
				continue
			}
			i, found := slices.BinarySearch(end, at)
			if !found {
				i--
			}
			want := "the header is not a journal's"
			if at == len(magic) {
				want = "version"
			} else if at >= len(header) && i < 0 {
				want = "at byte 15,"
			} else if i >= 0 {
				want = "at byte " + strconv.Itoa(end[i]) + ","
			}
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
				t.Fatalf("bit %d of byte %d: got error %v, want %q", bit, at, err, want)
			}
			if !bytes.Equal(f.b, before) {
				t.Fatalf("bit %d of byte %d: the file was changed", bit, at)
			}
		}
	}
}

func rubbishAtTheEndIsCutOff(t *testing.T) {
	whole, steps := run(t, policies["fifo"], 5, 1)
	rng := rand.New(rand.NewPCG(1, 1))
	for name, rubbish := range map[string][]byte{
		"zeros":  make([]byte, 5000),
		"tags":   bytes.Repeat([]byte{tagStep}, 5000),
		"ends":   bytes.Repeat([]byte{end}, 1<<21), // which take minutes unless each is looked at once
		"chance": binary.LittleEndian.AppendUint64(nil, rng.Uint64()),
	} {
		f := &memory{b: slices.Concat(whole.b, rubbish)}
		j, err := open(f, Config{New: policies["fifo"]})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if events, cut := j.Restored(); events != len(steps) || cut != int64(len(rubbish)) || !bytes.Equal(f.b, whole.b) {
			t.Errorf("%s: %d events, %d bytes cut, want %d and %d", name, events, cut, len(steps), len(rubbish))
		}
	}
}

// The error says whether the policy answers with more or fewer actions, or as many others.
func otherAnswers(t *testing.T) {
	whole := new(memory)
	j := opened(t, whole, of(echo{}))
	for at := range policy.Time(3) {
		ok(t, tell(j, &policy.Event{Kind: policy.Woken, Time: 7 + at}))
	}
	ok(t, j.Sync())
	for want, p := range map[string]policy.Scheduler{
		"answers with 1 other actions than the 1 that": new(counter),
		"answers with 0 actions, and not the 1 that":   silent{},
	} {
		_, err := open(whole, of(p))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
	// A Kill with Save is another answer than one without.
	whole = new(memory)
	j = opened(t, whole, of(wanting{policy.Action{Kind: policy.Kill, Save: true}}))
	ok(t, tell(j, &policy.Event{Kind: policy.Woken}))
	ok(t, j.Sync())
	if _, err := open(whole, of(wanting{policy.Action{Kind: policy.Kill}})); err == nil || !strings.Contains(err.Error(), "other actions") {
		t.Errorf("got error %v of a policy that does not save", err)
	}
}

func refusedEventIsNotKept(t *testing.T) {
	f := new(memory)
	j := opened(t, f, Config{New: policies["fifo"]})
	ok(t, tell(j, submitted(1)))
	before := j.offset
	node := &policy.Node{ID: 5, Partition: 1, Cores: 1, Speed: 1}
	for _, test := range []struct {
		part policy.NodeID
		ev   *policy.Event
	}{
		{0, &policy.Event{Kind: policy.Ready, Time: 1, Copy: policy.Copy{Task: policy.Task{Job: 7}}}},
		{5, submitted(2)},
		{5, &policy.Event{Kind: policy.Joined, Time: 2, Node: 5, Info: node}},
		{0, &policy.Event{Kind: policy.Joined, Time: 0, Node: 5, Info: node}}, // time goes back
	} {
		actions, err := j.Step(test.part, test.ev, make([]policy.Action, 1, 2))
		if ours := err != nil && strings.HasPrefix(err.Error(), "journal: "); ours == (test.ev.Kind == policy.Ready) {
			t.Errorf("part %d, %v: got error %v, want one of the journal, or of the policy if that refuses it", test.part, test.ev.Kind, err)
		}
		if err == nil || len(actions) != 1 {
			t.Errorf("part %d, %v: got error %v and %d actions, want an error and the 1 before", test.part, test.ev.Kind, err, len(actions))
		}
	}
	if j.offset != before {
		t.Errorf("the journal has grown by %d bytes", j.offset-before)
	}
	if _, err := j.Step(0, &policy.Event{Kind: policy.Joined, Time: 0, Node: 5, Info: node}, nil); err == nil || !strings.Contains(err.Error(), "at 0 ns, which is before its last event, at 1 ns") {
		t.Errorf("time goes back: got error %v, want both times", err)
	}
	ok(t, tell(j, &policy.Event{Kind: policy.Joined, Time: 1, Node: 5, Info: node}))
}

func brokenFile(t *testing.T) {
	broken := errors.New("disk is full")
	f := new(memory)
	j := opened(t, f, Config{New: policies["fifo"]})
	n := 0
	step := func() error {
		n++
		_, err := j.Step(0, submitted(policy.JobID(n)), nil)
		if err == nil && j.err != nil {
			t.Errorf("step %d has no error, but was not written: %v", n, j.err)
		}
		return err
	}
	for range 100 {
		ok(t, step())
	}
	ok(t, j.Sync())
	f.broken = broken
	var err error
	for ; err == nil; err = step() {
		if n > 100_000 {
			t.Fatal("it never writes")
		}
	}
	for _, err := range []error{err, j.Sync(), step()} {
		if !errors.Is(err, broken) {
			t.Errorf("got error %v, want %v", err, broken)
		}
	}
	f.broken = nil
	if n := opened(t, f, Config{New: policies["fifo"]}).events; n < 100 {
		t.Errorf("%d events restored, want at least the 100 that were synced", n)
	}
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	failed := errors.New("no such policy")
	for _, test := range []struct {
		file *memory
		c    Config
		want string
	}{
		{new(memory), Config{}, "Config.New is nil"},
		{new(memory), Config{New: func(map[string][]byte) (policy.Scheduler, error) { return nil, nil }}, "returned a nil policy"},
		{new(memory), Config{New: func(map[string][]byte) (policy.Scheduler, error) { return nil, failed }}, "no such policy"},
		{new(memory), Config{New: func(map[string][]byte) (policy.Scheduler, error) { return kairos.NewAdaptive().Scheduler, nil }}, "no method Part"},
		{&memory{b: []byte("{\"t\":0}\n")}, Config{New: policies["fifo"]}, "the header is not a journal's"},
		{&memory{b: []byte(magic[:5])}, Config{New: policies["fifo"]}, "the header is not a journal's"},
		{&memory{b: []byte(magic + "\x03abc")}, Config{New: policies["fifo"]}, "version 3, want 2"},
		{&memory{b: []byte(magic + "\x01abc")}, Config{New: policies["fifo"]}, "version 1, which only augur v0.1.0 reads, want version 2"},
		{&memory{b: []byte(magic + "\x00")}, Config{New: policies["fifo"]}, "version 0, want 2"},
	} {
		if j, err := open(test.file, test.c); j != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want %q", err, test.want)
		}
	}
}

func stepAllocatesNothing(t *testing.T) {
	j := opened(t, new(memory), of(echo{}))
	ev := &policy.Event{Kind: policy.Woken}
	var actions []policy.Action
	step := func() {
		var err error
		ev.Time++
		actions, err = j.Step(0, ev, actions[:0])
		ok(t, err)
	}
	step()
	if n := testing.AllocsPerRun(1000, step); n > 0 {
		t.Errorf("a step allocates %v times, want 0", n)
	}
}

// echo answers every event with an action.
type echo struct{}

func (echo) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return append(actions, policy.Action{Kind: policy.Wake, At: ev.Time + 1}), nil
}
