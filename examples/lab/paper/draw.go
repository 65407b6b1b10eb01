package paper

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"example.com/augur/internal/saturate"
)

// sumShares returns the sum of shares, and an error if one is not from 0 to 1.
func sumShares(generator string, shares [5]float64) (total float64, err error) {
	for i, p := range shares {
		if !(p >= 0 && p <= 1) {
			return 0, fmt.Errorf("paper: %s.Shares[%d] is %v, want 0 to 1", generator, i, p)
		}
		total += p
	}
	return total, nil
}

// pickShare returns the index into which u falls, where consecutive intervals have the lengths of
// shares. It never returns the index of a share of 0. If u is beyond the last interval, it returns
// the last.
func pickShare(u float64, shares []float64) (place int) {
	for i, p := range shares {
		if p == 0 {
			continue
		}
		if place = i; u < p {
			break
		}
		u -= p
	}
	return place
}

// strata returns a stratified sample of (0, 1): one number from each n-th, in random order.
func strata(rng *rand.Rand, n int) []float64 {
	u := make([]float64, n)
	for i := range u {
		// Float64 may be 0, and its sum with i rounds up: neither end is an answer.
		u[i] = min(max((float64(i)+rng.Float64())/float64(n), 1e-12), 1-1e-12)
	}
	rng.Shuffle(n, func(i, j int) { u[i], u[j] = u[j], u[i] })
	return u
}

// quota draws kinds in given shares, more evenly than by chance: a kind that has been drawn
// often becomes less probable, the more so the smaller the slack.
type quota struct {
	shares, given []float64
	total, slack  float64
	open          []float64
}

func newQuota(slack float64, shares ...float64) *quota {
	return &quota{shares: shares, given: make([]float64, len(shares)), slack: slack, open: make([]float64, len(shares))}
}

// draw returns a kind.
func (q *quota) draw(rng *rand.Rand) int {
	sum := 0.0
	for k, s := range q.shares {
		q.open[k] = max(0, s*(q.total+q.slack)-q.given[k])
		sum += q.open[k]
	}
	return pickShare(rng.Float64()*sum, q.open)
}

// give counts a draw of that weight.
func (q *quota) give(kind int, weight float64) {
	q.given[kind] += weight
	q.total += weight
}

// cumulated returns the sums of 1/rank^s for ranks up to n, from which pickSum draws.
func cumulated(n int, s float64) []float64 {
	sums, sum := make([]float64, n), 0.0
	for i := range sums {
		sum += math.Pow(float64(i+1), -s)
		sums[i] = sum
	}
	return sums
}

func pickSum(rng *rand.Rand, sums []float64) int {
	i, _ := slices.BinarySearch(sums, rng.Float64()*sums[len(sums)-1])
	return min(i, len(sums)-1)
}

// around returns a whole number of at least 1 with the given mean of at least 1: 1 plus a lognormal
// number with the given sigma, rounded up or down at random.
func around(rng *rand.Rand, mean, sigma float64) int {
	x := (mean - 1) * varied(rng, sigma)
	return 1 + saturate.To[int](min(x, 1e6)+rng.Float64())
}

// varied returns a lognormal factor with mean 1 and the given sigma.
func varied(rng *rand.Rand, sigma float64) float64 {
	return math.Exp(sigma*rng.NormFloat64() - sigma*sigma/2)
}

// geometric returns a whole number of at least 1 with the given mean above 1.
func geometric(rng *rand.Rand, mean float64) int {
	return 1 + saturate.To[int](min(math.Log1p(-rng.Float64())/math.Log1p(-1/mean), 1e6))
}

// skewed returns an index below n; lower indices are more probable.
func skewed(rng *rand.Rand, n int) int {
	u := rng.Float64()
	return min(saturate.To[int](float64(n)*u*u), n-1)
}

// poisson returns a Poisson number with the given mean.
func poisson(rng *rand.Rand, mean float64) int {
	if mean > 500 { // normal, within 1 % of a standard deviation
		return max(0, saturate.To[int](math.Round(mean+math.Sqrt(mean)*rng.NormFloat64())))
	}
	n := 0
	for sum := rng.ExpFloat64(); sum < mean; sum += rng.ExpFloat64() {
		n++
	}
	return n
}
