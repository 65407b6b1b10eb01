package predict

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"math"
	"math/bits"
	"slices"

	"example.com/augur/histogram"
	frame "example.com/augur/internal/snapshot"
)

// ErrFormat is wrapped by the error of Restore if the input is not a snapshot, is damaged or cut short, or
// has another version.
var ErrFormat = fmt.Errorf("predict: %w", frame.ErrFormat)

// ErrConfig is wrapped by the error of Restore if the snapshot is whole, but of a predictor with another
// HalfLife or Window. A program that has changed them starts with an empty predictor then.
var ErrConfig = fmt.Errorf("predict: %w", frame.ErrConfig)

const (
	snapshotMagic   = "augur/predict\n"
	snapshotVersion = 7
)

// chunk is how many values are encoded while observations wait.
const chunk = 256

var crcTable = crc64.MakeTable(crc64.ECMA)

// crcResidue is the CRC of anything that its own CRC follows.
var crcResidue = crc64.Checksum(make([]byte, 8), crcTable)

// Snapshot writes all that p has learned. [Predictor.Restore] makes of it a predictor with the same
// answers. For a snapshot in a file, take [Open] and [Predictor.Save].
//
// Other goroutines may use p meanwhile: they wait at most while a few hundred values are encoded. A
// job that is observed meanwhile may then be in the snapshot with some features and not with others.
// Snapshot takes 8 bytes of memory per value, and a buffer for those hundreds.
//
// A snapshot holds a version, the configuration of p, its note, the secret of its hash and a checksum, but of the
// attributes of jobs only the names. Let only its owner read it. Two predictors restored from the same snapshot,
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
	b = p.appendFeatures(b)
	b = append(b, p.secret[:]...)
	b = binary.AppendUvarint(b, p.observed)
	b = p.ratios.appendTo(b)
	b = p.levels.appendTo(b)
	b = appendTexts(b, []string{p.note})
	values, dropped := p.store.byUse(), p.store.forgotten()
	p.mu.RUnlock()
	b = binary.AppendUvarint(b, uint64(len(dropped)))
	for _, k := range dropped {
		b = binary.LittleEndian.AppendUint64(b, k)
	}
	b = binary.AppendUvarint(b, uint64(len(values)))
	for some := range slices.Chunk(values, chunk) {
		p.mu.RLock()
		for _, v := range some {
			b = v.appendTo(b)
		}
		p.mu.RUnlock()
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

// appendFeatures encodes the features and what is known of them.
func (p *Predictor) appendFeatures(b []byte) []byte {
	var names []string
	for _, f := range p.features.features {
		names = append(names, f.name)
	}
	b = appendTexts(b, names)
	d := p.discovery
	if d == nil {
		return append(b, 0)
	}
	b = appendTexts(appendTexts(append(b, 1), d.seen), d.pending)
	for i := range names {
		b = binary.AppendUvarint(binary.AppendUvarint(b, d.gains[i].jobs), d.gains[i].scored)
		b = appendSigned(b, d.gains[i].log)
	}
	return b
}

func appendTexts(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, text := range list {
		b = binary.AppendUvarint(b, uint64(len(text)))
		b = append(b, text...)
	}
	return b
}

// appendTo encodes all but Values and Features.
func (c *Config) appendTo(b []byte) []byte {
	b = append(b, bins, 0, recent) // the 0 is the rule by which a histogram joins its bins
	b = appendFloat(b, alpha)
	b = appendFloat(b, unscored)
	b = binary.AppendUvarint(b, uint64(c.HalfLife))
	return binary.AppendUvarint(b, uint64(c.Window))
}

func (v *value) appendTo(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, v.key.a)
	b = binary.LittleEndian.AppendUint64(b, v.key.b)
	b = append(b, v.feature)
	b = v.totals.appendTo(b)
	b = appendFloat(b, v.estimates[Mean])
	b = appendFloat(b, v.estimates[EWMA])
	b = append(b, byte(len(v.recent)), 0) // the 0 says that the first is the oldest
	b = binary.AppendUvarint(b, uint64(v.longest))
	for _, x := range v.recent {
		b = appendFloat(b, x)
	}
	b = v.ratios.appendTo(b)
	b = appendHistogram(b, v.runtimes)
	if v.aging == nil {
		return b
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
		b = appendHistogram(b, p.runtimes)
	}
	return b
}

func (r ratios) appendTo(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(r)))
	for _, x := range r {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func (t *totals) appendTo(b []byte) []byte {
	b = appendFloat(b, t.weight)
	b = binary.AppendUvarint(b, t.scores)
	b = appendFloat(b, t.actual)
	for _, x := range t.errors {
		b = appendFloat(b, x)
	}
	if t.fit == nil {
		return append(b, 0)
	}
	b = append(b, 1)
	for _, x := range [...]float64{t.fit.x, t.fit.y, t.fit.xx, t.fit.xy} {
		b = appendSigned(b, x)
	}
	return appendFloat(b, t.fit.error)
}

func appendSigned(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
}

// appendFloat encodes a number of few significant bits, such as a whole number, in few bytes.
func appendFloat(b []byte, x float64) []byte {
	return binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(x)))
}

// appendHistogram appends the length of an encoded histogram and its bytes. For nil the length is 0.
func appendHistogram(b []byte, h *histogram.Histogram) []byte {
	if h == nil {
		return append(b, 0)
	}
	var place [2048]byte
	text, _ := h.AppendBinary(place[:0]) // the error is always nil
	b = binary.AppendUvarint(b, uint64(len(text)))
	return append(b, text...)
}
