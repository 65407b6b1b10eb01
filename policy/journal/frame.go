package journal

import (
	"encoding/binary"
	"hash/crc32"
)

// A journal is a header and then records, each of which is
//
//	1 byte    tag: what it is
//	bytes     what it holds
//	4 bytes   CRC-32C of the record's place in the file, in 8 bytes, of the tag and of what it holds
//	1 byte    end
//
// A record has no byte that could be a tag or an end, except its own: a byte from escape on is written as two, escape
// and the difference. So a tag begins a record wherever it stands, and no user can forge a record in an attribute. A
// reader that meets a torn or damaged record continues at the next tag. UTF-8 text has no such bytes and does not
// grow; at worst a record takes twice its bytes.
//
// The CRC covers the record's place, so a record that was copied elsewhere does not count.
//
// The first records hold what was kept when the journal began, and the present state that a Renew reported. Then an empty
// record says that the beginning is complete. The file gets its name after that, so an incomplete beginning is damage.
const (
	magic     = "augur/journal\n"
	version   = 2
	header    = magic + string(rune(version))
	escape    = 0xf8
	end       = 0xf9
	tagStep   = 0xfa // who was told what, and a checksum of the answer: see event.go
	tagKept   = 0xfb // a name, and a piece of what was kept under it
	tagBegun  = 0xfc // nothing: the journal has begun
	tagNote   = 0xfd // a note of the host
	sizeOfCRC = 4
	maxBody   = 64 << 20 // bytes that a record may hold
	maxFrame  = 1 + 2*(maxBody+sizeOfCRC) + 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendFrame appends a record with this body, for this offset in the file.
func appendFrame(b []byte, tag byte, body []byte, offset int64) []byte {
	b = appendEscaped(append(b, tag), body)
	var sum [sizeOfCRC]byte
	binary.LittleEndian.PutUint32(sum[:], checksum(offset, tag, body))
	return append(appendEscaped(b, sum[:]), end)
}

func appendEscaped(b, plain []byte) []byte {
	for _, c := range plain {
		if c >= escape {
			b = append(b, escape)
			c -= escape
		}
		b = append(b, c)
	}
	return b
}

// openFrame returns the tag and the body of the record at an offset, and removes the escapes in place. It returns
// false if frame, which has at most one tag, in front, and an end, is no whole record.
func openFrame(frame []byte, offset int64) (tag byte, body []byte, ok bool) {
	n := 0
	for i := 0; i < len(frame)-1; i++ {
		c := frame[i]
		if c == escape {
			i++
			c += frame[i]
		}
		frame[n] = c
		n++
	}
	if n < 1+sizeOfCRC {
		return 0, nil, false
	}
	tag, body = frame[0], frame[1:n-sizeOfCRC]
	return tag, body, checksum(offset, tag, body) == binary.LittleEndian.Uint32(frame[n-sizeOfCRC:])
}

// checksum returns the CRC of a record that stands at an offset.
func checksum(offset int64, tag byte, body []byte) uint32 {
	crc := ^uint32(0)
	for range 8 { // the bytes of the offset, which crc32.Update would move to the heap
		crc = castagnoli[byte(crc)^byte(offset)] ^ crc>>8
		offset >>= 8
	}
	crc = castagnoli[byte(crc)^tag] ^ crc>>8
	return crc32.Update(^crc, castagnoli, body)
}
