package value

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/augur/dag"
)

// algorithm1 is the paper's Algorithm 1, the analysis over any number of hops, with its slip mended. Comments give the
// lines of the pseudocode. The example compares [Aggregate] with it, with the functions of section 4.5.2.
type algorithm1 struct {
	Paths[float64]      // wt_fn, e_op and p_op of section 4.4
	sets           bool // tables are sets, as the paper writes them; else multisets
}

// A row of a table: job depends on depOn, over any number of hops, with a weight.
type row struct {
	job, depOn uint32
	wt         float64
}

// run takes the dependencies of single hops, and returns those over up to 2^iterations hops.
func (a algorithm1) run(singleHop *dag.Graph, iterations int) []row {
	ftr := a.preprocess(singleHop) // line 11
	base := slices.Clone(ftr)      // line 12
	for range iterations {         // lines 13 and 14
		baseTmp := a.except(base, ftr)                       // line 15; with sets it loses rows that weigh the same
		next := a.extendReach(ftr, ftr)                      // also line 15
		baseTmp = a.union(a.extendReach(ftr, baseTmp), base) // line 16
		base = a.group(baseTmp)                              // line 17
		base = a.union(base, next)                           // line 19
		ftr = next
		if len(ftr) == 0 { // line 20
			break
		}
	}
	return a.group(base) // line 21
}

// preprocess gives each dependency its weight.
func (a algorithm1) preprocess(singleHop *dag.Graph) (table []row) { // line 1
	for job := range uint32(singleHop.Len()) { // line 2
		for _, depOn := range singleHop.In(job) {
			table = append(table, row{job, depOn, a.Weight(singleHop, depOn, job)}) // line 3
		}
	}
	return table
}

// extendReach joins the paths of two tables.
func (a algorithm1) extendReach(t1, t2 []row) (eAgg []row) { // line 5
	for _, r1 := range t1 {
		for _, r2 := range t2 {
			if r1.depOn == r2.job {
				eAgg = append(eAgg, row{r1.job, r2.depOn, a.Along(r2.wt, r1.wt)}) // line 6
			}
		}
	}
	return a.group(eAgg) // line 8
}

// group is GROUP BY job, depOn with the path operation over the weights.
func (a algorithm1) group(table []row) (grouped []row) {
	for _, r := range a.sorted(table) {
		if n := len(grouped); n > 0 && grouped[n-1].job == r.job && grouped[n-1].depOn == r.depOn {
			grouped[n-1].wt = a.Across(grouped[n-1].wt, r.wt)
		} else {
			grouped = append(grouped, r)
		}
	}
	return grouped
}

// union is UNION ALL, or UNION with sets.
func (a algorithm1) union(s, t []row) []row {
	all := a.sorted(slices.Concat(s, t))
	if a.sets {
		all = slices.Compact(all)
	}
	return all
}

// except is EXCEPT ALL, which takes away each row of t once.
func (a algorithm1) except(s, t []row) []row {
	rest := slices.Clone(s)
	for _, r := range t {
		if i := slices.Index(rest, r); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		}
	}
	return rest
}

func (a algorithm1) sorted(table []row) []row {
	return slices.SortedFunc(slices.Values(table), func(a, b row) int {
		return cmp.Or(cmp.Compare(a.job, b.job), cmp.Compare(a.depOn, b.depOn), cmp.Compare(a.wt, b.wt))
	})
}

// dsOp is the downstream operation: the value of job j, and of all that depend on it.
func dsOp(table []row, own []float64, j uint32) float64 {
	total := own[j]
	for _, r := range table {
		if r.depOn == j {
			total += r.wt * own[r.job]
		}
	}
	return total
}

// Algorithm 1 of the paper, step by step, and the slip in it: job 2 is reached from job 0 by a path of one hop and by one of
// two. Where the two weigh the same, tables that are sets take away both in line 15.
func Example_algorithm1() {
	own := []float64{0, 1, 10, 100}
	g, err := dag.New(len(own), []dag.Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 1, To: 2}, {From: 2, To: 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	table := algorithm1{Paths: Shares()}.run(g, 8)
	for _, r := range table {
		fmt.Printf("of what job %d is worth, %.2f comes back to job %d\n", r.job, r.wt, r.depOn)
	}
	for j := range uint32(len(own)) {
		fmt.Printf("job %d is worth %g\n", j, dsOp(table, own, j))
	}
	worth, err := Aggregate(nil, g, own)
	fmt.Println("Aggregate finds", worth, err)

	count := algorithm1{Paths: Shares()}
	count.Weight = func(*dag.Graph, uint32, uint32) float64 { return 1 }
	fmt.Println("paths, with multisets:", count.run(g, 8))
	count.sets = true
	fmt.Println("paths, with sets:     ", count.run(g, 8))
	// Output:
	// of what job 1 is worth, 1.00 comes back to job 0
	// of what job 2 is worth, 1.00 comes back to job 0
	// of what job 2 is worth, 0.50 comes back to job 1
	// of what job 3 is worth, 1.00 comes back to job 0
	// of what job 3 is worth, 0.50 comes back to job 1
	// of what job 3 is worth, 1.00 comes back to job 2
	// job 0 is worth 111
	// job 1 is worth 56
	// job 2 is worth 110
	// job 3 is worth 100
	// Aggregate finds [111 56 110 100] <nil>
	// paths, with multisets: [{1 0 1} {2 0 2} {2 1 1} {3 0 2} {3 1 1} {3 2 1}]
	// paths, with sets:      [{1 0 1} {2 0 1} {2 1 1} {3 0 1} {3 1 1} {3 2 1}]
}
