package provenance_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
)

// A use is a read of a file by job to, or a user, which job from wrote.
type use struct {
	from, to, file uint32
	read           provenance.Time
}

// naiveUses holds every read against every write.
func naiveUses(ops []provenance.Op, submitted []provenance.Time, window time.Duration) (uses []use) {
	for _, r := range ops {
		if r.Kind != provenance.Read {
			continue
		}
		last := -1
		for i, w := range ops {
			if w.Kind == provenance.Write && w.File == r.File && w.Time <= r.Time && (last < 0 || w.Time >= ops[last].Time) {
				last = i
			}
		}
		if last < 0 {
			continue
		}
		w := ops[last]
		switch {
		case w.Job == provenance.User:
		case r.Time-w.Time > provenance.Time(window):
		case r.Job != provenance.User && submitted[w.Job] >= submitted[r.Job]:
		default:
			uses = append(uses, use{w.Job, r.Job, w.File, r.Time})
		}
	}
	return uses
}

// naivePairs counts uses by sorting them.
func naivePairs(uses []use) (deps []provenance.Dependency) {
	uses = slices.DeleteFunc(slices.Clone(uses), func(u use) bool { return u.to == U })
	slices.SortStableFunc(uses, func(a, b use) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.file, b.file))
	})
	for i, u := range uses {
		if i == 0 || u.from != uses[i-1].from || u.to != uses[i-1].to {
			deps = append(deps, provenance.Dependency{From: u.from, To: u.to, First: u.read})
		}
		d := &deps[len(deps)-1]
		if d.Files == 0 || u.file != uses[i-1].file {
			d.Files++
		}
		d.Reads++
		d.First = min(d.First, u.read)
	}
	return deps
}

// naiveDownloads are what users read, by job and time.
func naiveDownloads(uses []use) (downloads []provenance.Download) {
	for _, u := range uses {
		if u.to == provenance.User {
			downloads = append(downloads, provenance.Download{Job: u.from, Time: u.read})
		}
	}
	slices.SortFunc(downloads, func(a, b provenance.Download) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Time, b.Time))
	})
	return downloads
}

// naiveTies counts the reads of what is written at the same instant.
func naiveTies(ops []provenance.Op) (n int) {
	for _, r := range ops {
		if r.Kind == provenance.Read && slices.ContainsFunc(ops, func(w provenance.Op) bool {
			return w.Kind == provenance.Write && w.File == r.File && w.Time == r.Time
		}) {
			n++
		}
	}
	return n
}

// seeds returns how many random cases to try: with -short, a fifth of the given ones. What they reach is then not checked.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return n / 5
	}
	return n
}

// randomLog makes a log in order of time. Times, files and jobs are few, so that there are many ties.
func randomLog(rng *rand.Rand, n int) (ops []provenance.Op, submitted []provenance.Time) {
	jobs, files := 1+rng.IntN(12), 1+rng.IntN(8)
	for range jobs {
		submitted = append(submitted, provenance.Time(rng.IntN(10)))
	}
	longest := 1 + rng.IntN(4)
	now := provenance.Time(rng.IntN(100) - 50)
	for range n {
		if rng.IntN(3) == 0 {
			now += provenance.Time(rng.IntN(longest + 1))
		}
		if rng.IntN(40) == 0 {
			now += provenance.Time(rng.IntN(60))
		}
		op := provenance.Op{Time: now, Job: uint32(rng.IntN(jobs)), File: uint32(rng.IntN(files)), Kind: provenance.OpKind(rng.IntN(2))}
		if rng.IntN(6) == 0 {
			op.Job = provenance.User
		}
		ops = append(ops, op)
	}
	return ops, submitted
}
