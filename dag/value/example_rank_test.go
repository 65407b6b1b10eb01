package value_test

import (
	"cmp"
	"fmt"
	"log"
	"slices"
	"strings"

	"example.com/augur/dag"
	"example.com/augur/dag/value"
)

// A job has a value of its own, such as the number of people who look at its output, takes some
// slot-seconds, and reads what other jobs write.
type job struct {
	name        string
	value, work float64
	reads       string
}

// efficiencies returns for each job the value that is made of its output, by all that read it,
// directly or not, and of its own, for the work of all these.
func efficiencies(jobs []job) (map[string]float64, error) {
	numbers := map[string]uint32{}
	var edges []dag.Edge
	var values, work []float64
	for i, j := range jobs {
		numbers[j.name] = uint32(i)
		values, work = append(values, j.value), append(work, j.work)
		for from := range strings.FieldsSeq(j.reads) {
			edges = append(edges, dag.Edge{From: numbers[from], To: uint32(i)})
		}
	}
	g, err := dag.New(len(jobs), edges)
	if err != nil {
		return nil, err
	}
	if values, err = value.Aggregate(nil, g, values); err != nil {
		return nil, err
	}
	if work, err = value.Aggregate(nil, g, work); err != nil { // of any quantity
		return nil, err
	}
	worth := map[string]float64{}
	for i, j := range jobs {
		worth[j.name] = value.Worth{Value: values[i], Compute: work[i]}.Efficiency()
	}
	return worth, nil
}

// One job runs at a time, of those whose input is there the one worth the most. Nobody looks at what load writes, and yet it
// goes before train, at which many look: the chart at which everybody looks is made from it.
func Example_rank() {
	waiting := []job{
		{"load", 0, 100, ""},
		{"train", 30, 900, ""},
		{"clean", 1, 100, "load"},
		{"chart", 90, 50, "clean"},
		{"archive", 1, 60, "clean"},
	}
	worth, err := efficiencies(waiting)
	if err != nil {
		log.Fatal(err)
	}
	slices.SortStableFunc(waiting, func(a, b job) int { return cmp.Compare(worth[b.name], worth[a.name]) })
	done := map[string]bool{}
	for len(waiting) > 0 {
		next := slices.IndexFunc(waiting, func(j job) bool {
			return !slices.ContainsFunc(strings.Fields(j.reads), func(from string) bool { return !done[from] })
		})
		j := waiting[next]
		fmt.Printf("%s, worth %.3f a slot-second\n", j.name, worth[j.name])
		done[j.name] = true
		waiting = slices.Delete(waiting, next, next+1)
	}
	// Output:
	// load, worth 0.297 a slot-second
	// clean, worth 0.438 a slot-second
	// chart, worth 1.800 a slot-second
	// train, worth 0.033 a slot-second
	// archive, worth 0.017 a slot-second
}
