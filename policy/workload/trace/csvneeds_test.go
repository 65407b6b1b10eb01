package trace_test

import (
	"fmt"
	"log"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// needing returns the job with what the tasks of its first stage need.
func needing(j *workload.Job, needs ...policy.Need) *workload.Job {
	return with(j, func(j *workload.Job) { j.Stages[0].Needs = needs })
}

// Whatever a row needs, its tasks need it together: the same on all, in whole units, at most what one may take, and on no more
// tasks than that asks for.
func TestNeedsAreShared(t *testing.T) {
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, 2))
	for range 300 {
		gpus, most := 1+rng.IntN(70), 1+rng.IntN(12)
		columns := fmt.Sprintf("submit=t,runtime=d,cores=g,need.gpu=g/%d", most)
		j := jobtest.All(t, reader(t, fmt.Appendf(nil, "t,d,g\n0,1,%d\n", gpus), table(columns)).Jobs())[0]
		s := &j.Stages[0]
		tasks := int64(s.Tasks)
		want := int64(gpus) // tasks: one for each unit is always right
		for k := int64(gpus); k >= 1; k-- {
			if each := int64(gpus) / k; each*k == int64(gpus) && each <= int64(most) {
				want = k
			}
		}
		if tasks != want || s.Needs[0].Amount*tasks != int64(gpus)*1000 || int64(s.Cores)*tasks != int64(gpus) || s.Gang != (tasks > 1) {
			t.Errorf("seed %d: %d GPUs, at most %d of a task: got %+v, want %d tasks", seed, gpus, most, *s, want)
		}
	}
}

// What tasks need of a node besides cores and memory is read from columns too. No task of this cluster gets more than 4 GPUs, so
// 6 are a gang of two tasks.
func ExampleReaderConfig_needs() {
	const table = `queued,seconds,gpus,share
0,60,1,0.5
5,60,6,1
9,60,0,
`
	reader, err := trace.NewReader("jobs.csv", strings.NewReader(table), trace.ReaderConfig{
		Columns: "submit=queued,runtime=seconds,need.gpu=gpus*share/4",
	})
	if err != nil {
		log.Fatal(err)
	}
	for job, err := range reader.Jobs() {
		if err != nil {
			log.Fatal(err)
		}
		s := job.Stages[0]
		fmt.Printf("job %d: %d tasks, each needs %v\n", job.ID, s.Tasks, s.Needs)
	}
	// Output:
	// job 1: 1 tasks, each needs [{gpu 500}]
	// job 2: 2 tasks, each needs [{gpu 3000}]
	// job 3: 1 tasks, each needs []
}
