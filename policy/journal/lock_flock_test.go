//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package journal

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.com/augur/policy"
)

// locks is whether there are any.
const locks = true

// A journal is open once at a time: from Open on, through a Renew, until it is closed, or until Open or Renew fail.
func TestOpenOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "events")
	failed := errors.New("no such policy")
	c := new(tally)
	refused := func(when string) {
		t.Helper()
		j, err := Open(name, new(tally).config())
		if !errors.Is(err, ErrOpen) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got error %v, want %v", when, err, ErrOpen)
		}
		if j != nil {
			t.Error(j.Close())
		}
	}
	open := func(n int) *Journal {
		t.Helper()
		j, err := Open(name, c.config())
		ok(t, err)
		if c.N != n {
			t.Errorf("%d jobs are restored, want %d", c.N, n)
		}
		return j
	}
	step := func(j *Journal) {
		t.Helper()
		ok(t, tell(j, submitted(policy.JobID(c.N+1))))
		ok(t, j.Sync())
	}
	if _, err := Open(name, Config{New: func(map[string][]byte) (policy.Scheduler, error) { return nil, failed }}); !errors.Is(err, failed) {
		t.Errorf("got error %v, want %v", err, failed)
	}
	j := open(0)
	refused("just begun")
	step(j)
	ok(t, j.Renew(func(next *Journal) error {
		refused("amid being renewed")
		return tell(next, &policy.Event{Kind: policy.Restored, Time: 1})
	}))
	refused("renewed")
	step(j)
	ok(t, j.Close())
	j = open(2)
	refused("opened again")
	if err := j.Renew(func(*Journal) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("got error %v, want %v", err, failed)
	}
	refused("not renewed")
	if err := j.Close(); !errors.Is(err, failed) {
		t.Errorf("got error %v, want %v", err, failed)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = Open(name, Config{New: func(map[string][]byte) (policy.Scheduler, error) { panic(failed) }})
	}()
	j = open(2)
	step(j)
	ok(t, j.Close())
}

// A journal that is closed can be opened though a process is being started, which has all open files until it
// begins its own program.
func TestOpenWhileAProcessStarts(t *testing.T) {
	name := filepath.Join(t.TempDir(), "events")
	j, err := Open(name, new(tally).config())
	ok(t, err)
	forked, err := syscall.Dup(int(j.lock.(interface{ Fd() uintptr }).Fd()))
	ok(t, err)
	defer syscall.Close(forked)
	ok(t, j.Close())
	if j, err = Open(name, new(tally).config()); err != nil {
		t.Fatal(err)
	}
	ok(t, j.Close())
}
