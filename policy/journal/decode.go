package journal

import (
	"encoding/binary"
	"math"
	"math/bits"
	"time"

	"example.com/augur/policy"
)

// A step is what a part was told, and its answer: a number of actions and their checksum.
type step struct {
	part    policy.NodeID
	event   policy.Event
	actions uint64
	answer  uint32
	info    policy.Node    // that event.Info points to
	gang    []policy.Share // that event.Gang is
}

// A decoder takes a step off b. After the first fault all it reads is 0. The memory that it takes is
// bounded by a few dozen times the length of b, whatever that holds.
type decoder struct {
	b   []byte
	bad bool
}

// decode reads what appendEvent and appendAnswer have written, and reports whether b holds that and nothing else. The
// event is valid until s is used again, but for its job and the data of its message.
func (s *step) decode(b []byte, last policy.Time) bool {
	d := decoder{b: b}
	s.part = policy.NodeID(d.uint32())
	s.event = policy.Event{Kind: policy.EventKind(d.byte())}
	set := d.uvarint()
	ev := &s.event
	ev.Time = last + policy.Time(d.varint())
	ev.More, ev.Replay, ev.Again, ev.Idle = set&hasMore != 0, set&hasReplay != 0, set&hasAgain != 0, set&hasIdle != 0
	if set&hasCopy != 0 {
		ev.Copy = d.copy()
	}
	if set&hasNode != 0 {
		ev.Node = policy.NodeID(d.uint32())
	}
	if set&hasService != 0 {
		ev.Service = policy.Duration(d.varint())
	}
	if set&hasPartition != 0 {
		ev.Partition = policy.PartitionID(d.uint32())
	}
	if set&hasMsg != 0 {
		ev.Msg = d.msg()
	}
	if set&hasOutcome != 0 {
		ev.Outcome = policy.Outcome(d.byte())
	}
	if set&hasGang != 0 {
		s.gang = s.gang[:0]
		for range d.count(2) {
			s.gang = append(s.gang, policy.Share{Node: policy.NodeID(d.uint32()), Tasks: d.uint32()})
		}
		ev.Gang = s.gang
	}
	if set&hasValue != 0 {
		ev.Value = d.float()
	}
	if set&hasJob != 0 {
		ev.Job = d.job()
	}
	if set&hasInfo != 0 {
		s.info = d.node()
		ev.Info = &s.info
	}
	s.actions, s.answer = 0, 0
	if len(d.b) > 0 {
		s.actions = d.uvarint()
		s.answer = d.sum()
		if s.actions == 0 {
			d.fail()
		}
	}
	return !d.bad && len(d.b) == 0 && set&^hasAll == 0
}

func (d *decoder) fail() { d.bad, d.b = true, nil }

func (d *decoder) byte() byte {
	if len(d.b) == 0 {
		d.fail()
		return 0
	}
	x := d.b[0]
	d.b = d.b[1:]
	return x
}

func (d *decoder) bool() bool {
	x := d.byte()
	if x > 1 {
		d.fail()
	}
	return x == 1
}

func (d *decoder) uvarint() uint64 {
	x, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return x
}

func (d *decoder) uint32() uint32 {
	x := d.uvarint()
	if x > math.MaxUint32 {
		d.fail()
	}
	return uint32(x)
}

func (d *decoder) varint() int64 {
	x, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return x
}

func (d *decoder) int32() int32 {
	x := d.varint()
	if x != int64(int32(x)) {
		d.fail()
	}
	return int32(x)
}

func (d *decoder) float() float64 { return math.Float64frombits(bits.ReverseBytes64(d.uvarint())) }

func (d *decoder) sum() uint32 {
	if len(d.b) < sizeOfCRC {
		d.fail()
		return 0
	}
	x := binary.LittleEndian.Uint32(d.b)
	d.b = d.b[sizeOfCRC:]
	return x
}

// count reads how many things follow, each of which takes so many bytes at least.
func (d *decoder) count(each int) int {
	n := d.uvarint()
	if n > uint64(len(d.b)/each) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) text() []byte {
	n := d.count(1)
	text := d.b[:n]
	d.b = d.b[n:]
	return text
}

func (d *decoder) copy() policy.Copy {
	return policy.Copy{
		Task: policy.Task{Job: policy.JobID(d.uint32()), Stage: d.uint32(), Index: d.uint32()},
		N:    d.uint32(),
	}
}

func (d *decoder) msg() policy.Msg {
	m := policy.Msg{Kind: d.uint32(), Count: d.uint32(), Copy: d.copy(), Seq: d.uvarint(), Value: d.float()}
	m.Data = append(m.Data, d.text()...) // a copy, which the receiver may keep
	return m
}

func (d *decoder) node() policy.Node {
	return policy.Node{
		ID: policy.NodeID(d.uint32()), Partition: policy.PartitionID(d.uint32()),
		Cores: d.int32(), Memory: d.varint(), Speed: d.float(),
	}
}

func (d *decoder) job() *policy.Job {
	j := &policy.Job{ID: policy.JobID(d.uint32()), Submitted: policy.Time(d.varint()), At: d.instant()}
	for range d.count(2) {
		j.Attrs = append(j.Attrs, policy.Attr{Name: string(d.text()), Value: string(d.text())})
	}
	for range d.count(8) {
		j.Stages = append(j.Stages, d.stage())
	}
	j.Queue = string(d.text())
	j.Requested = policy.Duration(d.varint())
	j.Priority = d.float()
	if d.bool() {
		j.SLO = &policy.SLO{Deadline: policy.Time(d.varint()), Utility: d.float()}
	}
	if d.bool() {
		j.Inputs = &policy.Inputs{Jobs: ids[policy.JobID](d), Wait: d.bool()}
	}
	return j
}

func (d *decoder) stage() policy.Stage {
	s := policy.Stage{Tasks: d.uint32(), Cores: d.int32(), Memory: d.varint(), Gang: d.bool()}
	for range d.count(2) {
		s.Reads = append(s.Reads, policy.Dep{Stage: d.uint32(), Pipe: d.bool()})
	}
	s.Prefer = ids[policy.PartitionID](d)
	s.Elsewhere = d.float()
	s.Holders = ids[policy.NodeID](d)
	return s
}

func ids[ID ~uint32](d *decoder) []ID {
	n := d.count(1)
	if n == 0 {
		return nil
	}
	list := make([]ID, n)
	for i := range list {
		list[i] = ID(d.uint32())
	}
	return list
}

func (d *decoder) instant() time.Time {
	if !d.bool() {
		return time.Time{}
	}
	seconds, nanoseconds, offset := d.varint(), d.uvarint(), d.varint()
	if nanoseconds > 999_999_999 || offset != int64(int32(offset)) {
		d.fail()
		return time.Time{}
	}
	t := time.Unix(seconds, int64(nanoseconds))
	if offset == 0 {
		return t.UTC()
	}
	return t.In(time.FixedZone("", int(offset)))
}
