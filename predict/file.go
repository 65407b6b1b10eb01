package predict

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"example.com/augur/internal/whole"
)

// Open returns a predictor that keeps what it learns in a file: it has learned what [Predictor.Save] wrote there, and nothing
// if there is no file. Call Save now and then, and at the end. One predictor at a time should have a file: of two the last to save wins.
//
// The error is that of [New], or names the file: it wraps [ErrFormat] if the file is damaged or of another version, and
// [ErrConfig] if it is of a predictor with another HalfLife or Window. Remove such a file to begin anew. If the Features differ, those that both
// have keep their histories, as in [Predictor.Restore]; if the file has others too, the first Save copies it to its name
// with .1 added, or the next number that is free, and nobody removes the copy. The directory must be there.
func Open(path string, c Config) (*Predictor, error) {
	p, err := New(c)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return nil, errors.New("predict: no name of a file: name one, or make the predictor by New")
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("predict: no directory for the file %q: make it first: %w", path, err)
	}
	p.file.path = path
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return nil, fmt.Errorf("predict: cannot open what was learned: %w", err)
	}
	defer f.Close()
	switch p.file.drops, err = p.restore(f); {
	case errors.Is(err, ErrConfig):
		return nil, fmt.Errorf("predict: cannot use %s: set the old value, or remove the file to begin anew: %w", path, err)
	case errors.Is(err, ErrFormat):
		return nil, fmt.Errorf("predict: cannot use %s: put a copy back, or remove the file to begin anew: %w", path, err)
	case err != nil:
		return nil, fmt.Errorf("predict: cannot read what was learned: %w", err)
	}
	p.file.saved = p.changes
	return p, nil
}

// A savedFile is where a predictor is saved.
type savedFile struct {
	mu    sync.Mutex // held while it is written, taken before that of the predictor
	path  string
	saved uint64 // Predictor.changes that the file has
	drops bool   // the file has features that the predictor has not
}

// Save writes to the file of [Open] what p has learned since the last Save, and does nothing if that is nothing. The file is written as
// a whole: whenever the process is killed, it has either the old or the new. Other goroutines may use p
// meanwhile, as with [Predictor.Snapshot]. The error names the file, or says that p was not made by Open.
func (p *Predictor) Save() error {
	f := &p.file
	if f.path == "" {
		return errors.New("predict: Save of a predictor that has no file: make it with Open, or write a Snapshot")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	p.mu.RLock()
	changes := p.changes
	p.mu.RUnlock()
	if changes == f.saved {
		return nil
	}
	if f.drops {
		if err := f.keep(); err != nil {
			return fmt.Errorf("predict: cannot keep what %s has of other features: %w", f.path, err)
		}
		f.drops = false
	}
	if err := whole.WriteFile(f.path, p.Snapshot); err != nil {
		return fmt.Errorf("predict: cannot save %s: %w", f.path, err)
	}
	f.saved = changes
	return nil
}

// keep copies the file to the first free one of FILE.1, FILE.2 and so on.
func (f *savedFile) keep() error {
	old, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	to := f.path
	for n := 1; err == nil; n++ {
		to = fmt.Sprint(f.path, ".", n)
		_, err = os.Lstat(to)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return whole.WriteFile(to, func(w io.Writer) error {
		_, err := w.Write(old)
		return err
	})
}

// SetNote keeps a text of the host beside what p has learned, in its snapshots and its file, such as the date up to which
// p has learned from a log; if it learns from each row once and in order, [Predictor.Observed] says that by itself. Observe and
// SetNote are two calls, so a snapshot taken between them has the old note.
func (p *Predictor) SetNote(note string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if note != p.note {
		p.note = note
		p.changes++
	}
}

// Note returns the last text of SetNote, also after [Open] or [Predictor.Restore]; "" if there is none.
func (p *Predictor) Note() string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.note
}
