package value

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// version is that of saved stores.
const version = 3

// A saved is a store as JSON. Efficiencies follow from the medians.
type saved struct {
	Version          int `json:"augur/value"`
	Templates, Users map[string]Profile
}

// Save writes s as JSON. [Load] reads a store with the same answers. Equal stores give equal bytes,
// about 200 for each profile. Bytes of names that are not UTF-8 are replaced. To replace an older file
// so that a killed process leaves one of the two whole, write another file in the same directory, sync
// it, rename it, and sync the directory. The error is that of w.
func (s *Store) Save(w io.Writer) error {
	if err := json.NewEncoder(w).Encode(saved{version, s.templates, s.users}); err != nil {
		return fmt.Errorf("value: %w", err)
	}
	return nil
}

// Load reads a store that [Store.Save] has written, to the end of r. The error is that of r, or says
// that the input is damaged, ends early, or has another version: build the store from its records
// again. Load takes memory in proportion to its input.
func Load(r io.Reader) (*Store, error) {
	in, all := json.NewDecoder(r), saved{}
	if err := in.Decode(&all); err != nil {
		return nil, fmt.Errorf("value: not a saved store: %w", err)
	}
	if all.Version != version {
		return nil, fmt.Errorf("value: not a saved store of this version: %d, want %d", all.Version, version)
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, errors.New("value: not a saved store: more follows")
	}
	for _, profiles := range []map[string]Profile{all.Templates, all.Users} {
		for name, p := range profiles {
			if err := p.check(); err != nil {
				return nil, fmt.Errorf("value: not a saved store: profile of %q: %w", name, err)
			}
			p.Own.Efficiency, p.Aggregate.Efficiency = p.Own.worth().Efficiency(), p.Aggregate.worth().Efficiency()
			profiles[name] = p
		}
	}
	return &Store{all.Templates, all.Users}, nil
}

// check returns an error if a profile cannot be that of any records.
func (p *Profile) check() error {
	r := Record{Valid: true, Own: p.Own.worth(), Aggregate: p.Aggregate.worth(), TimeToDependency: p.TimeToDependency}
	if err := r.check(); err != nil {
		return err
	}
	if p.Jobs < 1 || p.Valid < 0 || p.Valid > p.Jobs || p.WithDependents < 0 || p.WithDependents > p.Valid {
		return fmt.Errorf("%d jobs, %d of them valid and %d with dependents do not add up", p.Jobs, p.Valid, p.WithDependents)
	}
	return nil
}

func (s Summary) worth() Worth { return Worth{s.Value, s.Compute} }
