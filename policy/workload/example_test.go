package workload_test

import (
	"fmt"
	"log"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// fourJobs is a file in the form of the simulators of Sparrow, Hawk and Eagle: arrival,
// number of tasks, their mean runtime, and their runtimes, in seconds.
const fourJobs = `0 2 15 10 20
30 1 60 60
70 3 10 5 10 15
100 1 5 5
`

// A trace is read, brought to the load that is wanted, and split into what a policy may
// see and the truth, which a host asks for how long tasks run.
func Example() {
	reader, err := trace.NewReader("trace", strings.NewReader(fourJobs), trace.ReaderConfig{})
	if err != nil {
		log.Fatal(err)
	}
	jobs, err := workload.ReadAll(reader.Jobs())
	if err != nil {
		log.Fatal(err)
	}

	const cores, load = 2, 0.5
	offered := workload.Measure(jobs)
	fmt.Printf("%v s of work over %v s: load %v\n", offered.Work, offered.Span(), offered.Load(cores))
	jobs, err = workload.ToLoad(jobs, cores, load)
	if err != nil {
		log.Fatal(err)
	}

	visible, truth := workload.Split(jobs)
	for job, err := range visible {
		if err != nil {
			log.Fatal(err)
		}
		last := policy.Task{Job: job.ID, Index: uint32(job.Tasks() - 1)}
		runtime, _ := truth.Runtime(policy.Copy{Task: last})
		fmt.Printf("job %d at %v s: %d tasks, the last one runs for %v\n", job.ID, job.Submitted.Seconds(), job.Tasks(), runtime)
		truth.Forget(job.ID)
	}
	// Output:
	// 125 s of work over 100 s: load 0.625
	// job 1 at 0 s: 2 tasks, the last one runs for 20s
	// job 2 at 37.5 s: 1 tasks, the last one runs for 1m0s
	// job 3 at 87.5 s: 3 tasks, the last one runs for 15s
	// job 4 at 125 s: 1 tasks, the last one runs for 5s
}
