package journal_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"example.com/augur/policy/journal"
)

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWriteFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "snapshot")
	for _, text := range []string{"first", "second, and longer", "3"} {
		err := journal.WriteFile(name, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, name); got != text {
			t.Errorf("the file has %q, want %q", got, text)
		}
	}
	if _, err := os.Stat(name + ".new"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the new file is left over: %v", err)
	}
}

// While a file is written, and if that fails, the old one is there.
func TestWriteFileThatFails(t *testing.T) {
	name := filepath.Join(t.TempDir(), "snapshot")
	if err := os.WriteFile(name, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name+".new", []byte("of a process that was killed"), 0o666); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("cannot go on")
	err := journal.WriteFile(name, func(w io.Writer) error {
		if _, err := io.WriteString(w, "ne"); err != nil {
			return err
		}
		if got := read(t, name); got != "old" {
			t.Errorf("while it is written the file has %q, want %q", got, "old")
		}
		if got := read(t, name+".new"); got != "ne" {
			t.Errorf("the new file has %q, want %q", got, "ne")
		}
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("got error %v, want %v", err, failed)
	}
	if got := read(t, name); got != "old" {
		t.Errorf("the file has %q, want %q", got, "old")
	}
	if _, err := os.Stat(name + ".new"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the new file is left over: %v", err)
	}
	dir := filepath.Dir(name)
	if err := journal.WriteFile(dir, func(io.Writer) error { return nil }); err == nil {
		t.Error("a file was written in place of a directory")
	}
	if _, err := os.Stat(dir + ".new"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the new file is left over: %v", err)
	}
	if err := journal.WriteFile(filepath.Join(name, "x"), func(io.Writer) error { return nil }); err == nil {
		t.Error("a file was written below a file")
	}
}

func TestRename(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, text := range []string{"1", "2"} { // with and without one that is in the way
		if err := errors.Join(os.WriteFile(from, []byte(text), 0o666), journal.Rename(from, to)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, to); got != text {
			t.Errorf("the file has %q, want %q", got, text)
		}
	}
	if err := journal.Rename(from, to); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got error %v, want %v", err, os.ErrNotExist)
	}
}
