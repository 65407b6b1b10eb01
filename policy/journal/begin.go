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

// suffix is what a journal has behind its name while it begins.
const suffix = ".new"

// Renew begins a new journal in the place of this one: with a new policy, which Config.New makes of what
// Config.Keep returns now, and which tell tells the present state, as package policy says under Restart. The host
// settles what is under way before, and in tell gives all to the Step of next: to the centre and to each part that is
// there events with Replay set, and then its Restored, even if there is nothing else to tell. (A journal of which the
// centre was never told anything is one of parts alone.) Config.Told does not hear these; it does whenever the journal is
// opened after that. What the policy wants done then is to be carried out when Renew has returned without an error. j is then what
// next was, and next is of no more use.
//
// Whenever the process is killed or the power fails, the file has either the old journal or the new one, with
// all that was kept and told. The new one is written to NAME.new, beside it; it is left there if the process is
// killed, and written over the next time.
//
// The error is that of the Config, of tell or of a file, or says what tell has left out. The journal is of no more use then, as the new policy may
// have taken what belongs to the old one: close it and open it again.
func (j *Journal) Renew(tell func(next *Journal) error) error {
	switch {
	case j.err != nil:
		return j.err
	case j.telling != nil:
		return errors.New("journal: Renew of one that is just beginning")
	case tell == nil:
		return errors.New("journal: Renew has no way to tell the present state")
	}
	if err := j.Sync(); err != nil {
		return err
	}
	j.err = errors.New("journal: it is being renewed: tell the next one, or, if that has panicked, open it again")
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
	next.file, next.lock, next.err = nil, nil, errors.New("journal: another one has taken its place")
	return nil
}

// begin writes a journal, up to where it has begun, under the name that it has until then.
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

// create makes the file of a journal that is to begin, with its header.
func (j *Journal) create() error {
	f, err := j.disk.create(j.name+suffix, j.name)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	j.file, j.out, j.offset, j.telling = f, bufio.NewWriterSize(f, bufferSize), 0, make(map[policy.NodeID]bool)
	j.write([]byte(header))
	return nil
}

// mayTell returns an error if ev is not of the present state, which a part is told in events with Replay set, and then
// Restored.
func (j *Journal) mayTell(part policy.NodeID, ev *policy.Event) error {
	switch restored := j.telling[part]; {
	case restored:
		return fmt.Errorf("journal: %v for %s in Renew, after its Restored: tell it when Renew has returned", ev.Kind, who(part))
	case !ev.Replay && ev.Kind != policy.Restored:
		return fmt.Errorf("journal: %v without Replay for %s in Renew, which tells the present state", ev.Kind, who(part))
	}
	return nil
}

// toldAll returns an error if the present state was not told to its end: to a part, or to the centre if that is here.
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

// drop gives up a journal that was not opened, or has not begun.
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

// piece is how many bytes of what is kept are in a record.
const piece = 1 << 16

func (j *Journal) keep(kept map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		if len(name) > 255 {
			return fmt.Errorf("journal: Config.Keep returns a name of %d bytes, want at most 255", len(name))
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

// place gives a journal that was begun its name, and gets ready to go on with it. The file is closed meanwhile,
// since not all systems give one that is open another name.
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
