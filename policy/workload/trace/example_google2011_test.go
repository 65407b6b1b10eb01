package trace_test

import (
	"fmt"
	"log"
	"strings"

	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// A job of two tasks, as Google's trace tells it: rows of job_events and task_events by
// time. One task is evicted once and runs again; the other one is never scheduled.
func ExampleReader_Skipped() {
	const rows = `600000000,,7,0,ann,2,nightly-17,nightly
600000000,,7,0,,0,ann,2,9,0.5,0.25,0,0
600000000,,7,1,,0,ann,2,9,0.5,0.25,0,0
601000000,,7,0,41,1,ann,2,9,0.5,0.25,0,0
605000000,,7,0,41,2,ann,2,9,0.5,0.25,0,0
605000000,,7,0,,0,ann,2,9,0.5,0.25,0,0
607000000,,7,0,42,1,ann,2,9,0.5,0.25,0,0
615000000,,7,0,42,4,ann,2,9,0.5,0.25,0,0
615000000,,7,1,,5,ann,2,9,0.5,0.25,0,0
615000000,,7,4,ann,2,nightly-17,nightly
`
	r, err := trace.NewReader("trace", strings.NewReader(rows), trace.ReaderConfig{})
	if err != nil {
		log.Fatal(err)
	}
	jobs, err := workload.ReadAll(r.Jobs())
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range jobs {
		program, _ := j.Attr("program")
		fmt.Println(program, j.At.Format("15:04"), j.Runtimes)
	}
	fmt.Println("left out:", r.Skipped())
	// Output:
	// nightly 19:00 [[8s]]
	// left out: map[attempt that was evicted:1 task that never ran:1]
}
