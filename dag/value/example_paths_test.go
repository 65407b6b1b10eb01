package value_test

import (
	"fmt"
	"math"

	"example.com/augur/dag"
	"example.com/augur/dag/value"
)

// What depends on a load: two reports that read it, and a board that reads both.
func ExamplePaths() {
	const load, sales, stock, board = 0, 1, 2, 3
	g, err := dag.New(4, []dag.Edge{
		{From: load, To: sales}, {From: load, To: stock}, {From: sales, To: board}, {From: stock, To: board},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	downloads := []float64{load: 0, sales: 2, stock: 1, board: 9}
	priority := []float64{load: 1, sales: 3, stock: 2, board: 8}
	minutes := []float64{load: 60, sales: 10, stock: 30, board: 5}

	worth := downloads[load] // section 4.5.2
	for d, weight := range value.Shares().Dependents(g, load, nil) {
		worth += weight * downloads[d]
	}
	jobs, work := 0, 0.0 // section 4.3
	for d := range value.Reach().Dependents(g, load, nil) {
		jobs++
		work += minutes[d]
	}
	fmt.Printf("load is worth %.0f downloads; %d jobs depend on it, which take %g minutes\n", worth, jobs, work)

	inherited, err := value.Reach().Fold(nil, g, priority)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("priorities without inversion:", inherited)

	// Other functions: the least number of hops, and the greatest sum of minutes, from the start of a job to the end of the last.
	one := func(*dag.Graph, uint32, uint32) float64 { return 1 }
	ofJob := func(_ *dag.Graph, from, _ uint32) float64 { return minutes[from] }
	plus := func(a, b float64) float64 { return a + b }
	for d, hops := range (value.Paths[float64]{Weight: one, Along: plus, Across: math.Min}).Dependents(g, load, nil) {
		fmt.Printf("job %d is %g hops away\n", d, hops)
	}
	critical, err := value.Paths[float64]{Weight: ofJob, Along: plus, Across: math.Max}.Fold(nil, g, minutes)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("minutes until all is done:", critical)
	// Output:
	// load is worth 12 downloads; 3 jobs depend on it, which take 45 minutes
	// priorities without inversion: [8 8 8 8]
	// job 1 is 1 hops away
	// job 2 is 1 hops away
	// job 3 is 2 hops away
	// minutes until all is done: [95 15 35 5]
}
