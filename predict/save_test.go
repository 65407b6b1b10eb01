package predict_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/augur/predict"
)

func TestSaveAndLoad(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "history")
	config := predict.Config{Features: []string{"user"}}
	p, q := newPredictor(t, config), newPredictor(t, config)
	ann := predict.Attrs{"user": "ann"}
	if err := p.Load(name); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "predict: Load: ") {
		t.Errorf("no file: got error %v, want %v", err, fs.ErrNotExist)
	}
	for _, x := range []float64{5, 7} { // the second takes the place of the first
		observe(t, p, ann, x)
		if err := p.Save(name); err != nil {
			t.Fatal(err)
		}
		if err := q.Load(name); err != nil {
			t.Fatal(err)
		}
		if snapshot(q) != snapshot(p) {
			t.Errorf("after %v something else is loaded than was saved", x)
		}
	}
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}

	for n := range good {
		if err := os.WriteFile(name, good[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := q.Load(name); !errors.Is(err, predict.ErrFormat) || !strings.Contains(err.Error(), name) {
			t.Fatalf("cut to %d bytes: got error %v, want %v with the name of the file", n, err, predict.ErrFormat)
		}
	}
	if snapshot(q) != snapshot(p) {
		t.Error("a file that is cut has changed the predictor")
	}
	if err := q.Load(dir); err == nil {
		t.Error("a directory is loaded")
	}
	if err := q.Save(filepath.Join(dir, "none", "history")); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "predict: Save: ") {
		t.Errorf("no directory: got error %v, want %v", err, fs.ErrNotExist)
	}
	if names, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(names) != 1 {
		t.Errorf("there are files %v, error %v, want %s alone", names, err, name)
	}
}
