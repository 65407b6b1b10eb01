package value

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"math"
	"math/bits"
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
	version    = 2
	headerSize = len(magic) + 1 + 8 + 8
)

var crcTable = crc64.MakeTable(crc64.ECMA)

// Save writes s, so that [Load] gives a store with the same answers. The same store gives the same
// bytes, some 60 for each profile. It takes as much memory meanwhile. To put it in the place of an older file, such that a
// process that is killed leaves one of them whole, write it to another file in the same directory, sync that, rename it,
// and sync the directory. The error is that of w.
func (s *Store) Save(w io.Writer) error {
	if w == nil {
		return errors.New("value: Save to a writer that is nil")
	}
	b := s.appendTo(make([]byte, headerSize, headerSize+128*(len(s.templates.names)+len(s.users.names))))
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
	for _, g := range []*group{&s.templates, &s.users} {
		b = binary.AppendUvarint(b, uint64(len(g.names)))
		for i, name := range g.names {
			b = binary.AppendUvarint(b, uint64(len(name)))
			b = append(b, name...)
			b = g.profiles[i].appendTo(b)
		}
	}
	return b
}

func (p *Profile) appendTo(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(p.Jobs))
	b = binary.AppendUvarint(b, uint64(p.Known))
	b = p.Own.appendTo(b)
	b = p.Aggregate.appendTo(b)
	b = binary.AppendUvarint(b, uint64(p.Followed))
	return binary.AppendUvarint(b, uint64(p.First))
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
