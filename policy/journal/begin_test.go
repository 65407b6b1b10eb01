package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/augur/policy"
)

// On the files of the system: a journal is its owner's, stays as open to others as it was made, and leaves nothing behind.
func TestFilesOfTheSystem(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "events")
	c := new(tally)
	mode := func(want fs.FileMode) {
		t.Helper()
		info, err := os.Stat(name)
		ok(t, err)
		if got := info.Mode().Perm(); got != want && runtime.GOOS != "windows" {
			t.Errorf("the file has mode %v, want %v", got, want)
		}
	}
	ok(t, os.WriteFile(name+suffix, []byte("of a process that was killed"), 0o666))
	j, err := Open(name, c.config())
	ok(t, err)
	mode(0o600)
	ok(t, os.Chmod(name, 0o640))
	ok(t, tell(j, submitted(1)))
	before := j.Size()
	ok(t, j.Renew(restored))
	mode(0o640)
	if j.Size() >= before {
		t.Errorf("the journal has %d bytes, and had %d before it began anew", j.Size(), before)
	}
	for id := range policy.JobID(3) {
		ok(t, tell(j, submitted(2+id)))
	}
	size := j.Size()
	ok(t, j.Close())
	if info, err := os.Stat(name); err != nil || info.Size() != size {
		t.Errorf("closed, the file has %d bytes, error %v, want %d", info.Size(), err, size)
	}
	if _, err := j.Step(0, submitted(5), nil); err != errClosed {
		t.Errorf("closed, it has error %v", err)
	}
	if j, err = Open(name, c.config()); err != nil || *c != (tally{4, 2}) || j.Size() != size {
		t.Fatalf("got %+v, error %v, want 4 jobs, begun twice", *c, err)
	}
	ok(t, j.Close())
	if left, err := os.ReadDir(dir); err != nil || len(left) != beside+1 || left[0].Name() != "events" {
		t.Errorf("the directory has %v, error %v, want the journal and its lock", left, err)
	}
	if j, err := Open(filepath.Join(dir, "none", "events"), c.config()); j != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("where there is no directory: got error %v", err)
	}
	if j, err := Open(dir, c.config()); j != nil || err == nil {
		t.Error("a directory is opened")
	}
	ok(t, os.Truncate(name, 0))
	if j, err := Open(name, c.config()); j != nil || !errors.Is(err, ErrFormat) {
		t.Errorf("of an empty file: got error %v, want %v", err, ErrFormat)
	}
}

// A journal stays where it is, also if its name is a link, or the process goes to another directory.
func TestRenewInItsPlace(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	ok(t, errors.Join(os.Mkdir("disk", 0o777), os.Mkdir("elsewhere", 0o777)))
	c := new(tally)
	renew := func(name string) {
		t.Helper()
		j, err := Open(name, c.config())
		ok(t, err)
		t.Chdir(filepath.Join(dir, "elsewhere"))
		defer t.Chdir(dir)
		ok(t, errors.Join(j.Renew(restored), j.Close()))
	}
	renew(filepath.Join("disk", "events"))
	if err := os.Symlink(filepath.Join("disk", "events"), "link"); err != nil {
		t.Skip("there are no links here")
	}
	renew("link")
	if info, err := os.Lstat("link"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is none any more, error %v", err)
	}
	ok(t, os.Symlink(filepath.Join("disk", "none"), "dangling"))
	if j, err := Open("dangling", c.config()); j != nil || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), filepath.Join("disk", "none")) {
		t.Errorf("a link to no file: got error %v, want one that says where it leads", err)
	}
	if info, err := os.Lstat("dangling"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link to no file is none any more, error %v", err)
	}
	if c.Begun != 3 {
		t.Errorf("the journal has begun %d times, want 3", c.Begun)
	}
	for name, want := range map[string]int{"disk": beside + 1, "elsewhere": 0} {
		if files, err := os.ReadDir(name); err != nil || len(files) != want {
			t.Errorf("%s has %v, error %v, want %d files", name, files, err, want)
		}
	}
}
