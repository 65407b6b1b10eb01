package workload_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// What workloads promise.
func TestPromises(t *testing.T) {
	t.Run("what is generated comes again as it was, also after a range that was left", sourcesComeAgain)
	t.Run("a job without a valid description, or a runtime for each task, is refused with its first fault", validates)
	t.Run("a policy sees no runtime, and the truth knows those of the jobs that have come", splits)
	t.Run("the work of a job is in core-seconds", workOfJobs)
	t.Run("on a cluster with room for all of it, a job takes as long as Ideal says", idealIsWhatAJobTakesAlone)
	t.Run("each heavy-tailed job is as its parameters say", heavyTailJobs)
	t.Run("deadlines have the figures published in 3Sigma, section 5", deadlinesAreThoseOf3Sigma)
	t.Run("copies run for times with a Pareto tail", stragglersPareto)
}

const s = time.Second

var _ policy.Truth = (*workload.Truth)(nil)

func validates(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(j *workload.Job)
		want   string // empty: valid
	}{
		{"as it is", func(j *workload.Job) {}, ""},
		{"a gang", func(j *workload.Job) { j.Stages[0].Gang = true }, ""},
		{"runtimes of 0", func(j *workload.Job) { clear(j.Runtimes[0]) }, ""},
		{"a long runtime", func(j *workload.Job) { j.Runtimes[0][0] = math.MaxInt64 }, ""},
		{"ID 0", func(j *workload.Job) { j.ID = 0 }, "policy: job has ID 0, want at least 1"},
		{"priority NaN", func(j *workload.Job) { j.Priority = math.NaN() }, "policy: job 7 has priority NaN, want a finite number"},
		{"utility Inf", func(j *workload.Job) { j.SLO = &policy.SLO{Utility: math.Inf(1)} }, "policy: job 7 has utility +Inf, want 0 to 1e+12"},
		{"reads job 0", func(j *workload.Job) { j.Inputs = &policy.Inputs{Jobs: []policy.JobID{0}} }, "policy: job 7 reads job 0, want another job"},
		{"memory", func(j *workload.Job) { j.Stages[1].Memory = -1 }, "policy: job 7, stage 1: -1 bytes of memory a task, want at least 0"},
		{"elsewhere", func(j *workload.Job) { j.Stages[1].Elsewhere = 0.5 }, "policy: job 7, stage 1: factor 0.5 elsewhere, want a finite number of at least 1, or 0"},
		{"reads twice", func(j *workload.Job) { j.Stages[1].Reads = make([]policy.Dep, 2) }, "policy: job 7 has a stage that reads another one twice"},
		{"more tasks", func(j *workload.Job) { j.Stages[1].Tasks = 2 }, "workload: job 7, stage 1 has 1 runtimes, want 2"},
		{"fewer tasks", func(j *workload.Job) { j.Stages[0].Tasks = 1 }, "workload: job 7, stage 0 has 2 runtimes, want 1"},
		{"no runtimes", func(j *workload.Job) { j.Runtimes = nil }, "workload: job 7 has runtimes of 0 stages, want 2"},
		{"another stage", func(j *workload.Job) { j.Runtimes = append(j.Runtimes, nil) }, "workload: job 7 has runtimes of 3 stages, want 2"},
		{"negative", func(j *workload.Job) { j.Runtimes[0][1] = -s }, "workload: job 7, stage 0: task 1 runs for -1s, want at least 0"},
		{"lucky", func(j *workload.Job) { j.Luck = &workload.Luck{Tail: 2, Base: []policy.Duration{0, s}} }, ""},
		{"base of one stage", func(j *workload.Job) { j.Luck = &workload.Luck{Tail: 2, Base: []policy.Duration{s}} }, "workload: job 7: Luck.Base is of 1 stages, want 2"},
		{"negative base", func(j *workload.Job) { j.Luck = &workload.Luck{Tail: 2, Base: []policy.Duration{s, -1}} }, "workload: job 7: Luck.Base[1] is -1ns, want at least 0"},
	} {
		j := jobtest.Bag(7, 0, s, 2*s)
		j.Stages = append(j.Stages, policy.Stage{Tasks: 1, Cores: 1})
		j.Runtimes = append(j.Runtimes, []policy.Duration{s})
		test.change(j)
		got := ""
		if err := j.Validate(); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got error %q, want %q", test.name, got, test.want)
		}
	}
}

func workOfJobs(t *testing.T) {
	stage := func(cores int32, gang bool, runtimes ...policy.Duration) *workload.Job {
		j := jobtest.Bag(1, 0, runtimes...)
		j.Stages[0].Cores, j.Stages[0].Gang = cores, gang
		return j
	}
	both := stage(1, false, s, 2*s)
	gang := stage(3, true, s, 5*s)
	both.Stages, both.Runtimes = append(both.Stages, gang.Stages...), append(both.Runtimes, gang.Runtimes...)
	for _, test := range []struct {
		name string
		job  *workload.Job
		want float64 // core-seconds
	}{
		{"a task", stage(1, false, 3*s), 3},
		{"tasks", stage(1, false, s, 3*s, s/2), 4.5},
		{"on cores", stage(4, false, s, 3*s), 16},
		{"a gang holds all until the longest is done", stage(1, true, s, 3*s, 2*s), 9},
		{"a gang on cores", stage(2, true, s, 3*s), 12},
		{"a gang of one", stage(2, true, 3*s), 6},
		{"stages", both, 3 + 30},
		{"no time", stage(9, false, 0, 0), 0},
		{"as long as time", stage(1<<31-1, false, math.MaxInt64), float64(1<<31-1) * math.MaxInt64 / 1e9},
	} {
		if got := test.job.Work(); math.Abs(got-test.want) > 1e-12*test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// staged returns a job of up to six stages, which may be gangs and read earlier or later ones, some through pipes.
func staged(id policy.JobID, rng *rand.Rand) *workload.Job {
	n := 1 + rng.IntN(6)
	j := &workload.Job{Job: policy.Job{ID: id, Submitted: policy.Time(id) * policy.Time(time.Hour)}}
	places := rng.Perm(n) // the order in which they can run
	for i := range n {
		stage := policy.Stage{Tasks: 1 + rng.Uint32N(5), Cores: 1 + rng.Int32N(2), Gang: rng.IntN(3) == 0}
		for k := range n {
			if places[k] < places[i] && rng.IntN(2) == 0 {
				stage.Reads = append(stage.Reads, policy.Dep{Stage: uint32(k), Pipe: rng.IntN(2) == 0})
			}
		}
		runtimes := make([]policy.Duration, stage.Tasks)
		for k := range runtimes {
			runtimes[k] = policy.Duration(rng.IntN(100)) * s
		}
		j.Stages = append(j.Stages, stage)
		j.Runtimes = append(j.Runtimes, runtimes)
	}
	return j
}

func idealIsWhatAJobTakesAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var jobs []*workload.Job
	for id := range policy.JobID(500) {
		jobs = append(jobs, staged(id+1, rng))
	}
	for _, r := range runtest.FIFO(t, jobs, sim.Partition{Nodes: 100, Cores: 4}).Jobs {
		if j := jobs[r.ID-1]; r.JCT() != j.Ideal() {
			t.Errorf("job %d: took %v, want %v: %+v", r.ID, r.JCT(), j.Ideal(), j)
		}
	}
}

func TestIdealOfChainSaturates(t *testing.T) {
	j := jobtest.Bag(1, 0, math.MaxInt64-1)
	j.Stages = append(j.Stages, policy.Stage{Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 0}}})
	j.Runtimes = append(j.Runtimes, []policy.Duration{2})
	if got := j.Ideal(); got != math.MaxInt64 {
		t.Errorf("got %v, want the longest Duration", got)
	}
}

// A gang of three counts as one task, which runs for 9 s, beside two tasks of 2 s and 4 s.
func TestMeanUnit(t *testing.T) {
	j := workload.Job{
		Job:      policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 3, Cores: 1, Gang: true}, {Tasks: 2, Cores: 4}}},
		Runtimes: [][]policy.Duration{{1e9, 9e9, 3e9}, {2e9, 4e9}},
	}
	if got := j.MeanUnit(); got != 5 {
		t.Errorf("mean of tasks and gangs is %v s, want 5", got)
	}
}
