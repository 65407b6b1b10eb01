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

// ErrFormat is the error of what is no saved store that [Load] can read. What it comes with says
// whether it is damaged, ends early, or is of a newer version.
var ErrFormat = errors.New("value: not a saved store")

// Load reads a store that [Store.Save] has written, in this version or an older one, which goes to the
// end of r. An error wraps [ErrFormat], or is that of r. The memory that it takes is bounded by what
// there is to read.
func Load(r io.Reader) (*Store, error) {
	if r == nil {
		return nil, errors.New("value: Load from a reader that is nil")
	}
	header := make([]byte, headerSize)
	n, err := io.ReadFull(r, header)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("value: %w", err)
	}
	if !strings.HasPrefix(magic, string(header[:min(n, len(magic))])) {
		return nil, fmt.Errorf("%w: it begins otherwise", ErrFormat)
	}
	if n < headerSize {
		return nil, fmt.Errorf("%w: it ends early, after %d bytes, in its header", ErrFormat, n)
	}
	found := header[len(magic)]
	length := binary.LittleEndian.Uint64(header[len(magic)+1:])
	if string(appendHeader(nil, found, length)) != string(header) {
		return nil, fmt.Errorf("%w: damaged, by the checksum of its header", ErrFormat)
	}
	if found < 1 || found > version {
		return nil, fmt.Errorf("%w: version %d, want 1 to %d", ErrFormat, found, version)
	}
	if length > math.MaxInt64-8 {
		return nil, fmt.Errorf("%w: damaged, with a length of %d bytes", ErrFormat, length)
	}
	body, err := io.ReadAll(io.LimitReader(r, int64(length)+8))
	if err != nil {
		return nil, fmt.Errorf("value: %w", err)
	}
	if uint64(len(body)) < length+8 {
		return nil, fmt.Errorf("%w: it ends early, after %d bytes of %d", ErrFormat, headerSize+len(body), uint64(headerSize)+length+8)
	}
	body, crc := body[:length], binary.LittleEndian.Uint64(body[length:])
	if crc64.Checksum(body, crcTable) != crc {
		return nil, fmt.Errorf("%w: damaged, by its checksum", ErrFormat)
	}
	switch n, err := io.ReadFull(r, header[:1]); {
	case n > 0:
		return nil, fmt.Errorf("%w: damaged: more follows", ErrFormat)
	case err != io.EOF:
		return nil, fmt.Errorf("value: %w", err)
	}
	d := decoder{b: body, version: found}
	s := d.store()
	if d.bad == "" && len(d.b) > 0 {
		d.fail("more follows")
	}
	if d.bad != "" {
		return nil, fmt.Errorf("%w: damaged: %s", ErrFormat, d.bad)
	}
	return s, nil
}

// A decoder takes a store off b. After the first fault, which it keeps, all it reads is 0.
type decoder struct {
	b       []byte
	version byte
	bad     string
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

// amount reads a number from 0, which is not -0, to most.
func (d *decoder) amount(most float64) float64 {
	x := math.Float64frombits(bits.ReverseBytes64(d.uvarint(math.MaxUint64)))
	if !(x >= 0 && x <= most) || math.Signbit(x) {
		d.fail("an amount out of range")
		return 0
	}
	return x
}

// bytes reads bytes after their number. They are part of what is decoded.
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
	s := new(Store)
	s.ratios = d.uvarint(1) == 1
	if d.version == 1 { // which had the bins of distributions and the end of its log
		d.uvarint(math.MaxUint16)
		d.uvarint(math.MaxUint64)
	}
	s.templates = d.group()
	s.users = d.group()
	return s
}

func (d *decoder) group() group {
	g := group{index: make(map[string]uint32)}
	for n := d.uvarint(math.MaxInt32); n > 0 && d.bad == ""; n-- {
		name := string(d.bytes())
		if name == "" || len(g.names) > 0 && name <= g.names[len(g.names)-1] {
			d.fail("names are out of order")
		}
		p := d.profile()
		g.index[name] = uint32(len(g.names))
		g.names, g.profiles = append(g.names, name), append(g.profiles, p)
	}
	return g
}

func (d *decoder) profile() (p Profile) {
	p.Jobs = int(d.uvarint(math.MaxInt32))
	p.Known = int(d.uvarint(uint64(p.Jobs)))
	p.Own = d.summary(p.Known)
	p.Aggregate = d.summary(p.Known)
	p.Followed = int(d.uvarint(uint64(p.Known)))
	p.First = time.Duration(d.uvarint(math.MaxInt64))
	if d.version == 1 { // which had distributions of what is read and of what reads
		d.bytes()
		d.bytes()
	}
	if p.Jobs == 0 || (p.Followed > 0) != (p.First > 0) {
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
