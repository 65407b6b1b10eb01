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
		if got, ok := newLocality(t, test.share).Pick(jobs); !ok || got != test.want {
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
func TestLocalityCounts(t *testing.T) {
	jobs := make([]Candidate, 100)
	for i := range jobs {
		jobs[i].Job = policy.JobID(i)
	}
	jobs[7].Local = 1
	if got, ok := newLocality(t, 0.07).Pick(jobs); !ok || got != 0 {
		t.Errorf("got %v, %v, want 0", got, ok)
	}
	if got, ok := newLocality(t, 0.071).Pick(jobs); !ok || got != 7 {
		t.Errorf("got %v, %v, want 7", got, ok)
	}
}

func TestLocalityStaysWithAJob(t *testing.T) {
	l := newLocality(t, 0.5)
	for step, test := range []struct {
		jobs []Candidate
		want policy.JobID
	}{
		{[]Candidate{{1, 0}, {2, 3}, {3, 9}, {4, 9}}, 2},
		{[]Candidate{{1, 9}, {3, 9}, {2, 0}, {4, 9}}, 2}, // has no local task any more
		{[]Candidate{{1, 9}, {3, 9}, {4, 9}}, 1},         // has no task that waits
		{nil, 0},
		{[]Candidate{{2, 0}, {1, 0}}, 2}, // begins anew
	} {
		got, ok := l.Pick(test.jobs)
		if got != test.want || ok != (len(test.jobs) > 0) {
			t.Errorf("step %d: got %v, %v, want %v", step, got, ok, test.want)
		}
	}
}
