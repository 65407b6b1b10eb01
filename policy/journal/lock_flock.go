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
	for err = syscall.EINTR; err == syscall.EINTR; {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err == nil || errors.Is(err, errors.ErrUnsupported) {
		return f, nil
	}
	if err == syscall.EWOULDBLOCK {
		err = errLocked
	}
	return nil, errors.Join(&os.PathError{Op: "lock", Path: name, Err: err}, f.Close())
}
