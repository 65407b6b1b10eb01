package plan

import (
	"math"
	"strings"
	"testing"
)

func TestValidatePlaces(t *testing.T) {
	for _, c := range []struct {
		name  string
		place Place
		want  string
	}{
		{"no share", nil, ""},
		{"no nodes", at(0, 0), ""},
		{"all pools", Place{{0, 1}, {1, 0}, {2, 2.5}}, ""},
		{"negative pool", at(1, -1), "job 1: place 1: share 0 is of pool -1, and there are 3 pools"},
		{"no such pool", at(1, 0, 3), "job 1: place 1: share 1 is of pool 3, and there are 3 pools"},
		{"a pool twice", at(1, 1, 1), "job 1: place 1: share 1 is of pool 1 after pool 1"},
		{"pools fall", at(1, 0, 2, 1), "job 1: place 1: share 2 is of pool 1 after pool 2"},
		{"negative", Place{{0, 1}, {1, -1}}, "job 1: place 1: share 1 has -1 nodes"},
		{"no number", at(math.NaN(), 0), "job 1: place 1: share 0 has NaN nodes"},
		{"infinite", at(math.Inf(1), 0), "job 1: place 1: share 0 has +Inf nodes"},
	} {
		p := &Problem{Capacity: [][]float64{{1}, {2}, {3}}, Jobs: []Job{{}, {
			Profiles: [][]float64{{1}}, Places: []Place{nil, c.place}, Options: []Option{{Place: 1}},
		}}}
		err := p.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		p.Jobs[1].Options[0].Place = 2
		p.Jobs[1].Places[1] = nil
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "job 1: option 0 has place 2, want 0 to 1") {
			t.Errorf("no such place: %v", err)
		}
	}
}

// What an option takes in the slots of pools, by its place and its profile.
func TestAt(t *testing.T) {
	p := &Problem{Capacity: [][]float64{{9, 9, 9}, {9, 9, 9}, {9, 9, 9}}, Jobs: []Job{{
		Profiles: [][]float64{{1, 0.5}},
		Places:   []Place{{{0, 4}, {2, 3}}},
		Options:  []Option{{Utility: 1, Start: 1}},
	}}}
	want := [3][3]float64{{0, 4, 2}, {}, {0, 3, 1.5}}
	for pool := range 3 {
		for slot := range 3 {
			if got := p.at(0, 0, pool, slot); got != want[pool][slot] {
				t.Errorf("pool %d, slot %d: %v, want %v", pool, slot, got, want[pool][slot])
			}
		}
	}
}
