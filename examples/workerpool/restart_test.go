package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/predict"
)

// life opens a pool with a file, runs a job of one kind and closes it. It returns what was expected of
// the job; 0 if nothing.
func life(t *testing.T, file string, takes time.Duration) time.Duration {
	t.Helper()
	b := open(t, Config{File: file})
	r := <-b.submit("a", "a", takes)
	b.want("a")
	if r.Err != nil || r.Known != (r.Predicted > 0) {
		t.Errorf("the job has %+v", r)
	}
	return r.Predicted
}

func cut(t *testing.T, name string) {
	t.Helper()
	info, err := os.Stat(name)
	if err == nil {
		err = os.Truncate(name, info.Size()/2)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

// The pool was closed in two lives, and then something happened to its files.
func TestDamage(t *testing.T) {
	for _, test := range []struct {
		name   string
		damage func(t *testing.T, file string)
		want   time.Duration // that is expected then; 0: it does not open
	}{
		{"nothing", func(t *testing.T, file string) {}, 2 * time.Second},
		{"cut while it was written", func(t *testing.T, file string) {
			b, err := os.ReadFile(file)
			if err == nil {
				err = os.WriteFile(file+".1.new", b[:len(b)/2], 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}, 2 * time.Second},
		{"stopped between the renames", func(t *testing.T, file string) {
			if err := errors.Join(os.Rename(file, file+".old"), os.WriteFile(file+".1.new", nil, 0o666)); err != nil {
				t.Fatal(err)
			}
		}, 2 * time.Second},
		{"cut", cut, time.Second},
		{"gone", remove, time.Second},
		{"old one cut", func(t *testing.T, file string) { cut(t, file+".old") }, 2 * time.Second},
		{"both cut", func(t *testing.T, file string) { cut(t, file); cut(t, file+".old") }, 0},
		{"cut and old one gone", func(t *testing.T, file string) { cut(t, file); remove(t, file+".old") }, 0},
		{"gone and old one cut", func(t *testing.T, file string) { remove(t, file); cut(t, file+".old") }, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "runtimes")
				life(t, file, time.Second)
				life(t, file, 3*time.Second)
				test.damage(t, file)
				if test.want > 0 {
					if got := life(t, file, time.Second); got != test.want {
						t.Errorf("%v is expected of the job, want %v", got, test.want)
					}
					cut(t, file) // what was put in its place, or left, is a good old one now
					if got := life(t, file, time.Second); got != test.want {
						t.Errorf("with the newest file cut %v is expected of the job, want %v as before", got, test.want)
					}
					return
				}
				p, err := Open(Config{Features: []string{"kind"}, File: file})
				if p != nil || !errors.Is(err, predict.ErrFormat) || !strings.Contains(err.Error(), file) {
					t.Errorf("Open has error %v, want %v, and the name of the file", err, predict.ErrFormat)
				}
			})
		})
	}
}

// A program that is killed loses what it has learned since the last snapshot, and no more.
func TestEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "runtimes")
		b := open(t, Config{File: file, Every: 3})
		for i := range 8 {
			b.teach(fmt.Sprint(i%2), time.Second)
		}
		synctest.Wait() // a snapshot is taken after a job has its result
		p, err := Open(Config{Features: []string{"kind"}, File: file})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.history.Observed(); got != 6 {
			t.Errorf("the next pool knows %d jobs, want 6 of 8", got)
		}
		b.want()
	})
}

// A pool that cannot save says so when it is closed, and runs its jobs.
func TestCannotSave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "gone")
		b := open(t, Config{File: filepath.Join(dir, "runtimes"), Every: 1})
		if r := <-b.submit("a", "a", time.Second); r.Err != nil {
			t.Error(r.Err)
		}
		if err := b.Close(); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("Close has error %v, want %v", err, os.ErrNotExist)
		}
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Errorf("closing it again has error %v, want what it knows to be saved", err)
		}
		if p, err := Open(Config{Features: []string{"kind"}, File: b.config.File}); err != nil || p.history.Observed() != 1 {
			t.Errorf("the next pool has error %v", err)
		}
	})
}

// A snapshot that cannot be written leaves those that there are as they are.
func TestFailedSaveLeavesFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "runtimes")
		life(t, file, time.Second)
		life(t, file, 3*time.Second)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		remove(t, file+".old")
		old := filepath.Join(file+".old", "a") // which is in the way
		if err := errors.Join(os.Mkdir(file+".old", 0o777), os.WriteFile(old, []byte("old"), 0o666)); err != nil {
			t.Fatal(err)
		}
		b := open(t, Config{File: file})
		b.teach("a", time.Second)
		if err := b.Close(); err == nil {
			t.Error("Close has no error")
		}
		for name, want := range map[string][]byte{file: before, old: []byte("old")} {
			if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s has changed, or error %v", name, err)
			}
		}
		if left, err := filepath.Glob(file + ".*.new"); err != nil || len(left) > 0 {
			t.Errorf("%v are left over, error %v, want nothing", left, err)
		}
	})
}

// What others may not read they may not read of the next snapshot, and pools that have the same file by mistake do
// not write into each other's.
func TestModeAndName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "runtimes")
		for _, want := range []os.FileMode{0o600, 0o640} {
			life(t, file, time.Second)
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("the file has mode %v, want %v", got, want)
			}
			if err := os.Chmod(file, 0o640); err != nil {
				t.Fatal(err)
			}
		}
		var saving sync.WaitGroup
		for range 4 {
			b := open(t, Config{File: file})
			saving.Go(func() {
				for range 20 {
					if err := b.Save(); err != nil && !errors.Is(err, os.ErrNotExist) {
						t.Error(err)
					}
				}
			})
		}
		saving.Wait()
		for _, name := range []string{file, file + ".old"} {
			p := &Pool{config: Config{File: name}}
			var err error
			if p.history, err = predict.New(predict.Config{Features: []string{"kind"}}); err != nil {
				t.Fatal(err)
			}
			if err := p.read(name); err != nil {
				t.Error(err)
			}
		}
		if left, err := filepath.Glob(file + ".*.new"); err != nil || len(left) > 0 {
			t.Errorf("%v are left over, error %v, want nothing", left, err)
		}
	})
}

// A file that cannot be read is an error, not a pool without history.
func TestCannotRead(t *testing.T) {
	dir := t.TempDir() // opened, but not read
	if p, err := Open(Config{Features: []string{"kind"}, File: dir}); err == nil || p != nil {
		t.Errorf("Open of a directory has error %v", err)
	}
}
