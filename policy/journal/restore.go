package journal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/augur/policy"
)

// ErrFormat is wrapped by the error of a file that is no journal, is of another version, or is damaged.
var ErrFormat = errors.New("journal: not a journal, or damaged")

// errTorn is the error of what is no whole record.
var errTorn = errors.New("no whole record")

// restore tells the policy all that is in the file, and leaves in offset where whole records end. It returns the
// size of the file.
func (j *Journal) restore() (size int64, err error) {
	if size, err = j.file.Seek(0, io.SeekEnd); err == nil {
		_, err = j.file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return 0, fmt.Errorf("journal: %w", err)
	}
	r := reader{in: bufio.NewReaderSize(j.file, bufferSize), size: size}
	if err := r.header(); err != nil {
		return size, err
	}
	kept := make(map[string][]byte)
	var s step
	var actions []policy.Action
	for begun := false; ; {
		j.offset = r.offset
		tag, body, err := r.next()
		switch {
		case (err == io.EOF || err == errTorn) && !begun:
			return size, fmt.Errorf("%w: at byte %d, in what was there when it began", ErrFormat, j.offset)
		case err == io.EOF:
			return size, nil
		case err == errTorn:
			return size, j.torn(size)
		case err != nil:
			return size, fmt.Errorf("journal: %w", err)
		}
		if tag == tagKept && j.parts == nil {
			d := decoder{b: body}
			name := string(d.text())
			if kept[name] = append(kept[name], d.b...); d.bad {
				return size, fmt.Errorf("%w: at byte %d, a record that keeps nothing", ErrFormat, j.offset)
			}
			continue
		}
		if tag == tagKept || tag == tagBegun && (begun || len(body) > 0) {
			return size, fmt.Errorf("%w: at byte %d, a second beginning", ErrFormat, j.offset)
		}
		if j.parts == nil {
			if err := j.build(kept); err != nil {
				return size, err
			}
		}
		if tag == tagBegun {
			begun = true
			continue
		}
		if !s.decode(body, j.last) {
			return size, fmt.Errorf("%w: at byte %d, a record that holds no event", ErrFormat, j.offset)
		}
		if actions, err = j.tell(&s, actions[:0]); err != nil {
			return size, err
		}
		j.last = s.event.Time
		j.centre = j.centre || s.part == 0
		j.events++
		if told := j.config.Told; told != nil {
			if err := told(s.part, &s.event, actions); err != nil {
				return size, err
			}
		}
	}
}

// tell tells the policy of a step and compares its answer.
func (j *Journal) tell(s *step, actions []policy.Action) ([]policy.Action, error) {
	kind, at := s.event.Kind, s.event.Time
	got, err := j.parts.Step(s.part, &s.event, actions)
	if err != nil {
		return actions, fmt.Errorf("journal: event %d, at byte %d: %w", j.events+1, j.offset, err)
	}
	check := uint32(0)
	if len(got) > 0 {
		check, j.scratch = answer(got, j.scratch)
	}
	if uint64(len(got)) != s.actions || check != s.answer {
		differs := fmt.Sprintf("%d actions, and not the %d", len(got), s.actions)
		if uint64(len(got)) == s.actions {
			differs = fmt.Sprintf("%d other actions than the %d", len(got), s.actions)
		}
		return actions, fmt.Errorf("journal: event %d, at byte %d, %v at %v s: the policy answers with %s that the journal was written with: it is another policy, or made otherwise",
			j.events+1, j.offset, kind, at.Seconds(), differs)
	}
	return got, nil
}

// torn returns an error if what is behind the last whole record, at offset, has whole ones after it. However much
// that is, a little more than two records of the largest size are in memory at a time.
func (j *Journal) torn(size int64) error {
	budget := int64(mostChecked)
	var b []byte
	for at := j.offset + 1; at < size; at += maxFrame { // what is torn does not begin one byte later
		if _, err := j.file.Seek(at, io.SeekStart); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
		b = slices.Grow(b[:0], int(min(size-at, 2*maxFrame)))[:min(size-at, 2*maxFrame)]
		if n, err := io.ReadFull(j.file, b); err == io.EOF || err == io.ErrUnexpectedEOF {
			b = b[:n] // the file has become shorter meanwhile
		} else if err != nil {
			return fmt.Errorf("journal: %w", err)
		}
		found, ok := seekFrame(b, at, maxFrame, &budget)
		switch {
		case ok:
			return fmt.Errorf("%w: at byte %d, since there is a whole record at byte %d", ErrFormat, j.offset, at+int64(found))
		case budget < 0:
			return fmt.Errorf("%w: at byte %d of %d", ErrFormat, j.offset, size)
		}
	}
	return nil
}

// A reader reads records.
type reader struct {
	in     *bufio.Reader
	size   int64 // of the file
	offset int64 // of what is read next
	frame  []byte
}

// header reads the header.
func (r *reader) header() error {
	b := make([]byte, len(header))
	n, err := io.ReadFull(r.in, b)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return fmt.Errorf("journal: %w", err)
	}
	r.offset = int64(n)
	switch {
	case string(b) == header:
		return nil
	case n == 0:
		return fmt.Errorf("%w: the file is empty", ErrFormat)
	case n == len(b) && strings.HasPrefix(string(b), magic):
		return fmt.Errorf("%w: version %d, want %d", ErrFormat, b[len(magic)], version)
	}
	return fmt.Errorf("%w: at byte 0, it begins otherwise", ErrFormat)
}

// next returns what the next record holds, which is valid until the next call. The error is io.EOF
// if there is no more, errTorn if what follows is no whole record, or that of the file.
func (r *reader) next() (tag byte, body []byte, err error) {
	head, err := r.in.Peek(1 + binary.MaxVarintLen64)
	if len(head) == 0 {
		return 0, nil, err
	}
	if err != nil && err != io.EOF {
		return 0, nil, err
	}
	n, length, ok := cutHead(head)
	if !ok || int64(n)+int64(length)+sizeOfCRC > r.size-r.offset {
		return 0, nil, errTorn
	}
	whole := n + int(length) + sizeOfCRC
	r.frame = slices.Grow(r.frame[:0], whole)[:whole]
	if _, err := io.ReadFull(r.in, r.frame); err == io.EOF || err == io.ErrUnexpectedEOF {
		return 0, nil, errTorn // the file has become shorter meanwhile
	} else if err != nil {
		return 0, nil, err
	}
	end := whole - sizeOfCRC
	if checksum(r.frame[:end], r.offset) != binary.LittleEndian.Uint32(r.frame[end:]) {
		return 0, nil, errTorn
	}
	r.offset += int64(whole)
	return r.frame[0], r.frame[n:end], nil
}
