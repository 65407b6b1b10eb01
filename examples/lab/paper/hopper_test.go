package paper_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/workload"
)

func ExampleHopper() {
	source, err := paper.Facebook().Source()
	if err != nil {
		panic(err)
	}
	jobs, err := workload.ReadAll(source)
	if err != nil {
		panic(err)
	}
	for _, j := range jobs[:3] {
		group, _ := j.Attr("group")
		fmt.Printf("job %d of %s: %d stages, %d tasks; the first reads from nodes %v\n", j.ID, group, len(j.Stages), j.Tasks(), j.Stages[0].HoldersOf(0))
	}
	// Output:
	// job 1 of g6: 2 stages, 42 tasks; the first reads from nodes [169 69 143]
	// job 2 of g6: 8 stages, 144 tasks; the first reads from nodes [33 165 139]
	// job 3 of g7: 8 stages, 14 tasks; the first reads from nodes [147 167 71]
}

// Published are the shares of job sizes (PACMan, Table 2) and what is written for each byte
// that is read, 0.05 to 18 times (section 5.2); the load is the one asked for.
func hopperPublished(t *testing.T) {
	for _, test := range []struct {
		h    paper.Hopper
		want [5]float64
	}{
		{paper.Facebook(), [5]float64{0.85, 0.04, 0.08, 0.02, 0.01}},
		{paper.Bing(), [5]float64{0.43, 0.08, 0.24, 0.23, 0.02}},
	} {
		jobs := jobtest.Made(t)(test.h.Source())
		n := float64(len(jobs))
		var bins [5]float64
		var stages [9]float64
		groups := make(map[string]float64)
		for _, j := range jobs {
			if err := j.Validate(); err != nil {
				t.Fatal(err)
			}
			bin := 0
			for _, most := range []uint32{10, 50, 150, 500} {
				if j.Stages[0].Tasks > most {
					bin++
				}
			}
			bins[bin]++
			stages[len(j.Stages)]++
			group, _ := j.Attr("group")
			groups[group]++
			read := func(i int) float64 { return float64(j.Luck.Base[i]) * float64(j.Stages[i].Tasks) } // in proportion
			for i := range j.Stages[1:] {
				if x := read(i+1) / read(0); x < 0.05-1e-6 || x > 18+1e-6 {
					t.Fatalf("job %d, stage %d writes %v times the job's input, want 0.05 to 18", j.ID, i, x)
				}
			}
		}
		near := func(what string, got, want float64) {
			if math.Abs(got-n*want) > 3.5*math.Sqrt(n*want*(1-want)) {
				t.Errorf("%v of %v jobs have %s, want a share of %v", got, n, what, want)
			}
		}
		for i, want := range test.want {
			near(fmt.Sprintf("a size in bin %d", i), bins[i], want)
		}
		for i := 1; i <= 8; i++ {
			near(fmt.Sprintf("%d stages", i), stages[i], 1./8)
		}
		for i := range 9 {
			near(fmt.Sprintf("group %d", i), groups[fmt.Sprintf("g%d", i)], 1./9)
		}
		work := 0.0
		for _, j := range jobs {
			work += j.Work()
		}
		if load := work / jobs[len(jobs)-1].Submitted.Seconds() / (200 * 16); math.Abs(load-0.8) > 1e-6 {
			t.Errorf("offered load is %v, want 0.8", load)
		}
	}
}

func TestHopperErrors(t *testing.T) {
	config := func() paper.Hopper {
		h := paper.Facebook()
		h.Jobs = 20
		return h
	}
	jobtest.WantRefused(t, "", config, paper.Hopper.Source, map[string]func(*paper.Hopper){
		"paper: Hopper.Jobs is 1, want 2 to 2^20":                                                       func(h *paper.Hopper) { h.Jobs = 1 },
		"paper: Hopper.Nodes is 0, want 1 to 2^24-1":                                                    func(h *paper.Hopper) { h.Nodes = 0 },
		"paper: Hopper.Cores is 0, want 1 to 2^20":                                                      func(h *paper.Hopper) { h.Cores = 0 },
		"paper: Hopper.Load is NaN, want finite, above 0":                                               func(h *paper.Hopper) { h.Load = math.NaN() },
		"paper: Hopper.Load of 1e-12 puts the last job beyond 1e9 s, want a greater one, or fewer Jobs": func(h *paper.Hopper) { h.Load = 1e-12 },
		"paper: Hopper.Shares[0] is NaN, want 0 to 1":                                                   func(h *paper.Hopper) { h.Shares[0] = math.NaN() },
		"paper: Hopper.Shares is [0.5 0.04 0.08 0.02 0.01], want 1 together":                            func(h *paper.Hopper) { h.Shares[0] = 0.5 },
		"paper: Hopper.MaxTasks is 500, want 501 to 2^20":                                               func(h *paper.Hopper) { h.MaxTasks = 500 },
		"paper: Hopper.Bound is 1, want finite, above 1, or 0":                                          func(h *paper.Hopper) { h.Bound = 1 },
		"workload: Locality.Replicas is 17, want 1 to 16, at most Nodes":                                func(h *paper.Hopper) { h.Replicas = 17 },
		"workload: Locality.Elsewhere is 0.5, want finite, at least 1":                                  func(h *paper.Hopper) { h.Elsewhere = 0.5 },
		"paper: Hopper.NodeMemory is -1, want 0, or 7200 MiB to 2^60":                                   func(h *paper.Hopper) { h.NodeMemory = -1 },
		"paper: Hopper.NodeMemory is 1152921504606846977, want 0, or 7200 MiB to 2^60":                  func(h *paper.Hopper) { h.NodeMemory = 1<<60 + 1 },
		"paper: Hopper.NodeMemory is 1073741824, want 0, or 7200 MiB to 2^60":                           func(h *paper.Hopper) { h.NodeMemory = 1 << 30 },
	})
}

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
	h.MaxTasks = 501
	var x []float64
	for _, j := range jobtest.Made(t)(h.Source()) {
		for i := range j.Stages {
			x = append(x, math.Log(float64(j.Stages[i].Memory)/(300<<20))/math.Log(24))
		}
	}
	jobtest.WantDistribution(t, "logarithm of memory", x, func(x float64) float64 { return min(max(x, 0), 1) })
	if least, most := slices.Min(x), slices.Max(x); least < 0 || most > 1 {
		t.Errorf("logarithms are %v to %v of the range, want 0 to 1", least, most)
	}
	// Of a log-uniform distribution from 1 to f the mean is (f-1)/ln f.
	mean, share := 23/math.Log(24)*(300<<20), float64(h.NodeMemory)/float64(h.Cores)
	if math.Abs(mean/share-1) > 0.01 {
		t.Errorf("the mean is %v of what a core has, want 1", mean/share)
	}
}

// The jobs are those without memory, save for when they come: the greater of the loads of
// cores and memory is the one asked for.
func TestHopperMemoryChangesNothingElse(t *testing.T) {
	reached := map[string]bool{}
	for seed := range uint64(12) {
		h := remembering(60, 40)
		h.Seed, h.MaxTasks = seed, 501
		with := jobtest.Made(t)(h.Source())
		h.NodeMemory = 0
		without := jobtest.Made(t)(h.Source())
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
