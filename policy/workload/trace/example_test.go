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
	// 2 jobs; rows dropped: map[arrival is not a number:1 fewer runtimes than tasks:2 mean runtime is not in 0 to 1.797693e+308:1]
}

// Any table with a header line is read if its columns are named. Of the rows here, one job did not end.
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
