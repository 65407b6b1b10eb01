package trace_test

import (
	"log"
	"os"
	"strings"

	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// bags are jobs in the form of the simulators of Sparrow, Hawk and Eagle: arrival, number of tasks,
// their mean runtime, and their runtimes, in seconds.
const bags = `0 2 15 10 20
30 1 60 60
70 3 10 5 10 15
100 1 5 5
`

// Half of the jobs of a trace get deadlines, and all are kept in augur's own form, which leaves nothing of them out.
func ExampleWrite() {
	reader, err := trace.NewReader("trace", strings.NewReader(bags), trace.ReaderConfig{})
	if err != nil {
		log.Fatal(err)
	}
	deadlines := workload.DefaultDeadlines()
	deadlines.Slack = []float64{0.2, 0.8}
	source, err := deadlines.Source(reader.Jobs())
	if err != nil {
		log.Fatal(err)
	}
	jobs, err := workload.ReadAll(source)
	if err != nil {
		log.Fatal(err)
	}

	if err := trace.Write(os.Stdout, workload.Of(jobs)); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"id":1,"submitted":0,"stages":[{"tasks":2,"cores":1}],"slo":{"deadline":36000000000,"utility":1},"runtimes":[[10000000000,20000000000]]}
	// {"id":2,"submitted":30000000000,"stages":[{"tasks":1,"cores":1}],"runtimes":[[60000000000]]}
	// {"id":3,"submitted":70000000000,"stages":[{"tasks":3,"cores":1}],"slo":{"deadline":88000000000,"utility":1},"runtimes":[[5000000000,10000000000,15000000000]]}
	// {"id":4,"submitted":100000000000,"stages":[{"tasks":1,"cores":1}],"runtimes":[[5000000000]]}
}
