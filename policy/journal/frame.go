package journal

import (
	"encoding/binary"
	"hash/crc32"
)

// A journal is a header and then records, each of which is
//
//	1 byte    tag: what it is
//	uvarint   length of what follows, without the CRC
//	bytes     what it holds
//	4 bytes   CRC-32C of the record's place in the file, in 8 bytes, and of all of it up to here
//
// With its place in the CRC, a record that stands where it was not written is no record: not one that
// stands there twice, nor one that is in the data of a message.
//
// The first records hold what was kept when the journal began, and what a host that began anew told of its present
// state; then comes one that holds nothing and says that this is all. The file gets its name after that,
// so whatever is not whole up to there is damage.
const (
	magic      = "augur/journal\n"
	version    = 1
	header     = magic + string(rune(version))
	tagStep    = 0xe1 // who was told what, and a checksum of the answer: see event.go
	tagKept    = 0xe2 // a name, and a piece of what was kept under it
	tagBegun   = 0xe3 // nothing: the journal has begun
	sizeOfCRC  = 4
	leastFrame = 1 + 1 + sizeOfCRC
	maxBody    = 64 << 20 // bytes that a record may hold
	maxFrame   = 1 + binary.MaxVarintLen64 + maxBody + sizeOfCRC
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendFrame appends the record that holds body, and stands at an offset in the file.
func appendFrame(b []byte, tag byte, body []byte, offset int64) []byte {
	start := len(b)
	b = append(b, tag)
	b = binary.AppendUvarint(b, uint64(len(body)))
	b = append(b, body...)
	return binary.LittleEndian.AppendUint32(b, checksum(b[start:], offset))
}

// checksum returns the CRC of what stands at an offset.
func checksum(b []byte, offset int64) uint32 {
	crc := ^uint32(0)
	for range 8 { // the bytes of the offset, which crc32.Update would move to the heap
		crc = castagnoli[byte(crc)^byte(offset)] ^ crc>>8
		offset >>= 8
	}
	return crc32.Update(^crc, castagnoli, b)
}

// cutHead takes the tag and the length off a record. It is false if b does not begin with them.
func cutHead(b []byte) (head int, length uint64, ok bool) {
	if len(b) == 0 || b[0] < tagStep || b[0] > tagBegun {
		return 0, 0, false
	}
	length, n := binary.Uvarint(b[1:])
	return 1 + n, length, n > 0 && length <= maxBody
}

// mostChecked is how many bytes are checked to find a record: some seconds' worth.
const mostChecked = 1 << 32

// seekFrame returns where in b, which stands at an offset in the file, a whole record begins, among the first
// so many bytes. What is no record because it was cut has none after it, and what is damaged mostly has. It
// takes from budget what it checks, and gives up, with less than 0 left, if b is so full of what could be records
// that this is not enough.
func seekFrame(b []byte, offset int64, first int, budget *int64) (at int, found bool) {
	for at := 0; at < first && len(b)-at >= leastFrame; at++ {
		if b[at] < tagStep {
			continue // what is most frequent
		}
		head, length, ok := cutHead(b[at:])
		if !ok || length+sizeOfCRC > uint64(len(b)-at-head) {
			continue
		}
		if *budget -= int64(length); *budget < 0 {
			return 0, false
		}
		end := at + head + int(length)
		if checksum(b[at:end], offset+int64(at)) == binary.LittleEndian.Uint32(b[end:]) {
			return at, true
		}
	}
	return 0, false
}
