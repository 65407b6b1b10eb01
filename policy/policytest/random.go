package policytest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// seeds makes a case for each of the seeds 0 to n-1.
func seeds(n uint64, check func(t *testing.T, c *Config, seed uint64) *finding) (cases []testCase) {
	for seed := range n {
		cases = append(cases, testCase{fmt.Sprintf("seed=%d", seed), func(t *testing.T, c *Config) *finding {
			return check(t, c, seed)
		}})
	}
	return cases
}

// sceneSeeds returns for how many seeds each kind of random scene is tried.
func sceneSeeds() uint64 {
	switch {
	case *seedsFlag > 0:
		return *seedsFlag
	case testing.Short():
		return 4
	}
	return 20
}

// sceneJobs is how many jobs a random scene has.
const sceneJobs = 40

// scenes makes cases of random scenes in which goes wrong what is said for each seed.
func scenes(what func(seed uint64) trouble) []testCase {
	return seeds(sceneSeeds(), func(_ *testing.T, c *Config, seed uint64) *finding {
		return newScene(seed, sceneJobs, what(seed)).run(c)
	})
}

// idleCases look for room that stands empty beside work that waits, in scenes of one-core tasks and,
// with odd seeds, of all shapes.
func idleCases() []testCase {
	return seeds(sceneSeeds(), func(_ *testing.T, c *Config, seed uint64) *finding {
		sc := newScene(seed, sceneJobs, withFaults*trouble(seed/2%2)|withSlips*trouble(seed/4%2)|withRestarts*trouble(seed/8%2))
		alike := seed%2 == 0
		if alike {
			for _, j := range sc.jobs {
				bags(j)
			}
		}
		f := &sc.config.Faults // what is posted may be lost for as long as one likes
		f.PostLoss, f.PostLate, f.PostEarly, f.PostTwice = 0, 0, 0, 0
		w := newWatch(&sc.config, c)
		sc.watch = w
		if f := sc.run(c); f != nil {
			return f
		}
		return w.judge(c, alike)
	})
}

// judge says whether room stood empty for too long: of one node only if all work is of one-core tasks.
func (w *watch) judge(c *Config, alike bool) *finding {
	if i := w.whole; i.span > c.Patience {
		return failure("idle", "nothing ran, from %v s on, for %v without anything under way, although task %v fitted on node %d; Config.Patience is %v (set that, or Config.Keeps, if a limit keeps the room free)%s",
			i.since.Seconds(), i.span, i.beside, i.node, c.Patience, i.tale)
	}
	if i := w.node; i.span > w.perNode && alike {
		return failure("idle", "node %d had room for task %v, which waited, from %v s on, for %v without anything under way; "+
			"Config.Patience is %v, and Config.NodePatience %v (set these, or Config.Keeps, if a limit keeps the room free)%s", i.node, i.beside, i.since.Seconds(), i.span, c.Patience, c.NodePatience, i.tale)
	}
	return nil
}

// bags makes of a job one of one-core tasks that anybody can run anywhere.
func bags(j *workload.Job) {
	for i := range j.Stages {
		s := &j.Stages[i]
		s.Cores, s.Memory, s.Needs, s.Gang = 1, 0, nil, false
		for k := range s.Reads {
			s.Reads[k].Pipe = false
		}
	}
}

// trouble says what goes wrong in a random scene.
type trouble int

const (
	withFaults trouble = 1 << iota
	withRestarts
	withSlips
)

// drawScene draws jobs of every shape, and a cluster for them.
func drawScene(rng *rand.Rand, jobs int) *scene {
	sc := &scene{jobs: randomJobs(rng, jobs), config: sim.Config{
		Nodes:       randomNodes(rng),
		SuspendCost: policy.Duration(rng.IntN(2)) * s / 4,
		ResumeCost:  policy.Duration(rng.IntN(2)) * s / 3,
	}}
	sc.config.SaveCost, sc.config.Faults.SaveFails = sc.config.SuspendCost, 0.1
	return sc
}

// newScene draws jobs of every shape, a cluster and a network for them, and what goes
// wrong.
func newScene(seed uint64, jobs int, t trouble) *scene {
	rng := rand.New(rand.NewPCG(seed, 1))
	sc := drawScene(rng, jobs)
	sc.config.Delay, sc.config.MaxFailures = []policy.Duration{0, s / 100, s}[seed%3], 20
	f := &sc.config.Faults
	f.Seed = seed
	last := sc.jobs[len(sc.jobs)-1].Submitted
	if t&withFaults != 0 {
		f.MeanUp, f.MeanDown = 80*s, 10*s
		f.TaskFailure, f.TaskEviction = 0.01, 0.03
		f.PostLoss, f.PostLate, f.MeanLate = 0.01, 0.02, s
		for range 4 {
			job := sc.jobs[rng.IntN(len(sc.jobs))]
			f.Cancels = append(f.Cancels, sim.Cancel{Job: job.ID, At: job.Submitted.Add(seconds(rng, 5))})
		}
	}
	if t&withRestarts != 0 {
		for range 4 {
			f.Restarts = append(f.Restarts, policy.Time(rng.Int64N(int64(last)+1)))
		}
	}
	if t&withSlips != 0 {
		f.PostLoss, f.PostLate, f.PostEarly, f.PostTwice, f.MeanLate = 0.1, 0.2, 0.2, 0.2, 4*s
		f.ActionLate, f.MeanSlip = 0.2, 2*s
		for range 8 {
			f.Jumps = append(f.Jumps, sim.Jump{At: policy.Time(rng.Int64N(int64(last) + 1)), For: seconds(rng, 10)})
		}
	}
	sc.shift([]policy.Duration{0, -policy.Duration(last / 2), -100 * 3600 * s}[seed/3%3])
	return sc
}

// shift lets all happen as much later: only the differences of instants matter, so that it changes nothing else.
func (s *scene) shift(by policy.Duration) {
	for _, j := range s.jobs {
		if j.Submitted = j.Submitted.Add(by); j.SLO != nil {
			j.SLO.Deadline = j.SLO.Deadline.Add(by)
		}
	}
	f := &s.config.Faults
	for i := range f.Cancels {
		f.Cancels[i].At = f.Cancels[i].At.Add(by)
	}
	for i := range f.Restarts {
		f.Restarts[i] = f.Restarts[i].Add(by)
	}
	for i := range f.Jumps {
		f.Jumps[i].At = f.Jumps[i].At.Add(by)
	}
}

// seconds draws a time with a mean of so many seconds; half of the times are whole
// seconds, so that much falls on the same instant, and some are zero.
func seconds(rng *rand.Rand, mean float64) policy.Duration {
	d := saturate.To[policy.Duration](rng.ExpFloat64() * mean * 1e9)
	if rng.IntN(2) == 0 {
		d = d / s * s
	}
	return d
}

// randomNodes draws one to three partitions. Some hold no large job, some no small one.
func randomNodes(rng *rand.Rand) []policy.Node {
	var partitions []sim.Partition
	offers := [][]policy.Offer{
		{{Name: "gpu", Amount: 1000, Devices: 4}, {Name: "link", Amount: 9000}}, {{Name: "gpu", Amount: 1000, Devices: 2}}, nil,
	}
	for i := range 1 + rng.IntN(3) {
		partitions = append(partitions, sim.Partition{
			Nodes: 1 + rng.IntN(4), Cores: int32(1 + rng.IntN(6)), Memory: int64(rng.IntN(2) * 8),
			Speed: []float64{0.5, 1, 1.5}[rng.IntN(3)], Offers: offers[i],
		})
	}
	return sim.Cluster(partitions...)
}

// randomJobs draws jobs of every shape that the contract knows: bags, stages, pipelines,
// gangs, wide tasks, memory, named resources, inputs, preferences, places of data, deadlines, with all that a
// policy may be told about a job.
func randomJobs(rng *rand.Rand, n int) (made []*workload.Job) {
	now := policy.Duration(0)
	for i := range n {
		now += seconds(rng, 4)
		user := fmt.Sprintf("user%d", rng.IntN(3))
		j := &workload.Job{Job: policy.Job{
			ID: policy.JobID(i + 1), Submitted: policy.Time(now), Priority: float64(rng.IntN(3)), Queue: user,
			Attrs: []policy.Attr{{Name: "user", Value: user}, {Name: "program", Value: fmt.Sprintf("p%d", rng.IntN(5))}},
		}}
		longest := policy.Duration(0)
		for k := range 1 + rng.IntN(2)*rng.IntN(4) {
			stage := policy.Stage{Tasks: uint32(1 + rng.IntN(8)), Cores: int32(1 + rng.IntN(3)/2), Gang: rng.IntN(4) == 0}
			if rng.IntN(3) == 0 {
				stage.Memory = int64(1 + rng.IntN(4))
			}
			if rng.IntN(3) == 0 {
				stage.Prefer, stage.Elsewhere = []policy.PartitionID{policy.PartitionID(1 + rng.IntN(3))}, 1.5
			}
			if (i+k)%4 == 1 {
				stage.Holders, stage.Elsewhere = held(i, stage.Tasks), 1.5
			}
			if (i+k)%7 == 2 {
				stage.Needs = []policy.Need{{Name: "gpu", Amount: []int64{300, 500, 1000, 2000}[i%4]}}
			}
			if (i+k)%9 == 3 {
				stage.Needs = append(stage.Needs, policy.Need{Name: "link", Amount: 1000})
			}
			for up := range k {
				if rng.IntN(2) == 0 {
					stage.Reads = append(stage.Reads, policy.Dep{Stage: uint32(up), Pipe: rng.IntN(2) == 0})
				}
			}
			runtimes := make([]policy.Duration, stage.Tasks)
			for i := range runtimes {
				runtimes[i] = seconds(rng, 4)
				longest = max(longest, runtimes[i])
			}
			j.Stages = append(j.Stages, stage)
			j.Runtimes = append(j.Runtimes, runtimes)
		}
		workload.LetSave(&j.Job, func(stage int) policy.Duration { return policy.Duration((int(j.ID)+stage)%3) * s / 2 })
		if rng.IntN(2) == 0 { // users ask for too much, mostly
			j.Requested = saturate.To[policy.Duration](float64(longest) * (0.5 + 3*rng.Float64()))
		}
		if rng.IntN(3) == 0 {
			j.SLO = &policy.SLO{Deadline: j.Submitted.Add(longest * policy.Duration(1+rng.IntN(20))), Utility: float64(rng.IntN(5))}
		}
		if rng.IntN(5) == 0 && i > 0 {
			j.Inputs = &policy.Inputs{Jobs: []policy.JobID{policy.JobID(1 + rng.IntN(i))}, Wait: rng.IntN(4) > 0}
		}
		made = append(made, j)
	}
	return made
}

// held puts what the tasks of a stage read on one or two nodes each, some of which are not
// there.
func held(job int, tasks uint32) (holders []policy.NodeID) {
	for t := range int(tasks) {
		second := policy.NodeID(1 + (job+5*t)%13)
		if t%3 == 0 {
			second = 0
		}
		holders = append(holders, policy.NodeID(1+(job+2*t)%11), second)
	}
	return holders
}
