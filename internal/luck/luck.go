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

// Groups is the number of groups of jobs, whose runtimes have Pareto tails with the indices that Hopper reports: see Tail.
const Groups = 9

// Tail returns the index of a group's Pareto distribution, from 1.1 in group 0 to 1.9 in the last one, evenly spaced.
func Tail(group int) float64 {
	least, most := 1.1, 1.9
	return least + (most-least)*float64(group)/(Groups-1)
}
