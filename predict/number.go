package predict

import (
	"iter"
	"math"
	"strconv"
)

// number returns the number that an attribute says, and NaN if it is none.
func number(text string) float64 {
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(x, 0) {
		return x
	}
	return math.NaN()
}

// A feature with a number has a value for all numbers, with a [fit], and bins of numbers, which are values too. There are
// levels of bins: those of level i are 2^(i-3) to an octave, and of the last level each number is one. So a bin is split into
// two at the next level, and into single numbers at the last. It is split once it has had splits jobs, and speaks for its
// numbers once it has few.
const (
	levels = 7
	splits = 8
	few    = 4
)

// bin returns the key of a number's bin, of the feature's value with key k: a bin is the upper bits of its numbers. No two
// bins of a feature have the same key, and those of others differ in bits that nobody can choose.
func (k key) bin(x float64, level int) key {
	at := math.Float64bits(x + 0) // -0 is 0
	if level < levels {
		at >>= 55 - level // of the 52 bits below the exponent, level-3 stay
	}
	return key{k.a ^ at, k.b ^ uint64(level)}
}

// bins yields the keys of the bins of feature i's number, the widest first; none if the feature has no number.
func (k *keys) bins(i int) iter.Seq[key] {
	return func(yield func(key) bool) {
		x := k.numberOf(i)
		for level := 1; level <= levels && !math.IsNaN(x) && yield(k.of[i].bin(x, level)); level++ {
		}
	}
}

// numberOf returns the number of feature i, NaN if it has none.
func (k *keys) numberOf(i int) float64 {
	if k.number == nil {
		return math.NaN()
	}
	return k.number[i]
}

// A fit is a line ln runtime = a + b·ln number by least squares: the runtime is about a power of the number. It has sums of
// logarithms over past jobs, and the sum of its own errors.
type fit struct{ x, y, xx, xy, error float64 }

// log returns a logarithm, of 1e-9 at least.
func log(x float64) float64 { return math.Log(max(x, 1e-9)) }

// add adds what another has added up.
func (f *fit) add(o *fit) {
	f.x += o.x
	f.y += o.y
	f.xx += o.xx
	f.xy += o.xy
	f.error += o.error
}

// scale multiplies all sums.
func (f *fit) scale(by float64) { *f = fit{by * f.x, by * f.y, by * f.xx, by * f.xy, by * f.error} }

// estimate returns the runtime on the line, of the sums over n jobs. It adds a job that lasts as long as the mean and whose
// number is a factor of e beside the mean, so that b of few jobs is near 0.
func (f *fit) estimate(number, n float64) float64 {
	x, y := f.x/n, f.y/n
	b := (f.xy - f.x*y) / (max(0, f.xx-f.x*x) + 1)
	return min(math.Exp(y+b*(log(number)-x)), maxRuntime)
}
