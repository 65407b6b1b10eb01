package trace_test

import (
	"fmt"
	"log"
	"strings"

	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// Any table with a header line is read if its columns are named. Of the rows here, one job
// did not end.
func ExampleReaderConfig() {
	const table = `id,owner,state,queued,began,ended,cpus
1,ann,DONE,2026-01-05 08:00:00,2026-01-05 08:00:02,2026-01-05 08:10:02,4
2,bob,LOST,2026-01-05 08:00:30,2026-01-05 08:00:31,,1
3,bob,DONE,2026-01-05 08:01:00,2026-01-05 08:10:02,2026-01-05 08:10:07,1
`
	reader, err := trace.NewReader("jobs.csv", strings.NewReader(table), trace.ReaderConfig{
		Columns: "submit=queued:date,start=began:date,end=ended:date,cores=cpus,user=owner,?state=DONE",
	})
	if err != nil {
		log.Fatal(err)
	}
	jobs, err := workload.ReadAll(reader.Jobs())
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range jobs {
		user, _ := j.Attr("user")
		fmt.Printf("%v s: %s, %d cores for %v\n", j.Submitted.Seconds(), user, j.Stages[0].Cores, j.Runtimes[0][0])
	}
	fmt.Println("left out:", reader.Skipped())
	// Output:
	// 0 s: ann, 4 cores for 10m0s
	// 60 s: bob, 1 cores for 5s
	// left out: map[state is not DONE:1]
}
