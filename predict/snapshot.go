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

// ErrFormat is what the error wraps if a snapshot is none, has been cut or changed, or is of a version that
// cannot be read.
var ErrFormat = errors.New("predict: not a whole snapshot")

const (
	snapshotMagic   = "augur/predict\n"
	snapshotVersion = 3
)

var crcTable = crc64.MakeTable(crc64.ECMA)

// crcResidue is the CRC of anything that its own CRC follows.
var crcResidue = crc64.Checksum(make([]byte, 8), crcTable)

// Snapshot writes all that p has learned, so that [Predictor.Restore] gives a predictor with
// the same answers. A host that writes it to a file should write another file, sync it and rename it, so that
// a process that is killed leaves the last one whole. Others may use p meanwhile, and
// wait no longer than for the writing of some hundred values; of a job that is observed
// meanwhile some features may then have it and others not. It takes 4 bytes of memory a
// value, and room for those hundreds.
//
// A snapshot has a version, the configuration of p, the secret of its hash and a checksum. It holds no
// attributes of jobs. Let only its owner read it. Two predictors that were restored from the
// same snapshot, and have observed the same since, write the same bytes. The error is that of w.
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
	s := p.store // of which a Restore meanwhile makes another
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

// byUse returns the ids of all values, that of the oldest first.
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
	b = appendFloat(b, v.estimates[Rolling])
	last := v.estimates[Rolling:][:1] // all there is without a ring
	if v.ring != 0 {
		last = s.rings.at(v.ring, v.ringState).runtimes[:v.n]
	}
	b = append(b, byte(len(last)), v.next)
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

// appendFloat encodes a number in fewer bytes the fewer bits it needs, as whole numbers do.
func appendFloat(b []byte, x float64) []byte {
	return binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(x)))
}

// appendHistogram encodes a histogram after its length, which is 0 for none.
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
