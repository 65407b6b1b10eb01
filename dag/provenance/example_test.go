package provenance_test

import (
	"fmt"

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

	found, err := provenance.Find(log, submitted, 0)
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
