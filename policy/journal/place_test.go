package journal

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A record counts where it was written, and nowhere else.
func TestRecordsThatMovedAreNone(t *testing.T) {
	whole, steps := run(t, policies["fifo"], 5, 1)
	end := ends(t, whole.b)
	n := len(end) - 1
	record := func(i int) []byte { return whole.b[end[i]:end[i+1]] } // from 0
	i := 0
	for ; i < n-2 && (len(record(i)) != len(record(i+1)) || bytes.Equal(record(i), record(i+1))); i++ {
	}
	if i == n-2 {
		t.Fatal("no two records beside each other have the same length")
	}
	for _, test := range []struct {
		name string
		b    []byte
		want int // events that are left; -1: it is refused
	}{
		{"the last one twice", slices.Concat(whole.b, record(n-1)), n},
		{"the first one again at the end", slices.Concat(whole.b, record(0)), n},
		{"all of them again at the end", slices.Concat(whole.b, whole.b[end[0]:]), n},
		{"two swapped in the middle", slices.Concat(whole.b[:end[i]], record(i+1), record(i), whole.b[end[i+2]:]), -1},
		{"the last two swapped", slices.Concat(whole.b[:end[n-2]], record(n-1), record(n-2)), n - 2},
		{"one in the place of another one", slices.Concat(whole.b[:end[i]], record(i+1), whole.b[end[i+1]:]), -1},
	} {
		f := &memory{b: slices.Clone(test.b)}
		j, err := open(f, Config{New: policies["fifo"]})
		switch {
		case test.want < 0:
			if want := fmt.Sprintf("at byte %d,", end[i]); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) || !bytes.Equal(f.b, test.b) {
				t.Errorf("%s: got error %v, want %q and the file as it was", test.name, err, want)
			}
		case err != nil:
			t.Errorf("%s: %v", test.name, err)
		case j.events != test.want || j.cut != int64(len(test.b)-end[test.want]) || len(steps) != n:
			t.Errorf("%s: %d events of %d restored and %d bytes cut, want %d events", test.name, j.events, len(steps), j.cut, test.want)
		}
	}
}
