package hopper

import (
	"testing"

	"example.com/augur/policy"
)

func TestLocality(t *testing.T) {
	jobs := []candidate{{1, 0}, {2, 2}, {3, 2}, {4, 9}}
	for _, test := range []struct {
		share float64
		want  policy.JobID
	}{
		{0, 1}, {0.25, 1}, {0.3, 2}, {0.5, 2}, {0.75, 2}, {0.76, 4}, {1, 4},
	} {
		l := locality{share: test.share}
		if got := l.pick(jobs[:l.look(len(jobs))]); got != test.want {
			t.Errorf("share %v: got %v, want %v", test.share, got, test.want)
		}
	}
	if got := new(locality).pick([]candidate{{7, 0}, {6, 0}}); got != 7 {
		t.Errorf("none local: got %v, want 7", got)
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
		l := locality{share: test.share}
		if got := l.look(test.waiting); got != test.want {
			t.Errorf("%v of %d jobs: got %d, want %d", test.share, test.waiting, got, test.want)
		}
	}
}

func TestLocalityRemembers(t *testing.T) {
	l := locality{share: 0.5}
	for _, test := range []struct {
		jobs []candidate
		want policy.JobID
		is   bool
	}{
		{[]candidate{{1, 0}, {2, 3}}, 2, true},
		{[]candidate{{3, 0}, {4, 0}}, 3, false},
	} {
		if got := l.pick(test.jobs); got != test.want || l.is != test.is || l.is && l.job != got {
			t.Errorf("%v: got %v, picked %v, %t, want %v, %t", test.jobs, got, l.job, l.is, test.want, test.is)
		}
	}
}
