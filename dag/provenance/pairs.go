package provenance

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"example.com/augur/dag"
)

// A Dependency says that job To read what job From wrote.
type Dependency struct {
	From, To uint32
	Files    uint32 // how many files
	Reads    uint32 // how many times, at least Files; no more than 2^32-1 is counted
	First    Time   // when first
}

// Pairs counts uses by the pair of jobs. The zero Pairs is empty and ready for use. It takes
// about 60 bytes a pair, and 30 more for each file of a pair but the first.
type Pairs struct {
	index map[uint64]uint32
	list  []Dependency
	first []uint32 // file of each
	files map[[2]uint32]struct{}
}

// Add counts a use, and reports whether it is the first of its pair of jobs: add those to
// have each dependency once, as it is found. Downloads are no dependencies, and left out.
func (p *Pairs) Add(u Use) (first bool) {
	if u.To == User {
		return false
	}
	key := uint64(u.From)<<32 | uint64(u.To)
	i, ok := p.index[key]
	if !ok {
		if p.index == nil {
			p.index = make(map[uint64]uint32)
		}
		p.index[key] = uint32(len(p.list))
		p.list = append(p.list, Dependency{u.From, u.To, 1, 1, u.Read})
		p.first = append(p.first, u.File)
		return true
	}
	d := &p.list[i]
	d.First = min(d.First, u.Read)
	if d.Reads < math.MaxUint32 {
		d.Reads++
	}
	if u.File == p.first[i] {
		return false
	}
	file := [2]uint32{i, u.File}
	if _, ok := p.files[file]; !ok {
		if p.files == nil {
			p.files = make(map[[2]uint32]struct{})
		}
		p.files[file] = struct{}{}
		d.Files++
	}
	return false
}

// A Download is one of a file that a job wrote.
type Download struct {
	Job  uint32 // that wrote the file
	Time Time   // when the user read it
}

// Found is what a log tells of the jobs in it.
type Found struct {
	Dependencies []Dependency // by From, and then by To
	Downloads    []Download   // by Job, and then by Time
	Counts       Counts
}

// Find goes through a log in order of time. The error is that of the log, or of [Join]. It
// takes O(n log n) time for n operations. What [Join] and [Pairs] hold it holds too.
func Find(ops iter.Seq2[Op, error], c JoinConfig) (*Found, error) {
	j, err := NewJoin(c)
	if err != nil {
		return nil, err
	}
	var (
		f     Found
		pairs Pairs
		uses  []Use
	)
	take := func() {
		for _, u := range uses {
			if u.To == User {
				f.Downloads = append(f.Downloads, Download{u.From, u.Read})
			} else {
				pairs.Add(u)
			}
		}
		uses = uses[:0]
	}
	for op, err := range ops {
		if err != nil {
			return nil, err
		}
		if uses, err = j.Add(uses, op); err != nil {
			return nil, err
		}
		take()
	}
	uses = j.Flush(uses)
	take()
	f.Counts = j.Counts()
	f.Dependencies = byNumber(pairs.list, func(d *Dependency) uint32 { return d.From })
	for from := 0; from < len(f.Dependencies); {
		of := f.Dependencies[from:]
		n := 1
		for n < len(of) && of[n].From == of[0].From {
			n++
		}
		slices.SortFunc(of[:n], func(a, b Dependency) int { return cmp.Compare(a.To, b.To) })
		from += n
	}
	// What users do is found in order of time.
	f.Downloads = byNumber(f.Downloads, func(d *Download) uint32 { return d.Job })
	return &f, nil
}

// Of returns the downloads of what a job wrote, by time. It takes O(log n) time.
func (f *Found) Of(job uint32) []Download {
	at := func(job uint64) int {
		i, _ := slices.BinarySearchFunc(f.Downloads, job, func(d Download, job uint64) int {
			return cmp.Compare(uint64(d.Job), job)
		})
		return i
	}
	lo, hi := at(uint64(job)), at(uint64(job)+1)
	return f.Downloads[lo:hi:hi]
}

// Graph returns the dependencies as a graph over so many jobs, whose numbers are below that. The
// error, of [dag.New], says which number is not.
func (f *Found) Graph(jobs int) (*dag.Graph, error) {
	edges := make([]dag.Edge, len(f.Dependencies))
	for i, d := range f.Dependencies {
		edges[i] = dag.Edge{From: d.From, To: d.To}
	}
	return dag.New(jobs, edges)
}
