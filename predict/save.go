package predict

import (
	"fmt"
	"os"

	"example.com/augur/internal/whole"
)

// Save writes a [Predictor.Snapshot] to a file as a whole: whenever the process is killed or the power fails, the
// file has either what it had before or the new snapshot. While it writes there is another file in the same directory, whose
// name begins with NAME. and ends in .new; it is left there if the process is killed. A new file is for its owner only, and
// one that is replaced keeps its mode. A link is replaced, not followed. If there is an error the file is as it
// was, unless only the directory could not be synced.
func (p *Predictor) Save(name string) error {
	if err := whole.WriteFile(name, p.Snapshot); err != nil {
		return fmt.Errorf("predict: Save: %w", err)
	}
	return nil
}

// Load replaces all that p has learned by the snapshot in a file, as [Predictor.Restore] does. If there is an error p is as
// it was. The error wraps [io/fs.ErrNotExist] if there is no such file, as when a program starts for the first time.
func (p *Predictor) Load(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("predict: Load: %w", err)
	}
	defer f.Close()
	if err := p.Restore(f); err != nil {
		return fmt.Errorf("predict: Load %s: %w", name, err)
	}
	return nil
}
