package paper_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/paper"
)

// Tasks that take memory, on nodes that have as much as those of the thesis.
func ExampleHopper_memory() {
	h := paper.Facebook()
	h.NodeMemory = paper.HopperNodeMemory
	source, err := h.Source()
	if err != nil {
		panic(err)
	}
	jobs, err := workload.ReadAll(source)
	if err != nil {
		panic(err)
	}
	for i, stage := range jobs[0].Stages {
		fmt.Printf("stage %d: %d tasks of %d MiB\n", i, stage.Tasks, stage.Memory>>20)
	}
	fmt.Println("a node:", h.NodeMemory>>20, "MiB and", h.Cores, "cores")
	// Output:
	// stage 0: 12 tasks of 1455 MiB
	// stage 1: 30 tasks of 347 MiB
	// a node: 34816 MiB and 16 cores
}

// remembering returns the workload with memory, on so many nodes.
func remembering(jobs, nodes int) paper.Hopper {
	h := paper.Facebook()
	h.Jobs, h.Nodes, h.NodeMemory = jobs, nodes, paper.HopperNodeMemory
	return h
}

// Demands vary by a factor of 24 (section 6.1): the logarithm is uniform, and the mean is
// what each core has of its node.
func TestHopperMemoryIsLogUniform(t *testing.T) {
	h := remembering(3000, 200)
	h.MostTasks = 501
	var x []float64
	mean := 0.0
	for _, j := range hopperJobs(t, h) {
		for i := range j.Stages {
			m := float64(j.Stages[i].Memory)
			mean += m
			x = append(x, math.Log(m/(300<<20))/math.Log(24))
		}
	}
	slices.Sort(x)
	n := float64(len(x))
	mean /= n
	worst := 0.0 // Kolmogorov and Smirnov's distance
	for i, u := range x {
		worst = max(worst, math.Abs(u-float64(i)/n), math.Abs(u-float64(i+1)/n))
	}
	if limit := 1.95 / math.Sqrt(n); worst > limit { // 0.1 %
		t.Errorf("distance from the distribution is %.4f, want at most %.4f", worst, limit)
	}
	if x[0] < 0 || x[len(x)-1] > 1 {
		t.Errorf("logarithms are %v to %v of the range, want 0 to 1", x[0], x[len(x)-1])
	}
	// Of a log-uniform distribution from 1 to f the mean is (f-1)/ln f and the mean square
	// (f²-1)/(2 ln f).
	want := 23 / math.Log(24)
	dev := math.Sqrt((575/(2*math.Log(24)) - want*want) / n)
	if got := mean / (300 << 20); math.Abs(got-want) > 3.3*dev {
		t.Errorf("mean is %v times the least, want %v within %v", got, want, 3.3*dev)
	}
	if share := float64(h.NodeMemory) / float64(h.Cores); math.Abs(want*(300<<20)/share-1) > 0.01 {
		t.Errorf("the mean is %v of what a core has, want 1", want*(300<<20)/share)
	}
}

// The jobs are those without memory, save for when they come: the greater of the loads of
// cores and memory is the one asked for.
func TestHopperMemoryChangesNothingElse(t *testing.T) {
	reached := map[string]bool{}
	for seed := range uint64(12) {
		h := remembering(60, 40)
		h.Seed, h.MostTasks = seed, 501
		with := hopperJobs(t, h)
		h.NodeMemory = 0
		without := hopperJobs(t, h)
		work, memory, end := 0.0, 0.0, with[len(with)-1].Submitted.Seconds()
		for i, j := range with {
			for k, tasks := range j.Runtimes {
				stage := &j.Stages[k]
				for _, d := range tasks {
					work += d.Seconds()
					memory += d.Seconds() * float64(stage.Memory)
				}
				if without[i].Stages[k].Memory != 0 {
					t.Fatalf("job %d has a stage that takes %d bytes without NodeMemory", j.ID, without[i].Stages[k].Memory)
				}
				stage.Memory = 0
			}
			j.Submitted = without[i].Submitted
			if !reflect.DeepEqual(j, without[i]) {
				t.Fatalf("seed %d: job %d is not the one without memory", seed, j.ID)
			}
		}
		nodes := 40 * end
		cores, bytes := work/16/nodes, memory/float64(paper.HopperNodeMemory)/nodes
		if math.Abs(max(cores, bytes)-h.Load) > 1e-6 {
			t.Errorf("seed %d: load of the cores is %v and of memory %v, want %v of the greater", seed, cores, bytes, h.Load)
		}
		reached[map[bool]string{true: "cores", false: "memory"}[cores > bytes]] = true
	}
	if len(reached) != 2 {
		t.Errorf("only %v were ever scarcer", reached)
	}
}
