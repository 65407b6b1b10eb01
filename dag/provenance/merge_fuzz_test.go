package provenance_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
)

// Whatever the instants, operations come out as a stable sort has them, or one of them is too late.
func FuzzInOrder(f *testing.F) {
	add := func(lateness int64, times ...int64) {
		var b []byte
		for _, t := range times {
			b = binary.LittleEndian.AppendUint64(b, uint64(t))
		}
		f.Add(lateness, b)
	}
	add(2, 1, 3, 1, 2, 2, 4)
	add(math.MaxInt64, math.MaxInt64, 0, 1, math.MaxInt64)
	add(math.MaxInt64, math.MinInt64, math.MaxInt64, math.MinInt64)
	add(0, 5, 5, 4)
	f.Fuzz(func(t *testing.T, lateness int64, b []byte) {
		var ops []provenance.Op
		for ; len(b) >= 8; b = b[8:] {
			ops = append(ops, provenance.Op{Time: provenance.Time(binary.LittleEndian.Uint64(b)), File: uint32(len(ops))})
		}
		good := lateness >= 0
		latest := provenance.Time(math.MinInt64)
		for _, op := range ops {
			latest = max(latest, op.Time)
			good = good && uint64(latest)-uint64(op.Time) <= uint64(lateness)
		}
		want := slices.Clone(ops)
		slices.SortStableFunc(want, byTime)
		got, err := collect(provenance.InOrder(provenance.Of(ops), time.Duration(lateness)))
		if (err == nil) != good || good && !slices.Equal(got, want) {
			t.Fatalf("%v, late by at most %d, are %v, %v, want %v", ops, lateness, got, err, want)
		}

		// In three sources, each in order or refused.
		sources := [3][]provenance.Op{}
		for i, op := range ops {
			sources[i%3] = append(sources[i%3], op)
		}
		good, want = true, nil
		for _, s := range sources {
			good = good && slices.IsSortedFunc(s, byTime)
			want = append(want, s...)
		}
		slices.SortStableFunc(want, byTime)
		got, err = collect(provenance.Merge(provenance.Of(sources[0]), provenance.Of(sources[1]), provenance.Of(sources[2])))
		if (err == nil) != good || good && !slices.Equal(got, want) {
			t.Fatalf("%v merged are %v, %v, want %v", sources, got, err, want)
		}
	})
}
