package bench

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/DataDog/sketches-go/ddsketch"
	"github.com/VividCortex/gohistogram"
	bsm "github.com/bsm/histogram/v3"
	caio "github.com/caio/go-tdigest"
	influx "github.com/influxdata/tdigest"

	"example.com/augur/histogram"
)

const (
	bins   = 80
	values = 1 << 18
)

// data names the sets of values, with what makes them.
var data = []struct {
	name string
	make func(b *testing.B) []float64
}{
	{"exponential", random(func(r *rand.Rand, _ int) float64 { return r.ExpFloat64() })},
	{"lognormal2", random(func(r *rand.Rand, _ int) float64 { return math.Exp(2 * r.NormFloat64()) })},
	{"pareto1.2", random(func(r *rand.Rand, _ int) float64 { return math.Pow(1-r.Float64(), -1/1.2) })},
	{"bimodal", random(func(r *rand.Rand, _ int) float64 { return 100 + 10*r.NormFloat64() + float64(900*r.IntN(2)) })},
	{"sorted", random(func(_ *rand.Rand, i int) float64 { return float64(i + 1) })},
	{"20values", random(func(r *rand.Rand, _ int) float64 { return float64(10 * (1 + r.IntN(20))) })},
	{"google2011", google2011},
	{"googtasks", googleTasks},
}

func random(next func(r *rand.Rand, i int) float64) func(*testing.B) []float64 {
	return func(*testing.B) []float64 {
		r := rand.New(rand.NewPCG(1, 1))
		xs := make([]float64, values)
		for i := range xs {
			xs[i] = next(r, i)
		}
		return xs
	}
}

// A sketch is one of the implementations.
type sketch interface {
	add(x float64)
	quantile(p float64) float64
	union(x, y sketch) // makes it the union of two of the same type
}

type (
	ours     struct{ *histogram.Histogram }
	bsmOne   struct{ *bsm.Histogram }
	vivid    struct{ *gohistogram.NumericHistogram }
	caioOne  struct{ *caio.TDigest }
	influxTD struct{ *influx.TDigest }
	datadog  struct{ *ddsketch.DDSketch }
)

func (s ours) add(x float64)              { must(s.Add(x)) }
func (s ours) quantile(p float64) float64 { return s.Quantile(p) }
func (s ours) union(x, y sketch) {
	s.Reset()
	must(s.Merge(x.(ours).Histogram))
	must(s.Merge(y.(ours).Histogram))
}

func (s bsmOne) add(x float64)              { s.Add(x) }
func (s bsmOne) quantile(p float64) float64 { return s.Quantile(p) }
func (s bsmOne) union(x, y sketch)          { s.Merge(x.(bsmOne).Histogram, y.(bsmOne).Histogram) }

func (s vivid) add(x float64)              { s.Add(x) }
func (s vivid) quantile(p float64) float64 { return s.Quantile(p) }
func (s vivid) union(x, y sketch)          {} // it has none

func (s caioOne) add(x float64)              { must(s.Add(x)) }
func (s caioOne) quantile(p float64) float64 { return s.Quantile(p) }
func (s caioOne) union(x, y sketch) {
	*s.TDigest = *x.(caioOne).Clone() // it has no Reset
	must(s.Merge(y.(caioOne).TDigest))
}

func (s influxTD) add(x float64)              { s.Add(x, 1) }
func (s influxTD) quantile(p float64) float64 { return s.Quantile(p) }
func (s influxTD) union(x, y sketch) {
	s.Reset()
	s.AddCentroidList(x.(influxTD).Centroids())
	s.AddCentroidList(y.(influxTD).Centroids())
}

func (s datadog) add(x float64)              { must(s.Add(x)) }
func (s datadog) quantile(p float64) float64 { x, err := s.GetValueAtQuantile(p); must(err); return x }
func (s datadog) union(x, y sketch) {
	s.Clear()
	must(s.MergeWith(x.(datadog).DDSketch))
	must(s.MergeWith(y.(datadog).DDSketch))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func augur() sketch {
	h, err := histogram.New(histogram.Config{Bins: bins})
	must(err)
	return ours{h}
}

// makers names the implementations, with what makes an empty one. A t-digest of compression
// 80 and a sketch of 1 % relative accuracy are of about the same size as 80 bins.
var makers = []struct {
	name string
	make func() sketch
}{
	{"augur", augur},
	{"bsm", func() sketch { return bsmOne{bsm.New(bins)} }},
	{"vividcortex", func() sketch { return vivid{gohistogram.NewHistogram(bins)} }},
	{"caio", func() sketch { t, err := caio.New(caio.Compression(bins)); must(err); return caioOne{t} }},
	{"influxdata", func() sketch { return influxTD{influx.NewWithCompression(bins)} }},
	{"datadog", func() sketch { s, err := ddsketch.NewDefaultDDSketch(0.01); must(err); return datadog{s} }},
}

// each runs a benchmark for all data and implementations. The sketch it hands over has seen all
// values.
func each(b *testing.B, run func(b *testing.B, xs []float64, make func() sketch, s sketch)) {
	for _, d := range data {
		b.Run("data="+d.name, func(b *testing.B) {
			xs := d.make(b)
			for _, m := range makers {
				b.Run("of="+m.name, func(b *testing.B) {
					s := m.make()
					for _, x := range xs {
						s.add(x)
					}
					b.ReportAllocs()
					run(b, xs, m.make, s)
				})
			}
		})
	}
}

// Adding goes on with a sketch that has seen the data once. But for data in order, which
// would not be so the second time: it begins anew.
func BenchmarkAdd(b *testing.B) {
	each(b, func(b *testing.B, xs []float64, make func() sketch, s sketch) {
		sorted := strings.Contains(b.Name(), "sorted")
		i := 0
		for b.Loop() {
			if i == len(xs) {
				if i = 0; sorted {
					s = make()
				}
			}
			s.add(xs[i])
			i++
		}
	})
}

var sink float64

func BenchmarkAddQuantile(b *testing.B) {
	each(b, func(b *testing.B, xs []float64, _ func() sketch, s sketch) {
		i := 0
		for b.Loop() {
			if i == len(xs) {
				i = 0
			}
			s.add(xs[i])
			sink = s.quantile(0.9)
			i++
		}
	})
}

// Merging makes one sketch of two, of the first and of the second half of the data.
func BenchmarkMerge(b *testing.B) {
	each(b, func(b *testing.B, xs []float64, make func() sketch, s sketch) {
		if _, ok := s.(vivid); ok {
			b.Skip("has no merge")
		}
		first, second := make(), make()
		for i, x := range xs {
			if 2*i < len(xs) {
				first.add(x)
			} else {
				second.add(x)
			}
		}
		for b.Loop() {
			s.union(first, second)
		}
	})
}
