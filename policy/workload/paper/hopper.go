package paper

import (
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/luck"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// Hopper generates jobs like those of Facebook and Bing that Hopper was evaluated with:
// chains of stages of one-core tasks, of which most are small and few hold most of the
// work. A stage reads the one before it, through a pipe.
// Copies of a task differ, by a Pareto distribution whose index is that of the job's
// group; the attribute group names it. What first stages read lies on nodes of the cluster.
// Tasks may take memory as well, if NodeMemory says so.
//
// Published are the shares of job sizes, the cluster, the ranges of tails and of what
// tasks write for each byte that they read, and by what factor their demands differ. How
// many stages a job has, how long its tasks take and how busy the cluster is are ours. So
// are these: each stage writes so many times the input of its job, not of itself, or chains
// would grow without bound; and memory is drawn for each stage, since its tasks run the same
// code, and those of the next one other code.
//
// Start from [Facebook] or [Bing]; [Hopper.Source] refuses values outside their range.
//
// # What to compare policies on
//
// The defaults are the thesis' where it says something, and by themselves they make no good test. With Pipe the
// cluster is overloaded from a Load of about 0.1 on, since Load does not count what readers hold while they wait.
// Without Pipe the longest of 1000 jobs of [Facebook], all alone, takes longer than all of them take to arrive on
// 200 nodes. No Pipe, 20 nodes, 3000 jobs, MostTasks 501 and a Load of 0.9 make a run in which the cluster is busy.
// Load does not count either that tasks run longer away from their data. With few stages that is a large part of the
// work, and policies that do not look for data overload the cluster.
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
	// Nodes and Cores, of each node, are those of the cluster, Nodes 1 to 2^24-1, Cores 1 to
	// 2^20. Load is the share of the cores that the work of the jobs takes while they arrive,
	// above 0; with memory, that of the cores or of the memory, whichever is greater. They
	// arrive as a Poisson process.
	Nodes, Cores int
	Load         float64
	// Shares are those of jobs whose first stage has 1 to 10, 11 to 50, 51 to 150, 151 to
	// 500, and more tasks, up to MostTasks: each 0 to 1, 1 together. In a bin the logarithm
	// of the number is uniform.
	Shares    [5]float64
	MostTasks int // of a stage, 501 to 2^20
	// The number of stages is uniform from 1 to MostStages, at most 100.
	MostStages int
	// Pipe: a stage reads the one before it while that still runs, and its tasks hold their
	// cores until that is done, which Load does not count; otherwise it waits for that.
	Pipe      bool
	Bound     float64 // of [workload.Stragglers], above 1 or 0
	Replicas  int     // of [workload.Locality]
	Elsewhere float64 // of [workload.Locality]
	// NodeMemory is that of each node, in bytes, 7200 MiB to 2^60; 0: none is accounted for, and
	// tasks take none.
	// Otherwise a task takes 300 to 7200 MiB: all
	// tasks of a stage as much, and the logarithm is uniform from stage to stage. Nothing else
	// of a job depends on it, save that all arrive later if memory is what there is less of.
	NodeMemory int64
}

const (
	// A job is in any of the groups with equal chances. The index of their tails is the least in the first, the
	// greatest in the last, and evenly between in others.
	hopperGroups                    = 9
	hopperLeastTail, hopperMostTail = 1.1, 1.9
	// These are of the mean runtime that a job has for each block of input: the median, and the sigma of the logarithm.
	hopperMedianTask = 20. // s
	hopperTaskSigma  = 0.5
	// Memory differs by a factor of 24 between stages.
	hopperLeastMemory, hopperMostMemory int64 = 300 << 20, 24 * 300 << 20
)

// HopperNodeMemory is what each node of the cluster had that Hopper ran on, in bytes: 34 GB,
// of 2^30 bytes.
const HopperNodeMemory int64 = 34 << 30

// hopperBlock is how many bytes a task reads: the block of HDFS in the larger clusters of
// the time. (Only ratios of bytes matter to a policy.)
const hopperBlock = 256 << 20

// Facebook returns the parameters of the workload called facebook: 1000 jobs of 1 to 8 stages, with
// Pipe, of 9 groups with tails of 1.1 to 1.9, on 200 nodes of 16 cores at a Load of 0.8. Without
// Pipe it is facebook-barriers. Its tasks take no memory until NodeMemory is set, such as to
// [HopperNodeMemory]: then they take 300 to 7200 MiB, in the mean as much as there is for each core
// of such a node.
func Facebook() Hopper {
	return Hopper{
		Seed: 1, Jobs: 1000, Nodes: 200, Cores: 16, Load: 0.8,
		Shares: [5]float64{0.85, 0.04, 0.08, 0.02, 0.01}, MostTasks: 5000,
		MostStages: 8, Pipe: true, Bound: 100, Replicas: 3, Elsewhere: 2,
	}
}

// Bing returns those of the workload called bing, which differs in the sizes of jobs only:
// no other figure of Bing alone is published there.
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
		field{"MostTasks", h.MostTasks, h.MostTasks > 500 && h.MostTasks <= 1<<20, "501 to 2^20"},
		field{"MostStages", h.MostStages, h.MostStages >= 1 && h.MostStages <= 100, "1 to 100"},
		field{"Bound", h.Bound, h.Bound == 0 || finite(h.Bound) && h.Bound > 1, "finite, above 1, or 0"},
		field{"NodeMemory", h.NodeMemory, h.NodeMemory == 0 || h.NodeMemory >= hopperMostMemory && h.NodeMemory <= 1<<60, "0, or 7200 MiB to 2^60"},
	)
}

// Source returns the jobs, in order of submission. All are made before the first is
// yielded. The same values give the same jobs, but that times may differ by a nanosecond,
// and memory by a byte, on another kind of processor. The error names the field that is outside its range.
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
		return nil, fmt.Errorf("paper: Hopper.Load of %v puts the last job beyond 1e9 s", h.Load)
	}
	now := 0.0
	for i, j := range jobs {
		now += gaps[i] * unit
		j.Submitted = policy.Time(now * 1e9)
	}
	return workload.Locality{Seed: h.Seed, Nodes: h.Nodes, Replicas: h.Replicas, Elsewhere: h.Elsewhere}.Source(workload.Of(jobs))
}

// hopperBins are the bounds of the sizes of jobs; the last is MostTasks.
var hopperBins = [...]int{0, 10, 50, 150, 500}

func (h *Hopper) job(id policy.JobID, rng *rand.Rand) *workload.Job {
	group := rng.IntN(hopperGroups)
	tail := luck.Tail(group, hopperGroups, hopperLeastTail, hopperMostTail)
	mean := hopperMedianTask * math.Exp(hopperTaskSigma*rng.NormFloat64()) // of a block
	j := &workload.Job{
		Job:  policy.Job{ID: id, Attrs: []policy.Attr{{Name: "group", Value: fmt.Sprintf("g%d", group)}}},
		Luck: &workload.Luck{Seed: h.Seed, Tail: tail, Bound: h.Bound},
	}
	tasks := h.tasks(rng)
	input := float64(tasks) * hopperBlock
	read := input
	for i := range 1 + rng.IntN(h.MostStages) {
		stage := policy.Stage{Tasks: uint32(tasks), Cores: 1}
		if i > 0 {
			stage.Reads = []policy.Dep{{Stage: uint32(i - 1), Pipe: h.Pipe}}
		}
		// 0.05 to 18 bytes, uniform in the logarithm, for each byte that the job reads.
		written := input * 0.05 * math.Pow(18/0.05, rng.Float64())
		j.Stages = append(j.Stages, stage)
		each := mean * read / hopperBlock / float64(tasks)
		j.Luck.Base = append(j.Luck.Base, policy.Duration(math.Round(min(each, limits.Seconds)*1e9)))
		read = written
		tasks = min(h.MostTasks, max(1, int(math.Round(read/hopperBlock))))
	}
	j.Runtimes = j.Luck.Runtimes(&j.Job)
	return j
}

// tasks draws how many tasks the first stage of a job has.
func (h *Hopper) tasks(rng *rand.Rand) int {
	bin := pickShare(rng.Float64(), h.Shares[:])
	most := h.MostTasks
	if bin+1 < len(hopperBins) {
		most = hopperBins[bin+1]
	}
	low, high := float64(hopperBins[bin]+1), float64(most+1)
	return min(most, int(low*math.Pow(high/low, rng.Float64())))
}

// memoryStream is the stream of random numbers for memory. Those of package workload, which draws from the same
// seed where tasks read, are others.
const memoryStream = 5

// remember draws how much memory the tasks of a job take, and returns for how many seconds
// they hold that of one core, which is an even part of its node's; nothing if memory is not
// accounted for.
func (h *Hopper) remember(j *workload.Job) (seconds float64) {
	if h.NodeMemory == 0 {
		return 0
	}
	rng := rand.New(rand.NewPCG(h.Seed, memoryStream<<32|uint64(j.ID)))
	least, most := float64(hopperLeastMemory), float64(hopperMostMemory)
	for i := range j.Stages {
		bytes := math.Round(least * math.Pow(most/least, rng.Float64()))
		j.Stages[i].Memory = min(hopperMostMemory, max(hopperLeastMemory, int64(bytes)))
		sum := 0.0
		for _, d := range j.Runtimes[i] {
			sum += d.Seconds()
		}
		cores := float64(j.Stages[i].Memory) / float64(h.NodeMemory) * float64(h.Cores)
		seconds += sum * cores
	}
	return seconds
}
