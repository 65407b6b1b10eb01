package provenance_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	cmpx "github.com/google/go-cmp/cmp"

	"example.com/augur/dag/provenance"
)

// naivePairs counts uses by sorting them.
func naivePairs(uses []provenance.Use) (deps []provenance.Dependency) {
	uses = slices.DeleteFunc(slices.Clone(uses), func(u provenance.Use) bool { return u.To == U })
	slices.SortStableFunc(uses, func(a, b provenance.Use) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.File, b.File))
	})
	for i, u := range uses {
		if i == 0 || u.From != uses[i-1].From || u.To != uses[i-1].To {
			deps = append(deps, provenance.Dependency{From: u.From, To: u.To, First: u.Read})
		}
		d := &deps[len(deps)-1]
		if d.Files == 0 || u.File != uses[i-1].File {
			d.Files++
		}
		d.Reads++
		d.First = min(d.First, u.Read)
	}
	return deps
}

func TestFindCountsPairsAndDownloads(t *testing.T) {
	several := 0
	for seed := range seeds(500) {
		rng := rand.New(rand.NewPCG(seed, 4))
		ops, submitted := randomLog(rng, 5+rng.IntN(200))
		window := time.Duration(1 + rng.IntN(40))
		c := provenance.JoinConfig{Window: window, Submitted: provenance.SubmittedAt(submitted)}
		found, err := provenance.Find(provenance.Of(ops), c)
		if err != nil {
			t.Fatal(err)
		}
		uses := naiveUses(ops, submitted, window)
		want := naivePairs(uses)
		if diff := cmpx.Diff(want, found.Dependencies); diff != "" {
			t.Fatalf("seed %d: dependencies: -want +got:\n%s", seed, diff)
		}
		for _, d := range want {
			if d.Files > 1 && d.Reads > d.Files {
				several++
			}
		}
		downloads := 0
		for job := range uint32(len(submitted)) {
			var times []provenance.Time
			for _, u := range uses {
				if u.To == U && u.From == job {
					times = append(times, u.Read)
				}
			}
			var got []provenance.Time
			for _, d := range found.Of(job) {
				got = append(got, d.Time)
			}
			if !slices.Equal(got, times) {
				t.Fatalf("seed %d: downloads of job %d: got %v, want %v", seed, job, got, times)
			}
			downloads += len(got)
		}
		if downloads != len(found.Downloads) || len(found.Of(U)) > 0 {
			t.Fatalf("seed %d: jobs have %d downloads of %d", seed, downloads, len(found.Downloads))
		}
		if g, err := found.Graph(len(submitted)); err != nil || g.Edges() != len(want) {
			t.Fatalf("seed %d: got error %v, want a graph with %d edges", seed, err, len(want))
		}
	}
	if several < 100 && !testing.Short() {
		t.Errorf("the generator is poor: %d pairs of several files and more reads", several)
	}
}

func TestPairsSaysWhichAreNew(t *testing.T) {
	var p provenance.Pairs
	var firsts []bool
	for _, u := range []provenance.Use{{0, 1, 7, 2}, {0, 1, 7, 3}, {0, U, 7, 3}, {0, 2, 7, 3}, {0, 1, 8, 1}} {
		firsts = append(firsts, p.Add(u))
	}
	if want := []bool{true, false, false, true, false}; !slices.Equal(firsts, want) {
		t.Errorf("got %v, want %v", firsts, want)
	}
}
