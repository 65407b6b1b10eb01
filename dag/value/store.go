package value

import (
	"fmt"
	"iter"
	"math"
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
	templates, users group
}

// A group holds profiles by name.
type group struct {
	names    []string // increasing
	profiles []Profile
	index    map[string]uint32
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
// It takes O(n log n) time, 12 bytes a record meanwhile, and afterwards some 150 bytes a profile.
func Build(records []Record, c Config) (*Store, error) {
	if int64(len(records)) > math.MaxInt32 {
		return nil, fmt.Errorf("value: %d records, want at most 2^31-1", len(records))
	}
	for i := range records {
		if err := records[i].check(); err != nil {
			return nil, fmt.Errorf("value: record %d: %w", i, err)
		}
	}
	s := &Store{ratios: c.MedianOfRatios}
	s.templates = build(records, s.ratios, func(r *Record) (string, bool) { return r.Template, r.Recurring })
	s.users = build(records, s.ratios, func(r *Record) (string, bool) { return r.User, !r.Recurring && r.User != "" })
	return s, nil
}

// build makes profiles of the records by the names that key gives some of them.
func build(records []Record, ratios bool, key func(r *Record) (name string, ok bool)) group {
	g := group{index: make(map[string]uint32)}
	const none = math.MaxUint32
	ids := make([]uint32, len(records))
	var count []uint32
	for i := range records {
		name, ok := key(&records[i])
		if !ok {
			ids[i] = none
			continue
		}
		id, seen := g.index[name]
		if !seen {
			id = uint32(len(g.names))
			name = strings.Clone(name) // which may be part of a large text
			g.index[name] = id
			g.names, count = append(g.names, name), append(count, 0)
		}
		ids[i] = id
		count[id]++
	}
	end := make([]uint32, len(count)) // of the records of each name; first their start
	total := uint32(0)
	for id, n := range count {
		end[id] = total
		total += n
	}
	sorted := make([]uint32, total)
	for i, id := range ids {
		if id != none {
			sorted[end[id]] = uint32(i)
			end[id]++
		}
	}
	slices.Sort(g.names)
	g.profiles = make([]Profile, len(g.names))
	m := medians{ratios: ratios}
	for i, name := range g.names {
		id := g.index[name]
		g.profiles[i] = m.profile(records, sorted[end[id]-count[id]:end[id]])
		g.index[name] = uint32(i)
	}
	return g
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
	p := s.lookup(template, user)
	if p == nil {
		return Summary{}, false
	}
	return p.Aggregate, true
}

// Direct is like Priority, but of the job alone: Wing-Direct of section 7.2.
func (s *Store) Direct(template, user string) (Summary, bool) {
	p := s.lookup(template, user)
	if p == nil {
		return Summary{}, false
	}
	return p.Own, true
}

// lookup returns nil if nothing is known.
func (s *Store) lookup(template, user string) *Profile {
	g := &s.templates
	i, ok := g.index[template]
	if !ok {
		g = &s.users
		i, ok = g.index[user]
	}
	if !ok || g.profiles[i].Known == 0 {
		return nil
	}
	return &g.profiles[i]
}

// Template returns what the jobs of a recurring template have been like, and false if it is not
// known.
func (s *Store) Template(name string) (Profile, bool) {
	i, ok := s.templates.index[name]
	if !ok {
		return Profile{}, false
	}
	return s.templates.profiles[i], true
}

// Templates yields all recurring templates by name.
func (s *Store) Templates() iter.Seq2[string, Profile] { return s.templates.all() }

// Users yields all users with ad-hoc jobs by name.
func (s *Store) Users() iter.Seq2[string, Profile] { return s.users.all() }

func (g *group) all() iter.Seq2[string, Profile] {
	return func(yield func(string, Profile) bool) {
		for i, name := range g.names {
			if !yield(name, g.profiles[i]) {
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
