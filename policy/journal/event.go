package journal

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/bits"
	"time"

	"example.com/augur/policy"
)

// What a record holds: the part, the kind, which fields are set, the time since the record before,
// and the fields; then the answer, a number of actions and their checksum, if there were any. Numbers are
// varints, so that most events take some 20 bytes. The order of the bits puts first what most events
// have, for which one byte is then enough.
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
	hasAll = 1<<iota - 1
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
		bit(len(ev.Gang) > 0, hasGang) | bit(math.Float64bits(ev.Value) != 0, hasValue) | bit(ev.Job != nil, hasJob) | bit(ev.Info != nil, hasInfo)
}

func hasContent(m *policy.Msg) bool {
	return m.Kind != 0 || m.Count != 0 || m.Copy != policy.Copy{} || m.Seq != 0 || math.Float64bits(m.Value) != 0 || len(m.Data) > 0
}

// appendEvent encodes what a part was told. last is the time of the step before.
func appendEvent(b []byte, part policy.NodeID, last policy.Time, ev *policy.Event) []byte {
	set := fields(ev)
	b = binary.AppendUvarint(b, uint64(part))
	b = append(b, byte(ev.Kind))
	b = binary.AppendUvarint(b, set)
	b = binary.AppendVarint(b, int64(ev.Time-last))
	if set&hasCopy != 0 {
		b = appendCopy(b, ev.Copy)
	}
	if set&hasNode != 0 {
		b = binary.AppendUvarint(b, uint64(ev.Node))
	}
	if set&hasService != 0 {
		b = binary.AppendVarint(b, int64(ev.Service))
	}
	if set&hasPartition != 0 {
		b = binary.AppendUvarint(b, uint64(ev.Partition))
	}
	if set&hasMsg != 0 {
		b = appendMsg(b, &ev.Msg)
	}
	if set&hasOutcome != 0 {
		b = append(b, byte(ev.Outcome))
	}
	if set&hasGang != 0 {
		b = binary.AppendUvarint(b, uint64(len(ev.Gang)))
		for _, s := range ev.Gang {
			b = binary.AppendUvarint(b, uint64(s.Node))
			b = binary.AppendUvarint(b, uint64(s.Tasks))
		}
	}
	if set&hasValue != 0 {
		b = appendFloat(b, ev.Value)
	}
	if set&hasJob != 0 {
		b = appendJob(b, ev.Job)
	}
	if set&hasInfo != 0 {
		b = appendNode(b, ev.Info)
	}
	return b
}

// appendAnswer encodes what the part answered: so many actions, with this checksum.
func appendAnswer(b []byte, actions int, answer uint32) []byte {
	if actions == 0 {
		return b
	}
	b = binary.AppendUvarint(b, uint64(actions))
	return binary.LittleEndian.AppendUint32(b, answer)
}

// sizeOfAnswer is the most that appendAnswer appends.
const sizeOfAnswer = binary.MaxVarintLen64 + sizeOfCRC

// answer returns a checksum of actions, and scratch, which it has grown.
func answer(actions []policy.Action, scratch []byte) (uint32, []byte) {
	b := scratch[:0]
	for i := range actions {
		a := &actions[i]
		b = append(b, byte(a.Kind))
		b = appendCopy(b, a.Copy)
		b = binary.AppendUvarint(b, uint64(a.Node))
		b = binary.AppendUvarint(b, uint64(a.Partition))
		b = binary.AppendVarint(b, int64(a.At))
		b = appendMsg(b, &a.Msg)
	}
	return crc32.Checksum(b, castagnoli), b
}

func appendCopy(b []byte, c policy.Copy) []byte {
	b = binary.AppendUvarint(b, uint64(c.Job))
	b = binary.AppendUvarint(b, uint64(c.Stage))
	b = binary.AppendUvarint(b, uint64(c.Index))
	return binary.AppendUvarint(b, uint64(c.N))
}

func appendMsg(b []byte, m *policy.Msg) []byte {
	b = binary.AppendUvarint(b, uint64(m.Kind))
	b = binary.AppendUvarint(b, uint64(m.Count))
	b = appendCopy(b, m.Copy)
	b = binary.AppendUvarint(b, m.Seq)
	b = appendFloat(b, m.Value)
	return appendText(b, m.Data)
}

func appendText[T string | []byte](b []byte, text T) []byte {
	b = binary.AppendUvarint(b, uint64(len(text)))
	return append(b, text...)
}

// appendFloat encodes a number in fewer bytes the fewer bits it needs, as whole numbers do.
func appendFloat(b []byte, x float64) []byte {
	return binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(x)))
}

func appendBool(b []byte, x bool) []byte { return append(b, byte(bit(x, 1))) }

func appendNode(b []byte, n *policy.Node) []byte {
	b = binary.AppendUvarint(b, uint64(n.ID))
	b = binary.AppendUvarint(b, uint64(n.Partition))
	b = binary.AppendVarint(b, int64(n.Cores))
	b = binary.AppendVarint(b, n.Memory)
	return appendFloat(b, n.Speed)
}

func appendJob(b []byte, j *policy.Job) []byte {
	b = binary.AppendUvarint(b, uint64(j.ID))
	b = binary.AppendVarint(b, int64(j.Submitted))
	b = appendInstant(b, j.At)
	b = binary.AppendUvarint(b, uint64(len(j.Attrs)))
	for _, a := range j.Attrs {
		b = appendText(b, a.Name)
		b = appendText(b, a.Value)
	}
	b = binary.AppendUvarint(b, uint64(len(j.Stages)))
	for i := range j.Stages {
		b = appendStage(b, &j.Stages[i])
	}
	b = appendText(b, j.Queue)
	b = binary.AppendVarint(b, int64(j.Requested))
	b = appendFloat(b, j.Priority)
	b = appendBool(b, j.SLO != nil)
	if j.SLO != nil {
		b = binary.AppendVarint(b, int64(j.SLO.Deadline))
		b = appendFloat(b, j.SLO.Utility)
	}
	b = appendBool(b, j.Inputs != nil)
	if j.Inputs != nil {
		b = appendIDs(b, j.Inputs.Jobs)
		b = appendBool(b, j.Inputs.Wait)
	}
	return b
}

func appendStage(b []byte, s *policy.Stage) []byte {
	b = binary.AppendUvarint(b, uint64(s.Tasks))
	b = binary.AppendVarint(b, int64(s.Cores))
	b = binary.AppendVarint(b, s.Memory)
	b = appendBool(b, s.Gang)
	b = binary.AppendUvarint(b, uint64(len(s.Reads)))
	for _, d := range s.Reads {
		b = binary.AppendUvarint(b, uint64(d.Stage))
		b = appendBool(b, d.Pipe)
	}
	b = appendIDs(b, s.Prefer)
	b = appendFloat(b, s.Elsewhere)
	return appendIDs(b, s.Holders)
}

func appendIDs[ID ~uint32](b []byte, ids []ID) []byte {
	b = binary.AppendUvarint(b, uint64(len(ids)))
	for _, id := range ids {
		b = binary.AppendUvarint(b, uint64(id))
	}
	return b
}

// appendInstant encodes a calendar time with the offset of its zone from UTC. The zone's name is
// left out: policies go by the hour and the day.
func appendInstant(b []byte, t time.Time) []byte {
	b = appendBool(b, !t.IsZero())
	if t.IsZero() {
		return b
	}
	_, offset := t.Zone()
	b = binary.AppendVarint(b, t.Unix())
	b = binary.AppendUvarint(b, uint64(t.Nanosecond()))
	return binary.AppendVarint(b, int64(offset))
}
