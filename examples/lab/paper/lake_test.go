package paper_test

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/lab/paper"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload"
)

// What a scheduler may learn from is before Begin; the experiment, and what its jobs are
// worth, is after it.
func ExampleLake() {
	lake, err := paper.DefaultLake().Log()
	if err != nil {
		log.Fatal(err)
	}
	jobs, operations := 0, 0
	past := lake.Provenance()
	for _, j := range past.Jobs {
		if j.Completed <= provenance.Time(lake.Begin()) {
			jobs++
		}
	}
	for _, op := range past.Ops {
		if op.Time <= provenance.Time(lake.Begin()) {
			operations++
		}
	}
	fmt.Printf("history: %d jobs, %d operations\n", jobs, operations)
	experiment, err := workload.ReadAll(lake.Source())
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range experiment {
		times := lake.Downloads(j.ID)
		if j.Inputs == nil || len(times) < 100 {
			continue
		}
		name, _ := j.Attr("jobname")
		fmt.Printf("job %d of %s: %s\n", j.ID, j.Queue, name)
		fmt.Printf("%d tasks, %d inputs, waits: %v\n", j.Tasks(), len(j.Inputs.Jobs), j.Inputs.Wait)
		for _, late := range []time.Duration{0, 12 * time.Hour, 7 * 24 * time.Hour} {
			done := j.Submitted.Add(j.Ideal() + late)
			fmt.Printf("%v late: value %d\n", late, lake.Attained(j.ID, done))
		}
		break
	}
	// Output:
	// history: 27970 jobs, 293218 operations
	// job 29402 of copper.quality.invoice: sample-campaign-copper-billing_2026-01-19
	// 14 tasks, 1 inputs, waits: false
	// 0s late: value 130
	// 12h0m0s late: value 41
	// 168h0m0s late: value 0
}

// small returns a lake of few days.
func small() paper.Lake {
	l := paper.DefaultLake()
	l.JobsPerDay, l.HistoryDays, l.Days = 400, 5, 2
	l.Organisations, l.Users, l.Cores, l.Load = 6, 20, 2000, 0.1
	return l
}

// lakeText is all that a log writes.
func lakeText(t testing.TB, log *paper.LakeLog) []byte {
	t.Helper()
	var text bytes.Buffer
	fmt.Fprintln(&text, *log.Provenance())
	text.Write(jobtest.Text(t, jobtest.All(t, log.Source())...))
	return text.Bytes()
}

func anotherSeedGivesOtherJobs(t *testing.T) {
	for name, of := range map[string]func(seed uint64) (workload.Source, error){
		"e2e": func(seed uint64) (workload.Source, error) { e := paper.DefaultE2E(); e.Seed = seed; return e.Source() },
		"before": func(seed uint64) (workload.Source, error) {
			e := paper.DefaultE2E()
			e.Seed = seed
			return e.History(50)
		},
		"kairos": func(seed uint64) (workload.Source, error) {
			k := paper.DefaultKairos()
			k.Seed = seed
			return k.Source()
		},
		"slearn": func(seed uint64) (workload.Source, error) { g := smallSLearn(); g.Seed = seed; return g.Source() },
		"trace":  func(seed uint64) (workload.Source, error) { g := smallSLearn(); g.Seed = seed; return g.Original() },
	} {
		text := func(seed uint64) []byte {
			return jobtest.Text(t, jobtest.Made(t)(of(seed))...)
		}
		first := text(1)
		if !bytes.Equal(first, text(1)) {
			t.Errorf("%s: the same seed gives other jobs", name)
		}
		if bytes.Equal(first, text(2)) {
			t.Errorf("%s: another seed gives the same jobs", name)
		}
	}
}

func TestLakeIsDeterministic(t *testing.T) {
	l := small()
	first := lakeText(t, lakeLog(t, l))
	log := lakeLog(t, l)
	for range 2 {
		if again := lakeText(t, log); !bytes.Equal(first, again) {
			t.Error("the same values give another log")
		}
	}
	l.Seed++
	if bytes.Equal(first, lakeText(t, lakeLog(t, l))) {
		t.Error("another seed gives the same log")
	}
}

// Whatever is allowed makes a log of jobs that can be run, and everything else is refused.
func TestLakeTakesWhatItAllows(t *testing.T) {
	for name, change := range map[string]func(*paper.Lake){
		"a day":             func(l *paper.Lake) { l.HistoryDays, l.Days = 1, 1 },
		"two organisations": func(l *paper.Lake) { l.Organisations, l.Users = 2, 2 },
	} {
		t.Run(name, func(t *testing.T) {
			l := small()
			change(&l)
			log := lakeLog(t, l)
			n := 0
			for _, j := range jobtest.All(t, log.Source()) {
				if err := j.Validate(); err != nil {
					t.Fatal(err)
				}
				n++
			}
			if n < 50*l.Days {
				t.Errorf("%d jobs in %d days", n, l.Days)
			}
			measureLake(t, log) // checks what jobs read
		})
	}
}

func TestLakeErrors(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		change func(*paper.Lake)
		want   string
	}{
		{func(l *paper.Lake) { l.JobsPerDay = 99 }, "JobsPerDay is 99, want 100 to 2^20"},
		{func(l *paper.Lake) { l.HistoryDays = 0 }, "HistoryDays is 0, want 1 to 400"},
		{func(l *paper.Lake) { l.Days = 29 }, "Days is 29, want 1 to 28"},
		{func(l *paper.Lake) { l.JobsPerDay, l.HistoryDays = 1<<20, 400 }, "more than 2^28 jobs"},
		{func(l *paper.Lake) { l.Organisations = 1 }, "Organisations is 1, want 2 to 10,000"},
		{func(l *paper.Lake) { l.Users = 29 }, "Users is 29, want Organisations to 2^20"},
		{func(l *paper.Lake) { l.DepthBias = -1 }, "DepthBias is -1"},
		{func(l *paper.Lake) { l.Cores = 0 }, "Cores is 0"},
		{func(l *paper.Lake) { l.Load = nan }, "Load is NaN, want above 0"},
		{func(l *paper.Lake) { l.Load = 10 }, "Load is 10, want at most 0."},
	} {
		l := paper.DefaultLake()
		test.change(&l)
		if _, err := l.Log(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want %q in it", err, test.want)
		}
	}
}
