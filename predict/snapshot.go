package predict

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc64"
	"io"
	"math"
	"math/bits"
	"slices"

	"example.com/augur/histogram"
)

// ErrFormat is wrapped by the error of Restore if the input is not a snapshot, is damaged or cut short, or
// has another version.
var ErrFormat = errors.New("predict: not a whole snapshot")

// ErrConfig is wrapped by the error of Restore if the snapshot is whole, but of a predictor with another
// configuration. A program that has changed its features starts with an empty predictor then.
var ErrConfig = errors.New("predict: snapshot of another configuration")

const (
	snapshotMagic   = "augur/predict\n"
	snapshotVersion = 4
)

var crcTable = crc64.MakeTable(crc64.ECMA)

// crcResidue is the CRC of anything that its own CRC follows.
var crcResidue = crc64.Checksum(make([]byte, 8), crcTable)

// Snapshot writes all that p has learned. [Predictor.Restore] makes of it a predictor with the same
// answers. To replace an older snapshot safely, write a new file, sync it and rename it, so that a
// killed process leaves the older one whole.
//
// Other goroutines may use p meanwhile: they wait at most while a few hundred values are encoded. A
// job that is observed meanwhile may then be in the snapshot with some features and not with others.
// Snapshot takes 4 bytes of memory per value, and a buffer for those hundreds.
//
// A snapshot holds a version, the configuration of p, the secret of its hash and a checksum, but no
// attributes of jobs. Let only its owner read it. Two predictors restored from the same snapshot,
// with the same observations since, write the same bytes. The error is that of w.
func (p *Predictor) Snapshot(w io.Writer) error {
	if w == nil {
		return errors.New("predict: Snapshot to a writer that is nil")
	}
	crc := crc64.New(crcTable)
	out := bufio.NewWriter(io.MultiWriter(crc, w))
	b := append([]byte(snapshotMagic), snapshotVersion)
	b = p.config.appendTo(b)
	p.mu.RLock()
	b = append(b, p.secret.Load()[:]...)
	s := p.store // a Restore meanwhile replaces p.store
	b = binary.AppendUvarint(b, p.observed)
	ids := s.byUse()
	p.mu.RUnlock()
	b = binary.AppendUvarint(b, uint64(len(ids)))
	for some := range slices.Chunk(ids, chunk) {
		var err error
		if b, err = p.appendValues(b, s, some); err != nil {
			return err
		}
		if _, err := out.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	if _, err := out.Write(b); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := w.Write(binary.LittleEndian.AppendUint64(nil, crc.Sum64()))
	return err
}

// appendTo encodes all but Values.
func (c *Config) appendTo(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(c.Features)))
	for _, name := range c.Features {
		b = binary.AppendUvarint(b, uint64(len(name)))
		b = append(b, name...)
	}
	b = binary.AppendUvarint(b, uint64(c.Histogram.Bins))
	b = append(b, byte(c.Histogram.Join))
	b = binary.AppendUvarint(b, uint64(c.Recent))
	b = appendFloat(b, c.Alpha)
	b = appendFloat(b, c.Unscored)
	b = binary.AppendUvarint(b, uint64(c.HalfLife))
	return binary.AppendUvarint(b, uint64(c.Window))
}

// byUse returns the ids of all values, least recently used first.
func (s *store) byUse() []uint32 {
	ids := make([]uint32, 0, s.len())
	for id := s.links[0].newer; id != 0; id = s.links[id].newer {
		ids = append(ids, id)
	}
	return ids
}

func (p *Predictor) appendValues(b []byte, s *store, ids []uint32) ([]byte, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, id := range ids {
		var err error
		if b, err = s.appendValue(b, s.at(id)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (s *store) appendValue(b []byte, v *value) ([]byte, error) {
	b = binary.LittleEndian.AppendUint64(b, v.key.a)
	b = binary.LittleEndian.AppendUint64(b, v.key.b)
	b = v.totals.appendTo(b)
	b = appendFloat(b, v.estimates[Mean])
	b = appendFloat(b, v.estimates[EWMA])
	last := v.estimates[EWMA:][:1] // all there is without a ring
	if v.ring != 0 {
		last = s.rings.at(v.ring, v.ringState).runtimes[:v.n]
	}
	b = append(b, byte(len(last)), v.next)
	b = binary.AppendUvarint(b, uint64(v.longest))
	for _, x := range last {
		b = appendFloat(b, x)
	}
	b, err := appendHistogram(b, v.runtimes)
	if err != nil || v.aging == nil {
		return b, err
	}
	b = binary.AppendVarint(b, v.aging.tick)
	b = append(b, v.aging.early)
	b = binary.AppendUvarint(b, uint64(len(v.aging.parts)))
	for i := range v.aging.parts {
		p := &v.aging.parts[i]
		b = binary.AppendVarint(b, p.number)
		b = p.totals.appendTo(b)
		b = appendFloat(b, p.sum)
		b = appendFloat(b, p.left)
		if b, err = appendHistogram(b, p.runtimes); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (t *totals) appendTo(b []byte) []byte {
	b = appendFloat(b, t.weight)
	b = binary.AppendUvarint(b, t.scores)
	b = appendFloat(b, t.actual)
	for _, x := range t.errors {
		b = appendFloat(b, x)
	}
	return b
}

// appendFloat encodes a number of few significant bits, such as a whole number, in few bytes.
func appendFloat(b []byte, x float64) []byte {
	return binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(x)))
}

// appendHistogram appends the length of an encoded histogram and its bytes. For nil the length is 0.
func appendHistogram(b []byte, h *histogram.Histogram) ([]byte, error) {
	if h == nil {
		return append(b, 0), nil
	}
	var place [2048]byte
	text, err := h.AppendBinary(place[:0])
	if err != nil {
		return nil, err
	}
	b = binary.AppendUvarint(b, uint64(len(text)))
	return append(b, text...), nil
}
