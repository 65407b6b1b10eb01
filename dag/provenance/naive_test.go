package provenance_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
)

// naiveUses holds every read against every write.
func naiveUses(ops []provenance.Op, submitted []provenance.Time, window time.Duration) (uses []provenance.Use) {
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
			uses = append(uses, provenance.Use{From: w.Job, To: r.Job, File: w.File, Read: r.Time})
		}
	}
	return uses
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

// seeds returns how many random cases to try: with -short, a fifth of the given ones. What they reach
// is then not checked.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return n / 5
	}
	return n
}

// randomLog makes a log in order of time. Times, files and jobs are few, so that there are
// many ties.
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

func joined(t testing.TB, ops []provenance.Op, c provenance.JoinConfig) (uses []provenance.Use) {
	t.Helper()
	j, err := provenance.NewJoin(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range ops {
		if uses, err = j.Add(uses, op); err != nil {
			t.Fatal(err)
		}
	}
	return j.Flush(uses)
}
