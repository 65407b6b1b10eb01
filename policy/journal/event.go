package journal

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"example.com/augur/policy"
)

// A record holds the part, the kind, a set of bits for the fields that are set, the time since the record before, and
// the fields; then, if there were actions, their number and checksum. Numbers are varints, so most events take some
// 20 bytes. The bits of the most common fields come first, so that one byte is often enough.
const (
	hasCopy = 1 << iota
	hasNode
	hasMore
	hasService
	hasPartition
	hasMsg
	hasAgain
	hasIdle
	hasReplay
	hasOutcome
	hasGang
	hasValue
	hasJob
	hasInfo
	hasDevices
	hasSaved
	hasLimited // the job has
	hasAll     = 1<<iota - 1
)

// bit returns b if on is true.
func bit(on bool, b uint64) uint64 {
	if on {
		return b
	}
	return 0
}

// fields returns which fields of an event are set.
func fields(ev *policy.Event) uint64 {
	return bit(ev.Copy != policy.Copy{}, hasCopy) | bit(ev.Node != 0, hasNode) | bit(ev.More, hasMore) |
		bit(ev.Service != 0, hasService) | bit(ev.Partition != 0, hasPartition) | bit(hasContent(&ev.Msg), hasMsg) |
		bit(ev.Again, hasAgain) | bit(ev.Idle, hasIdle) | bit(ev.Replay, hasReplay) | bit(ev.Outcome != 0, hasOutcome) |
		bit(len(ev.Gang) > 0, hasGang) | bit(math.Float64bits(ev.Value) != 0, hasValue) | bit(ev.Job != nil, hasJob) | bit(ev.Info != nil, hasInfo) |
		bit(ev.Devices != 0, hasDevices) | bit(ev.Saved != 0, hasSaved) | bit(ev.Job != nil && ev.Job.Limited, hasLimited)
}

func hasContent(m *policy.Msg) bool {
	return m.Kind != 0 || m.Count != 0 || m.Copy != policy.Copy{} || m.Seq != 0 || math.Float64bits(m.Value) != 0 || len(m.Data) > 0
}

// event writes the event of a part. last is the time of the step before. To read, pass the zero Event.
func (c *codec) event(part *policy.NodeID, last policy.Time, ev *policy.Event) {
	set, since := fields(ev), int64(ev.Time-last)
	c.uint32((*uint32)(part))
	c.byte((*byte)(&ev.Kind))
	c.uvarint(&set)
	c.varint(&since)
	if c.reading {
		ev.Time = last + policy.Time(since)
		ev.More, ev.Replay, ev.Again, ev.Idle = set&hasMore != 0, set&hasReplay != 0, set&hasAgain != 0, set&hasIdle != 0
		if set > hasAll || set&hasLimited != 0 && set&hasJob == 0 {
			c.fail()
		}
	}
	if set&hasCopy != 0 {
		c.copy(&ev.Copy)
	}
	if set&hasNode != 0 {
		c.uint32((*uint32)(&ev.Node))
	}
	if set&hasService != 0 {
		c.varint((*int64)(&ev.Service))
	}
	if set&hasPartition != 0 {
		c.uint32((*uint32)(&ev.Partition))
	}
	if set&hasMsg != 0 {
		c.msg(&ev.Msg)
	}
	if set&hasOutcome != 0 {
		c.byte((*byte)(&ev.Outcome))
	}
	if set&hasGang != 0 {
		list(c, &ev.Gang, 3, (*codec).share)
	}
	if set&hasValue != 0 {
		c.float(&ev.Value)
	}
	if set&hasJob != 0 {
		if c.reading {
			ev.Job = &policy.Job{Limited: set&hasLimited != 0}
		}
		c.job(ev.Job)
	}
	if set&hasInfo != 0 {
		if c.reading {
			ev.Info = new(policy.Node)
		}
		c.node(ev.Info)
	}
	if set&hasDevices != 0 {
		c.uvarint((*uint64)(&ev.Devices))
	}
	if set&hasSaved != 0 {
		c.varint((*int64)(&ev.Saved))
	}
}

// answer writes the number and the checksum of the actions.
func (c *codec) answer(actions int, sum uint32) {
	if actions > 0 {
		c.b = binary.LittleEndian.AppendUint32(binary.AppendUvarint(c.b, uint64(actions)), sum)
	}
}

// sizeOfAnswer is the largest size of an answer.
const sizeOfAnswer = binary.MaxVarintLen64 + sizeOfCRC

// sum returns a checksum of actions. It overwrites b.
func (c *codec) sum(actions []policy.Action) uint32 {
	c.b = c.b[:0]
	for i := range actions {
		a := &actions[i]
		kind := byte(a.Kind) | byte(bit(a.Save, 1<<7))
		c.byte(&kind)
		c.copy(&a.Copy)
		c.uint32((*uint32)(&a.Node))
		c.uint32((*uint32)(&a.Partition))
		c.varint((*int64)(&a.At))
		c.msg(&a.Msg)
	}
	return crc32.Checksum(c.b, castagnoli)
}

// A step is an event of a part with the number and the checksum of the actions that answered it.
type step struct {
	part    policy.NodeID
	event   policy.Event
	actions uint64
	answer  uint32
	codec   codec
}

// decode reads what event and answer have written. It reports whether b holds exactly that.
func (s *step) decode(b []byte, last policy.Time) bool {
	*s = step{codec: codec{b: b, reading: true}}
	c := &s.codec
	c.event(&s.part, last, &s.event)
	if len(c.b) > 0 {
		if c.uvarint(&s.actions); s.actions == 0 {
			c.fail()
		}
		if sum := c.take(sizeOfCRC); sum != nil {
			s.answer = binary.LittleEndian.Uint32(sum)
		}
	}
	return !c.bad && len(c.b) == 0
}

func (c *codec) copy(x *policy.Copy) {
	c.uint32((*uint32)(&x.Job))
	c.uint32(&x.Stage)
	c.uint32(&x.Index)
	c.uint32(&x.N)
}

func (c *codec) msg(m *policy.Msg) {
	c.uint32(&m.Kind)
	c.uint32(&m.Count)
	c.copy(&m.Copy)
	c.uvarint(&m.Seq)
	c.float(&m.Value)
	c.bytes(&m.Data)
}

func (c *codec) share(s *policy.Share) {
	c.uint32((*uint32)(&s.Node))
	c.uint32(&s.Tasks)
	c.uvarint((*uint64)(&s.Devices))
}

func (c *codec) node(n *policy.Node) {
	c.uint32((*uint32)(&n.ID))
	c.uint32((*uint32)(&n.Partition))
	c.int32(&n.Cores)
	c.varint(&n.Memory)
	c.float(&n.Speed)
	list(c, &n.Offers, 3, (*codec).offer)
}

func (c *codec) offer(o *policy.Offer) {
	c.string(&o.Name)
	c.varint(&o.Amount)
	c.byte(&o.Devices)
}

func (c *codec) need(n *policy.Need) {
	c.string(&n.Name)
	c.varint(&n.Amount)
}

func (c *codec) job(j *policy.Job) {
	c.uint32((*uint32)(&j.ID))
	c.varint((*int64)(&j.Submitted))
	c.instant(&j.At)
	list(c, &j.Attrs, 2, (*codec).attr)
	list(c, &j.Stages, 9, (*codec).stage)
	c.string(&j.Queue)
	c.varint((*int64)(&j.Requested))
	c.float(&j.Priority)
	optional(c, &j.SLO, (*codec).slo)
	optional(c, &j.Inputs, (*codec).inputs)
}

func (c *codec) attr(a *policy.Attr) {
	c.string(&a.Name)
	c.string(&a.Value)
}

func (c *codec) slo(s *policy.SLO) {
	c.varint((*int64)(&s.Deadline))
	c.float(&s.Utility)
}

func (c *codec) inputs(in *policy.Inputs) {
	list(c, &in.Jobs, 1, id[policy.JobID])
	c.bool(&in.Wait)
}

func (c *codec) stage(s *policy.Stage) {
	c.uint32(&s.Tasks)
	c.int32(&s.Cores)
	c.varint(&s.Memory)
	list(c, &s.Needs, 2, (*codec).need)
	set := byte(bit(s.Gang, 1) | bit(s.Saves, 2) | bit(s.Reload != 0, 4))
	if c.byte(&set); set > 7 {
		c.fail()
	}
	if c.reading {
		s.Gang, s.Saves = set&1 != 0, set&2 != 0
	}
	list(c, &s.Reads, 2, (*codec).dep)
	list(c, &s.Prefer, 1, id[policy.PartitionID])
	c.float(&s.Elsewhere)
	list(c, &s.Holders, 1, id[policy.NodeID])
	if set&4 != 0 {
		c.varint((*int64)(&s.Reload))
	}
}

func (c *codec) dep(d *policy.Dep) {
	c.uint32(&d.Stage)
	c.bool(&d.Pipe)
}
