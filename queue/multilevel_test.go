package queue

import (
	"math"
	"strings"
	"testing"
)

func newLevels(tb testing.TB, c MultilevelConfig) *Multilevel[*item] {
	tb.Helper()
	q, err := NewMultilevel[*item](c)
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

func TestMultilevelConfig(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		config MultilevelConfig
		names  string // what the error must name; empty: there is none
	}{
		{MultilevelConfig{First: 1}, ""},
		{MultilevelConfig{First: 1e-300, Levels: 1, Growth: 1.0001}, ""},
		{MultilevelConfig{First: 1e300, Levels: 64, Growth: 1e300}, ""},
		{MultilevelConfig{}, "First is 0"},
		{MultilevelConfig{First: -1}, "First is -1"},
		{MultilevelConfig{First: nan}, "First is NaN"},
		{MultilevelConfig{First: inf}, "First is +Inf"},
		{MultilevelConfig{First: 1, Levels: -1}, "Levels is -1"},
		{MultilevelConfig{First: 1, Levels: 65}, "Levels is 65"},
		{MultilevelConfig{First: 1, Growth: 1}, "Growth is 1"},
		{MultilevelConfig{First: 1, Growth: nan}, "Growth is NaN"},
		{MultilevelConfig{First: 1, Growth: inf}, "Growth is +Inf"},
	} {
		_, err := NewMultilevel[int](test.config)
		if (err == nil) != (test.names == "") || err != nil && !strings.Contains(err.Error(), test.names) {
			t.Errorf("%+v: got error %v, want one that says %q", test.config, err, test.names)
		}
	}
}

func TestLevels(t *testing.T) {
	for _, test := range []struct {
		config MultilevelConfig
		key    float64
		want   int
	}{
		{MultilevelConfig{First: 1000}, math.Inf(-1), 0},
		{MultilevelConfig{First: 1000}, 0, 0},
		{MultilevelConfig{First: 1000}, 999.9, 0},
		{MultilevelConfig{First: 1000}, 1000, 1},
		{MultilevelConfig{First: 1000}, 9999, 1},
		{MultilevelConfig{First: 1000}, 1e4, 2},
		{MultilevelConfig{First: 1000}, 1e10, 8},
		{MultilevelConfig{First: 1000}, 0.99e11, 8},
		{MultilevelConfig{First: 1000}, 1e11, 9}, // the last of ten
		{MultilevelConfig{First: 1000}, math.Inf(1), 9},
		{MultilevelConfig{First: 1000, Levels: 1}, 1e9, 0},
		{MultilevelConfig{First: 1, Levels: 4, Growth: 2}, 3.9, 2},
		{MultilevelConfig{First: 1, Levels: 4, Growth: 2}, 4, 3},
		// The thresholds are 1e300 and then beyond all numbers.
		{MultilevelConfig{First: 1e300, Levels: 64, Growth: 1e300}, math.MaxFloat64, 1},
		{MultilevelConfig{First: 1e300, Levels: 64, Growth: 1e300}, math.Inf(1), 63},
	} {
		q := newLevels(t, test.config)
		if got, ok := q.Level(test.key); got != test.want || !ok {
			t.Errorf("%+v: key %v is in level %d (%v), want %d", test.config, test.key, got, ok, test.want)
		}
		if end := q.Threshold(test.want); !(test.key < end) && !math.IsInf(end, 1) {
			t.Errorf("%+v: key %v is in level %d, which ends at %v", test.config, test.key, test.want, end)
		}
	}
	q := newLevels(t, MultilevelConfig{First: 1})
	if _, ok := q.Level(math.NaN()); ok {
		t.Error("NaN has a level")
	}
	if !math.IsNaN(q.Threshold(-1)) || !math.IsNaN(q.Threshold(10)) || !math.IsInf(q.Threshold(9), 1) {
		t.Errorf("levels -1, 10 and 9 end at %v, %v and %v, want NaN, NaN and +Inf", q.Threshold(-1), q.Threshold(10), q.Threshold(9))
	}
}

func TestNotANumberIsRefused(t *testing.T) {
	q := newLevels(t, MultilevelConfig{First: 1})
	if handle, ok := q.Push(&item{}, math.NaN()); ok || handle != (Handle{}) || q.Len() != 0 {
		t.Errorf("Push: got %v, %v and %d elements, want nothing", handle, ok, q.Len())
	}
	if handle, ok := q.PushFront(&item{}, math.NaN()); ok || handle != (Handle{}) || q.Len() != 0 {
		t.Errorf("PushFront: got %v, %v and %d elements, want nothing", handle, ok, q.Len())
	}
	handle, _ := q.Push(&item{}, 5)
	if level, _, _ := q.Place(handle); q.Move(handle, math.NaN()) || level != 1 {
		t.Error("Move to NaN does something")
	}
}
