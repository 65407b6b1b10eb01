package workload_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// stageOf returns a job of one stage; times are in seconds.
func stageOf(at int, cores int32, gang bool, runtimes ...int) *workload.Job {
	j := &workload.Job{Job: policy.Job{Submitted: policy.Time(at) * policy.Time(time.Second)}}
	j.Stages = []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: cores, Gang: gang}}
	j.Runtimes = [][]policy.Duration{nil}
	for _, d := range runtimes {
		j.Runtimes[0] = append(j.Runtimes[0], policy.Duration(d)*time.Second)
	}
	return j
}

// nodeOf returns a node of speed 1.
func nodeOf(cores int) []policy.Node { return []policy.Node{{Cores: int32(cores), Speed: 1}} }

func ExampleMeanBound() {
	// Two gangs of three tasks of 2 s each, on four cores: one has to wait for the other.
	jobs := []*workload.Job{stageOf(0, 1, true, 2, 2, 2), stageOf(0, 1, true, 2, 2, 2)}
	fmt.Println(workload.MeanBound(jobs, nodeOf(4)), "of 3 s")
	// Output: 2.5 of 3 s
}

func TestMeanBound(t *testing.T) {
	for _, tt := range []struct {
		name  string
		nodes []policy.Node
		jobs  []*workload.Job
		want  float64
	}{
		{"shortest first: 1 s, and the other one 4 s", nodeOf(1), []*workload.Job{stageOf(0, 1, false, 3), stageOf(1, 1, false, 1)}, 2.5},
		{"a job alone takes its longest task", nodeOf(2), []*workload.Job{stageOf(5, 1, false, 4, 1)}, 4},
		{"jobs that do not meet", nodeOf(2), []*workload.Job{stageOf(0, 1, false, 1), stageOf(9, 1, true, 3)}, 2},
		{"gangs as wide as the cluster", nodeOf(2), []*workload.Job{stageOf(0, 1, true, 3, 3), stageOf(0, 2, true, 1)}, 2.5},
		{"a job without work", nodeOf(1), []*workload.Job{stageOf(0, 1, false, 0)}, 0},
		{"a job alone takes its longest task on the fastest node", []policy.Node{{Cores: 2, Speed: 1}, {Cores: 1, Speed: 4}}, []*workload.Job{stageOf(5, 1, false, 4, 1)}, 1},
		{"gangs as wide as the cluster, of speed 2", []policy.Node{{Cores: 2, Speed: 2}}, []*workload.Job{stageOf(0, 1, true, 3, 3), stageOf(0, 2, true, 1)}, 1.25},
		{"no jobs", nodeOf(1), nil, math.NaN()},
		{"no nodes", nil, []*workload.Job{stageOf(0, 1, false, 1)}, math.NaN()},
	} {
		got := workload.MeanBound(tt.jobs, tt.nodes)
		if !near(got, tt.want) && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9 }

// TestMeanBoundAgainstTheBestSchedule holds the bound to the best schedule that stops tasks at full seconds.
func TestMeanBoundAgainstTheBestSchedule(t *testing.T) {
	tight := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(5, seed))
		cores := 1 + rng.IntN(4)
		var jobs []*workload.Job
		at := 0
		for range 1 + rng.IntN(3) {
			at += rng.IntN(3)
			runtimes := make([]int, 1+rng.IntN(2))
			for k := range runtimes {
				runtimes[k] = rng.IntN(4)
			}
			width, gang := int32(1+rng.IntN(cores)), rng.IntN(2) > 0
			if gang {
				width = max(1, int32(cores/len(runtimes)))
			}
			if len(runtimes)*int(width) > cores && gang {
				runtimes = runtimes[:1]
			}
			jobs = append(jobs, stageOf(at, width, gang, runtimes...))
			if rng.IntN(4) == 0 { // then another stage, of one task
				j := jobs[len(jobs)-1]
				j.Stages = append(j.Stages, policy.Stage{Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 0}}})
				j.Runtimes = append(j.Runtimes, []policy.Duration{policy.Duration(rng.IntN(3)) * time.Second})
			}
		}
		best := newOptimum(jobs, cores).from(0)
		got := workload.MeanBound(jobs, nodeOf(cores)) * float64(len(jobs))
		if !(got <= float64(best)+1e-9) {
			t.Fatalf("seed %d: the bound of the sum is %v s, a schedule has %d s", seed, got, best)
		}
		if near(got, float64(best)) {
			tight++
		}
	}
	if tight < 1000 {
		t.Errorf("the bound is what the best schedule has for %d of 3000 lists, want 1000", tight)
	}
}

// optimum looks at all schedules that decide each second which units run.
type optimum struct {
	cores int
	units []unit
	jobs  []*workload.Job
	left  []byte
	known map[string]int
}

type unit struct{ job, stage, width int }

func newOptimum(jobs []*workload.Job, cores int) *optimum {
	o := &optimum{cores: cores, jobs: jobs, known: map[string]int{}}
	for i, j := range jobs {
		for s, stage := range j.Stages {
			width, tasks := int(stage.Cores), j.Runtimes[s]
			if stage.Gang {
				width, tasks = width*len(tasks), []policy.Duration{slices.Max(tasks)}
			}
			for _, d := range tasks {
				o.units, o.left = append(o.units, unit{i, s, width}), append(o.left, byte(d/time.Second))
			}
		}
	}
	return o
}

// remains reports whether a stage of a job has something left, or whether the job has if the stage is -1.
func (o *optimum) remains(job, stage int) bool {
	for k, u := range o.units {
		if u.job == job && (stage < 0 || u.stage == stage) && o.left[k] > 0 {
			return true
		}
	}
	return false
}

// from returns the least sum of the times that the jobs spend from this second on.
func (o *optimum) from(second int) int {
	key := fmt.Sprint(second, o.left)
	if sum, ok := o.known[key]; ok {
		return sum
	}
	there, ahead := 0, false
	for i, j := range o.jobs {
		if int(j.Submitted.Seconds()) > second {
			ahead = true
		} else if o.remains(i, -1) {
			there++
		}
	}
	if there == 0 && !ahead {
		return 0
	}
	best := math.MaxInt
	var choose func(k, free int, run []int)
	choose = func(k, free int, run []int) {
		switch {
		case k == len(o.units) && len(run) == 0 && !ahead:
			return // to wait for nothing does not help
		case k == len(o.units):
			for _, u := range run {
				o.left[u]--
			}
			best = min(best, there+o.from(second+1))
			for _, u := range run {
				o.left[u]++
			}
			return
		}
		u := o.units[k]
		ready := int(o.jobs[u.job].Submitted.Seconds()) <= second && (u.stage == 0 || !o.remains(u.job, 0))
		if o.left[k] > 0 && u.width <= free && ready {
			choose(k+1, free-u.width, append(slices.Clone(run), k))
		}
		choose(k+1, free, run)
	}
	choose(0, o.cores, nil)
	o.known[key] = best
	return best
}
