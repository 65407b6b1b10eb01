package value

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"unicode/utf8"
)

// version is that of saved stores.
const version = 4

// A saved is a store as JSON. CRC is that of the text of Profiles (IEEE).
type saved struct {
	Version  int `json:"augur/value"`
	CRC      uint32
	Profiles json.RawMessage
}

// learnt is what a store knows. Efficiencies follow from the medians.
type learnt struct{ Templates, Users map[string]Profile }

// Save writes s as JSON. [Load] reads a store with the same answers. Stores of the same profiles give equal bytes,
// 600 to 1,400 for each profile. To replace an older file so that a killed process leaves one of the two whole, write
// another file in the same directory, sync it, rename it, and sync the directory. The error is that of w, or names
// a template or user that is not UTF-8.
func (s *Store) Save(w io.Writer) error {
	all := learnt{map[string]Profile{}, map[string]Profile{}}
	maps.Copy(all.Templates, s.templates)
	maps.Copy(all.Users, s.users)
	for _, of := range []map[string]Profile{all.Templates, all.Users} {
		for name := range of {
			if !utf8.ValidString(name) {
				return fmt.Errorf("value: name %q is not UTF-8, so it cannot be saved", name)
			}
		}
	}
	text, err := json.Marshal(all)
	if err == nil {
		err = json.NewEncoder(w).Encode(saved{version, crc32.ChecksumIEEE(text), text})
	}
	if err != nil {
		return fmt.Errorf("value: %w", err)
	}
	return nil
}

// Load reads a store that [Store.Save] has written, to the end of r. The error is that of r, or says
// that the input is damaged, ends early, or has another version: build the store from its records
// again. Load takes memory in proportion to its input.
func Load(r io.Reader) (*Store, error) {
	in, file, all := json.NewDecoder(r), saved{}, learnt{}
	if err := in.Decode(&file); err != nil {
		return nil, fmt.Errorf("value: not a saved store: %w", err)
	}
	if file.Version != version {
		return nil, fmt.Errorf("value: not a saved store of this version: %d, want %d", file.Version, version)
	}
	if got := crc32.ChecksumIEEE(file.Profiles); got != file.CRC {
		return nil, fmt.Errorf("value: a saved store that is damaged: its checksum is %d, want %d", got, file.CRC)
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, errors.New("value: not a saved store: more follows")
	}
	if err := json.Unmarshal(file.Profiles, &all); err != nil {
		return nil, fmt.Errorf("value: not a saved store: %w", err)
	}
	for _, of := range []map[string]Profile{all.Templates, all.Users} {
		for name, p := range of {
			if err := p.check(); err != nil {
				return nil, fmt.Errorf("value: not a saved store: profile of %q: %w", name, err)
			}
			p.Own.Efficiency, p.Aggregate.Efficiency = p.Own.worth().Efficiency(), p.Aggregate.worth().Efficiency()
			of[name] = p
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
	s := &p.Spread
	for _, d := range []Deciles{s.Runtime, s.Compute, s.FanIn, s.FanOut, s.Downstream, s.TimeToDependency} {
		if !slices.IsSorted(d[:]) || d[0] < 0 || d[10] > MaxSum {
			return fmt.Errorf("deciles are %v, want increasing numbers from 0 to %v", d, MaxSum)
		}
	}
	return nil
}

func (s Summary) worth() Worth { return Worth{s.Value, s.Compute} }
