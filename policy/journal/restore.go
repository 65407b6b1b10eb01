package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/augur/policy"
)

// ErrFormat is wrapped by the error about a file that is no journal, is of another version, or is damaged.
var ErrFormat = errors.New("journal: not a journal, or damaged")

// ErrPolicy is wrapped by the error about a journal whose policy answers differently than the one that wrote it.
var ErrPolicy = errors.New("it is another policy, or made otherwise")

// restore replays the whole file to the policy, and leaves in offset where whole records end. It returns the length
// of the file.
func (j *Journal) restore() (size int64, err error) {
	r, err := j.reader()
	if err != nil {
		return 0, err
	}
	kept := make(map[string][]byte)
	var s step
	var actions []policy.Action
	for begun := false; ; {
		j.offset = r.offset
		tag, body, err := r.next()
		switch {
		case err == io.EOF && !begun:
			return 0, fmt.Errorf("%w: the beginning is incomplete, at byte %d; restore a copy, or remove the file to begin a new journal", ErrFormat, j.offset)
		case err == io.EOF:
			return r.offset, nil
		case err != nil:
			return 0, err
		case r.start != j.offset: // what is no record because it was cut has none after it
			return 0, fmt.Errorf("%w: at byte %d, since there is a whole record at byte %d", ErrFormat, j.offset, r.start)
		}
		if tag == tagKept && j.parts == nil {
			c := codec{b: body, reading: true}
			var name string
			c.string(&name)
			if kept[name] = append(kept[name], c.b...); c.bad {
				return 0, fmt.Errorf("%w: at byte %d, a record that keeps nothing", ErrFormat, j.offset)
			}
			continue
		}
		if tag == tagKept || tag == tagBegun && (begun || len(body) > 0) {
			return 0, fmt.Errorf("%w: at byte %d, a second beginning", ErrFormat, j.offset)
		}
		if j.parts == nil {
			if err := j.build(kept); err != nil {
				return 0, err
			}
		}
		if tag == tagBegun {
			begun = true
			continue
		}
		if tag == tagNote {
			if told := j.config.Noted; told != nil {
				if err := told(body); err != nil {
					return 0, err
				}
			}
			continue
		}
		if tag != tagStep || !s.decode(body, j.last) {
			return 0, fmt.Errorf("%w: at byte %d, a record that holds no event", ErrFormat, j.offset)
		}
		if actions, err = j.tell(&s, actions[:0]); err != nil {
			return 0, err
		}
		j.last = s.event.Time
		j.centre = j.centre || s.part == 0
		j.events++
		if l := j.config.Ledger; l != nil {
			l.note(s.part, &s.event, actions, false)
		}
		if told := j.config.Replayed; told != nil {
			if err := told(s.part, &s.event, actions); err != nil {
				return 0, err
			}
		}
	}
}

// tell replays a step to the policy and compares its answer.
func (j *Journal) tell(s *step, actions []policy.Action) ([]policy.Action, error) {
	kind, at := s.event.Kind, s.event.Time
	got, err := j.parts.Step(s.part, &s.event, actions)
	if err != nil {
		return actions, fmt.Errorf("journal: event %d, at byte %d: %w", j.events+1, j.offset, err)
	}
	if !j.config.EventsOnly && (uint64(len(got)) != s.actions || j.sum.sum(got) != s.answer) {
		differs := fmt.Sprintf("%d actions, and not the %d", len(got), s.actions)
		if uint64(len(got)) == s.actions {
			differs = fmt.Sprintf("%d other actions than the %d", len(got), s.actions)
		}
		return actions, fmt.Errorf("journal: event %d, at byte %d, %v at %v s: the policy answers with %s that the journal was written with: %w; make it as it was, or open the journal with EventsOnly",
			j.events+1, j.offset, kind, at.Seconds(), differs, ErrPolicy)
	}
	return got, nil
}

// A reader reads records.
type reader struct {
	in     *bufio.Reader
	start  int64  // of the last tag
	offset int64  // of what is read next
	frame  []byte // what has come since the last tag
}

// reader returns a reader of the records of the journal's file. It has read the header.
func (j *Journal) reader() (*reader, error) {
	if _, err := j.file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	in := bufio.NewReaderSize(j.file, bufferSize)
	b := make([]byte, len(header))
	n, err := io.ReadFull(in, b)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("journal: %w", err)
	}
	switch found := b[len(magic)]; {
	case n == 0:
		return nil, fmt.Errorf("%w: the file is empty", ErrFormat)
	case n < len(b) || !strings.HasPrefix(string(b), magic):
		return nil, fmt.Errorf("%w: at byte 0, the header is not a journal's", ErrFormat)
	case found == 1:
		return nil, fmt.Errorf("%w: version 1, which only augur v0.1.0 reads, want version %d: let the host of v0.1.0 end its jobs, then begin a new journal", ErrFormat, version)
	case found != version:
		return nil, fmt.Errorf("%w: version %d, want %d", ErrFormat, found, version)
	}
	return &reader{in: in, offset: int64(n)}, nil
}

// next returns the next whole record, which is valid until the next call, and leaves in start where it begins. start
// is the old offset, unless something comes first that is no whole record. It returns io.EOF at the end, or the error
// of the file. It takes time linear in the bytes that it reads, and memory for one record.
func (r *reader) next() (tag byte, body []byte, err error) {
	for {
		piece, err := r.in.ReadSlice(end)
		at := r.offset
		r.offset += int64(len(piece))
		for i := len(piece) - 1; i >= 0; i-- {
			if piece[i] >= tagStep { // what was before it has no end
				r.start, r.frame, piece = at+int64(i), r.frame[:0], piece[i:]
				break
			}
		}
		if r.frame = append(r.frame, piece...); len(r.frame) > maxFrame {
			r.frame = r.frame[:0] // no record is so long
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF {
			return 0, nil, err
		}
		if err != nil {
			return 0, nil, fmt.Errorf("journal: %w", err)
		}
		if tag, body, ok := openFrame(r.frame, r.start); ok {
			return tag, body, nil
		}
		r.frame = r.frame[:0]
	}
}
