package value

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// A Profile summarises the jobs of a template, or the ad-hoc jobs of a user.
type Profile struct {
	Jobs             int // at least 1
	Valid            int // number of jobs that the fields below cover, as Record.Valid says
	Own, Aggregate   Summary
	WithDependents   int           // how many of these had their output read
	TimeToDependency time.Duration // median time from submission to that of the first reader; 0 if WithDependents is
}

// A Summary holds medians over jobs. The median of an even number of jobs is the mean of the middle two.
type Summary struct {
	Value, Compute float64 // separate medians; 0 of no jobs
	Efficiency     float64 `json:"-"` // value per compute time: the ratio of the medians, see Worth.Efficiency
}

// Build returns the store of the given records. Their order does not matter. Ad-hoc jobs without a user are ignored. The
// error names a record that is not allowed: amounts must be 0 to [MaxSum] and TimeToDependency not negative, if they are
// known, and a recurring job must have a Template. Build does not change records, and copies their names.
//
// It takes O(n log n) time. The store takes about 150 bytes per profile.
//
// # Source
//
// Wing, section 5. Section 6.3 has the median of ratios in place of the ratio of medians.
func Build(records []Record) (*Store, error) {
	templates, users := make(map[string][]*Record), make(map[string][]*Record)
	for i := range records {
		r := &records[i]
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("value: record %d: %w", i, err)
		}
		switch {
		case r.Recurring:
			templates[r.Template] = append(templates[r.Template], r)
		case r.User != "":
			users[r.User] = append(users[r.User], r)
		}
	}
	return &Store{profiles(templates), profiles(users)}, nil
}

// profiles summarises the records of each name.
func profiles(records map[string][]*Record) map[string]Profile {
	all := make(map[string]Profile, len(records))
	for name, some := range records {
		all[strings.Clone(name)] = newProfile(some) // the name may be part of a large text
	}
	return all
}

// newProfile summarises at least one record.
func newProfile(records []*Record) Profile {
	var own, aggregate []Worth
	var first []time.Duration
	for _, r := range records {
		if !r.Valid {
			continue
		}
		own, aggregate = append(own, r.Own), append(aggregate, r.Aggregate)
		if r.WithDependents || r.TimeToDependency > 0 {
			first = append(first, r.TimeToDependency)
		}
	}
	p := Profile{
		Jobs: len(records), Valid: len(own), Own: newSummary(own), Aggregate: newSummary(aggregate), WithDependents: len(first),
	}
	if p.WithDependents > 0 {
		lo, hi := middle(first)
		p.TimeToDependency = lo + (hi-lo)/2
	}
	return p
}

func newSummary(worths []Worth) Summary {
	if len(worths) == 0 {
		return Summary{}
	}
	var values, computes []float64
	for _, w := range worths {
		// Abs, since the order of the records would choose between 0 and -0
		values, computes = append(values, math.Abs(w.Value)), append(computes, math.Abs(w.Compute))
	}
	w := Worth{median(values), median(computes)}
	return Summary{w.Value, w.Compute, w.Efficiency()}
}

// median sorts numbers of at most MaxSum, and returns their median.
func median(xs []float64) float64 {
	lo, hi := middle(xs)
	return lo/2 + hi/2
}

// middle sorts xs and returns the middle two elements, which are the same if their number is odd.
func middle[T float64 | time.Duration](xs []T) (lo, hi T) {
	slices.Sort(xs)
	return xs[(len(xs)-1)/2], xs[len(xs)/2]
}

// Template returns the profile of a recurring template, and false if there is none.
func (s *Store) Template(name string) (Profile, bool) {
	p, ok := s.templates[name]
	return p, ok
}

// Templates yields all recurring templates by name. It sorts the names first.
func (s *Store) Templates() iter.Seq2[string, Profile] { return byName(s.templates) }

// Users yields all users with ad-hoc jobs by name. It sorts the names first.
func (s *Store) Users() iter.Seq2[string, Profile] { return byName(s.users) }

func byName(profiles map[string]Profile) iter.Seq2[string, Profile] {
	return func(yield func(string, Profile) bool) {
		for _, name := range slices.Sorted(maps.Keys(profiles)) {
			if !yield(name, profiles[name]) {
				return
			}
		}
	}
}
