package hopper

import (
	"math"
	"testing"

	"example.com/augur/policy"
)

func newLocality(t *testing.T, share float64) *Locality {
	t.Helper()
	l, err := NewLocality(share)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLocality(t *testing.T) {
	jobs := []Candidate{{1, 0}, {2, 2}, {3, 2}, {4, 9}}
	for _, test := range []struct {
		share float64
		want  policy.JobID
	}{
		{0, 1}, {0.25, 1}, {0.3, 2}, {0.5, 2}, {0.75, 2}, {0.76, 4}, {1, 4},
	} {
		l := newLocality(t, test.share)
		if got, ok := l.Pick(jobs[:l.Look(len(jobs))]); !ok || got != test.want {
			t.Errorf("share %v: got %v, %v, want %v", test.share, got, ok, test.want)
		}
	}
	if got, ok := newLocality(t, 1).Pick([]Candidate{{7, 0}, {6, 0}}); !ok || got != 7 {
		t.Errorf("none local: got %v, %v, want 7", got, ok)
	}
	for _, share := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := NewLocality(share); err == nil {
			t.Errorf("share %v: no error", share)
		}
	}
}

// Seven of a hundred jobs are 7 %, whatever 0.07 * 100 is.
func TestLocalityLooks(t *testing.T) {
	for _, test := range []struct {
		share         float64
		waiting, want int
	}{
		{0.07, 100, 7}, {0.071, 100, 8}, {0.03, 100, 3}, {0.03, 10, 1}, {0, 5, 1}, {1, 5, 5}, {0.5, 0, 0}, {0.5, -1, 0},
	} {
		if got := newLocality(t, test.share).Look(test.waiting); got != test.want {
			t.Errorf("%v of %d jobs: got %d, want %d", test.share, test.waiting, got, test.want)
		}
	}
}

func TestLocalityRemembers(t *testing.T) {
	l := newLocality(t, 0.5)
	if _, ok := l.Picked(); ok {
		t.Error("picked none, but has one")
	}
	if _, ok := l.Pick([]Candidate{{1, 0}, {2, 3}}); !ok {
		t.Error("none picked of two")
	}
	if got, ok := l.Picked(); !ok || got != 2 {
		t.Errorf("got %v, %v, want 2", got, ok)
	}
	if got, ok := l.Pick([]Candidate{{3, 0}, {4, 0}}); !ok || got != 3 {
		t.Errorf("none local: got %v, %v, want 3", got, ok)
	}
	if got, ok := l.Picked(); ok {
		t.Errorf("none local: picked %v", got)
	}
	if _, ok := l.Pick(nil); ok {
		t.Error("picked one of none")
	}
	if _, ok := l.Picked(); ok {
		t.Error("picked one of none, and has one")
	}
}
