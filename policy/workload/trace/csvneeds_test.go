package trace_test

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/traces"
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

func TestNeedsAboveATask(t *testing.T) {
	badRows(t, table("submit=t,runtime=d,need.gpu=g/8"), "t,d,g\n0,1,8\n", 1, "0,1,8", []badRow{
		{"a part too many", "0,1,8.5", "need.gpu is above 8 and no whole number", `"8.5"`},
	})
}

// Whole traces under the presets that read needs. The numbers are those of awk over the files.
func TestRealNeeds(t *testing.T) {
	type counts struct {
		Jobs, Needing, Tasks int
		Amount               int64   // thousandths of GPUs, of all tasks
		Work                 float64 // GPU-seconds
	}
	for _, test := range []struct {
		preset, file string
		want         counts
	}{
		{"philly_needs", "philly/philly_to_2017-10-31.csv.gz", counts{52_849, 52_849, 52_998, 63_436_000, 2_312_673_532}},
		{"alibaba_gpu_needs", "alibaba_gpu/openb_pod_list_default.csv.gz", counts{7255, 6203, 7255, 5_484_930, 185_294_426.97}},
	} {
		t.Run(test.preset, func(t *testing.T) {
			r, err := trace.Open(traces.Path(t, test.file), trace.ReaderConfig{Columns: test.preset})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var got counts
			for j, err := range r.Jobs() {
				if err != nil {
					t.Fatal(err)
				}
				if err := j.Validate(); err != nil {
					t.Fatal(err)
				}
				got.Jobs++
				got.Tasks += j.Tasks()
				if s := &j.Stages[0]; len(s.Needs) > 0 {
					got.Needing++
					amount := s.Needs[0].Amount * int64(s.Tasks)
					got.Amount += amount
					got.Work += float64(amount) / 1000 * j.Runtimes[0][0].Seconds()
				}
			}
			if math.Abs(got.Work/test.want.Work-1) < 1e-9 {
				got.Work = test.want.Work // the sum of many terms is rounded
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
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
