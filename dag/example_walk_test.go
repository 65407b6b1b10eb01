package dag_test

import (
	"fmt"
	"time"

	"example.com/augur/dag"
)

// Jobs that read each other's output, and how often people download that of each.
const (
	ingest uint32 = iota
	clean
	prices
	merge
	chart
	audit
	jobs
)

var (
	readBy = []dag.Edge{
		{From: ingest, To: clean}, {From: clean, To: merge}, {From: prices, To: merge},
		{From: merge, To: chart}, {From: merge, To: audit}, {From: ingest, To: audit},
	}
	jobNames  = []string{"ingest", "clean", "prices", "merge", "chart", "audit"}
	downloads = []float64{0, 0, 2, 8, 100, 40}
)

// What is a job worth with all that is made from its output? Each job divides its downloads
// equally among those that it reads from, and they theirs. The inner loop is what the paper
// calls the downstream operation.
func ExampleWalker() {
	g, err := dag.New(int(jobs), readBy)
	if err != nil {
		fmt.Println(err)
		return
	}
	walker, err := dag.NewWalker(g, dag.Walk[float64]{Algebra: dag.SumProduct[float64](), Weight: dag.Shares(g)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for v := range jobs {
		value := downloads[v]
		below, share := walker.From(v)
		for i, d := range below {
			value += float64(share[i] * downloads[d])
		}
		fmt.Printf("%-7s %3.0f downloads, worth %3.0f\n", jobNames[v], downloads[v], value)
	}
	// Output:
	// ingest    0 downloads, worth  84
	// clean     0 downloads, worth  64
	// prices    2 downloads, worth  66
	// merge     8 downloads, worth 128
	// chart   100 downloads, worth 100
	// audit    40 downloads, worth  40
}

// The same for one job, of what follows within a day and two readers away.
func ExampleWalk() {
	g, err := dag.New(int(jobs), readBy)
	if err != nil {
		fmt.Println(err)
		return
	}
	submitted := []time.Duration{0, 1 * time.Hour, 2 * time.Hour, 5 * time.Hour, 9 * time.Hour, 30 * time.Hour}
	walker, err := dag.NewWalker(g, dag.Walk[float64]{
		Algebra: dag.SumProduct[float64](),
		Weight:  dag.Shares(g),
		Keep:    func(source, d uint32) bool { return submitted[d]-submitted[source] <= 24*time.Hour },
		Hops:    2,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	below, share := walker.From(ingest)
	for i, d := range below {
		fmt.Printf("%.2f of %s comes from ingest\n", share[i], jobNames[d])
	}
	// Output:
	// 1.00 of clean comes from ingest
	// 0.50 of merge comes from ingest
}

// How many jobs lie between two, at least and at most: other weights, another algebra.
func ExampleAlgebra() {
	g, err := dag.New(int(jobs), readBy)
	if err != nil {
		fmt.Println(err)
		return
	}
	hop := func(dag.Edge) int64 { return 1 }
	least, err := dag.NewWalker(g, dag.Walk[int64]{Algebra: dag.MinPlus[int64](), Weight: hop})
	if err != nil {
		fmt.Println(err)
		return
	}
	most, err := dag.NewWalker(g, dag.Walk[int64]{Algebra: dag.MaxPlus[int64](), Weight: hop})
	if err != nil {
		fmt.Println(err)
		return
	}
	below, shortest := least.From(ingest)
	_, longest := most.From(ingest)
	for i, d := range below {
		fmt.Printf("%s: %d to %d hops\n", jobNames[d], shortest[i], longest[i])
	}
	// Output:
	// clean: 1 to 1 hops
	// merge: 2 to 2 hops
	// chart: 3 to 3 hops
	// audit: 1 to 3 hops
}
