package paper

import (
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/luck"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// Hopper generates jobs like those of Facebook and Bing in Hopper's evaluation: chains of stages
// of one-core tasks. Most jobs are small, and few hold most of the work. Each stage reads the one
// before it through a pipe. The runtimes of a task's copies have a Pareto distribution, whose
// index is that of the job's group, named by the attribute group. The input of first stages is on
// nodes of the cluster. If NodeMemory is set, tasks also take memory.
//
// Published are the shares of job sizes, the cluster, the ranges of tail indices and of bytes
// written per byte read, and the factor by which demands differ. Ours are the number of stages, the
// runtimes of tasks and the load. Two more decisions are ours. The output of each stage is a
// multiple of the input of its job, and not of its own input, or chains would grow without bound.
// And memory is drawn for each stage, since the tasks of a stage run the same code.
//
// Start from [Facebook] or [Bing]; [Hopper.Source] refuses values outside their range.
//
// # What to compare policies on
//
// The defaults follow the thesis, but do not make a good test. With Pipe the cluster is overloaded from a Load of about
// 0.1 on, since Load does not count the cores that readers hold while they wait. Without Pipe the longest of 1000
// [Facebook] jobs takes longer, all alone, than it takes all jobs to arrive on 200 nodes. For a run in which the cluster
// is busy, set no Pipe, 20 nodes, 3000 jobs, MaxTasks 501 and a Load of 0.9. Load does not count the extra time of tasks
// that run away from their data either. With few stages that is a large part of the work, and policies that ignore
// locality overload the cluster.
//
// # Source
//
// Hopper, sections 6.1 (cluster, and demands that vary by a factor of 24), 5.2 (what is written:
// 0.05 to 18 times what is read), 3.3 and 6.4.2 (tails). The shares of sizes are those of G.
// Ananthanarayanan, A. Ghodsi, A. Wang, D. Borthakur, S. Kandula, S. Shenker and I. Stoica,
// "PACMan: coordinated memory caching for parallel jobs", NSDI 2012, Table 2, to which the thesis
// refers.
type Hopper struct {
	Seed uint64
	Jobs int // 2 to 2^20
	// The cluster has Nodes nodes, 1 to 2^24-1, of Cores cores each, 1 to 2^20. Load, above 0, is
	// the work of the jobs relative to the capacity while they arrive: of the cores, or of the
	// memory if that is greater. Arrivals are a Poisson process.
	Nodes, Cores int
	Load         float64
	// Shares are the shares of jobs whose first stage has 1 to 10, 11 to 50, 51 to 150, 151 to
	// 500, and 501 to MaxTasks tasks: each 0 to 1, together 1. Within a bin the logarithm of the
	// number is uniform.
	Shares   [5]float64
	MaxTasks int // of a stage, 501 to 2^20
	// The number of stages is uniform from 1 to MaxStages, at most 100.
	MaxStages int
	// Pipe: a stage reads the one before it while that still runs. Its tasks then hold their
	// cores until that is done, which Load does not count. Otherwise the stage waits.
	Pipe      bool
	Bound     float64 // of [workload.Stragglers], above 1 or 0
	Replicas  int     // of [workload.Locality]
	Elsewhere float64 // of [workload.Locality]
	// NodeMemory is the memory of each node in bytes, 7200 MiB to 2^60; 0: tasks take no memory.
	// Otherwise a task takes 300 to 7200 MiB, the same for all tasks of a stage, and uniform in
	// the logarithm between stages. Nothing else of a job depends on it, except that jobs arrive
	// later if memory is the bottleneck.
	NodeMemory int64
}

const (
	// Median, and sigma of the logarithm, of a job's mean runtime per block of input.
	hopperMedianTask = 20. // s
	hopperTaskSigma  = 0.5
	// Memory differs by a factor of 24 between stages.
	hopperLeastMemory, hopperMostMemory int64 = 300 << 20, 24 * 300 << 20
)

// HopperNodeMemory is the memory of each node in Hopper's cluster, in bytes: 34 GB of 2^30 bytes.
const HopperNodeMemory int64 = 34 << 30

// hopperBlock is the number of bytes that a task reads: the HDFS block size in the larger clusters
// of the time. (Only ratios of bytes matter to a policy.)
const hopperBlock = 256 << 20

// Facebook returns the parameters of the workload called facebook: 1000 jobs of 1 to 8 stages, with
// Pipe, of 9 groups with tails of 1.1 to 1.9, on 200 nodes of 16 cores at a Load of 0.8. Without
// Pipe it is facebook-barriers. Its tasks take no memory until NodeMemory is set, such as to
// [HopperNodeMemory]: then they take 300 to 7200 MiB, on average the memory per core of such a node.
func Facebook() Hopper {
	return Hopper{
		Seed: 1, Jobs: 1000, Nodes: 200, Cores: 16, Load: 0.8,
		Shares: [5]float64{0.85, 0.04, 0.08, 0.02, 0.01}, MaxTasks: 5000,
		MaxStages: 8, Pipe: true, Bound: 100, Replicas: 3, Elsewhere: 2,
	}
}

// Bing returns the parameters of the workload called bing. It differs from [Facebook] only in the
// sizes of jobs: the thesis publishes no other figure of Bing alone.
func Bing() Hopper {
	h := Facebook()
	h.Shares = [5]float64{0.43, 0.08, 0.24, 0.23, 0.02}
	return h
}

func (h *Hopper) validate() error {
	total, err := sumShares("Hopper", h.Shares)
	if err != nil {
		return err
	}
	finite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	return check("Hopper",
		field{"Jobs", h.Jobs, h.Jobs >= 2 && h.Jobs <= 1<<20, "2 to 2^20"},
		field{"Nodes", h.Nodes, h.Nodes >= 1 && h.Nodes <= policy.MaxID, "1 to 2^24-1"},
		field{"Cores", h.Cores, h.Cores >= 1 && h.Cores <= 1<<20, "1 to 2^20"},
		field{"Load", h.Load, finite(h.Load) && h.Load > 0, "finite, above 0"},
		field{"Shares", h.Shares, math.Abs(total-1) < 1e-9, "1 together"},
		field{"MaxTasks", h.MaxTasks, h.MaxTasks > 500 && h.MaxTasks <= 1<<20, "501 to 2^20"},
		field{"MaxStages", h.MaxStages, h.MaxStages >= 1 && h.MaxStages <= 100, "1 to 100"},
		field{"Bound", h.Bound, h.Bound == 0 || finite(h.Bound) && h.Bound > 1, "finite, above 1, or 0"},
		field{"NodeMemory", h.NodeMemory, h.NodeMemory == 0 || h.NodeMemory >= hopperMostMemory && h.NodeMemory <= 1<<60, "0, or 7200 MiB to 2^60"},
	)
}

// Source returns the jobs, in order of submission. It makes all jobs before it yields the first.
// The same values give the same jobs, except that times may differ by a nanosecond, and memory by
// a byte, on another processor architecture. The error names the field that is outside its range.
func (h Hopper) Source() (workload.Source, error) {
	if err := h.validate(); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(h.Seed, 0x686f70706572))
	jobs, gaps := make([]*workload.Job, h.Jobs), make([]float64, h.Jobs)
	work, memory, span := 0.0, 0.0, 0.0
	for i := range jobs {
		gaps[i] = rng.ExpFloat64()
		jobs[i] = h.job(policy.JobID(i+1), rng)
		work += jobs[i].Work()
		memory += h.remember(jobs[i])
		span += gaps[i]
	}
	work = max(work, memory)
	unit := work / (h.Load * float64(h.Nodes) * float64(h.Cores)) / span // s
	if span*unit > limits.Seconds {
		return nil, fmt.Errorf("paper: Hopper.Load of %v puts the last job beyond 1e9 s, want a greater one, or fewer Jobs", h.Load)
	}
	now := 0.0
	for i, j := range jobs {
		now += gaps[i] * unit
		j.Submitted = saturate.To[policy.Time](now * 1e9)
	}
	return workload.Locality{Seed: h.Seed, Nodes: h.Nodes, Replicas: h.Replicas, Elsewhere: h.Elsewhere}.Source(workload.Of(jobs))
}

// hopperBins are the bounds of the sizes of jobs; the last bound is MaxTasks.
var hopperBins = [...]int{0, 10, 50, 150, 500}

func (h *Hopper) job(id policy.JobID, rng *rand.Rand) *workload.Job {
	group := rng.IntN(luck.Groups)
	tail := luck.Tail(group)
	mean := hopperMedianTask * math.Exp(hopperTaskSigma*rng.NormFloat64()) // of a block
	j := &workload.Job{
		Job:  policy.Job{ID: id, Attrs: []policy.Attr{{Name: "group", Value: fmt.Sprintf("g%d", group)}}},
		Luck: &workload.Luck{Seed: h.Seed, Tail: tail, Bound: h.Bound},
	}
	tasks := h.tasks(rng)
	input := float64(tasks) * hopperBlock
	read := input
	for i := range 1 + rng.IntN(h.MaxStages) {
		stage := policy.Stage{Tasks: uint32(tasks), Cores: 1}
		if i > 0 {
			stage.Reads = []policy.Dep{{Stage: uint32(i - 1), Pipe: h.Pipe}}
		}
		// 0.05 to 18 bytes, uniform in the logarithm, for each byte that the job reads.
		written := input * 0.05 * math.Pow(18/0.05, rng.Float64())
		j.Stages = append(j.Stages, stage)
		each := mean * read / hopperBlock / float64(tasks)
		j.Luck.Base = append(j.Luck.Base, saturate.To[policy.Duration](math.Round(min(each, limits.Seconds)*1e9)))
		read = written
		tasks = min(h.MaxTasks, max(1, saturate.To[int](math.Round(read/hopperBlock))))
	}
	j.Runtimes = j.Luck.Runtimes(&j.Job)
	return j
}

// tasks draws the number of tasks of the first stage of a job.
func (h *Hopper) tasks(rng *rand.Rand) int {
	bin := pickShare(rng.Float64(), h.Shares[:])
	most := h.MaxTasks
	if bin+1 < len(hopperBins) {
		most = hopperBins[bin+1]
	}
	low, high := float64(hopperBins[bin]+1), float64(most+1)
	return min(most, saturate.To[int](low*math.Pow(high/low, rng.Float64())))
}

// memoryStream is the stream of random numbers for memory. Package workload draws with the same seed where tasks read,
// from other streams.
const memoryStream = 5

// remember draws the memory of the tasks of a job, and returns the work in memory: the seconds for
// which they hold one core's equal part of a node's memory. It does nothing if NodeMemory is 0.
func (h *Hopper) remember(j *workload.Job) (seconds float64) {
	if h.NodeMemory == 0 {
		return 0
	}
	rng := rand.New(rand.NewPCG(h.Seed, memoryStream<<32|uint64(j.ID)))
	least, most := float64(hopperLeastMemory), float64(hopperMostMemory)
	for i := range j.Stages {
		bytes := math.Round(least * math.Pow(most/least, rng.Float64()))
		j.Stages[i].Memory = min(hopperMostMemory, max(hopperLeastMemory, saturate.To[int64](bytes)))
		sum := 0.0
		for _, d := range j.Runtimes[i] {
			sum += d.Seconds()
		}
		cores := float64(j.Stages[i].Memory) / float64(h.NodeMemory) * float64(h.Cores)
		seconds += sum * cores
	}
	return seconds
}
