package sim_test

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

//go:embed testdata/stories.txt
var storyFile string

// The stories say everything through the contract that a policy may want to say, one thing each.
var stories = []struct {
	name   string
	config sim.Config
	jobs   []*workload.Job
}{
	{name: "start on a named node", jobs: jobs(bag(1, 0, 5*s))},
	{name: "start on a partition or anywhere", config: nodes(one, fast), jobs: jobs(bag(1, 0, 4*s, 4*s, 4*s))},
	{name: "gang, all or nothing", jobs: jobs(bag(1, 0, 5*s), gang(bag(2, 0, 3*s, 2*s, 3*s, 1*s)))},
	{name: "gang wider than the cluster", jobs: jobs(gang(bag(1, 0, s, s, s, s, s)))},
	{name: "second copy wins", config: nodes(one, fast), jobs: jobs(bag(1, 0, 10*s))},
	{
		name:   "suspend and resume keep service",
		config: sim.Config{Nodes: sim.Cluster(single), SuspendCost: s, ResumeCost: 2 * s},
		jobs:   jobs(bag(1, 0, 10*s), bag(2, 4*s, 3*s)),
	},
	{name: "suspend and resume cross", config: sim.Config{SuspendCost: s}, jobs: jobs(bag(1, 0, 10*s))},
	{name: "resume waits and is taken back", config: sim.Config{Nodes: sim.Cluster(single), SuspendCost: s}, jobs: jobs(bag(1, 0, 10*s, 10*s))},
	{name: "start amid two suspensions", config: sim.Config{Nodes: sim.Cluster(one), SuspendCost: 2 * s}, jobs: jobs(bag(1, 0, 10*s, 10*s, 10*s))},
	{name: "report of a copy that waits for its cores", config: sim.Config{Nodes: sim.Cluster(single), SuspendCost: s}, jobs: jobs(bag(1, 0, 10*s, 10*s))},
	{
		name: "resume behind a wider start", config: sim.Config{Nodes: sim.Cluster(one), SuspendCost: s},
		jobs: jobs(bag(1, 0, 10*s, 10*s), with(bag(2, 0, 3*s), func(stage *policy.Stage) { stage.Cores = 2 })),
	},
	{
		name: "late actions of a copy", // the first two draws are of the clock; the Start is 1 s late and the Suspend 3 s
		config: sim.Config{Faults: sim.Faults{
			ActionLate: 0.5, MeanSlip: s, Luck: drawn(0, 0, 0.1, 0.6321205589, 0.1, 0.95021293164, 0.9),
		}},
		jobs: jobs(bag(1, 0, 10*s)),
	},
	{name: "kill loses service", jobs: jobs(bag(1, 0, 5*s))},
	{name: "give up", jobs: jobs(bag(1, 0, 5*s, 5*s))},
	{name: "wake replaces and cancels", jobs: jobs(bag(1, 0, 5*s))},
	{
		name:   "node loss and return",
		config: sim.Config{Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(3), For: 4 * s}}}},
		jobs:   jobs(bag(1, 0, 5*s, 2*s)),
	},
	{name: "progress", config: nodes(single, fast), jobs: jobs(bag(1, 0, 10*s))},
	{name: "stages wait for what they read", jobs: jobs(then(bag(1, 0, 2*s, 3*s), false, s, s))},
	{name: "pipelined stages flow", jobs: jobs(then(bag(1, 0, 2*s, 5*s), true, 1*s, 6*s))},
	{name: "pipeline loses its input", config: nodes(one), jobs: jobs(then(bag(1, 0, 5*s), true, s))},
	{
		name: "pipe loses its input by a refusal",
		config: sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 1}), Delay: s,
			Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(9)}}},
		},
		jobs: jobs(then(bag(1, 0, 20*s), true, 5*s)),
	},
	{
		name: "pipe's reader starts while reports are under way",
		config: sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 3, Cores: 2}), Delay: 2 * s,
			Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(2.5)}}},
		},
		jobs: jobs(then(bag(1, 0, s, 20*s), true, 5*s)),
	},
	{name: "drain with second copies", config: nodes(sim.Partition{Nodes: 1, Cores: 5}), jobs: jobs(then(bag(1, 0, 10*s), true, s, s))},
	{name: "inputs", jobs: jobs(
		bag(1, 0, 5*s), reads(bag(2, s, s), false, 1), reads(bag(3, s, s), true, 1), reads(bag(4, 7*s, s), false, 1, 3), reads(bag(5, 7*s, s), true, 2),
	)},
	{
		name:   "task that fails too often",
		config: sim.Config{MaxFailures: 2, Faults: sim.Faults{TaskFailure: 1}},
		jobs:   jobs(bag(1, 0, 0, 5*s)),
	},
	{
		name:   "cancelled job",
		config: sim.Config{Faults: sim.Faults{Cancels: []sim.Cancel{{Job: 1, At: at(2)}, {Job: 1, At: at(9)}}}},
		jobs:   jobs(bag(1, 0, 5*s)),
	},
	{name: "network delay", config: sim.Config{Delay: s}, jobs: jobs(bag(1, 0, 5*s))},
	{name: "race over a slow network", config: sim.Config{Delay: s}, jobs: jobs(bag(1, 0, 5*s))},
	{
		name: "evictions", // the first two draws are of the clock
		config: sim.Config{Faults: sim.Faults{
			TaskFailure: 0.2, TaskEviction: 0.4, Luck: drawn(0, 0, 0.1, 0.5, 0.3, 0.5, 0.5, 0.5, 0.7),
		}},
		jobs: jobs(bag(1, 0, 4*s)),
	},
	{
		name: "jump",
		config: sim.Config{Faults: sim.Faults{
			Outages: []sim.Outage{{Node: 1, At: at(3), For: s}},
			Jumps:   []sim.Jump{{At: at(8), For: 2 * s}, {At: at(2), For: 7 * s}}, // they overlap
			Cancels: []sim.Cancel{{Job: 2, At: at(9.5)}},
		}},
		jobs: jobs(bag(1, 0, 20*s, 8*s, 11*s, 10*s), bag(2, 6*s, s)),
	},
	{
		name:   "jump at the beginning",
		config: sim.Config{Faults: sim.Faults{Jumps: []sim.Jump{{At: at(1), For: 5 * s}}}},
		jobs:   jobs(bag(1, 3*s, 4*s), bag(2, 4*s, s)),
	},
	{
		name:   "progress of a copy that will break", // the first two draws are of the clock
		config: sim.Config{MaxFailures: 1, Faults: sim.Faults{TaskFailure: 1, Luck: drawn(0, 0, 0, 0.5)}},
		jobs:   jobs(bag(1, 0, 100*s)),
	},
	{
		name: "second copy breaks after the end", // the first two draws are of the clock
		config: sim.Config{
			Nodes: sim.Cluster(one, sim.Partition{Nodes: 1, Cores: 1, Speed: 0.5}), Delay: 10 * s, MaxFailures: 1,
			Faults: sim.Faults{TaskFailure: 0.3, Luck: drawn(0, 0, 0.9, 0.1, 0.75, 0.9)},
		},
		jobs: jobs(bag(1, 0, 10*s, 100*s)),
	},
	{name: "off its partition and its data", config: nodes(single, single), jobs: jobs(
		apart(1, 1, 1), apart(2, 1, 2), apart(3, 2, 1), apart(4, 2, 2),
	)},
	{name: "restart", config: sim.Config{Faults: sim.Faults{Restarts: []policy.Time{at(4)}}}, jobs: jobs(bag(1, 0, 3*s, 3*s, 9*s, 5*s, 5*s))},
	{
		name: "restart amid suspensions",
		config: sim.Config{
			Nodes: sim.Cluster(one), SuspendCost: 2 * s, ResumeCost: s,
			Faults: sim.Faults{Restarts: []policy.Time{at(2), at(12.5)}},
		},
		jobs: jobs(bag(1, 0, 10*s, 10*s, 10*s)),
	},
	{
		name: "restart with a second copy under way",
		config: sim.Config{Delay: 2 * s, Faults: sim.Faults{
			Outages: []sim.Outage{{Node: 1, At: at(11)}}, Restarts: []policy.Time{at(11.5)}, PostLate: 1, MeanLate: s,
		}},
		jobs: jobs(bag(1, 0, 20*s)),
	},
	{name: "preferred partition", config: nodes(single, single), jobs: jobs(
		with(bag(1, 0, 4*s, 4*s), func(stage *policy.Stage) { stage.Prefer, stage.Elsewhere = []policy.PartitionID{2}, 1.5 }),
	)},
	{
		name:   "data locality",
		config: nodes(one, sim.Partition{Nodes: 2, Cores: 1}, single),
		jobs: jobs(
			with(bag(1, 0, 4*s, 4*s, 4*s, 4*s, 4*s), func(stage *policy.Stage) {
				stage.Holders, stage.Elsewhere = []policy.NodeID{2, 1, 2, 3, 3, 0, 3, 99, 0, 0}, 1.5
			}),
			with(gang(bag(2, 10*s, 2*s, 2*s)), func(stage *policy.Stage) { stage.Holders, stage.Elsewhere = []policy.NodeID{1, 2}, 2 }),
		),
	},
	{
		name: "save, and go on elsewhere", jobs: jobs(saves(bag(1, 0, 10*s), 2*s), bag(2, 20*s, 10*s)),
		config: sim.Config{Nodes: sim.Cluster(single, fast), SaveCost: s, Truth: longer(10 * s)},
	},
	{name: "what comes while a copy is saved", config: sim.Config{SaveCost: 2 * s}, jobs: jobs(saves(bag(1, 0, 10*s), 0))},
	{
		name: "lost while it is saved, and after", jobs: jobs(saves(bag(1, 0, 10*s), s)),
		config: sim.Config{SaveCost: 2 * s, Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(5), For: s}, {Node: 2, At: at(12)}}}},
	},
	{name: "a save comes too late", config: sim.Config{Delay: s}, jobs: jobs(saves(bag(1, 0, 5*s), 0))},
	{
		name:   "another copy finishes while one is saved",
		config: sim.Config{Nodes: sim.Cluster(single, fast), SaveCost: 5 * s}, jobs: jobs(saves(bag(1, 0, 10*s), 0)),
	},
	{
		name:   "another copy has finished when one is saved",
		config: sim.Config{Nodes: sim.Cluster(one, fast), Delay: 2 * s, SaveCost: 2 * s}, jobs: jobs(saves(bag(1, 0, 10*s, 30*s), 0)),
	},
	{ // the first two draws are of the clock
		name:   "saving fails",
		config: sim.Config{Faults: sim.Faults{SaveFails: 0.5, Luck: drawn(0, 0, 0.9, 0.1)}}, jobs: jobs(saves(bag(1, 0, 10*s), 0)),
	},
	{
		name:   "a gang goes on elsewhere",
		config: nodes(single, sim.Partition{Nodes: 1, Cores: 1, Speed: 0.5}, one), jobs: jobs(saves(gang(bag(1, 0, 10*s, 10*s)), 2*s)),
	},
	{
		name:   "suspended, and saved",
		config: sim.Config{ResumeCost: s, SaveCost: s}, jobs: jobs(saves(bag(1, 0, 10*s), 4*s)),
	},
	{
		name:   "saved while it is suspended, and while a start waits for that",
		config: sim.Config{Nodes: sim.Cluster(single), SuspendCost: 4 * s, SaveCost: s}, jobs: jobs(saves(bag(1, 0, 10*s, s), 0)),
	},
	{
		name: "restart amid saves", jobs: jobs(saves(bag(1, 0, 10*s, 10*s), 3*s)),
		config: sim.Config{Nodes: sim.Cluster(one), SaveCost: 2 * s, Faults: sim.Faults{Restarts: []policy.Time{at(5), at(6)}}},
	},
	{name: "a limit of what goes on", jobs: jobs(limited(saves(bag(1, 0, 12*s), 0)))},
	{
		name: "a limit of what goes on where it is slower, and faster", config: nodes(fast, sim.Partition{Nodes: 1, Cores: 1, Speed: 0.5}),
		jobs: jobs(limited(saves(bag(1, 0, 7*s), s)), limited(saves(bag(2, 20*s, 12*s), 0))),
	},
	{
		name:   "what goes on breaks",
		config: sim.Config{Faults: sim.Faults{TaskFailure: 0.3, Luck: drawn(0, 0, 0.9, 0.1, 0.5, 0.9)}}, jobs: jobs(saves(bag(1, 0, 10*s), 0)),
	},
	{
		name: "taken back when what goes on has finished", jobs: jobs(saves(bag(1, 0, 10*s), 0)),
		config: sim.Config{Delay: s, Faults: sim.Faults{Cancels: []sim.Cancel{{Job: 1, At: at(13.5)}}}},
	},
	{
		name:   "a host saves what it kills by itself",
		config: sim.Config{Faults: sim.Faults{TaskEviction: 0.4, Luck: drawn(0, 0, 0.1, 0.5, 0.9)}}, jobs: jobs(saves(bag(1, 0, 10*s), 0)),
	},
}

var (
	single = sim.Partition{Nodes: 1, Cores: 1}
	one    = sim.Partition{Nodes: 1, Cores: 2}
	fast   = sim.Partition{Nodes: 1, Cores: 1, Speed: 2}
)

func tellStories(t *testing.T) {
	want := map[string]string{}
	for _, section := range strings.Split(storyFile, "-- ")[1:] {
		name, text, _ := strings.Cut(section, "\n")
		for strings.HasPrefix(text, "#") {
			_, text, _ = strings.Cut(text, "\n")
		}
		want[name] = strings.TrimSpace(text)
	}
	for _, story := range stories {
		t.Run(story.name, func(t *testing.T) {
			p := &teller{t: t, left: strings.Split(want[story.name], "\n")}
			story.config.Faults.NewPolicy = func() (policy.Scheduler, error) { return p, nil }
			r := run(t, story.config, p, story.jobs...)
			for i := range r.Jobs {
				j := &r.Jobs[i]
				p.told = append(p.told, fmt.Sprintf("job %d: %v ideal=%v service=%g wasted=%g preemptions=%d copies=%d",
					j.ID, j.Outcome, j.Ideal, j.Service, j.Wasted, j.Preemptions, j.Copies))
				if j.Stops > 0 {
					p.told[len(p.told)-1] += fmt.Sprintf(" stops=%d reloaded=%g", j.Stops, j.Reloaded)
				}
				if n := r.Faults.SavesFailed; n > 0 {
					p.told[len(p.told)-1] += fmt.Sprintf(" failed=%d", n)
				}
			}
			if diff := cmp.Diff(want[story.name], strings.Join(p.told, "\n")); diff != "" {
				t.Errorf("events and actions (-want +got):\n%s", diff)
			}
		})
	}
	if len(want) != len(stories) {
		t.Errorf("testdata has %d stories, want %d", len(want), len(stories))
	}
}

// A teller answers as its story says, as long as it hears what that says.
type teller struct {
	t    *testing.T
	left []string
	told []string
}

func (p *teller) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	line := describe(ev)
	if ev.Kind == policy.Joined && len(p.told) == 0 {
		return actions, nil
	}
	p.told = append(p.told, line)
	if len(p.left) == 0 || p.left[0] != line {
		p.left = nil
		return actions, nil
	}
	for p.left = p.left[1:]; len(p.left) > 0 && strings.HasPrefix(p.left[0], "  "); p.left = p.left[1:] {
		p.told = append(p.told, p.left[0])
		actions = append(actions, p.action(p.left[0]))
	}
	return actions, nil
}

// action reads an action: its kind, the copy, where, and when in seconds.
func (p *teller) action(line string) (a policy.Action) {
	words := strings.Fields(line)
	err := a.Kind.UnmarshalText([]byte(words[0]))
	for _, word := range words[1:] {
		name, value, named := strings.Cut(word, "=")
		switch seconds := 0.0; {
		case word == "save":
			a.Save = true
		case !named:
			_, err = fmt.Sscanf(word, "%d/%d/%d#%d", &a.Copy.Job, &a.Copy.Stage, &a.Copy.Index, &a.Copy.N)
		case name == "node":
			_, err = fmt.Sscan(value, &a.Node)
		case name == "partition":
			_, err = fmt.Sscan(value, &a.Partition)
		case value == "never":
			a.At = policy.Never
		default:
			_, err = fmt.Sscan(value, &seconds)
			a.At = at(seconds)
		}
		if err != nil {
			p.t.Fatalf("%q: %v", line, err)
		}
	}
	return a
}

// The jobs and clusters of stories.

func jobs(list ...*workload.Job) []*workload.Job { return list }

func nodes(partitions ...sim.Partition) sim.Config {
	return sim.Config{Nodes: sim.Cluster(partitions...)}
}

func with(j *workload.Job, change func(*policy.Stage)) *workload.Job {
	change(&j.Stages[0])
	return j
}

// apart makes a job of one task that is slower off a partition, and off a node.
func apart(id policy.JobID, p policy.PartitionID, n policy.NodeID) *workload.Job {
	return with(bag(id, policy.Duration(10*id)*s, 4*s), func(stage *policy.Stage) {
		stage.Prefer, stage.Holders, stage.Elsewhere = []policy.PartitionID{p}, []policy.NodeID{n}, 1.5
	})
}

// saves makes the job's stage save.
func saves(j *workload.Job, reload policy.Duration) *workload.Job {
	return with(j, func(stage *policy.Stage) { stage.Saves, stage.Reload = true, reload })
}

// limited gives the job a limit of 10 s.
func limited(j *workload.Job) *workload.Job {
	j.Requested, j.Limited = 10*s, true
	return j
}

// longer is a truth by which first copies run for as long, and others ten times longer.
type longer policy.Duration

func (l longer) Runtime(c policy.Copy) (policy.Duration, bool) {
	if c.N > 0 {
		return 10 * policy.Duration(l), true
	}
	return policy.Duration(l), true
}

func gang(j *workload.Job) *workload.Job {
	return with(j, func(stage *policy.Stage) { stage.Gang = true })
}

// then adds a stage that reads the last one.
func then(j *workload.Job, pipe bool, runtimes ...policy.Duration) *workload.Job {
	j.Stages = append(j.Stages, policy.Stage{
		Tasks: uint32(len(runtimes)), Cores: 1, Reads: []policy.Dep{{Stage: uint32(len(j.Stages) - 1), Pipe: pipe}},
	})
	j.Runtimes = append(j.Runtimes, runtimes)
	return j
}

func reads(j *workload.Job, wait bool, inputs ...policy.JobID) *workload.Job {
	j.Inputs = &policy.Inputs{Jobs: inputs, Wait: wait}
	return j
}

// drawn gives each number that is drawn the next one of a list in its place.
func drawn(list ...float64) func(u float64) float64 {
	known := map[float64]float64{}
	return func(u float64) float64 {
		if _, again := known[u]; !again {
			known[u] = list[len(known)]
		}
		return known[u]
	}
}
