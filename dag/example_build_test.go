package dag_test

import (
	"cmp"
	"errors"
	"fmt"
	"log"
	"slices"
	"strings"
	"time"

	"example.com/augur/dag"
)

// A build is targets that read one another. Graphs number their nodes, so it keeps the names.
type build struct {
	names   []string
	numbers map[string]uint32
	takes   []time.Duration
	edges   []dag.Edge
}

// target adds a target, which may be named by others before or after.
func (b *build) target(name string, takes time.Duration, reads string) {
	to := b.number(name)
	b.takes[to] = takes
	for from := range strings.FieldsSeq(reads) {
		b.edges = append(b.edges, dag.Edge{From: b.number(from), To: to})
	}
}

func (b *build) number(name string) uint32 {
	if n, ok := b.numbers[name]; ok {
		return n
	}
	n := uint32(len(b.names))
	b.names, b.takes, b.numbers[name] = append(b.names, name), append(b.takes, 0), n
	return n
}

// urgent returns the targets in the order in which a worker that is free should take them: those
// first after which most is left to do. That order never puts a target before one that it reads.
func (b *build) urgent() ([]uint32, error) {
	g, err := dag.New(len(b.names), b.edges)
	if cycle, ok := errors.AsType[*dag.CycleError](err); ok {
		return nil, fmt.Errorf("%s reads itself, through %d targets", b.names[cycle.Cycle[0]], len(cycle.Cycle))
	}
	if err != nil {
		return nil, err
	}
	left := slices.Clone(b.takes) // of the longest path from each target on
	for _, v := range slices.Backward(g.Order()) {
		for _, to := range g.Out(v) {
			left[v] = max(left[v], b.takes[v]+left[to])
		}
	}
	order := slices.Clone(g.Order())
	slices.SortStableFunc(order, func(v, w uint32) int { return cmp.Compare(left[w], left[v]) })
	return order, nil
}

// A build server numbers what its users name, and finds out what to begin with.
func Example_build() {
	b := build{numbers: map[string]uint32{}}
	b.target("app", 20*time.Second, "lib pages")
	b.target("lib", 50*time.Second, "parser")
	b.target("parser", 5*time.Second, "")
	b.target("pages", 30*time.Second, "images")
	b.target("images", 10*time.Second, "")
	order, err := b.urgent()
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range order {
		fmt.Println(b.names[v])
	}

	b.target("parser", 5*time.Second, "app")
	_, err = b.urgent()
	fmt.Println(err)
	// Output:
	// parser
	// lib
	// images
	// pages
	// app
	// parser reads itself, through 3 targets
}
