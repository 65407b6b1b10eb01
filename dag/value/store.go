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
	// MedianOfRatios lets the Efficiency of a [Summary] be the median of each job's value per compute
	// time, as in section 6.3. Else it is the ratio of the medians, as in section 5.
	MedianOfRatios bool
}

// A Store holds what jobs have been worth, by template for recurring jobs and by user for ad-hoc
// ones: Wing's WingStore. It is built from the records of a log, and built anew every week or so,
// since what depends on what changes slowly. It is immutable, and so safe for concurrent use;
// see [Live] for how to replace one in use. The zero Store knows nothing.
//
// # Source
//
// Wing, sections 4.1 and 5.
type Store struct {
	ratios           bool // efficiencies are medians of these
	templates, users map[string]*Profile
}

// A Profile says what the jobs of a template, or the ad-hoc jobs of a user, have been like.
type Profile struct {
	Jobs           int // at least 1
	Known          int // how many of the jobs what follows is of, as Record.Known says
	Own, Aggregate Summary
	Followed       int           // of how many of these the output was read
	First          time.Duration // median time from submission to that of the first reader; 0 if none
}

// A Summary has the medians of some jobs. That of an even number is the mean of the middle two.
type Summary struct {
	Jobs           int     // how many; if 0, the rest is 0 too
	Value, Compute float64 // each the median of its own
	Efficiency     float64 // value per compute time, as the Config says; +Inf if compute time is 0
}

// Build returns the store of the given records, in any order: the same records give the same
// store. An ad-hoc job without user counts nowhere. The error names a record, of which amounts that are
// known must be 0 to [MaxSum], a recurring job have a Template and First not be negative. Records are
// left as they are; the store has copies of their names.
//
// It takes O(n log n) time, and afterwards some 150 bytes a profile.
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

// profiles sums up the records of each name.
func profiles(records map[string][]*Record, ratios bool) map[string]*Profile {
	all := make(map[string]*Profile, len(records))
	for name, some := range records {
		all[strings.Clone(name)] = newProfile(some, ratios) // the name may be part of a large text
	}
	return all
}

// Priority returns what jobs like one of a template and user have been worth together with all that
// depends on them; the Efficiency is Wing-Agg's priority. It goes by the other jobs of the template if
// that is recurring, and else by the ad-hoc jobs of the same user. It returns false if no worth is known
// of these: for a recurring template of which that is so, its user's ad-hoc jobs tell nothing. It takes
// the time of one or two map lookups and allocates nothing.
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

// Direct is like Priority, but of the job alone: Wing-Direct of section 7.2.
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
	if p == nil || p.Known == 0 {
		return nil
	}
	return p
}

// Template returns what the jobs of a recurring template have been like, and false if it is not
// known.
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

// Live holds the store in use. Any number of goroutines may read it while another one replaces it:
// none of them waits, and each sees either the old store or the new one, whole. So do several
// lookups that belong together on what one Load has returned. The zero Live holds a store that knows
// nothing. It must not be copied.
type Live struct{ p atomic.Pointer[Store] }

// Load returns the store in use, never nil.
func (l *Live) Load() *Store {
	if s := l.p.Load(); s != nil {
		return s
	}
	return &nothing
}

// Swap puts s into use, nil meaning a store that knows nothing, and returns the one before, never
// nil.
func (l *Live) Swap(s *Store) *Store {
	if old := l.p.Swap(s); old != nil {
		return old
	}
	return &nothing
}

var nothing Store

// Aggregate returns the value per compute time of jobs with all that depends on them, as
// [Store.Priority] of the store in use: what Wing-Agg goes by.
func (l *Live) Aggregate(template, user string) (efficiency float64, ok bool) {
	s, ok := l.Load().Priority(template, user)
	return s.Efficiency, ok
}

// Direct is like Aggregate, but of the job alone, as [Store.Direct]: what Wing-Direct goes by.
func (l *Live) Direct(template, user string) (efficiency float64, ok bool) {
	s, ok := l.Load().Direct(template, user)
	return s.Efficiency, ok
}
