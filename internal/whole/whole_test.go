package whole

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// onlyFile fails unless the directory has this file only.
func onlyFile(t *testing.T, name string) {
	t.Helper()
	left, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(left) != 1 || left[0].Name() != filepath.Base(name) {
		t.Errorf("the directory has %v, error %v, want only %s", left, err, filepath.Base(name))
	}
}

// While a file is written, and if that fails, the old one is there.
func TestWriteFileThatFails(t *testing.T) {
	name := filepath.Join(t.TempDir(), "snapshot")
	if err := os.WriteFile(name, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name+".1.new", []byte("of a process that was killed"), 0o666); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("cannot go on")
	err := WriteFile(name, func(w io.Writer) error {
		if _, err := io.WriteString(w, "ne"); err != nil {
			return err
		}
		if got := read(t, name); got != "old" {
			t.Errorf("while it is written the file has %q, want %q", got, "old")
		}
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("got error %v, want %v", err, failed)
	}
	if got := read(t, name); got != "old" {
		t.Errorf("the file has %q, want %q", got, "old")
	}
	if err := os.Remove(name + ".1.new"); err != nil { // which WriteFile leaves to whoever it is of
		t.Error(err)
	}
	onlyFile(t, name)
	dir := filepath.Join(t.TempDir(), "directory")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(dir, func(io.Writer) error { return nil }); err == nil {
		t.Error("a file was written in place of a directory")
	}
	onlyFile(t, dir)
	if err := WriteFile(filepath.Join(name, "x"), func(io.Writer) error { return nil }); err == nil {
		t.Error("a file was written below a file")
	}
}

// There is no telling from here whether a name would survive; but a directory that is not there has none.
func TestSyncDir(t *testing.T) {
	dir := t.TempDir()
	if err := SyncDir(dir); err != nil {
		t.Error(err)
	}
	if err := SyncDir(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) && runtime.GOOS != "windows" {
		t.Errorf("got error %v, want %v", err, os.ErrNotExist)
	}
}

// A file is as open to others as the one was that it replaces, and a new one to nobody else.
func TestMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it has no such modes")
	}
	name := filepath.Join(t.TempDir(), "snapshot")
	for _, want := range []os.FileMode{0o600, 0o640, 0o600, 0o644} {
		if _, err := os.Stat(name); err == nil {
			if err := os.Chmod(name, want); err != nil {
				t.Fatal(err)
			}
		}
		if err := WriteFile(name, func(io.Writer) error { return nil }); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("the file has mode %v, want %v", got, want)
		}
	}
}

// Of many that write one file at once each writes all of it.
func TestWritersAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "snapshot")
	var writing sync.WaitGroup
	for i := range 8 {
		text := strings.Repeat(string(rune('a'+i)), 10_000+1000*i)
		writing.Go(func() {
			for range 20 {
				if err := WriteFile(name, func(w io.Writer) error {
					for at := 0; at < len(text); at += 1000 {
						if _, err := io.WriteString(w, text[at:at+1000]); err != nil {
							return err
						}
					}
					return nil
				}); err != nil {
					t.Error(err)
				}
				b, err := os.ReadFile(name)
				if err != nil || len(b) != 10_000+1000*int(b[0]-'a') || strings.Trim(string(b), string(b[:1])) != "" {
					t.Errorf("the file has %d bytes, error %v, want those of one writer", len(b), err)
				}
			}
		})
	}
	writing.Wait()
	onlyFile(t, name)
}

// What killed writers have left goes an hour later, and nothing else does.
func TestLeftovers(t *testing.T) {
	name := filepath.Join(t.TempDir(), "snapshot")
	now := time.Now()
	for other, age := range map[string]time.Duration{".1.new": 2 * time.Hour, ".2.new": time.Minute, ".old": 2 * time.Hour, ".backup.new": 2 * time.Hour, "2.new": 2 * time.Hour} {
		if err := errors.Join(os.WriteFile(name+other, nil, 0o600), os.Chtimes(name+other, now, now.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteFile(name, func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(name + "*")
	if want := []string{name, name + ".2.new", name + ".backup.new", name + ".old", name + "2.new"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("the directory has %v, error %v, want %v", left, err, want)
	}
}
