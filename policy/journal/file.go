package journal

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// WriteFile writes a file as a whole: the file has either what it had before or all that write
// writes, whenever the process is killed or the power fails, and when WriteFile returns without an error
// it has the new. It writes to NAME.new beside it, which is left there if the process is killed and
// written over the next time, and renames that. The error is that of write or of a file, and the
// file is then as it was; only if the directory cannot be synced it may have the new. For each name there may be
// one call at a time. It is for files and not for what only looks like one: /dev/null would be replaced.
//
// Snapshots that hosts take are for it: Snapshot of predict.Predictor, Save of value.Store.
func WriteFile(name string, write func(io.Writer) error) error {
	if write == nil {
		return errors.New("journal: WriteFile has nothing to write the file with")
	}
	f, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync() // else the file may get its name before its contents
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(name+".new", name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(name+".new"))
	}
	return syncDir(filepath.Dir(name))
}

// Rename gives a file another name in the same directory, in place of the file that has it now, if
// there is one. When it returns without an error the new name will survive a loss of power. What the file has in
// it must have been synced before.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncDir(filepath.Dir(to))
}

// syncDir makes the names of a directory survive a loss of power. Windows has no way to do that.
func syncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
