package main

import (
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Worth]())
	register.DoFn4x0[string, func(*End) bool, func(*float64) bool, func(string, float64)](&handBack{})
	register.Iter1[float64]()
	register.Function2x2(ofNothing)
	register.Function2x2(ofOne)
	register.Function2x2(ofOwn)
	register.Function2x2(ofOthers)
	register.Function2x1(addWorth)
}

// Worth is what a job is worth.
type Worth struct {
	Own       float64 // its downloads; or 1, with -value jobs
	Aggregate float64 // and what comes back to it from those that depend on it
	Upstream  int64   // number of jobs that it depends on itself
}

func ofNothing(job string, _ int64) (string, Worth)     { return job, Worth{} }
func ofOne(job string, _ int64) (string, float64)       { return job, 1 }
func ofOwn(job string, own float64) (string, Worth)     { return job, Worth{Own: own, Aggregate: own} }
func ofOthers(job string, back float64) (string, Worth) { return job, Worth{Aggregate: back} }

func addWorth(a, b Worth) Worth {
	return Worth{a.Own + b.Own, a.Aggregate + b.Aggregate, a.Upstream + b.Upstream}
}

// values says what each job of the tables is worth, KV<job, Worth>:
//
//	agg(j) = own(j) + sum of W(j,d) own(d)
//
// over the pairs (j, d) and weights W that paths finds with the same powers. With k powers
// it counts the paths of up to 2^k hops; it is value.Aggregate if no path is longer.
//
// The pairs are not made for it. With x what comes back to jobs by paths of 1 to 2^i
// dependencies, and F the pairs that are tied by paths of exactly 2^i,
//
//	x' = x + F x
//
// so only the powers are needed, which are k-1 joins of tables of pairs, and k+1 of such a
// table with one of jobs.
//
// # Source
//
// Wing, section 4.5.2.
func values(s beam.Scope, submitted, worth, upstream, edges beam.PCollection, powers []beam.PCollection) beam.PCollection {
	s = s.Scope("values")
	own := beam.CombinePerKey(s, add, worth)
	back := apply(s, edges, own)
	for i, f := range powers {
		s := s.Scope(fmt.Sprintf("within 2^%d", i+1))
		back = beam.CombinePerKey(s, add, beam.Flatten(s, back, apply(s, f, back)))
	}
	return beam.CombinePerKey(s, addWorth, beam.Flatten(s,
		beam.ParDo(s, ofNothing, submitted), // so that each job has a row
		beam.ParDo(s, ofOwn, own),
		beam.ParDo(s, ofOthers, back),
		upstream))
}

// apply gives to the upstream job of each pair its part of what the downstream one has, of which
// there may be more than one amount.
func apply(s beam.Scope, pairs, amounts beam.PCollection) beam.PCollection {
	return beam.ParDo(s, &handBack{}, beam.CoGroupByKey(s, beam.ParDo(s, byDown, pairs), amounts))
}

// handBack gives parts of what a job has to jobs upstream.
type handBack struct{}

func (*handBack) ProcessElement(_ string, ups func(*End) bool, amounts func(*float64) bool, emit func(string, float64)) {
	var (
		sum, amount float64
		up          End
	)
	for amounts(&amount) {
		sum += amount
	}
	if sum == 0 {
		return
	}
	for ups(&up) {
		emit(up.Job, up.Weight*sum)
	}
}
