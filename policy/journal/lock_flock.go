//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package journal

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lock makes a file, if there is none, and holds its lock until that is closed or the process ends, in whatever way: the
// system sees to that. Where the file system has no locks there is none.
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
		err = errLocked
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

// locked is a file of which the lock is held. A process that this one starts has the file too until it begins its
// own program, so that to close it here does not end the lock.
type locked struct{ *os.File }

func (l locked) Close() error {
	return errors.Join(flock(l.File, syscall.LOCK_UN), l.File.Close())
}
