// Package luck draws numbers by hashing what they are about, so that a number does not
// depend on when it is asked for, how often, or what was drawn before it.
package luck

// Uniform returns a number from [0, 1) that is a function of its arguments. What and the
// key say what is drawn; numbers for different keys look independent.
func Uniform(seed, what uint64, key ...uint64) float64 {
	h := Mix(seed ^ what*0x9e3779b97f4a7c15)
	for _, k := range key {
		h = Mix(h ^ k)
	}
	return float64(h>>11) / (1 << 53)
}

// Mix is the finaliser of SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast
// splittable pseudorandom number generators", OOPSLA 2014), after one step of its sequence.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Tail returns the index of a group's Pareto distribution: that of the first group is least, of the last most, of
// others evenly between.
func Tail(group, groups int, least, most float64) float64 {
	if groups == 1 {
		return least
	}
	tail := least + (most-least)*float64(group)/float64(groups-1)
	// What is far from 1 leaves the range in rounding.
	return max(min(tail, max(least, most)), min(least, most))
}
