package provenance_test

import (
	"cmp"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
)

func collect(ops iter.Seq2[provenance.Op, error]) (list []provenance.Op, err error) {
	for op, err := range ops {
		if err != nil {
			return list, err
		}
		list = append(list, op)
	}
	return list, nil
}

func byTime(a, b provenance.Op) int { return cmp.Compare(a.Time, b.Time) }

func TestMergeIsAStableSort(t *testing.T) {
	for seed := range seeds(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var sources []iter.Seq2[provenance.Op, error]
		var want []provenance.Op
		for range rng.IntN(7) {
			ops, _ := randomLog(rng, rng.IntN(30))
			sources = append(sources, provenance.Of(ops))
			want = append(want, ops...)
		}
		slices.SortStableFunc(want, byTime)
		got, err := collect(provenance.Merge(sources...))
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %v, error %v, want %v", seed, got, err, want)
		}
		some := 0
		for range provenance.Merge(sources...) { // that one may stop early
			if some++; some == 3 {
				break
			}
		}
	}
}

func TestMergeEndsWithTheErrorOfASource(t *testing.T) {
	broken := errors.New("broken")
	fails := func(yield func(provenance.Op, error) bool) {
		_ = yield(provenance.Op{Time: 5}, nil) && yield(provenance.Op{}, broken)
	}
	good := provenance.Of([]provenance.Op{{Time: 1}, {Time: 5, File: 1}, {Time: 9}})
	got, err := collect(provenance.Merge(good, fails))
	if len(got) != 3 || !errors.Is(err, broken) || err.Error() != "provenance: source 1: broken" {
		t.Errorf("got %d operations and error %v, want 3 and that source 1 is broken", len(got), err)
	}
	late := provenance.Of([]provenance.Op{{Time: 3}, {Time: 2}})
	got, err = collect(provenance.Merge(good, late))
	if want := "provenance: source 1: provenance: read of file 0 by job 0 at 2 ns comes after one at 3 ns"; len(got) != 2 || err == nil || err.Error() != want {
		t.Errorf("got %d operations and error %v, want 2 and %s", len(got), err, want)
	}
}

func TestInOrderIsAStableSort(t *testing.T) {
	moved := 0
	for seed := range seeds(500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		ops, _ := randomLog(rng, rng.IntN(60))
		lateness := rng.IntN(20)
		// An operation that comes where one stands that is later by at most the lateness is late by
		// no more.
		type late struct {
			op provenance.Op
			at provenance.Time
		}
		var shuffled []late
		for _, op := range ops {
			shuffled = append(shuffled, late{op, op.Time + provenance.Time(rng.IntN(lateness+1))})
		}
		slices.SortStableFunc(shuffled, func(a, b late) int { return cmp.Compare(a.at, b.at) })
		came := make([]provenance.Op, len(ops))
		for i, s := range shuffled {
			came[i] = s.op
		}
		if !slices.Equal(came, ops) {
			moved++
		}
		want := slices.Clone(came)
		slices.SortStableFunc(want, byTime)
		got, err := collect(provenance.InOrder(provenance.Of(came), time.Duration(lateness)))
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %v, error %v, want %v", seed, got, err, want)
		}
	}
	if moved < 250 && !testing.Short() {
		t.Errorf("only %d logs were out of order", moved)
	}
}

func TestInOrderRefusesWhatIsTooLate(t *testing.T) {
	ops := []provenance.Op{{Time: 10}, {Time: 20}, {Time: 15}, {Time: 14}, {Time: 30}}
	got, err := collect(provenance.InOrder(provenance.Of(ops), 5))
	want := []provenance.Op{{Time: 10}, {Time: 15}}
	const late = "provenance: read of file 0 by job 0 at 14 ns comes after one at 20 ns"
	if err == nil || err.Error() != late || !slices.Equal(got, want) {
		t.Errorf("got %v and error %v, want %v and %s", got, err, want, late)
	}
	if _, err := collect(provenance.InOrder(provenance.Of(nil), -1)); err == nil {
		t.Error("lateness -1: got no error")
	}
	ops = []provenance.Op{{Time: math.MinInt64}, {Time: math.MaxInt64}, {Time: math.MinInt64}}
	if got, err := collect(provenance.InOrder(provenance.Of(ops), math.MaxInt64)); len(got) != 1 || err == nil {
		t.Errorf("the ends of time: got %d operations and error %v, want 1 and an error", len(got), err)
	}
}
