// Package whole writes files such that whoever opens one finds all of it, whenever the writer is killed or the power
// fails.
//
// The journal, predict.Open, the tests that kill what writes snapshots and examples/kubescheduler need the same few
// calls in the same order, and have them from here. It is internal since what to write files with is not for a library of
// policies to say.
package whole

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// WriteFile writes a file as a whole: it has either what it had before or all that write writes, and when WriteFile
// returns without an error it has the new, and will have it after a crash. It writes to a file of another name in the
// same directory, which begins with NAME. and ends in .new, and renames that. If the process is killed that file is left
// there; the first WriteFile an hour later removes it. Several may write the same file at once: that of the last one stays. The file keeps its mode; a
// new one is for its owner only.
//
// The error is that of write or of a file, and the file is then as it was; only if the directory cannot be synced it
// may have the new. It is for files and not for what only looks like one: a link, or /dev/null, would be replaced.
func WriteFile(name string, write func(io.Writer) error) error {
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.new")
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		if err = f.Chmod(mode); err == nil {
			err = f.Sync() // else the file may get its name before its contents
		}
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	removeLeft(name)
	return SyncDir(filepath.Dir(name))
}

// removeLeft removes what writers of a file have left that were killed an hour before it was written.
func removeLeft(name string) {
	is, err := os.Stat(name)
	others, errs := os.ReadDir(filepath.Dir(name))
	if err != nil || errs != nil {
		return // another one will
	}
	for _, o := range others {
		middle, ours := strings.CutPrefix(o.Name(), filepath.Base(name)+".")
		middle, left := strings.CutSuffix(middle, ".new")
		if !ours || !left || strings.Trim(middle, "0123456789") != "" { // which os.CreateTemp puts in
			continue
		}
		if info, err := o.Info(); err == nil && is.ModTime().Sub(info.ModTime()) > time.Hour {
			_ = os.Remove(filepath.Join(filepath.Dir(name), o.Name()))
		}
	}
}

// SyncDir makes the names of a directory survive a loss of power. Windows has no way to do that.
func SyncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
