//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package journal

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lock makes a file, if there is none, and holds its lock until the file is closed or the process ends, in whatever
// way. If the file system has no locks, it holds none.
func lock(name string) (io.Closer, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case err == nil:
		return locked{f}, nil
	case errors.Is(err, errors.ErrUnsupported):
		return f, nil
	case err == syscall.EWOULDBLOCK:
		err = ErrOpen
	}
	return nil, errors.Join(&os.PathError{Op: "lock", Path: name, Err: err}, f.Close())
}

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}

// locked is a file whose lock is held. A child process inherits the file until it executes its program, so closing it
// here does not release the lock: Close unlocks it.
type locked struct{ *os.File }

func (l locked) Close() error {
	return errors.Join(flock(l.File, syscall.LOCK_UN), l.File.Close())
}
