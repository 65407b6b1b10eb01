package trace_test

import (
	"fmt"
	"log"
	"strings"

	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// A strict reader stops at the first row that it cannot read.
func ExampleReader_Jobs() {
	reader, err := trace.NewReader("a.tr", strings.NewReader("0 1 5 5\n10 2 5 5\n"), trace.ReaderConfig{})
	if err != nil {
		log.Fatal(err)
	}
	for job, err := range reader.Jobs() {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println("job", job.ID, "takes", job.Work(), "core-seconds")
	}
	// Output:
	// job 1 takes 5 core-seconds
	// a.tr:2: fewer runtimes than tasks: got 1, want 2
}

// A lenient reader leaves such rows out, and says why it did.
func ExampleReader_Dropped() {
	const rows = "0 1 5 5\n10 2 5 5\nTOTAL 2\n20 1 -1 -1\n30 2 5 4 6\n40 3 5 5 5\n"
	reader, err := trace.NewReader("a.tr", strings.NewReader(rows), trace.ReaderConfig{Lenient: true})
	if err != nil {
		log.Fatal(err)
	}
	jobs, err := workload.ReadAll(reader.Jobs())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(jobs), "jobs; rows dropped:", reader.Dropped())
	// Output:
	// 2 jobs; rows dropped: map[arrival is not a number:1 fewer runtimes than tasks:2 mean runtime is not a number of at least 0:1]
}
