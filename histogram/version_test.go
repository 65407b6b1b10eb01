package histogram

import (
	"bytes"
	"errors"
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
		"logmass": {200, 140.805, 480, 109.17724184357897, 0.47900982755548754},
		"gap":     {200, 140.805, 480, 108.02313828653249, 0.4749441544149231},
		"empty":   {},
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

// What is not of this version, is cut, or has bins that do not increase is refused.
func TestUnmarshalRefuses(t *testing.T) {
	good, _ := of(t, Config{Bins: 10, Join: JoinGap}, 1, 2, 3).MarshalBinary()
	swapped, _ := (&Histogram{limit: 10, bins: []float64{2, 1, 3, 1, 1, 1}[:3], moments: moments{3, 2, 0, 2, 1, 3}}).MarshalBinary()
	for name, b := range map[string][]byte{
		"nothing": nil, "another version": append([]byte{'H', version - 1}, good[2:]...), "cut": good[:len(good)-1],
		"more": append(slices.Clip(good), 0), "out of order": swapped,
	} {
		if err := new(Histogram).UnmarshalBinary(b); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: got error %v, want ErrFormat", name, err)
		}
	}
}
