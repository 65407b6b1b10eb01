package queue

import (
	"math"
	"math/bits"
)

// A tournament knows the least of the keys of its players, who are numbered from 0. Its
// matches are a complete binary tree in an array,
//
//	matches[i] = the lesser of matches[2i] and matches[2i+1],
//
// with the players at the end of it, so that a player with a new key plays one match on each
// level. It is as the one in a [Heap], but here the winner of a match is found without a
// call and without a branch, which could not be foreseen.
type tournament struct {
	matches []match // a power of two, or none; matches[0] is not used
}

// A match is the key of its winner, first major and then minor, and who that is.
type match struct {
	major, minor uint64
	player       uint32
}

// absent is the key of a player who is not there. No measure is so large, not even +Inf.
var absent = match{major: math.MaxUint64, minor: math.MaxUint64}

// major returns a number that is in the order of x, which is not NaN.
func major(x float64) uint64 {
	b := math.Float64bits(x + 0) // -0 is 0
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// set gives a player a key. There must be room for the player.
func (t *tournament) set(player uint32, measure float64, minor uint64) {
	t.play(match{major(measure), minor, player})
}

// drop takes a player out, for whom there must be room too.
func (t *tournament) drop(player uint32) {
	t.play(match{absent.major, absent.minor, player})
}

// first returns the player with the least key.
func (t *tournament) first() (player uint32, ok bool) {
	if len(t.matches) == 0 {
		return 0, false
	}
	m := &t.matches[1]
	return m.player, m.major != absent.major
}

func (t *tournament) play(m match) {
	matches := t.matches
	i := uint(len(matches)/2) + uint(m.player)
	matches[i] = m
	for i > 1 {
		other := &matches[i^1]
		_, less := bits.Sub64(other.minor, m.minor, 0)
		_, less = bits.Sub64(other.major, m.major, less)
		other64 := -less // all ones if the other goes first
		m.major ^= (m.major ^ other.major) & other64
		m.minor ^= (m.minor ^ other.minor) & other64
		m.player ^= (m.player ^ other.player) & uint32(other64)
		i /= 2
		matches[i] = m
	}
}

// reserve makes room for n players, at least twice as many as before if there is none.
func (t *tournament) reserve(n int) {
	before := t.matches
	if n <= len(before)/2 {
		return
	}
	size := max(4, len(before))
	for size/2 < n {
		size *= 2
	}
	t.matches = make([]match, size)
	for i := range t.matches {
		t.matches[i] = absent
	}
	for _, m := range before[len(before)/2:] {
		if m.major != absent.major {
			t.play(m)
		}
	}
}
