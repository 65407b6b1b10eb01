package provenance_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag/provenance"
)

const (
	R, W = provenance.Read, provenance.Write
	U    = provenance.User
)

func foundOf(uses []use) *provenance.Lineage {
	return &provenance.Lineage{Dependencies: naivePairs(uses), Downloads: naiveDownloads(uses)}
}

func findRules(t *testing.T) {
	const T = 10
	for _, test := range []struct {
		name string
		ops  []provenance.Op
		want []use
	}{
		{"nothing", nil, nil},
		{"J1: a read after a write", []provenance.Op{{1, 0, 7, W}, {2, 1, 7, R}}, []use{{0, 1, 7, 2}}},
		{"J1: a read before a write", []provenance.Op{{1, 1, 7, R}, {2, 0, 7, W}}, nil},
		{"J1: at one instant the write is first", []provenance.Op{{1, 1, 7, R}, {1, 0, 7, W}}, []use{{0, 1, 7, 1}}},
		{"J1: another file", []provenance.Op{{1, 0, 7, W}, {2, 1, 8, R}}, nil},
		{"J2: the last write", []provenance.Op{{1, 0, 7, W}, {2, 1, 7, W}, {3, 2, 7, R}, {4, 0, 7, W}}, []use{{1, 2, 7, 3}}},
		{"J2: of writes at one instant the later row", []provenance.Op{{2, 2, 7, R}, {2, 1, 7, W}, {2, 0, 7, W}}, []use{{0, 2, 7, 2}}},
		{"J2: a user's write", []provenance.Op{{1, 0, 7, W}, {2, U, 7, W}, {3, 2, 7, R}, {3, U, 7, R}}, nil},
		{"J3: as long ago as the window", []provenance.Op{{1, 0, 7, W}, {1 + T, 1, 7, R}}, []use{{0, 1, 7, 1 + T}}},
		{"J3: longer ago", []provenance.Op{{1, 0, 7, W}, {2 + T, 1, 7, R}, {2 + T, U, 7, R}}, nil},
		{"J3: written again", []provenance.Op{{1, 0, 7, W}, {9, 1, 7, W}, {19, 2, 7, R}}, []use{{1, 2, 7, 19}}},
		{"J4: of a younger job", []provenance.Op{{1, 2, 7, W}, {2, 1, 7, R}}, nil},
		{"J4: of one submitted at the same instant", []provenance.Op{{1, 2, 7, W}, {2, 3, 7, R}}, nil},
		{"J4: no falling back", []provenance.Op{{1, 0, 7, W}, {2, 2, 7, W}, {3, 1, 7, R}}, nil},
		{"J4: its own", []provenance.Op{{1, 1, 7, W}, {2, 1, 7, R}}, nil},
		{"a download, even of the youngest", []provenance.Op{{1, 3, 7, W}, {2, U, 7, R}}, []use{{3, U, 7, 2}}},
		{"two readers", []provenance.Op{{1, 0, 7, W}, {2, 2, 7, R}, {2, 1, 7, R}, {2, 2, 7, R}},
			[]use{{0, 2, 7, 2}, {0, 1, 7, 2}, {0, 2, 7, 2}}},
		{"the ends of time", []provenance.Op{{math.MinInt64, 0, 7, W}, {math.MinInt64, 1, 7, R}, {math.MaxInt64, 1, 7, R}},
			[]use{{0, 1, 7, math.MinInt64}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := provenance.Find(test.ops, []provenance.Time{0, 1, 2, 2}, T)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(foundOf(test.want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func findAgainstNaive(t *testing.T) {
	var uses, none, downloads, ties, several int
	for seed := range seeds(2000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		ops, submitted := randomLog(rng, 5+rng.IntN(120))
		if seed%3 == 0 {
			rng.Shuffle(len(ops), func(i, k int) { ops[i], ops[k] = ops[k], ops[i] })
		}
		before := slices.Clone(ops)
		window := time.Duration(1 + rng.IntN(30))
		want := naiveUses(ops, submitted, window)
		got, err := provenance.Find(ops, submitted, window)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(foundOf(want), got); diff != "" {
			t.Fatalf("seed %d: -want +got:\n%s", seed, diff)
		}
		if !slices.Equal(ops, before) {
			t.Fatalf("seed %d: operations are in another order now", seed)
		}
		if g, err := got.Graph(len(submitted)); err != nil || g.Edges() != len(got.Dependencies) {
			t.Fatalf("seed %d: got error %v, want a graph with %d edges", seed, err, len(got.Dependencies))
		}
		n := 0
		for job := range uint32(len(submitted)) {
			for _, d := range got.Of(job) {
				if d.Job != job {
					t.Fatalf("seed %d: job %d has a download of job %d", seed, job, d.Job)
				}
				n++
			}
		}
		if n != len(got.Downloads) || len(got.Of(U)) > 0 {
			t.Fatalf("seed %d: jobs have %d downloads of %d", seed, n, len(got.Downloads))
		}
		// The generator reaches what the rules are about.
		uses, downloads, ties = uses+len(want), downloads+n, ties+naiveTies(ops)
		if len(want) == 0 {
			none++
		}
		for _, d := range got.Dependencies {
			if d.Files > 1 && d.Reads > d.Files {
				several++
			}
		}
	}
	if !testing.Short() && (uses < 10000 || downloads < 1000 || ties < 1000 || several < 100 || none == 0) {
		t.Errorf("the generator is poor: %d uses, %d downloads, %d at the instant of the write, %d pairs of several files, %d logs without",
			uses, downloads, ties, several, none)
	}
}

func TestFindRefuses(t *testing.T) {
	submitted := []provenance.Time{0, 1}
	for _, test := range []struct {
		window time.Duration
		op     provenance.Op
		want   string
	}{
		{-1, provenance.Op{5, 0, 7, W}, "provenance: Window is -1ns, want above 0, or 0 for 30 days"},
		{0, provenance.Op{9, 2, 7, R}, "provenance: operation 0 is by job 2, want a job below 2, or User"},
		{0, provenance.Op{9, 0, 7, 2}, "provenance: operation 0 is of kind 2, want Read or Write"},
	} {
		if found, err := provenance.Find([]provenance.Op{test.op}, submitted, test.window); found != nil || err == nil || err.Error() != test.want {
			t.Errorf("%v: got error %v, want %s", test.op, err, test.want)
		}
	}
	const month = provenance.Time(30 * 24 * time.Hour)
	for at, want := range map[provenance.Time]int{month: 1, month + 1: 0} {
		if found, err := provenance.Find([]provenance.Op{{0, 0, 7, W}, {at, 1, 7, R}}, submitted, 0); err != nil || len(found.Dependencies) != want {
			t.Errorf("a read after %d ns: got %v and error %v, want %d dependencies", at, found, err, want)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, uint8(3))
	f.Add([]byte{0x80, 0, 0x81, 1, 0x42, 2, 0xff, 0xff}, uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, window uint8) {
		if len(data) > 600 {
			return
		}
		submitted := []provenance.Time{0, 3, 3, 9, 12, 1, 0}
		var ops []provenance.Op
		now := provenance.Time(-20)
		for i := 0; i+1 < len(data); i += 2 {
			now += provenance.Time(data[i] >> 5)
			op := provenance.Op{Time: now, Job: uint32(data[i] & 7), File: uint32(data[i+1] & 15), Kind: provenance.OpKind(data[i+1] >> 7)}
			if op.Job == 7 {
				op.Job = U
			}
			ops = append(ops, op)
		}
		w := time.Duration(window) + 1
		got, err := provenance.Find(ops, submitted, w)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(foundOf(naiveUses(ops, submitted, w)), got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
