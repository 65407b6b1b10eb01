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
	"strings"
	"time"

	"example.com/augur/histogram"
)

// Restore replaces all that p has learned by a snapshot, which it reads to the end of r. p must have
// the configuration of the predictor that made the snapshot, with the same Features in the same
// spelling and order. Only Values may differ: if the limit is lower, the values used longest ago are
// dropped.
//
// If Restore fails, it leaves p unchanged. The error wraps [ErrFormat], or [ErrConfig] and names the field that differs, or
// comes from r. Other goroutines may use p meanwhile. The length of the snapshot bounds the memory that Restore takes.
//
// Restore refuses a snapshot of another version: start with an empty predictor and observe past jobs again.
func (p *Predictor) Restore(r io.Reader) error {
	if r == nil {
		return errors.New("predict: Restore from a reader that is nil")
	}
	crc := crc64.New(crcTable)
	in := &decoder{r: bufio.NewReader(io.TeeReader(r, crc)), config: &p.config}
	fresh := &Predictor{config: p.config, store: newStore(p.config.Values)}
	in.predictor(fresh)
	var trailer [8]byte
	in.read(trailer[:])
	if in.err == nil {
		if _, err := in.r.ReadByte(); err == nil {
			in.fail("more follows")
		} else if err != io.EOF {
			in.err = err
		}
	}
	if in.err == nil && crc.Sum64() != crcResidue {
		in.fail("checksum")
	}
	if in.err != nil {
		return in.err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.secret, p.store, p.observed, p.had = fresh.secret, fresh.store, fresh.observed, 0
	return nil
}

// A decoder reads a snapshot. It keeps the first error and reads zeros after it.
type decoder struct {
	r      *bufio.Reader
	config *Config
	buf    []byte
	err    error
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", ErrFormat, what)
	}
}

// failed keeps an error of the reader; the end of the input is one.
func (d *decoder) failed(err error) {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		d.fail("it ends early")
	} else if d.err == nil {
		d.err = err
	}
}

func (d *decoder) read(b []byte) {
	if d.err != nil {
		return
	}
	if _, err := io.ReadFull(d.r, b); err != nil {
		d.failed(err)
	}
}

func (d *decoder) uvarint() uint64 {
	if d.err != nil {
		return 0
	}
	x := uint64(0)
	for shift := 0; shift < 64; shift += 7 {
		b, err := d.r.ReadByte()
		if err != nil {
			d.failed(err)
			return 0
		}
		x |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return x
		}
	}
	d.fail("a number is too long")
	return 0
}

func (d *decoder) varint() int64 {
	x := d.uvarint() // zigzag, as binary.AppendVarint writes it
	return int64(x>>1) ^ -int64(x&1)
}

// number reads a number from 0 to limit.
func (d *decoder) number(limit float64) float64 {
	x := math.Float64frombits(bits.ReverseBytes64(d.uvarint()))
	if !(x >= 0 && x <= limit) || math.Signbit(x) {
		d.fail("a number out of range")
		return 0
	}
	return x
}

// bins is what a histogram has at most.
const bins = 80

// Limits of the numbers in a value: sums over at most 1e15 jobs, and means that may be a little too large by
// rounding.
const (
	maxWeight = 1e15
	maxSum    = maxWeight * maxRuntime
	maxMean   = 2 * maxRuntime
)

// predictor reads all but the checksum into an empty predictor.
func (d *decoder) predictor(p *Predictor) {
	var head [len(snapshotMagic) + 1]byte
	d.read(head[:])
	if d.err == nil && string(head[:len(snapshotMagic)]) != snapshotMagic {
		d.fail("it begins otherwise")
	}
	if v := head[len(snapshotMagic)]; v != snapshotVersion {
		d.fail(fmt.Sprintf("version %d, not %d", v, snapshotVersion))
	}
	d.options()
	d.read(p.secret[:])
	p.observed = d.uvarint()
	for n := d.uvarint(); n > 0 && d.err == nil; n-- {
		d.value(p.store)
	}
}

// options reads the configuration of the predictor that made the snapshot, which must be the configuration of p.
func (d *decoder) options() {
	var features []string
	n := d.uvarint()
	if n > maxFeatures {
		d.fail("too many features")
	}
	for range min(n, maxFeatures) {
		features = append(features, d.text())
	}
	c := d.config
	for _, option := range []struct {
		name      string
		got, want any
	}{
		{"Features", fmt.Sprintf("%q", features), fmt.Sprintf("%q", c.Features)},
		{"bins", d.uvarint(), bins}, // older versions had options for these
		{"the join rule", d.uvarint(), 0},
		{"a number of recent runtimes of", d.uvarint(), recent},
		{"alpha", d.number(1), alpha},
		{"an unscored error of", d.number(math.Inf(1)), unscored},
		{"HalfLife", time.Duration(d.uvarint()), c.HalfLife},
		{"Window", time.Duration(d.uvarint()), c.Window},
	} {
		if got, want := fmt.Sprint(option.got), fmt.Sprint(option.want); d.err == nil && got != want {
			d.err = fmt.Errorf("%w: it is of a predictor with %s %s, this one has %s", ErrConfig, option.name, got, want)
		}
	}
}

// text reads a string. It allocates no more than the input holds.
func (d *decoder) text() string {
	n := d.uvarint()
	if n > math.MaxInt32 {
		d.fail("a text is too long")
	}
	if d.err != nil {
		return ""
	}
	var b strings.Builder
	if _, err := io.CopyN(&b, d.r, int64(n)); err != nil {
		d.failed(err)
	}
	return b.String()
}

// value reads a value into a store.
func (d *decoder) value(s *store) {
	var k [16]byte
	d.read(k[:])
	if d.err != nil {
		return
	}
	key := key{binary.LittleEndian.Uint64(k[:]), binary.LittleEndian.Uint64(k[8:])}
	v := s.use(key)
	v.totals = d.totals()
	v.estimates[Mean] = d.number(maxMean)
	v.estimates[EWMA] = d.number(maxMean)
	var state [2]byte
	d.read(state[:])
	n, next := state[0], state[1]
	if n < 1 || n > recent || next > 0 && (n < recent || next >= n) {
		d.fail("a value without runtimes, or with too many")
	}
	longest := d.uvarint()
	if v.longest = uint16(longest); longest > uint64(bound(maxRuntime)) {
		d.fail("a number out of range")
	}
	v.recent = nil
	for range n {
		v.recent = append(v.recent, d.number(maxRuntime))
	}
	v.runtimes = d.histogram()
	if d.config.HalfLife > 0 || d.config.Window > 0 {
		v.aging = &aging{tick: d.varint()}
		early := d.uvarint()
		if v.aging.early = uint8(early); early >= believed {
			d.fail("dates that should have been believed")
		}
		d.parts(v)
	}
	if d.err != nil {
		return
	}
	if d.config.HalfLife > 0 && v.runtimes == nil || d.config.HalfLife == 0 && (v.runtimes == nil) != (v.weight == float64(n)) {
		d.fail("a value without its distribution")
		return
	}
	v.recent = slices.Concat(v.recent[next:], v.recent[:next])
	v.estimateRecent()
}

func (d *decoder) totals() (t totals) {
	t.weight = d.number(maxWeight)
	t.scores = d.uvarint()
	t.actual = d.number(maxSum)
	for i := range t.errors {
		t.errors[i] = d.number(maxSum)
	}
	if t.weight == 0 {
		d.fail("a value without jobs")
	}
	return t
}

func (d *decoder) parts(v *value) {
	n := d.uvarint()
	if n > windowParts || (n > 0) != (d.config.Window > 0) {
		d.fail("parts of a window")
	}
	sum := 0.0
	for range n {
		if d.err != nil {
			return
		}
		p := part{number: d.varint(), totals: d.totals(), sum: d.number(maxSum), left: d.number(maxWeight), runtimes: d.histogram()}
		if m := len(v.aging.parts); m > 0 && p.number <= v.aging.parts[m-1].number || p.weight != math.Floor(p.weight) ||
			p.left > p.weight || (p.runtimes == nil) != (p.left == 0) {
			d.fail("parts of a window")
		}
		sum += p.weight
		v.aging.parts = append(v.aging.parts, p)
	}
	if n > 0 && sum != v.weight {
		d.fail("parts of a window")
	}
}

// histogram reads a histogram, or nil if there is none.
func (d *decoder) histogram() *histogram.Histogram {
	n := d.uvarint()
	if n == 0 || d.err != nil {
		return nil
	}
	if n > 20*bins+100 { // a number takes at most 10 bytes
		d.fail("a histogram is too long")
		return nil
	}
	d.buf = slices.Grow(d.buf[:0], int(n))[:n]
	d.read(d.buf)
	if d.err != nil {
		return nil
	}
	h := new(histogram.Histogram)
	if err := h.UnmarshalBinary(d.buf); err != nil {
		d.fail(err.Error())
		return nil
	}
	if h.Config().Bins != bins || !(h.Count() <= maxWeight && h.Min() >= 0 && h.Max() <= maxRuntime) {
		d.fail("a histogram is of another kind")
		return nil
	}
	return h
}
