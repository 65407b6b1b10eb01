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

func TestJoinRules(t *testing.T) {
	const T = 10
	for _, test := range []struct {
		name string
		ops  []provenance.Op
		want []provenance.Use
	}{
		{"nothing", nil, nil},
		{"J1: a read after a write", []provenance.Op{{1, 0, 7, W}, {2, 1, 7, R}}, []provenance.Use{{0, 1, 7, 2}}},
		{"J1: a read before a write", []provenance.Op{{1, 1, 7, R}, {2, 0, 7, W}}, nil},
		{"J1: at one instant the write is first", []provenance.Op{{1, 1, 7, R}, {1, 0, 7, W}}, []provenance.Use{{0, 1, 7, 1}}},
		{"J1: another file", []provenance.Op{{1, 0, 7, W}, {2, 1, 8, R}}, nil},
		{"J2: the last write", []provenance.Op{{1, 0, 7, W}, {2, 1, 7, W}, {3, 2, 7, R}, {4, 0, 7, W}}, []provenance.Use{{1, 2, 7, 3}}},
		{"J2: of writes at one instant the later row", []provenance.Op{{2, 2, 7, R}, {2, 1, 7, W}, {2, 0, 7, W}}, []provenance.Use{{0, 2, 7, 2}}},
		{"J2: a user's write", []provenance.Op{{1, 0, 7, W}, {2, U, 7, W}, {3, 2, 7, R}, {3, U, 7, R}}, nil},
		{"J3: as long ago as the window", []provenance.Op{{1, 0, 7, W}, {1 + T, 1, 7, R}}, []provenance.Use{{0, 1, 7, 1 + T}}},
		{"J3: longer ago", []provenance.Op{{1, 0, 7, W}, {2 + T, 1, 7, R}, {2 + T, U, 7, R}}, nil},
		{"J3: written again", []provenance.Op{{1, 0, 7, W}, {9, 1, 7, W}, {19, 2, 7, R}}, []provenance.Use{{1, 2, 7, 19}}},
		{"J4: of a younger job", []provenance.Op{{1, 2, 7, W}, {2, 1, 7, R}}, nil},
		{"J4: of one submitted at the same instant", []provenance.Op{{1, 2, 7, W}, {2, 3, 7, R}}, nil},
		{"J4: no falling back", []provenance.Op{{1, 0, 7, W}, {2, 2, 7, W}, {3, 1, 7, R}}, nil},
		{"J4: its own", []provenance.Op{{1, 1, 7, W}, {2, 1, 7, R}}, nil},
		{"a download, even of the youngest", []provenance.Op{{1, 3, 7, W}, {2, U, 7, R}}, []provenance.Use{{3, U, 7, 2}}},
		{"two readers", []provenance.Op{{1, 0, 7, W}, {2, 2, 7, R}, {2, 1, 7, R}, {2, 2, 7, R}},
			[]provenance.Use{{0, 2, 7, 2}, {0, 1, 7, 2}, {0, 2, 7, 2}}},
		{"the ends of time", []provenance.Op{{math.MinInt64, 0, 7, W}, {math.MinInt64, 1, 7, R}, {math.MaxInt64, 1, 7, R}},
			[]provenance.Use{{0, 1, 7, math.MinInt64}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := joined(t, test.ops, provenance.JoinConfig{Window: T, Submitted: provenance.SubmittedAt([]provenance.Time{0, 1, 2, 2})})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestJoinFindsWhatTheNaiveOneFinds(t *testing.T) {
	var uses, none, downloads, ties int
	for seed := range seeds(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		ops, submitted := randomLog(rng, 5+rng.IntN(120))
		window := time.Duration(1 + rng.IntN(30))
		c := provenance.JoinConfig{Window: window, Submitted: provenance.SubmittedAt(submitted)}
		want := naiveUses(ops, submitted, window)
		got := joined(t, ops, c)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: -want +got:\n%s", seed, diff)
		}
		// The generator reaches what the rules are about.
		uses += len(got)
		if len(got) == 0 {
			none++
		}
		ties += naiveTies(ops)
		for _, u := range got {
			if u.To == U {
				downloads++
			}
		}
		wantCounts(t, seed, ops, c, got)
	}
	if testing.Short() {
		return
	}
	if uses < 10000 || downloads < 1000 || ties < 1000 || none == 0 {
		t.Errorf("the generator is poor: %d uses, %d downloads, %d at the instant of the write, %d logs without", uses, downloads, ties, none)
	}
}

// wantCounts checks that every operation is counted once, and that flushing between instants
// changes nothing.
func wantCounts(t *testing.T, seed uint64, ops []provenance.Op, c provenance.JoinConfig, want []provenance.Use) {
	t.Helper()
	j, err := provenance.NewJoin(c)
	if err != nil {
		t.Fatal(err)
	}
	var got []provenance.Use
	for i, op := range ops {
		if got, err = j.Add(got, op); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if i+1 == len(ops) || ops[i+1].Time > op.Time {
			got = j.Flush(got)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("seed %d: with flushes: -want +got:\n%s", seed, diff)
	}
	n := j.Counts()
	if n.Writes+n.Uploads+n.Reads+n.Downloads != int64(len(ops)) || n.Reads != n.Depend+n.Own+n.Backward+n.Foreign ||
		n.Depend+n.Credited != int64(len(got)) {
		t.Fatalf("seed %d: counts do not add up for %d operations and %d uses: %+v", seed, len(ops), len(got), n)
	}
}

func TestJoinRefuses(t *testing.T) {
	submitted := provenance.SubmittedAt([]provenance.Time{0, 1})
	for _, c := range []provenance.JoinConfig{{}, {Window: -1, Submitted: submitted}} {
		if _, err := provenance.NewJoin(c); err == nil {
			t.Errorf("NewJoin(%+v): got no error", c)
		}
	}
	j, err := provenance.NewJoin(provenance.JoinConfig{Submitted: submitted})
	if err != nil {
		t.Fatal(err)
	}
	uses, err := j.Add(nil, provenance.Op{5, 0, 7, W})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		op   provenance.Op
		want string
	}{
		{provenance.Op{4, 1, 7, R}, "provenance: read of file 7 by job 1 at 4 ns comes after one at 5 ns"},
		{provenance.Op{4, U, 7, W}, "provenance: write of file 7 by a user at 4 ns comes after one at 5 ns"},
		{provenance.Op{9, 2, 7, R}, "provenance: read of file 7 by job 2 at 9 ns, which is no job"},
		{provenance.Op{9, 0, 7, 2}, "provenance: Kind(2) of file 7 by job 0 at 9 ns, want kind read or write"},
	} {
		if uses, err = j.Add(uses, test.op); err == nil || err.Error() != test.want {
			t.Errorf("%v: got error %v, want %s", test.op, err, test.want)
		}
	}
	// What was refused, one at 9 ns too, has left no trace.
	if uses, err = j.Add(uses, provenance.Op{6, 1, 7, R}); err != nil {
		t.Fatal(err)
	}
	uses = j.Flush(uses)
	if want := []provenance.Use{{0, 1, 7, 6}}; !slices.Equal(uses, want) {
		t.Errorf("got %v, want %v", uses, want)
	}
	const late = "provenance: write of file 7 by job 0 at 6 ns comes after one at 6 ns"
	if _, err = j.Add(nil, provenance.Op{6, 0, 7, W}); err == nil || err.Error() != late {
		t.Errorf("at an instant that was flushed: got error %v, want %s", err, late)
	}
	if _, err = j.Add(nil, provenance.Op{7, 0, 7, W}); err != nil {
		t.Error(err)
	}
}

// What was written longer ago than the window is forgotten, so memory does not grow.
func TestJoinForgets(t *testing.T) {
	j, err := provenance.NewJoin(provenance.JoinConfig{Window: 1000, Submitted: provenance.SubmittedAt([]provenance.Time{0, 1})})
	if err != nil {
		t.Fatal(err)
	}
	var uses []provenance.Use
	file := uint32(0)
	step := func() {
		now := provenance.Time(file) * 10
		if uses, err = j.Add(uses[:0], provenance.Op{now, 0, file, W}); err != nil {
			t.Fatal(err)
		}
		if uses, err = j.Add(uses, provenance.Op{now + 1, 1, file, R}); err != nil {
			t.Fatal(err)
		}
		file++
	}
	for range 10000 {
		step()
	}
	if allocs := testing.AllocsPerRun(10000, step); allocs != 0 {
		t.Errorf("got %v allocations an operation, want 0", allocs)
	}
}

func FuzzJoin(f *testing.F) {
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
		got := joined(t, ops, provenance.JoinConfig{Window: w, Submitted: provenance.SubmittedAt(submitted)})
		if diff := cmp.Diff(naiveUses(ops, submitted, w), got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
