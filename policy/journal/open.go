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
	// New makes the policy as it was made when the journal began. It gets what was kept then, by name: nothing if
	// there is no Keep. See the package comment.
	New func(kept map[string][]byte) (policy.Scheduler, error)
	// Keep, if not nil, returns what New and the host need later, when a journal begins, by names of at most 255
	// bytes. All of it is in memory at once, and again whenever the journal is opened.
	Keep func() (map[string][]byte, error)
	// Replayed, if not nil, is called with each step of the journal as it is replayed to the new policy: the part (0: the
	// centre), the event, and the actions that answered it. The arguments are valid only during the call, except the
	// event's job. If it returns an error, Open returns that.
	Replayed func(part policy.NodeID, ev *policy.Event, actions []policy.Action) error
	// Noted, if not nil, is called with each [Journal.Note] as the journal is replayed, in its place among the steps. The note is
	// valid only during the call. If it returns an error, Open returns that.
	Noted func(note []byte) error
	// EventsOnly says that answers are not compared: New may make any policy, and a host learns from Replayed what has happened. The
	// host then calls Renew with the policy that goes on.
	EventsOnly bool
	// Ledger, if not nil, is updated at each step; Open updates it before it calls Replayed. It is cleared whenever New
	// is called.
	Ledger *Ledger
}

// Open restores a policy from the journal with this name. If there is no such file it begins a journal, which only
// its owner may read. If the name is empty, the journal is in memory: it keeps nothing, and is there for hosts that run with a file
// or without. Open cuts off a last record that was not written completely. It follows a link, which must lead
// to a file: a dangling link may lead to a disk that is not mounted.
//
// The journal holds the file until [Journal.Close] or the end of the process. Until then neither this process nor another
// one can open it again: Open holds a lock on NAME.lock, an empty file beside it, which stays and must not be removed while
// a journal is open. There is no lock on Windows, Solaris and AIX, nor if the file system has none. The host must not open a
// journal twice there: all but the first to write get an error from Step or Sync, unless they write at the same instant.
//
// Open returns an error if the journal is open already; if the file is no journal or is damaged, naming the byte and
// wrapping [ErrFormat]; if the policy failed or answered differently than the one that wrote the journal, naming the
// event and the byte; and if the Config or the file fails. In all these cases it has written nothing.
func Open(name string, c Config) (*Journal, error) {
	if name == "" {
		return openOn(new(nowhere), name, c)
	}
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
		return nil, errors.New("journal: Config.New is nil, want a function that makes the policy")
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
		return errors.New("journal: Config.New returned a nil policy and no error, want one of the two")
	}
	if err := parts.Check(p); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	j.parts = parts.Of(p)
	if j.config.Ledger != nil {
		*j.config.Ledger = Ledger{}
	}
	return nil
}

// resume restores the policy and prepares to append after the last whole record. It syncs the file and its name,
// since the process that wrote them may have been killed before.
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
