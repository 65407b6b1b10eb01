package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A journal of version 1, as v0.1.0 wrote it, has records of
//
//	1 byte    tag, from 0xe1 instead of 0xfa
//	uvarint   length of what follows, without the CRC
//	bytes     what it holds
//	4 bytes   CRC-32C of the record's place in the file, in 8 bytes, and of all of it up to here
//
// A user can put such a record into an attribute, so nobody can tell a torn record from a damaged one. Open
// therefore reads a journal of version 1 only if all of its records are whole, and writes it anew in the present version.
const tagStep1 = 0xe1

// next1 is next for version 1.
func (r *reader) next1() (tag byte, body []byte, err error) {
	r.start = r.offset
	head, err := r.in.Peek(1 + binary.MaxVarintLen64)
	if len(head) == 0 && err == io.EOF {
		return 0, nil, err
	}
	if err != nil && err != io.EOF {
		return 0, nil, fmt.Errorf("journal: %w", err)
	}
	tag = head[0] - tagStep1 + tagStep
	if length, n := binary.Uvarint(head[1:]); n > 0 && length <= maxBody {
		n++
		end := n + int(length)
		r.frame = slices.Grow(r.frame[:0], end+sizeOfCRC)[:end+sizeOfCRC]
		_, err := io.ReadFull(r.in, r.frame)
		if err == nil && checksum(r.start, r.frame[0], r.frame[1:end]) == binary.LittleEndian.Uint32(r.frame[end:]) {
			r.offset += int64(end + sizeOfCRC)
			return tag, r.frame[n:end], nil
		}
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return 0, nil, fmt.Errorf("journal: %w", err)
		}
	}
	return 0, nil, fmt.Errorf("%w: no whole record at byte %d, and a journal of version 1 is read only if all are: cut the file there if nothing after it was synced", ErrFormat, r.start)
}

// rewrite writes a journal of version 1 anew, with the same records, and gets ready to go on with it.
func (j *Journal) rewrite() error {
	old := j.file
	defer old.Close() // again, where all goes well: a later one changes nothing
	r, err := j.reader()
	if err != nil {
		return err
	}
	if err := j.create(); err != nil {
		return err
	}
	for tag, body, err := r.next(); err != io.EOF; tag, body, err = r.next() {
		if err != nil {
			return err
		}
		j.record(tag, body)
	}
	if err := errors.Join(j.Sync(), old.Close()); err != nil {
		return err
	}
	return j.place()
}
