package queue

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func newLevels(tb testing.TB, c MultilevelConfig) *Multilevel[*item] {
	tb.Helper()
	q, err := NewMultilevel[*item](c)
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

func TestMultilevelConfig(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		config MultilevelConfig
		names  string // what the error must name; empty: there is none
	}{
		{MultilevelConfig{First: 1}, ""},
		{MultilevelConfig{First: 1e-300, Levels: 1, Growth: 1.0001}, ""},
		{MultilevelConfig{First: 1e300, Levels: 64, Growth: 1e300}, ""},
		{MultilevelConfig{}, "First is 0"},
		{MultilevelConfig{First: -1}, "First is -1"},
		{MultilevelConfig{First: nan}, "First is NaN"},
		{MultilevelConfig{First: inf}, "First is +Inf"},
		{MultilevelConfig{First: 1, Levels: -1}, "Levels is -1"},
		{MultilevelConfig{First: 1, Levels: 65}, "Levels is 65"},
		{MultilevelConfig{First: 1, Growth: 1}, "Growth is 1"},
		{MultilevelConfig{First: 1, Growth: nan}, "Growth is NaN"},
		{MultilevelConfig{First: 1, Growth: inf}, "Growth is +Inf"},
	} {
		_, err := NewMultilevel[int](test.config)
		if (err == nil) != (test.names == "") || err != nil && !strings.Contains(err.Error(), test.names) {
			t.Errorf("%+v: got error %v, want one that says %q", test.config, err, test.names)
		}
	}
}

func TestLevels(t *testing.T) {
	for _, test := range []struct {
		config MultilevelConfig
		key    float64
		want   int
	}{
		{MultilevelConfig{First: 1000}, math.Inf(-1), 0},
		{MultilevelConfig{First: 1000}, 0, 0},
		{MultilevelConfig{First: 1000}, 999.9, 0},
		{MultilevelConfig{First: 1000}, 1000, 1},
		{MultilevelConfig{First: 1000}, 9999, 1},
		{MultilevelConfig{First: 1000}, 1e4, 2},
		{MultilevelConfig{First: 1000}, 1e10, 8},
		{MultilevelConfig{First: 1000}, 0.99e11, 8},
		{MultilevelConfig{First: 1000}, 1e11, 9}, // the last of ten
		{MultilevelConfig{First: 1000}, math.Inf(1), 9},
		{MultilevelConfig{First: 1000, Levels: 1}, 1e9, 0},
		{MultilevelConfig{First: 1, Levels: 4, Growth: 2}, 3.9, 2},
		{MultilevelConfig{First: 1, Levels: 4, Growth: 2}, 4, 3},
		// The thresholds are 1e300 and then beyond all numbers.
		{MultilevelConfig{First: 1e300, Levels: 64, Growth: 1e300}, math.MaxFloat64, 1},
		{MultilevelConfig{First: 1e300, Levels: 64, Growth: 1e300}, math.Inf(1), 63},
	} {
		q := newLevels(t, test.config)
		if got, ok := q.Level(test.key); got != test.want || !ok {
			t.Errorf("%+v: key %v is in level %d (%v), want %d", test.config, test.key, got, ok, test.want)
		}
		if end := q.End(test.want); !(test.key < end) && !math.IsInf(end, 1) {
			t.Errorf("%+v: key %v is in level %d, which ends at %v", test.config, test.key, test.want, end)
		}
	}
	q := newLevels(t, MultilevelConfig{First: 1})
	if _, ok := q.Level(math.NaN()); ok {
		t.Error("NaN has a level")
	}
	if !math.IsNaN(q.End(-1)) || !math.IsNaN(q.End(10)) || !math.IsInf(q.End(9), 1) {
		t.Errorf("levels -1, 10 and 9 end at %v, %v and %v, want NaN, NaN and +Inf", q.End(-1), q.End(10), q.End(9))
	}
	_, peeked := q.PeekIn(10)
	_, popped := q.PopIn(-1)
	if q.levelLen(-1) != 0 || q.levelLen(10) != 0 || peeked || popped {
		t.Error("there are elements in levels that are not there")
	}
	for range q.in(-1) {
		t.Error("level -1 yields something")
	}
}

func TestNotANumberIsRefused(t *testing.T) {
	q := newLevels(t, MultilevelConfig{First: 1})
	if handle, ok := q.Push(&item{}, math.NaN()); ok || handle != (Handle{}) || q.Len() != 0 {
		t.Errorf("Push: got %v, %v and %d elements, want nothing", handle, ok, q.Len())
	}
	if handle, ok := q.PushFront(&item{}, math.NaN()); ok || handle != (Handle{}) || q.Len() != 0 {
		t.Errorf("PushFront: got %v, %v and %d elements, want nothing", handle, ok, q.Len())
	}
	handle, _ := q.Push(&item{}, 5)
	if q.Move(handle, math.NaN()) || q.levelLen(1) != 1 {
		t.Error("Move to NaN does something")
	}
}

// levelTrial does the same to a Multilevel and to plain lists.
type levelTrial struct {
	q     *Multilevel[*item]
	lists [][]*item
	given []Handle
	named []*item // nil: the handle is stale

	stale, moved, stayed, empty int // times
}

const (
	levelPush = iota
	levelPop
	levelRemove
	levelMove
	levelPopIn
	levelPushFront
	levelOps
)

// keyOf makes a key of a byte, over all levels from 1 to beyond the last.
func keyOf(b byte) float64 { return math.Pow(2, float64(b)/16) - 2 }

func (tr *levelTrial) run(data []byte) error {
	tr.lists = make([][]*item, len(tr.q.levels))
	for i := 0; len(data) >= stepBytes; i++ {
		op, which, key := data[0]%levelOps, int(binary.LittleEndian.Uint16(data[1:])), keyOf(data[3])
		data = data[stepBytes:]
		err := tr.step(op, which, key)
		if err == nil {
			err = tr.check()
		}
		if err != nil {
			return fmt.Errorf("step %d (op %d, handle %d, key %v): %w", i, op, which, key, err)
		}
	}
	return nil
}

func (tr *levelTrial) step(op byte, which int, key float64) error {
	to := 0
	for to < len(tr.lists)-1 && key >= tr.q.End(to) {
		to++
	}
	drop := func(x *item) (from int) {
		for k := range tr.lists {
			if i := slices.Index(tr.lists[k], x); i >= 0 {
				tr.lists[k] = slices.Delete(tr.lists[k], i, i+1)
				from = k
			}
		}
		return from
	}
	var x *item
	handle := Handle{}
	if len(tr.given) > 0 {
		which %= len(tr.given)
		handle, x = tr.given[which], tr.named[which]
	}
	switch op {
	case levelPush, levelPushFront:
		x, push, at := &item{id: len(tr.given)}, tr.q.Push, len(tr.lists[to])
		if op == levelPushFront {
			push, at = tr.q.PushFront, 0
		}
		handle, ok := push(x, key)
		if !ok {
			return fmt.Errorf("got false, want true")
		}
		tr.given, tr.named = append(tr.given, handle), append(tr.named, x)
		tr.lists[to] = slices.Insert(tr.lists[to], at, x)
	case levelPop:
		var want *item
		for _, l := range tr.lists {
			if len(l) > 0 {
				want = l[0]
				break
			}
		}
		if got, ok := tr.q.Peek(); got != want || ok != (want != nil) {
			return fmt.Errorf("Peek: got %v, %v, want %v", got, ok, want)
		}
		if got, ok := tr.q.Pop(); got != want || ok != (want != nil) {
			return fmt.Errorf("Pop: got %v, %v, want %v", got, ok, want)
		}
		if want == nil {
			tr.empty++
			return nil
		}
		drop(want)
		tr.named[want.id] = nil
	case levelRemove:
		if got, ok := tr.q.Remove(handle); got != x || ok != (x != nil) {
			return fmt.Errorf("Remove: got %v, %v, want %v", got, ok, x)
		}
		if x == nil {
			tr.stale++
			return nil
		}
		drop(x)
		tr.named[which] = nil
	case levelMove:
		if ok := tr.q.Move(handle, key); ok != (x != nil) {
			return fmt.Errorf("Move: got %v, want %v", ok, x != nil)
		}
		if x == nil {
			tr.stale++
			return nil
		}
		if slices.Contains(tr.lists[to], x) {
			tr.stayed++
			return nil
		}
		tr.moved++
		drop(x)
		tr.lists[to] = append(tr.lists[to], x)
	case levelPopIn:
		var want *item
		if l := tr.lists[to]; len(l) > 0 {
			want = l[0]
		}
		if got, ok := tr.q.PopIn(to); got != want || ok != (want != nil) {
			return fmt.Errorf("PopIn level %d: got %v, %v, want %v", to, got, ok, want)
		}
		if want != nil {
			drop(want)
			tr.named[want.id] = nil
		}
	}
	return nil
}

func (tr *levelTrial) check() error {
	q, n, reached := tr.q, 0, make([][]*item, len(tr.lists))
	for k, x := range q.All() {
		reached[k] = append(reached[k], x)
	}
	for k, want := range tr.lists {
		if got, ok := q.PeekIn(k); ok != (len(want) > 0) || ok && got != want[0] {
			return fmt.Errorf("PeekIn level %d: got %v, %v, want the first of %v", k, got, ok, want)
		}
		if got := slices.Collect(q.in(k)); !slices.Equal(got, want) || !slices.Equal(reached[k], want) || q.levelLen(k) != len(want) {
			return fmt.Errorf("level %d: got %d elements %v, and of all %v, want %v", k, q.levelLen(k), got, reached[k], want)
		}
		n += len(want)
	}
	if q.Len() != n {
		return fmt.Errorf("Len: got %d, want %d", q.Len(), n)
	}
	for i, handle := range tr.given {
		if got, level, ok := q.Get(handle); got != tr.named[i] || ok != (got != nil) || ok && !slices.Contains(tr.lists[level], got) {
			return fmt.Errorf("Get of handle %d: got %v in level %d, %v, want %v", i, got, level, ok, tr.named[i])
		}
	}
	free := 0
	for i := q.free; i != 0; i = q.links[i].next {
		if free++; free > len(q.links) || q.links[i].gen%2 != 0 || q.links[i].x != nil {
			return fmt.Errorf("free link %d: got %+v", i, q.links[i])
		}
	}
	if want := len(q.links) - 1 - n; free != want {
		return fmt.Errorf("free links: got %d, want %d", free, want)
	}
	return nil
}

var levelConfigs = []MultilevelConfig{{First: 1, Levels: 1}, {First: 3, Levels: 3}, {First: 1, Levels: 64, Growth: 1.5}}

func TestMultilevelAgainstLists(t *testing.T) {
	for _, c := range levelConfigs {
		var sum levelTrial
		for seed := range uint64(40) {
			tr := levelTrial{q: newLevels(t, c)}
			if err := tr.run(randomSteps(seed)); err != nil {
				t.Fatalf("%+v, seed %d: %v", c, seed, err)
			}
			sum.stale += tr.stale
			sum.moved += tr.moved
			sum.stayed += tr.stayed
			sum.empty += tr.empty
		}
		if sum.stale < 100 || sum.moved < 100 && c.Levels > 1 || sum.stayed < 100 || sum.empty < 100 {
			t.Errorf("%+v: %d stale handles, %d elements moved, %d stayed, %d empty pops, want 100 of each", c, sum.stale, sum.moved, sum.stayed, sum.empty)
		}
	}
}

func FuzzMultilevel(f *testing.F) {
	f.Add([]byte{levelPush, 0, 0, 2, levelPush, 0, 0, 90, levelMove, 0, 0, 200, levelRemove, 1, 0, 0, levelPop, 0, 0, 0, levelPop, 0, 0, 0})
	for seed := range uint64(4) {
		steps := randomSteps(seed)
		f.Add(steps[:min(len(steps), 100*stepBytes)])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), 200*stepBytes)]
		for _, c := range levelConfigs {
			tr := levelTrial{q: newLevels(t, c)}
			if err := tr.run(data); err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
		}
	})
}

func TestMultilevelAllocatesNothing(t *testing.T) {
	q := newLevels(t, MultilevelConfig{First: 1})
	rng := rand.New(rand.NewPCG(1, 2))
	handles := make([]Handle, 100)
	for i := range handles {
		handles[i], _ = q.Push(&item{id: i}, keyOf(byte(rng.Uint32())))
	}
	allocs := testing.AllocsPerRun(100, func() {
		for range handles {
			x, _ := q.Pop()
			handles[x.id], _ = q.Push(x, keyOf(byte(rng.Uint32())))
			q.Move(handles[rng.IntN(len(handles))], keyOf(byte(rng.Uint32())))
		}
		for range q.All() {
		}
	})
	if allocs != 0 {
		t.Errorf("got %v allocations, want 0", allocs)
	}
}

// A handle from before its place was used again is stale, also when the generations have
// run out.
func TestMultilevelGenerations(t *testing.T) {
	q := newLevels(t, MultilevelConfig{First: 1})
	first, _ := q.Push(&item{}, 0)
	q.Pop()
	q.links[first.slot].gen = math.MaxUint32 - 1
	last, _ := q.Push(&item{}, 0)
	if _, _, ok := q.Get(last); !ok {
		t.Error("last generation: got false, want true")
	}
	q.Remove(last)
	for _, handle := range []Handle{{}, last, first, {slot: last.slot}, {slot: 9, gen: 1}} {
		if _, _, ok := q.Get(handle); ok {
			t.Errorf("%v: got true, want false", handle)
		}
	}
}

// A random job attains service, and moves to another level once in several times.
func BenchmarkMultilevelMove(b *testing.B) {
	benchSizes(b, func(b *testing.B, n int) {
		jobs, rng := benchJobs(n)
		q, err := NewMultilevel[*benchJob](MultilevelConfig{First: 1 << 20, Growth: 4})
		if err != nil {
			b.Fatal(err)
		}
		for _, j := range jobs {
			j.handle, _ = q.Push(j, float64(j.remaining))
		}
		for b.Loop() {
			j := jobs[rng.IntN(n)]
			j.remaining = rng.Uint64N(benchSpread)
			if !q.Move(j.handle, float64(j.remaining)) {
				b.Fatal("got a stale handle, want a good one")
			}
		}
	})
}

func BenchmarkMultilevelPopPush(b *testing.B) {
	benchSizes(b, func(b *testing.B, n int) {
		jobs, rng := benchJobs(n)
		q, err := NewMultilevel[*benchJob](MultilevelConfig{First: 1 << 20, Growth: 4})
		if err != nil {
			b.Fatal(err)
		}
		for _, j := range jobs {
			q.Push(j, float64(j.remaining))
		}
		for b.Loop() {
			j, _ := q.Pop()
			q.Push(j, float64(rng.Uint64N(benchSpread)))
		}
		if q.Len() != n {
			b.Errorf("got %d jobs, want %d", q.Len(), n)
		}
	})
}
