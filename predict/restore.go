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

// Restore replaces all that p has learned by a snapshot, which it reads to the end of r. p must have the HalfLife and the
// Window of the predictor that made the snapshot. If the Features differ, p takes the histories of those that both have. If
// Config.Features is empty, p takes all features, as many as it has room for, and finds more. If Values is lower, those are
// dropped that it would drop.
//
// If Restore fails, it leaves p unchanged. The error wraps [ErrFormat], or [ErrConfig] and names the field that differs, or
// comes from r. Other goroutines may use p meanwhile. The length of the snapshot bounds the memory that Restore takes.
//
// Restore refuses snapshots of other versions: start with an empty predictor and observe past jobs again.
func (p *Predictor) Restore(r io.Reader) error {
	_, err := p.restore(r)
	return err
}

// restore reports besides whether the snapshot has a feature that p has not.
func (p *Predictor) restore(r io.Reader) (drops bool, err error) {
	if r == nil {
		return false, errors.New("predict: Restore from a reader that is nil")
	}
	crc := crc64.New(crcTable)
	in := &decoder{r: bufio.NewReader(io.TeeReader(r, crc)), config: &p.config}
	fresh, err := New(p.config)
	if err != nil {
		return false, err // New has accepted the Config before
	}
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
		in.fail("its checksum is wrong, so a part has changed")
	}
	if in.err != nil {
		return false, in.err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.secret, p.store, p.observed, p.had = fresh.secret, fresh.store, fresh.observed, 0
	p.hears = false
	p.features, p.discovery, p.kinds = fresh.features, fresh.discovery, fresh.kinds
	p.ratios, p.levels, p.note = fresh.ratios, fresh.levels, fresh.note
	p.changes++
	return in.drops, nil
}

// A decoder reads a snapshot. It keeps the first error and reads zeros after it.
type decoder struct {
	r      *bufio.Reader
	config *Config
	drops  bool // a feature that the predictor has not
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

// Limits of the numbers in a value: sums over at most 1e15 jobs, means that may be a little too large by rounding, and
// squares of logarithms, by more.
const (
	maxWeight = 1e15
	maxSum    = maxWeight * maxRuntime
	maxMean   = 2 * maxRuntime
	maxLog    = 1e7
)

// predictor reads all but the checksum into an empty predictor.
func (d *decoder) predictor(p *Predictor) {
	var head [len(snapshotMagic) + 1]byte
	d.read(head[:])
	if d.err == nil && string(head[:len(snapshotMagic)]) != snapshotMagic {
		d.fail("it begins otherwise")
	}
	if version := head[len(snapshotMagic)]; version != snapshotVersion {
		d.fail(fmt.Sprintf("version %d, not %d", version, snapshotVersion))
	}
	d.options()
	places := d.features(p)
	d.read(p.secret[:])
	p.observed = d.uvarint()
	p.ratios, p.levels = d.ratios(ofAll), d.ratios(ofAll)
	if texts := d.texts(); len(texts) == 1 {
		p.note = texts[0]
	} else {
		d.fail("not one note")
	}
	for n := d.uvarint(); n > 0 && d.err == nil; n-- {
		var k [8]byte
		d.read(k[:])
		p.store.forget(binary.LittleEndian.Uint64(k[:]))
	}
	for n := d.uvarint(); n > 0 && d.err == nil; n-- {
		d.value(p.store, places)
	}
}

// features reads the features, and returns the position in p of each, -1 if p does not have it. A p that discovers features
// takes them all.
func (d *decoder) features(p *Predictor) (places []int) {
	names := d.texts()
	made, err := newFeatureSet(names)
	if err != nil {
		d.fail(err.Error())
		return nil
	}
	var old discovery
	if d.byte() > 0 { // its features were found
		old.seen, old.pending = d.texts(), d.texts()
		for i := range names {
			old.gains[i] = gain{d.uvarint(), d.uvarint(), d.signed(math.MaxFloat64)}
		}
	}
	if len(old.seen) > maxFeatures {
		d.fail("too many attributes")
	}
	if p.discovery != nil {
		p.discovery = &old
	}
	for _, f := range made.features {
		at := p.features.index(f.id)
		if at < 0 && p.discovery != nil && len(p.features.features) < maxFeatures {
			at = len(p.features.features)
			f, _ = p.features.parse(f.name) // it was parsed before
			p.features.set(at, f)
		}
		places = append(places, at)
		d.drops = d.drops || at < 0
	}
	return places
}

// texts reads texts, no more than there can be features of that many attributes.
func (d *decoder) texts() (list []string) {
	n := d.uvarint()
	if n > maxFeatures*maxFeatures {
		d.fail("too many features")
	}
	for ; n > 0 && d.err == nil; n-- {
		list = append(list, d.text())
	}
	return list
}

func (d *decoder) byte() byte {
	var b [1]byte
	d.read(b[:])
	return b[0]
}

// signed reads a number from -limit to limit.
func (d *decoder) signed(limit float64) float64 {
	var b [8]byte
	d.read(b[:])
	x := math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
	if !(math.Abs(x) <= limit) {
		d.fail("a number out of range")
	}
	return x
}

// options reads the configuration of the predictor that made the snapshot, which must be the configuration of p.
func (d *decoder) options() {
	c := d.config
	for _, option := range []struct {
		name      string
		got, want any
	}{
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

// value reads a value into a store, if its feature has a place there.
func (d *decoder) value(s *store, places []int) {
	var k [16]byte
	d.read(k[:])
	if d.err != nil {
		return
	}
	key := key{binary.LittleEndian.Uint64(k[:]), binary.LittleEndian.Uint64(k[8:])}
	feature := d.byte()
	at := int(feature &^ often)
	if at >= len(places) {
		d.fail("a value of no feature")
		return
	}
	if s.values[key] != nil {
		d.fail("a value comes twice")
		return
	}
	v := new(value)
	if places[at] >= 0 {
		v = s.add(key, uint8(places[at])|feature&often)
	}
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
	v.ratios = d.ratios(ofKind)
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
	v.sort()
	v.estimateRecent()
	v.judge()
}

// ratios reads at most so many ratios.
func (d *decoder) ratios(limit int) (r ratios) {
	n := d.uvarint()
	if n > uint64(limit) {
		d.fail("too many ratios")
	}
	for ; n > 0 && d.err == nil; n-- {
		var b [4]byte
		d.read(b[:])
		x := math.Float32frombits(binary.LittleEndian.Uint32(b[:]))
		if !(x >= 0 && x <= math.MaxFloat32) {
			d.fail("a ratio out of range")
		}
		r = append(r, x)
	}
	return r
}

func (d *decoder) totals() (t totals) {
	t.weight = d.number(maxWeight)
	t.scores = d.uvarint()
	t.actual = d.number(maxSum)
	for i := range t.errors {
		t.errors[i] = d.number(maxSum)
	}
	if d.byte() > 0 {
		limit := maxLog * t.weight
		t.fit = &fit{d.signed(limit), d.signed(limit), d.signed(limit), d.signed(limit), d.number(maxSum)}
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
