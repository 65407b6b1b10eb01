package main

import (
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	beam.RegisterType(reflect.TypeFor[End]())
	register.Function2x2(downOf)
	register.DoFn4x0[string, func(*string) bool, func(Pair, float64), func(string, Worth)](&share{})
	register.Iter1[string]()
	register.Emitter2[Pair, float64]()
	register.Emitter2[string, Worth]()
	register.Function2x2(byUp)
	register.Function2x2(byDown)
	register.DoFn4x0[string, func(*End) bool, func(*End) bool, func(Pair, float64)](&along{})
	register.Iter1[End]()
	register.Function2x1(add)
}

// An End is the far end of a pair of jobs, and the weight of the pair.
type End struct {
	Job    string
	Weight float64
}

func byUp(p Pair, w float64) (string, End)    { return p.Up, End{p.Down, w} }
func byDown(p Pair, w float64) (string, End)  { return p.Down, End{p.Up, w} }
func downOf(p Pair, _ Reads) (string, string) { return p.Down, p.Up }
func add(a, b float64) float64                { return a + b }

// shares gives each dependency the weight 1/N, where N is the number of jobs that the downstream
// one depends on: KV<Pair, weight>. These numbers come too, as KV<job, Worth>, for
// jobs that depend on any.
func shares(s beam.Scope, deps beam.PCollection) (edges, upstream beam.PCollection) {
	s = s.Scope("shares")
	return beam.ParDo2(s, &share{}, beam.GroupByKey(s, beam.ParDo(s, downOf, deps)))
}

// share holds the jobs that one depends on.
type share struct{}

func (*share) ProcessElement(down string, ups func(*string) bool, edge func(Pair, float64), upstream func(string, Worth)) {
	var (
		all []string
		up  string
	)
	for ups(&up) {
		all = append(all, up)
	}
	for _, up := range all {
		edge(Pair{up, down}, 1/float64(len(all)))
	}
	upstream(down, Worth{Upstream: int64(len(all))})
}

// powers returns tables of the pairs of jobs that are tied by paths of exactly 1, 2, 4, 8 ...
// dependencies, n of them, each pair with the sum, over these paths, of the products of the weights
// along them: KV<Pair, weight>. The first is that of the dependencies, and each of the others
//
//	F' = F F
//
// where the product joins the end of one path with the beginning of another. It makes no
// difference to the pipeline whether there still are such long paths: it has no loops, only as
// many copies of its transforms.
func powers(s beam.Scope, edges beam.PCollection, n int) []beam.PCollection {
	var all []beam.PCollection
	for i := range n {
		if i == 0 {
			all = append(all, edges)
			continue
		}
		s := s.Scope(fmt.Sprintf("paths of 2^%d", i))
		all = append(all, beam.CombinePerKey(s, add, product(s, all[i-1], all[i-1])))
	}
	return all
}

// paths finds the pairs of jobs that are tied by paths of 1 to 2^k dependencies, where k is the
// number of powers. With A the pairs tied by paths of 1 to 2^i dependencies, and F those by paths of
// exactly 2^i,
//
//	A' = A + F A
//
// and A begins as the dependencies.
//
// # Source
//
// Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
// dependencies for better cluster scheduling", OSDI 2020, section 4.4, Algorithm 1. There F is in A
// too, and is taken out again before each join, which loses rows if tables are sets. With B, the
// paths shorter than 2^i, kept beside F it would be B' = B + F + F B; but as A = B + F, to add to A
// needs one product less: A' = B' + F' = (B + F + F B) + F F = A + F A.
func paths(s beam.Scope, edges beam.PCollection, powers []beam.PCollection) beam.PCollection {
	all := edges
	for i, f := range powers {
		s := s.Scope(fmt.Sprintf("paths up to 2^%d", i+1))
		all = beam.CombinePerKey(s, add, beam.Flatten(s, all, product(s, f, all)))
	}
	return all
}

// product joins the paths of one table with those of another that begin where they end. A pair
// comes once for each job between the two.
func product(s beam.Scope, first, rest beam.PCollection) beam.PCollection {
	return beam.ParDo(s, &along{}, beam.CoGroupByKey(s, beam.ParDo(s, byDown, first), beam.ParDo(s, byUp, rest)))
}

// along joins the paths that end in a job with those that begin there. It holds the former.
type along struct{}

func (*along) ProcessElement(_ string, firsts, rests func(*End) bool, emit func(Pair, float64)) {
	var (
		held        []End
		first, rest End
	)
	for firsts(&first) {
		held = append(held, first)
	}
	if len(held) == 0 {
		return
	}
	for rests(&rest) {
		for _, first := range held {
			emit(Pair{first.Job, rest.Job}, first.Weight*rest.Weight)
		}
	}
}
