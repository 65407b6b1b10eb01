package main

import (
	"math"
	"math/rand/v2"
	"time"

	"example.com/augur/predict"
)

// A job is what the demonstration hands to pools.
type job struct {
	at    time.Duration // after the one before
	attrs predict.Attrs
	takes time.Duration
}

// kinds are what a small web application does in the background: how often, and for how long for a
// customer of middling size.
var kinds = []struct {
	name   string
	weight float64 // of all, the sum is 1
	takes  time.Duration
}{
	{"mail", 0.40, 1 * time.Millisecond},
	{"thumbnail", 0.30, 3 * time.Millisecond},
	{"invoice", 0.20, 10 * time.Millisecond},
	{"report", 0.08, 50 * time.Millisecond},
	{"export", 0.02, 150 * time.Millisecond},
}

// customers, with the factor by which their jobs are longer than those of others.
var customers = []struct {
	name   string
	factor float64
}{{"acme", 0.5}, {"bond", 1}, {"crux", 1}, {"duff", 2}}

// jobs makes n jobs, which come as in a Poisson process and keep so many workers busy for a share of
// the time that is the load, in the mean over many.
func jobs(n, workers int, load float64, rng *rand.Rand) []job {
	mean, factor := 0.0, 0.0
	for _, k := range kinds {
		mean += k.weight * k.takes.Seconds()
	}
	for _, c := range customers {
		factor += c.factor / float64(len(customers))
	}
	gap := mean * factor / (float64(workers) * load) * 1e9
	list := make([]job, n)
	for i := range list {
		k, u := 0, rng.Float64()
		for ; k < len(kinds)-1 && u >= kinds[k].weight; k++ {
			u -= kinds[k].weight
		}
		c := customers[rng.IntN(len(customers))]
		const sigma = 0.3 // of the logarithm: no two runs are alike
		noise := math.Exp(sigma*rng.NormFloat64() - sigma*sigma/2)
		list[i] = job{
			at:    time.Duration(rng.ExpFloat64() * gap),
			attrs: predict.Attrs{"kind": kinds[k].name, "customer": c.name},
			takes: time.Duration(float64(kinds[k].takes) * c.factor * noise),
		}
	}
	return list
}
