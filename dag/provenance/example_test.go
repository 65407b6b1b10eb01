package provenance_test

import (
	"fmt"
	"iter"

	"example.com/augur/dag/provenance"
)

// The data lake of Wing, Fig. 1, with a download: job 2 reads what job 1 wrote, and job 3
// what job 2 wrote, though neither said so to anybody.
func Example() {
	const minute = 60e9
	log := []provenance.Op{
		{Time: 0 * minute, Job: 1, File: 0, Kind: provenance.Write},
		{Time: 5 * minute, Job: 2, File: 0, Kind: provenance.Read},
		{Time: 9 * minute, Job: 2, File: 1, Kind: provenance.Write},
		{Time: 9 * minute, Job: 3, File: 1, Kind: provenance.Read},
		{Time: 30 * minute, Job: provenance.User, File: 1, Kind: provenance.Read},
	}
	submitted := []provenance.Time{1: 0, 2: 4 * minute, 3: 8 * minute}

	found, err := provenance.Find(provenance.Of(log), provenance.JoinConfig{Submitted: provenance.SubmittedAt(submitted)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range found.Dependencies {
		fmt.Printf("job %d depends on job %d\n", d.To, d.From)
	}
	for _, d := range found.Downloads {
		fmt.Printf("a user downloaded what job %d wrote\n", d.Job)
	}
	// Output:
	// job 2 depends on job 1
	// job 3 depends on job 2
	// a user downloaded what job 2 wrote
}

// A log that never ends is joined operation by operation. Here each dependency is told when it
// is found, and once.
func ExampleJoin() {
	submitted := []provenance.Time{0, 10, 20}
	join, err := provenance.NewJoin(provenance.JoinConfig{Window: 100, Submitted: provenance.SubmittedAt(submitted)})
	if err != nil {
		fmt.Println(err)
		return
	}
	var pairs provenance.Pairs
	var uses []provenance.Use
	tell := func() {
		for _, u := range uses {
			if pairs.Add(u) {
				fmt.Printf("%d ns: job %d depends on job %d\n", u.Read, u.To, u.From)
			}
		}
		uses = uses[:0]
	}
	for _, op := range []provenance.Op{
		{Time: 5, Job: 0, File: 0, Kind: provenance.Write},
		{Time: 5, Job: 0, File: 1, Kind: provenance.Write},
		{Time: 12, Job: 1, File: 0, Kind: provenance.Read},
		{Time: 13, Job: 1, File: 1, Kind: provenance.Read},
		{Time: 21, Job: 2, File: 0, Kind: provenance.Read},
		{Time: 106, Job: 2, File: 1, Kind: provenance.Read},
	} {
		if uses, err = join.Add(uses, op); err != nil {
			fmt.Println(err)
			return
		}
		tell()
	}
	uses = join.Flush(uses)
	tell()
	fmt.Println("reads of nothing that is within the window:", join.Counts().Foreign)
	// Output:
	// 12 ns: job 1 depends on job 0
	// 21 ns: job 2 depends on job 0
	// reads of nothing that is within the window: 1
}

// Two file servers keep logs of their own, and one of them writes its lines up to 3 ns late.
func ExampleMerge() {
	one := []provenance.Op{{Time: 1, Job: 0}, {Time: 6, Job: 1}}
	two := []provenance.Op{{Time: 5, Job: 2}, {Time: 2, Job: 3}, {Time: 7, Job: 4}}
	var sources []iter.Seq2[provenance.Op, error]
	sources = append(sources, provenance.Of(one), provenance.InOrder(provenance.Of(two), 3))
	for op, err := range provenance.Merge(sources...) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(op)
	}
	// Output:
	// read of file 0 by job 0 at 1 ns
	// read of file 0 by job 3 at 2 ns
	// read of file 0 by job 2 at 5 ns
	// read of file 0 by job 1 at 6 ns
	// read of file 0 by job 4 at 7 ns
}
