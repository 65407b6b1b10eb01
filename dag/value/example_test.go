package value_test

import (
	"bytes"
	"fmt"
	"time"

	"example.com/augur/dag"
	"example.com/augur/dag/value"
)

// The jobs of Fig. 5: B and C read what A writes, D and E what C does. The paper gives no numbers; these are ours.
const (
	a uint32 = iota
	b
	c
	d
	e
)

var (
	reads = []dag.Edge{{From: a, To: b}, {From: a, To: c}, {From: c, To: d}, {From: c, To: e}}

	hours     = []int64{a: 0, b: 2, c: 4, d: 6, e: 7} // of submission
	downloads = []float64{a: 1, b: 3, c: 2, d: 5, e: 4}
)

// Hardly anybody downloads what A writes, but most downloads depend on it.
func ExampleAggregate() {
	g, err := dag.New(5, reads)
	if err != nil {
		fmt.Println(err)
		return
	}
	agg, err := value.Aggregate(nil, g, downloads)
	if err != nil {
		fmt.Println(err)
		return
	}
	for j, x := range agg {
		fmt.Printf("%c: %v of its own, %v in all\n", 'A'+j, downloads[j], x)
	}
	// Output:
	// A: 1 of its own, 15 in all
	// B: 3 of its own, 3 in all
	// C: 2 of its own, 11 in all
	// D: 5 of its own, 5 in all
	// E: 4 of its own, 4 in all
}

// Fig. 5: if A is not there when B is submitted, B fails, and if it is not there for C,
// that takes D and E with it. A's own value stays.
func ExampleFunction() {
	g, err := dag.New(5, reads)
	if err != nil {
		fmt.Println(err)
		return
	}
	agg, err := value.Aggregate(nil, g, downloads)
	if err != nil {
		fmt.Println(err)
		return
	}
	var drops []value.Drop
	for _, d := range g.Out(a) {
		drops = append(drops, value.Drop{At: hours[d], Value: agg[d] / float64(len(g.In(d)))})
	}
	f, err := value.NewFunction(downloads[a], drops)
	if err != nil {
		fmt.Println(err)
		return
	}
	for hour := range int64(7) {
		fmt.Printf("A completes at hour %d: %v\n", hour, f.At(hour))
	}
	// Output:
	// A completes at hour 0: 15
	// A completes at hour 1: 15
	// A completes at hour 2: 15
	// A completes at hour 3: 12
	// A completes at hour 4: 12
	// A completes at hour 5: 1
	// A completes at hour 6: 1
}

// From a log to priorities: every day somebody loads data, for reports that users download, and
// somebody else trains a model for long that few look at.
func Example() {
	const day, days = int64(24 * time.Hour), 14
	var (
		edges                []dag.Edge
		submitted, completed []int64
		downloads, slots     []float64
		names                []string
	)
	submit := func(name string, at time.Duration, d int64, worth, seconds float64) uint32 {
		submitted = append(submitted, d*day+int64(at))
		completed = append(completed, d*day+int64(at+time.Hour))
		downloads, slots, names = append(downloads, worth), append(slots, seconds), append(names, name)
		return uint32(len(names) - 1)
	}
	for d := range int64(days) {
		load := submit("load", 0, d, 0, 3000)
		submit("train", 2*time.Hour, d, 3, 6000)
		report := submit("report", 8*time.Hour, d, 20, 500)
		edges = append(edges, dag.Edge{From: load, To: report})
	}
	g, err := dag.New(len(names), edges)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := value.NewWindowed(g, submitted, completed, value.WindowConfig{End: days * day}, downloads, slots)
	if err != nil {
		fmt.Println(err)
		return
	}
	records := make([]value.Record, len(names))
	for j := range records {
		if records[j], err = w.Record(uint32(j)); err != nil {
			fmt.Println(err)
			return
		}
		records[j].Template, records[j].Recurring = names[j], true
	}
	store, err := value.Build(records)
	if err != nil {
		fmt.Println(err)
		return
	}

	var live value.Live // which the scheduler has
	live.Swap(store)
	for _, name := range []string{"load", "train", "report", "something new"} {
		direct, _ := live.Load().Direct(name, "")
		all, known := live.Load().Priority(name, "")
		fmt.Printf("%s: %.4f alone, priority %.4f, known %v\n", name, direct.Efficiency, all.Efficiency, known)
	}
	p, _ := store.Template("load")
	fmt.Printf("%d loads; of %d the output was read, first after %v\n", p.Jobs, p.WithDependents, p.TimeToDependency)
	fmt.Printf("a load takes up to %g s, and up to %g jobs depend on it\n", p.Spread.Runtime[10], p.Spread.Downstream[10])
	// Output:
	// load: 0.0000 alone, priority 0.0057, known true
	// train: 0.0005 alone, priority 0.0005, known true
	// report: 0.0400 alone, priority 0.0400, known true
	// something new: 0.0000 alone, priority 0.0000, known false
	// 14 loads; of 7 the output was read, first after 8h0m0s
	// a load takes up to 3600 s, and up to 1 jobs depend on it
}

// A store outlives the process that has built it, and the error says what is wrong with a file.
func ExampleLoad() {
	store, err := value.Build([]value.Record{
		{User: "ann", Valid: true, Own: value.Worth{Value: 8, Compute: 2}},
		{User: "ann", Valid: true, Own: value.Worth{Value: 2, Compute: 4}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := store.Save(&file); err != nil {
		fmt.Println(err)
		return
	}
	_, err = value.Load(bytes.NewReader(file.Bytes()[:50]))
	fmt.Println(err)
	loaded, err := value.Load(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	own, known := loaded.Direct("an ad-hoc query", "ann")
	fmt.Printf("value %v, compute time %v, %.3f, known %v\n", own.Value, own.Compute, own.Efficiency, known)
	// Output:
	// value: not a saved store: unexpected EOF
	// value 5, compute time 3, 1.667, known true
}

// Of a log that ends at hour 8, what follows within 3 hours 40 of a job's completion. D completes
// too late for that to be known.
func ExampleWindowed() {
	g, err := dag.New(5, reads)
	if err != nil {
		fmt.Println(err)
		return
	}
	submitted, completed := make([]int64, 5), make([]int64, 5)
	for j, hour := range hours {
		submitted[j] = hour * int64(time.Hour)
		completed[j] = submitted[j] + int64(10*time.Minute)
	}
	slots := []float64{a: 100, b: 10, c: 50, d: 20, e: 10} // compute time
	window := value.WindowConfig{Width: 3*time.Hour + 40*time.Minute, End: int64(8 * time.Hour)}
	w, err := value.NewWindowed(g, submitted, completed, window, downloads, slots)
	if err != nil {
		fmt.Println(err)
		return
	}
	var credits []float64
	for j := range uint32(4) {
		var ok bool
		if credits, ok = w.Aggregate(credits[:0], j); !ok {
			fmt.Printf("%c: not known\n", 'A'+j)
			continue
		}
		fmt.Printf("%c: %v downloads for %v slot-seconds\n", 'A'+j, credits[0], credits[1])
	}
	// Output:
	// A: 4 downloads for 110 slot-seconds
	// B: 3 downloads for 10 slot-seconds
	// C: 11 downloads for 80 slot-seconds
	// D: not known
}
