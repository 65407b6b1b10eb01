package value

import (
	"encoding/binary"
	"fmt"
	"hash/crc64"
	"io"
	"math"
	"math/bits"

	"example.com/augur/histogram"
)

// A saved store is a header, the encoded store, and the CRC of that. The header is the same in all
// versions: so what is of another version can be told from what is damaged, and what is cut from both.
//
//	12 bytes   magic
//	 1 byte    version
//	 8 bytes   length of the encoded store
//	 8 bytes   CRC of the header up to here
const (
	magic      = "augur/value\n"
	version    = 1
	headerSize = len(magic) + 1 + 8 + 8
)

var crcTable = crc64.MakeTable(crc64.ECMA)

// Save writes s, so that [Load] gives a store with the same answers. The same store gives the same
// bytes, some 200 for each profile. It takes as much memory meanwhile. The error is that of w.
func (s *Store) Save(w io.Writer) error {
	b, err := s.appendTo(make([]byte, headerSize, headerSize+256*(len(s.templates.names)+len(s.users.names))))
	if err != nil {
		return err
	}
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

func (s *Store) appendTo(b []byte) ([]byte, error) {
	b = append(b, byte(s.config.Efficiency))
	b = binary.AppendUvarint(b, uint64(s.config.Bins))
	b = binary.AppendVarint(b, s.config.End)
	for _, g := range []*group{&s.templates, &s.users} {
		b = binary.AppendUvarint(b, uint64(len(g.names)))
		for i, name := range g.names {
			b = binary.AppendUvarint(b, uint64(len(name)))
			b = append(b, name...)
			var err error
			if b, err = g.profiles[i].appendTo(b); err != nil {
				return nil, err
			}
		}
	}
	return b, nil
}

func (p *Profile) appendTo(b []byte) ([]byte, error) {
	b = binary.AppendUvarint(b, uint64(p.Jobs))
	b = binary.AppendUvarint(b, uint64(p.Known))
	b = p.Own.appendTo(b)
	b = p.Aggregate.appendTo(b)
	b = binary.AppendUvarint(b, uint64(p.Followed))
	b = binary.AppendUvarint(b, uint64(p.First))
	for _, h := range []*histogram.Histogram{p.FanIn, p.FanOut} {
		var place [512]byte
		text, err := h.AppendBinary(place[:0])
		if err != nil {
			return nil, err
		}
		b = binary.AppendUvarint(b, uint64(len(text)))
		b = append(b, text...)
	}
	return b, nil
}

func (s *Summary) appendTo(b []byte) []byte {
	b = appendFloat(b, s.Value)
	b = appendFloat(b, s.Compute)
	return appendFloat(b, s.Efficiency)
}

// appendFloat encodes a number in fewer bytes the fewer bits it needs, as whole numbers do.
func appendFloat(b []byte, x float64) []byte {
	return binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(x)))
}
