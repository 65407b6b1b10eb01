package histogram

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The files of testdata, of 200 values in 12 bins, say what they said when they were written, and are written as they are:
// who changes what is written changes the version too.
func TestFilesOfThisVersion(t *testing.T) {
	type answers struct{ count, mean, largest, median, below100 float64 }
	for name, want := range map[string]answers{
		"full":  {200, 140.805, 480, 109.17724184357897, 0.47900982755548754},
		"empty": {},
	} {
		b, err := os.ReadFile(filepath.Join("testdata", name+".v2"))
		if err != nil {
			t.Fatal(err)
		}
		var h Histogram
		if err := h.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		if again, err := h.MarshalBinary(); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%s is written as %x, error %v, want %x", name, again, err, b)
		}
		if name == "empty" {
			continue
		}
		if got := (answers{h.Count(), h.Mean(), h.Max(), h.Quantile(0.5), h.CDF(100)}); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func unmarshalRefuses(t *testing.T) {
	good, _ := of(t, Config{Bins: 10}, 1, 2, 3).MarshalBinary()
	swapped, _ := (&Histogram{limit: 10, bins: []bin{{2, 1}, {1, 1}, {3, 1}}, moments: moments{3, 2, 0, 2, 1, 3}}).MarshalBinary()
	gap := slices.Clone(good)
	gap[2] = 1
	for name, b := range map[string][]byte{
		"nothing": nil, "another version": append([]byte{'H', version - 1}, good[2:]...), "cut": good[:len(good)-1],
		"more": append(slices.Clip(good), 0), "out of order": swapped,
		"another join rule": gap,
	} {
		if err := new(Histogram).UnmarshalBinary(b); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: got error %v, want ErrFormat", name, err)
		}
	}
}

// Moments and bins that could not have come about together are refused, whatever number shows it.
func TestMomentsCheck(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		m    moments
		want bool
	}{
		{moments{count: 2, origin: 1, sum: 1, squares: 1, min: 1, max: 2}, true},
		{moments{count: 2, origin: 1, squares: inf, min: 1, max: 2}, true}, // as of the largest numbers
		{moments{count: 3, origin: 1, sum: 1, squares: 1, min: 1, max: 2}, false},
		{moments{count: nan, origin: 1, sum: 1, squares: 1, min: 1, max: 2}, false},
		{moments{count: 2, origin: 3, sum: 1, squares: 1, min: 1, max: 2}, false},
		{moments{count: 2, origin: nan, sum: 1, squares: 1, min: 1, max: 2}, false},
		{moments{count: 2, origin: 1, sum: inf, squares: 1, min: 1, max: 2}, false},
		{moments{count: 2, origin: 1, sum: nan, squares: 1, min: 1, max: 2}, false},
		{moments{count: 2, origin: 1, sum: 1, squares: -1, min: 1, max: 2}, false},
		{moments{count: 2, origin: 1, sum: 1, squares: nan, min: 1, max: 2}, false},
		{moments{count: 2, origin: 1, sum: 1, squares: inf, min: 1, max: 2}, false},
		{moments{count: 2, origin: 1, sum: 1, squares: 1, min: 1.5, max: 2}, false},
		{moments{count: 2, origin: 1, sum: 1, squares: 1, min: 1, max: inf}, false},
	} {
		if err := test.m.check([]bin{{1, 1}, {2, 1}}); (err == nil) != test.want {
			t.Errorf("%+v of the values 1 and 2: error %v, want none: %v", test.m, err, test.want)
		}
	}
}
