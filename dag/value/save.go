package value

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"math"
	"math/bits"
	"strings"
	"time"
)

// A saved store is a header, the encoded store, and the CRC of that. The header is the same in all
// versions, so that Load can tell another version from a damaged or a truncated store.
//
//	12 bytes   magic
//	 1 byte    version
//	 8 bytes   length of the encoded store
//	 8 bytes   CRC of the header up to here
const (
	magic      = "augur/value\n"
	version    = 2
	headerSize = len(magic) + 1 + 8 + 8
)

var crcTable = crc64.MakeTable(crc64.ECMA)

// Save writes s. [Load] reads a store with the same answers. Equal stores give equal bytes, about 60
// for each profile, which Save holds in memory. To replace an older file so that a killed process
// leaves one of the two whole, write another file in the same directory, sync it, rename it, and sync
// the directory. The error is that of w.
func (s *Store) Save(w io.Writer) error {
	if w == nil {
		return errors.New("value: Save to a writer that is nil")
	}
	b := s.appendTo(make([]byte, headerSize, headerSize+128*(len(s.templates)+len(s.users))))
	body := b[headerSize:]
	appendHeader(b[:0], version, uint64(len(body)))
	b = binary.LittleEndian.AppendUint64(b, crc64.Checksum(body, crcTable))
	if n, err := w.Write(b); err != nil {
		return fmt.Errorf("value: store saved up to byte %d of %d: %w", n, len(b), err)
	}
	return nil
}

func appendHeader(b []byte, version byte, length uint64) []byte {
	start := len(b)
	b = append(append(b, magic...), version)
	b = binary.LittleEndian.AppendUint64(b, length)
	return binary.LittleEndian.AppendUint64(b, crc64.Checksum(b[start:], crcTable))
}

func (s *Store) appendTo(b []byte) []byte {
	ratios := byte(0)
	if s.ratios {
		ratios = 1
	}
	b = append(b, ratios)
	for _, profiles := range []map[string]*Profile{s.templates, s.users} {
		b = binary.AppendUvarint(b, uint64(len(profiles)))
		for name, p := range byName(profiles) {
			b = binary.AppendUvarint(b, uint64(len(name)))
			b = append(b, name...)
			b = p.appendTo(b)
		}
	}
	return b
}

func (p *Profile) appendTo(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(p.Jobs))
	b = binary.AppendUvarint(b, uint64(p.Valid))
	b = p.Own.appendTo(b)
	b = p.Aggregate.appendTo(b)
	b = binary.AppendUvarint(b, uint64(p.WithDependents))
	return binary.AppendUvarint(b, uint64(p.TimeToDependency))
}

func (s *Summary) appendTo(b []byte) []byte {
	b = appendFloat(b, s.Value)
	b = appendFloat(b, s.Compute)
	return appendFloat(b, s.Efficiency)
}

// appendFloat encodes a number of few significant bits, such as a whole number, in few bytes.
func appendFloat(b []byte, x float64) []byte {
	return binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(x)))
}

// ErrFormat is wrapped by the error of [Load] if the input is not a saved store of this version. The
// error says whether the store is damaged, ends early, or has another version.
var ErrFormat = errors.New("value: not a saved store")

// Load reads a store that [Store.Save] has written, to the end of r. The error wraps [ErrFormat] or
// is that of r. Load takes memory in proportion to its input. It refuses another version: build the
// store from its records again.
func Load(r io.Reader) (*Store, error) {
	if r == nil {
		return nil, errors.New("value: Load from a reader that is nil")
	}
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("value: %w", err)
	}
	if !strings.HasPrefix(magic, string(all[:min(len(all), len(magic))])) {
		return nil, fmt.Errorf("%w: it begins otherwise", ErrFormat)
	}
	if len(all) < headerSize {
		return nil, fmt.Errorf("%w: it ends early, after %d bytes, in its header", ErrFormat, len(all))
	}
	header, body := all[:headerSize], all[headerSize:]
	found := header[len(magic)]
	length := binary.LittleEndian.Uint64(header[len(magic)+1:])
	if string(appendHeader(nil, found, length)) != string(header) {
		return nil, fmt.Errorf("%w: damaged, by the checksum of its header", ErrFormat)
	}
	if found != version {
		return nil, fmt.Errorf("%w: version %d, want %d", ErrFormat, found, version)
	}
	if length > math.MaxInt64-8 {
		return nil, fmt.Errorf("%w: damaged, with a length of %d bytes", ErrFormat, length)
	}
	if uint64(len(body)) < length+8 {
		return nil, fmt.Errorf("%w: it ends early, after %d bytes of %d", ErrFormat, len(all), uint64(headerSize)+length+8)
	}
	if uint64(len(body)) > length+8 {
		return nil, fmt.Errorf("%w: damaged: more follows", ErrFormat)
	}
	body, crc := body[:length], binary.LittleEndian.Uint64(body[length:])
	if crc64.Checksum(body, crcTable) != crc {
		return nil, fmt.Errorf("%w: damaged, by its checksum", ErrFormat)
	}
	d := decoder{b: body}
	s := d.store()
	if d.bad == "" && len(d.b) > 0 {
		d.fail("more follows")
	}
	if d.bad != "" {
		return nil, fmt.Errorf("%w: damaged: %s", ErrFormat, d.bad)
	}
	return s, nil
}

// A decoder reads a store from b. It keeps the first fault and reads zeros after it.
type decoder struct {
	b   []byte
	bad string
}

func (d *decoder) fail(what string) {
	if d.bad == "" {
		d.bad, d.b = what, nil
	}
}

func (d *decoder) uvarint(most uint64) uint64 {
	x, n := binary.Uvarint(d.b)
	if n <= 0 || x > most {
		d.fail("a number is cut or too large")
		return 0
	}
	d.b = d.b[n:]
	return x
}

// amount reads a number from 0 to most; -0 is a fault.
func (d *decoder) amount(most float64) float64 {
	x := math.Float64frombits(bits.ReverseBytes64(d.uvarint(math.MaxUint64)))
	if !(x >= 0 && x <= most) || math.Signbit(x) {
		d.fail("an amount out of range")
		return 0
	}
	return x
}

// bytes reads a length and then that many bytes, without copying them.
func (d *decoder) bytes() []byte {
	n := d.uvarint(uint64(len(d.b)))
	if n > uint64(len(d.b)) {
		d.fail("a text is cut")
		return nil
	}
	text := d.b[:n]
	d.b = d.b[n:]
	return text
}

func (d *decoder) store() *Store {
	return &Store{ratios: d.uvarint(1) == 1, templates: d.profiles(), users: d.profiles()}
}

func (d *decoder) profiles() map[string]*Profile {
	all, last := make(map[string]*Profile), ""
	for n := d.uvarint(math.MaxInt32); n > 0 && d.bad == ""; n-- {
		name := string(d.bytes())
		if name <= last {
			d.fail("names are out of order")
		}
		all[name], last = d.profile(), name
	}
	return all
}

func (d *decoder) profile() *Profile {
	p := new(Profile)
	p.Jobs = int(d.uvarint(math.MaxInt32))
	p.Valid = int(d.uvarint(uint64(p.Jobs)))
	p.Own = d.summary(p.Valid)
	p.Aggregate = d.summary(p.Valid)
	p.WithDependents = int(d.uvarint(uint64(p.Valid)))
	p.TimeToDependency = time.Duration(d.uvarint(math.MaxInt64))
	if p.Jobs == 0 || p.WithDependents == 0 && p.TimeToDependency > 0 {
		d.fail("a profile does not add up")
	}
	return p
}

func (d *decoder) summary(jobs int) Summary {
	s := Summary{jobs, d.amount(MaxSum), d.amount(MaxSum), d.amount(math.Inf(1))}
	if jobs == 0 && s != (Summary{}) {
		d.fail("medians of no jobs")
	}
	return s
}
