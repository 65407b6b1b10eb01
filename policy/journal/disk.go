package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/augur/internal/whole"
)

// A file is what a journal is written to: an *os.File.
type file interface {
	io.ReadWriteSeeker
	io.Closer
	Truncate(size int64) error
	Sync() error
}

// A disk has files: those of the operating system, but for tests.
type disk interface {
	open(name string) (file, error)            // wraps fs.ErrNotExist if there is none
	create(name, instead string) (file, error) // an empty one, for those who may open the one whose place it will take
	rename(from, to string) error
	remove(name string) error
	syncDir(name string) error           // names in the directory of this one are there for good, when it returns
	lock(name string) (io.Closer, error) // so that nobody else has a journal of this name open until it is closed
}

// files are those of the operating system.
type files struct{}

func (files) open(name string) (file, error) { return os.OpenFile(name, os.O_RDWR, 0) }

func (files) create(name, instead string) (file, error) {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(instead); err == nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return f, nil
}

func (files) rename(from, to string) error { return os.Rename(from, to) }
func (files) remove(name string) error     { return os.Remove(name) }
func (files) syncDir(name string) error    { return whole.SyncDir(filepath.Dir(name)) }

// lockSuffix is appended to the journal's name for the lock file. The lock has its own file, which stays, because
// each Renew replaces the journal's.
const lockSuffix = ".lock"

// ErrOpen is wrapped by the error of Open when the journal is open already. A process that was killed while it started another one may
// hold it for a moment longer.
var ErrOpen = errors.New("it is open already, in another process or in this one; close it there first")

func (files) lock(name string) (io.Closer, error) {
	f, err := lock(name + lockSuffix)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return f, nil
}

// nowhere is a disk whose files keep no more than their length.
type nowhere struct{ made, named *counted }

func (n *nowhere) open(string) (file, error) {
	if n.named == nil {
		return nil, fs.ErrNotExist
	}
	return n.named, nil
}

func (n *nowhere) create(string, string) (file, error) {
	n.made = new(counted)
	return n.made, nil
}

func (n *nowhere) rename(string, string) error {
	n.named = n.made
	return nil
}

func (*nowhere) remove(string) error            { return nil }
func (*nowhere) syncDir(string) error           { return nil }
func (*nowhere) lock(string) (io.Closer, error) { return io.NopCloser(nil), nil }

// counted is a file that is only written, at its end.
type counted struct{ size int64 }

func (*counted) Read([]byte) (int, error) { return 0, io.EOF }

func (c *counted) Write(b []byte) (int, error) {
	c.size += int64(len(b))
	return len(b), nil
}

func (c *counted) Seek(int64, int) (int64, error) { return c.size, nil }
func (*counted) Close() error                     { return nil }
func (*counted) Truncate(int64) error             { return nil }
func (*counted) Sync() error                      { return nil }
