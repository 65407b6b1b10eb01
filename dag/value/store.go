package value

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Config says how a Store is built. The zero Config is fine.
type Config struct {
	// MedianOfRatios: the Efficiency of a [Summary] is the median of value per compute time of each
	// job, as in section 6.3. Otherwise it is the ratio of the medians, as in section 5.
	MedianOfRatios bool
}

// A Store holds the values of past jobs, by template for recurring jobs and by user for ad-hoc
// jobs: Wing's WingStore. Build it from the records of a log, and build a new one every week or so,
// since dependencies change slowly. It is immutable, and so safe for concurrent use; [Live] replaces
// a store in use. The zero Store is empty.
//
// # Source
//
// Wing, sections 4.1 and 5.
type Store struct {
	ratios           bool // efficiencies are medians of these
	templates, users map[string]*Profile
}

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
	Jobs           int     // number of jobs; if 0, the rest is 0 too
	Value, Compute float64 // separate medians
	Efficiency     float64 // value per compute time, as Config says; +Inf if compute time is 0
}

// Build returns the store of the given records. Their order does not matter. Ad-hoc jobs without a
// user are ignored. The error names a record that is not allowed: amounts must be 0 to [MaxSum] and
// TimeToDependency not negative, if they are known, and a recurring job must have a Template. Build does not
// change records, and copies their names.
//
// It takes O(n log n) time. The store takes about 150 bytes per profile.
func Build(records []Record, c Config) (*Store, error) {
	for i := range records {
		if err := records[i].check(); err != nil {
			return nil, fmt.Errorf("value: record %d: %w", i, err)
		}
	}
	templates, users := make(map[string][]*Record), make(map[string][]*Record)
	for i := range records {
		switch r := &records[i]; {
		case r.Recurring:
			templates[r.Template] = append(templates[r.Template], r)
		case r.User != "":
			users[r.User] = append(users[r.User], r)
		}
	}
	return &Store{c.MedianOfRatios, profiles(templates, c.MedianOfRatios), profiles(users, c.MedianOfRatios)}, nil
}

// profiles summarises the records of each name.
func profiles(records map[string][]*Record, ratios bool) map[string]*Profile {
	all := make(map[string]*Profile, len(records))
	for name, some := range records {
		all[strings.Clone(name)] = newProfile(some, ratios) // the name may be part of a large text
	}
	return all
}

// Priority returns the aggregate worth of past jobs like one of the given template and user. Its
// Efficiency is Wing-Agg's priority. If the template is recurring, its jobs count, and otherwise the
// ad-hoc jobs of the user. Priority returns false if the worth of none of them is known; it does not
// fall back from a recurring template to its user. It takes one or two map look-ups and allocates
// nothing.
//
// # Source
//
// Wing, section 5.
func (s *Store) Priority(template, user string) (Summary, bool) {
	if p := s.lookup(template, user); p != nil {
		return p.Aggregate, true
	}
	return Summary{}, false
}

// Direct is like Priority, but without dependents: Wing-Direct of section 7.2.
func (s *Store) Direct(template, user string) (Summary, bool) {
	if p := s.lookup(template, user); p != nil {
		return p.Own, true
	}
	return Summary{}, false
}

// lookup returns nil if no worth is known.
func (s *Store) lookup(template, user string) *Profile {
	p := s.templates[template]
	if p == nil {
		p = s.users[user]
	}
	if p == nil || p.Valid == 0 {
		return nil
	}
	return p
}

// Template returns the profile of a recurring template, and false if there is none.
func (s *Store) Template(name string) (Profile, bool) {
	if p := s.templates[name]; p != nil {
		return *p, true
	}
	return Profile{}, false
}

// Templates yields all recurring templates by name. It sorts the names first.
func (s *Store) Templates() iter.Seq2[string, Profile] { return byName(s.templates) }

// Users yields all users with ad-hoc jobs by name. It sorts the names first.
func (s *Store) Users() iter.Seq2[string, Profile] { return byName(s.users) }

func byName(profiles map[string]*Profile) iter.Seq2[string, Profile] {
	return func(yield func(string, Profile) bool) {
		for _, name := range slices.Sorted(maps.Keys(profiles)) {
			if !yield(name, *profiles[name]) {
				return
			}
		}
	}
}

// Live holds the store in use. Any number of goroutines may read it while another one replaces it.
// No reader waits, and each sees either the old store or the new one. Make look-ups that belong
// together on the result of one Load. The zero Live holds an empty store. A Live must not be copied.
type Live struct{ p atomic.Pointer[Store] }

// Load returns the store in use, never nil.
func (l *Live) Load() *Store {
	if s := l.p.Load(); s != nil {
		return s
	}
	return &nothing
}

// Swap puts s into use and returns the store used before, never nil. A nil s means an empty store.
func (l *Live) Swap(s *Store) *Store {
	if old := l.p.Swap(s); old != nil {
		return old
	}
	return &nothing
}

var nothing Store

// Priority returns the Efficiency of [Store.Priority] of the store in use, the priority of Wing-Agg.
func (l *Live) Priority(template, user string) (efficiency float64, ok bool) {
	s, ok := l.Load().Priority(template, user)
	return s.Efficiency, ok
}

// Direct returns the Efficiency of [Store.Direct] of the store in use, the priority of Wing-Direct.
func (l *Live) Direct(template, user string) (efficiency float64, ok bool) {
	s, ok := l.Load().Direct(template, user)
	return s.Efficiency, ok
}
