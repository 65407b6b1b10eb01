package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/augur/internal/parts"
	"example.com/augur/policy"
)

// Config describes a journal. New is required.
type Config struct {
	// New makes the policy as it was made when the journal began. It is given what was kept then, by
	// name: nothing if there is no Keep. See the package comment.
	New func(kept map[string][]byte) (policy.Scheduler, error)
	// Keep, if not nil, returns what is to be kept when a journal begins, for New and for the host, by
	// names of at most 255 bytes. All of it is in memory at once, and again whenever the journal is opened.
	Keep func() (map[string][]byte, error)
	// Told, if not nil, hears each step of the journal as it is told to the new policy: the part
	// (0: the centre), the event, and what the part answered. They are valid only during the
	// call, but for the job of the event. Its error ends Open.
	Told func(part policy.NodeID, ev *policy.Event, actions []policy.Action) error
	// Ledger, if not nil, notes all steps, those of Open before Told hears them. It is emptied whenever New is called.
	Ledger *Ledger
}

// Open restores a policy from the journal of this name, or begins one if there is no such file, which its owner alone may
// read. It cuts off a last record that was not written to its end. A link is followed, and must lead to a file: one that
// leads to none may lead to a disk that is not mounted.
//
// The file is the journal's until [Journal.Close] or the end of the process. Until then neither this process nor another
// one can open it again: Open holds a lock on NAME.lock, an empty file beside it, which stays and must not be removed
// while a journal is open. There is no lock on Windows, Solaris and AIX, nor where the file system has none. The host
// must not open a journal twice there: all but the first to write get an error from Step or Sync, unless they write at
// the same instant.
//
// The error says that the journal is open already; or it wraps [ErrFormat] and names the byte, if the file is no journal
// or is damaged; or it names the event and byte at which the policy failed, or answered otherwise than the one that wrote
// the journal; or it is that of the Config or of the file. In all these cases Open has written nothing.
func Open(name string, c Config) (*Journal, error) {
	name, err := filepath.Abs(name) // for Renew, wherever the process has gone until then
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	if file, err := filepath.EvalSymlinks(name); err == nil {
		name = file // else Renew would put a file in the place of the link
	} else if to, is := os.Readlink(name); is == nil { // and so would Open
		return nil, fmt.Errorf("journal: %s is a link to %s: %w", name, to, err)
	}
	return openOn(files{}, name, c)
}

func openOn(d disk, name string, c Config) (opened *Journal, err error) {
	if c.New == nil {
		return nil, errors.New("journal: Config.New is nil, want a way to make the policy")
	}
	j := &Journal{config: c, disk: d, name: name}
	if j.lock, err = d.lock(name); err != nil {
		return nil, err
	}
	defer func() {
		if opened == nil { // also if the policy panics
			j.drop()
			err = errors.Join(err, j.lock.Close())
		}
	}()
	f, err := d.open(name)
	switch {
	case err == nil:
		j.file, j.out = f, bufio.NewWriterSize(f, bufferSize)
		err = j.resume()
	case errors.Is(err, fs.ErrNotExist):
		if err = j.begin(nil); err == nil {
			err = j.place()
		}
	default:
		err = fmt.Errorf("journal: %w", err)
	}
	if err != nil {
		return nil, err
	}
	return j, nil
}

// build makes the policy.
func (j *Journal) build(kept map[string][]byte) error {
	p, err := j.config.New(kept)
	if err != nil {
		return err
	}
	if p == nil {
		return errors.New("journal: Config.New made no policy")
	}
	j.parts = parts.Of(p)
	if j.config.Ledger != nil {
		*j.config.Ledger = Ledger{}
	}
	return nil
}

// resume restores the policy and gets ready to write behind the last whole record. What it has read may have been in
// memory only, and so the file's name, if the process that wrote it was killed: now they will survive a crash.
func (j *Journal) resume() error {
	size, err := j.restore()
	if err != nil {
		return err
	}
	if j.cut = size - j.offset; j.cut > 0 {
		if err := j.file.Truncate(j.offset); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
	}
	_, err = j.file.Seek(j.offset, io.SeekStart)
	if err == nil {
		err = j.file.Sync()
	}
	if err == nil {
		err = j.disk.syncDir(j.name)
	}
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	j.synced = j.offset
	return nil
}
