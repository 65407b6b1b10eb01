package predict

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is in the file is there after a restart, and Save writes only what is new.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runtimes")
	config := Config{Features: []string{"kind"}}
	ann, now := Attrs{"kind": "ann"}, time.Unix(0, 0)
	open := func() *Predictor {
		t.Helper()
		p, err := Open(path, config)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := open()
	for _, step := range []struct {
		name   string
		do     func() error
		writes bool
	}{
		{"nothing was learned", func() error { return nil }, false},
		{"a job", func() error { return p.Observe(ann, 60, now) }, true},
		{"nothing since", func() error { return nil }, false},
		{"a job that failed", func() error { return p.ObserveCensored(ann, 60, now) }, true},
		{"a note", func() error { p.SetNote("until March"); return nil }, true},
		{"the same note", func() error { p.SetNote("until March"); return nil }, false},
		{"a restart", func() error { p = open(); return nil }, false},
		{"a job after it", func() error { return p.Observe(ann, 60, now) }, true},
		{"what is forgotten", func() error { p.Forget(ann, "kind"); return nil }, true},
		{"a snapshot of another", func() error {
			q, err := New(config)
			return errors.Join(err, p.Restore(strings.NewReader(string(snapshot(t, q)))))
		}, true},
	} {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if step.name == "a restart" {
			p.changes++
			if err := p.Save(); err != nil {
				t.Error(err)
			}
		}
		err := errors.Join(step.do())
		if step.name == "a restart" {
			if got := p.Note(); got != "until March" || p.Observed() != 2 {
				t.Errorf("after a restart the note is %q and %d jobs were observed", got, p.Observed())
			}
			err = errors.Join(err, os.Remove(path))
		}
		if err := errors.Join(err, p.Save()); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		if _, err := os.Stat(path); (err == nil) != step.writes {
			t.Errorf("%s: the file has error %v after Save, want it written: %v", step.name, err, step.writes)
		}
	}
}

// What a misspelt feature would lose is kept, and told at once.
func TestOpenOtherFeatures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runtimes")
	ann, now := Attrs{"kind": "ann", "size": "3"}, time.Unix(0, 0)
	for i, test := range []struct{ features, missing string }{{"kind", ""}, {"kidn", "kidn"}, {"kind", "kind"}} {
		p, err := Open(path, Config{Features: []string{test.features, "size"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.Missing(), " "); got != test.missing {
			t.Errorf("open %d misses %q, want %q", i, got, test.missing)
		}
		if err := errors.Join(p.Observe(ann, 60, now), p.Save(), p.Observe(ann, 60, now), p.Save()); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Open(path+".1", Config{Features: []string{"kind", "size"}})
	if err != nil || p.Observed() != 2 || p.Missing() != nil {
		t.Errorf("what was kept: error %v, %d observed, %q missing, want 2 and none", err, p.Observed(), p.Missing())
	}
	if names, _ := filepath.Glob(path + ".*"); len(names) != 2 {
		t.Errorf("files %q, want one for each change", names)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "runtimes")
	p, err := Open(path, Config{Features: []string{"kind"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Observe(Attrs{"kind": "a"}, 1, time.Unix(0, 0)), p.Save()); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		path string
		file []byte
		c    Config
		is   error
		want string
	}{
		{"damaged", path, whole[:len(whole)-1], Config{}, ErrFormat, "cannot use " + path + ": put a copy back, or remove the file"},
		{"empty", path, nil, Config{}, ErrFormat, path},
		{"of another configuration", path, whole, Config{HalfLife: time.Hour}, ErrConfig, "cannot use " + path + ": set the old value"},
		{"a bad configuration", path, whole, Config{Values: -1}, nil, "Values is -1"},
		{"no directory", filepath.Join(dir, "none", "runtimes"), nil, Config{}, os.ErrNotExist, "make it first"},
		{"a directory", dir, nil, Config{}, nil, dir},
	} {
		if test.path == path {
			if err := os.WriteFile(path, test.file, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(test.path, test.c); err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
	q, err := New(Config{})
	if err := errors.Join(err, q.Save()); err == nil || !strings.Contains(err.Error(), "Open") {
		t.Errorf("Save without a file has error %v", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Observe(Attrs{"kind": "a"}, 1, time.Unix(0, 0)), p.Save()); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("Save where the directory has gone has error %v", err)
	}
}
