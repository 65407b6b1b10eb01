package journal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"example.com/augur/policy"
)

// suffix is appended to a journal's name until the journal has begun.
const suffix = ".new"

// Renew replaces this journal by a new one with a new policy. Config.New makes the policy from what Config.Keep returns now,
// and tell reports the present state to it, as package policy says under Restart. First settle what is under way. In tell,
// call next.Step for the centre and for each part that is there: events with Replay set, and then Restored, even if there is
// nothing else to report. (If the centre gets no event, it is a journal of parts alone.) Config.Replayed does not hear these
// events now, but it does whenever the journal is opened later. Carry out the new policy's actions when Renew has returned
// without an error. j then is what next was, and next must not be used any more.
//
// If the process is killed or the power fails, the file holds either the old journal or the new one, complete. The
// new one is written to NAME.new; a file left there by a kill is overwritten the next time.
//
// Renew returns the error of the Config, of tell or of the file, or an error that names what tell has left out. The journal
// cannot be used after an error, since the new policy may share state with the old one: close it and open it again.
func (j *Journal) Renew(tell func(next *Journal) error) error {
	switch {
	case j.err != nil:
		return j.err
	case j.telling != nil:
		return errors.New("journal: Renew within Renew or Config.New; call it when the journal has begun")
	case tell == nil:
		return errors.New("journal: Renew of a nil tell, want a function that reports the present state")
	}
	if err := j.Sync(); err != nil {
		return err
	}
	j.err = errors.New("journal: it is being renewed: call Step of next, or, if tell has panicked, close the journal and open it again")
	next := &Journal{config: j.config, disk: j.disk, name: j.name}
	defer func() {
		if next.telling != nil { // also if the policy or tell panics
			next.drop()
		}
	}()
	err := next.begin(func() error {
		if err := tell(next); err != nil {
			return err
		}
		return next.toldAll(j.centre)
	})
	if err == nil {
		err = j.file.Close()
		j.file = nil
	}
	if err == nil {
		err = next.place()
	}
	if err != nil {
		j.err = fmt.Errorf("journal: it was not renewed, open it again: %w", err)
		return err
	}
	next.lock, next.events, next.cut = j.lock, j.events, j.cut
	*j = *next
	next.file, next.lock, next.err = nil, nil, errors.New("journal: Renew has returned; use the journal that it was called on")
	return nil
}

// begin writes the beginning of a journal under its temporary name.
func (j *Journal) begin(tell func() error) (err error) {
	var kept map[string][]byte
	if j.config.Keep != nil {
		if kept, err = j.config.Keep(); err != nil {
			return err
		}
	}
	if err := j.create(); err != nil {
		return err
	}
	if err = j.keep(kept); err == nil {
		err = j.build(kept)
	}
	if err == nil && tell != nil {
		err = tell()
	}
	if err != nil {
		return err
	}
	j.record(tagBegun, nil)
	return j.Sync()
}

// create makes the file of a journal that is to begin, and writes its header.
func (j *Journal) create() error {
	f, err := j.disk.create(j.name+suffix, j.name)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	j.file, j.out, j.offset, j.telling = f, bufio.NewWriterSize(f, bufferSize), 0, make(map[policy.NodeID]bool)
	j.write([]byte(header))
	return nil
}

// mayTell returns an error if ev is not an event with Replay set, or the Restored that ends them, for this part.
func (j *Journal) mayTell(part policy.NodeID, ev *policy.Event) error {
	switch restored := j.telling[part]; {
	case restored:
		return fmt.Errorf("journal: %v for %s in Renew, after its Restored: tell it when Renew has returned", ev.Kind, who(part))
	case !ev.Replay && ev.Kind != policy.Restored:
		return fmt.Errorf("journal: %v without Replay for %s in Renew, which tells the present state", ev.Kind, who(part))
	}
	return nil
}

// toldAll returns an error if a part, or the centre if it is here, has not got its Restored.
func (j *Journal) toldAll(centre bool) error {
	told := slices.Sorted(maps.Keys(j.telling))
	if centre || len(told) == 0 {
		told = append(told, 0)
	}
	for _, part := range told {
		if !j.telling[part] {
			return fmt.Errorf("journal: Renew has not told %s Restored, which ends the present state", who(part))
		}
	}
	return nil
}

func who(part policy.NodeID) string {
	if part == 0 {
		return "the centre"
	}
	return fmt.Sprintf("part %d", part)
}

// drop abandons a journal that was not opened, or has not begun.
func (j *Journal) drop() {
	if j.file != nil {
		_ = j.file.Close()
		j.file = nil
	}
	if j.telling != nil {
		_ = j.disk.remove(j.name + suffix) // what is left is written over the next time
	}
	j.err = errors.New("journal: it has not begun")
}

// piece is the largest part of a kept value in one record, in bytes.
const piece = 1 << 16

func (j *Journal) keep(kept map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		if len(name) > 255 {
			return fmt.Errorf("journal: Config.Keep returns a name of %d bytes, want at most 255; shorten it", len(name))
		}
		head := append(binary.AppendUvarint(nil, uint64(len(name))), name...)
		for left := kept[name]; ; {
			n := min(piece, len(left))
			j.body.b = append(append(j.body.b[:0], head...), left[:n]...)
			j.record(tagKept, j.body.b)
			if left = left[n:]; len(left) == 0 {
				break
			}
		}
	}
	return j.err
}

// place gives a begun journal its name, and prepares to append to it. It closes the file meanwhile, since not all
// systems can rename an open one.
func (j *Journal) place() error {
	err := j.file.Close()
	if j.file = nil; err == nil {
		err = j.disk.rename(j.name+suffix, j.name)
	}
	if err == nil {
		err = j.disk.syncDir(j.name)
	}
	if err == nil {
		j.file, err = j.disk.open(j.name)
	}
	if err == nil {
		_, err = j.file.Seek(j.offset, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	j.out.Reset(j.file)
	j.telling = nil
	return nil
}
