package augurriver

import (
	"testing"
	"time"
)

func TestLikely(t *testing.T) {
	now := time.Unix(1e9, 0)
	tests := []struct {
		name   string
		ago    []float64 // s, when jobs started
		period float64   // s, since the look before; 0: there was none
		want   int
	}{
		{"none", nil, 1, 1},
		{"four in four looks: 1 + 2·√1", []float64{0, 1, 2, 4}, 1, 3},
		{"not those before", []float64{0, 1, 2, 4, 4.1, 9}, 1, 3},
		{"the first look", []float64{0, 0, 0, 0}, 0, 3},
		{"a slow one: 4 + 2·√4", []float64{0, 0, 0, 0}, 4, 8},
		{"a fast one counts as Every", []float64{0, 0, 0, 0}, .5, 3},
	}
	for _, tt := range tests {
		s := &sweeper{config: Config{Every: time.Second}}
		if tt.period > 0 {
			s.last = now.Add(-time.Duration(tt.period * 1e9))
		}
		for _, ago := range tt.ago {
			s.starts = append(s.starts, now.Add(-time.Duration(ago*1e9)))
		}
		if got := s.likely(now); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestFitting(t *testing.T) {
	now := time.Unix(1e9, 0)
	tests := []struct {
		name           string
		running, slots int // slots are those of the look before
		expected       []float64
		want           int
	}{
		{"no job", 4, 0, nil, 0},
		{"no worker is known", 0, 0, []float64{1, 1}, 1},
		{"work for 2 workers", 2, 0, []float64{.5, 1, .5, 1}, 3},
		{"a job that is longer than all can do", 2, 0, []float64{100, 1}, 1},
		{"of which nothing is known", 2, 0, []float64{0, 0, 0, 0, 0}, 5},
		{"most workers are idle at the moment", 1, 10, []float64{3, 3, 3, 3}, 3},
		{"they are idle for long", 1, 2, []float64{1, 1}, 1},
	}
	for _, tt := range tests {
		s := &sweeper{config: Config{Every: time.Second}, tasks: make(map[int64]*task), slots: tt.slots}
		for i := range tt.running {
			s.tasks[int64(-1-i)] = &task{began: now}
		}
		var first []int64
		for i, x := range tt.expected {
			s.tasks[int64(i)] = &task{expected: x}
			first = append(first, int64(i))
		}
		if got := s.fitting(first, now); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// Jobs that take less than the time between two fetches run at no look. What starts at one instant was fetched at once.
func TestFittingBatch(t *testing.T) {
	now := time.Unix(1e9, 0)
	s := &sweeper{config: Config{Every: time.Second}, tasks: map[int64]*task{1: {expected: .5}, 2: {expected: .5}, 3: {expected: .5}, 4: {expected: .5}, 5: {expected: .5}}}
	s.starts = []time.Time{now.Add(-3), now.Add(-2), now.Add(-2), now.Add(-1)}
	if got := s.fitting([]int64{1, 2, 3, 4, 5}, now); got != 4 {
		t.Errorf("2 workers do %d jobs of .5 s in 1 s, want 4", got)
	}
}
