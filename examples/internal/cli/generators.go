package cli

import (
	"cmp"
	"strings"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy/workload"
)

// A Generator is a workload that can be chosen.
type Generator struct {
	Name, About string
	// Nodes, Cores and Partitions describe the cluster that it is made for; 0: any.
	Nodes, Cores, Partitions int
	Memory                   int64 // of each node, bytes; 0: not accounted for
	// Places says how what its jobs read lies on the nodes, for clusters of another size; nil:
	// nothing lies anywhere.
	Places *workload.Locality
	// Source makes so many jobs; 0: as many as are usual.
	Source func(jobs int, seed uint64) (workload.Source, error)
	// History makes the jobs before those of Source, to learn from; nil: there are none.
	History func(seed uint64) (workload.Source, error)
	// Lake makes, in place of Source and History, a log that has the jobs of both, of the
	// experiment at least so many; nil: they are of no data lake.
	Lake func(jobs int, seed uint64) (*paper.LakeLog, error)
}

// Generators are those that -workload names.
var Generators = []Generator{
	{Name: "heavytail", About: "bags of tasks with heavy-tailed widths and runtimes; 7 of 10 recur", Source: func(jobs int, seed uint64) (workload.Source, error) {
		g := workload.DefaultHeavyTail()
		g.Seed, g.Jobs = seed, cmp.Or(jobs, g.Jobs)
		return g.Source()
	}},
	mixed("mixed", "everything: recurring programs that drift, stages, stragglers, gangs, deadlines, priorities, jobs that read others' output, requested times", paper.DefaultMixed()),
	mixed("mixed-bags", "the same without gangs", bags(paper.DefaultMixed())),
	kairos("kairos", "maps and reduces of table 1 of Kairos, on its 30 nodes", paper.DefaultKairos()),
	kairos("kairos-60", "the same with 60 maps in a long job, as in the paper's text", longMaps(paper.DefaultKairos(), 60)),
	kairos("kairos-uniform", "the same with short jobs only", paper.UniformKairos()),
	{Name: "e2e", About: "gangs with deadlines, 3Sigma's E2E at load 1.4 on its 256 nodes", Nodes: 256, Cores: 1, Partitions: 4, Source: func(jobs int, seed uint64) (workload.Source, error) {
		g := paper.DefaultE2E()
		g.Seed, g.Jobs = seed, cmp.Or(jobs, g.Jobs)
		return g.Source()
	}, History: func(seed uint64) (workload.Source, error) {
		g := paper.DefaultE2E()
		g.Seed = seed
		return g.History(e2eHistory)
	}},
	hopper("facebook", "chains of stages with stragglers and data on nodes, after Hopper's Facebook trace, for its 200 nodes", paper.Facebook()),
	hopper("facebook-barriers", "the same without pipes: each stage waits for the one before to end", barriers(paper.Facebook())),
	hopper("facebook-memory", "as facebook-barriers, and tasks need memory, on nodes with 34 GB", memory(barriers(paper.Facebook()))),
	hopper("bing", "as facebook, with the job sizes of Bing", paper.Bing()),
	hopper("bing-barriers", "as facebook-barriers, with the job sizes of Bing", barriers(paper.Bing())),
	{Name: "lake", About: "a week of gangs with priorities that read each other's output, after Wing's data lake, for 500 nodes of 20 cores; -nodes 100 is a fifth", Nodes: 500, Cores: 20, Lake: lake},
	slearn("2strace", "after SLearn's trace of 2Sigma, for its 150 nodes", paper.TwoSigma),
	slearn("gtrace11", "after SLearn's trace of Google, 2011", paper.Google11),
	slearn("gtrace19", "after SLearn's trace of Google, 2019", paper.Google19),
	slearn("gtrace19-dag", "the same, as jobs of 2 to 5 stages", paper.Google19DAG),
}

// e2eHistory is how many jobs there are before those of E2E: five times as many. The paper has its predictor learn
// from the trace that its jobs are drawn like, until its estimates are steady, and does not say how long.
const e2eHistory = 3000

// mixedHistory is how many jobs there are before those of mixed: twice as many, some 14 hours of them.
const mixedHistory = 10_000

func mixed(name, about string, m paper.Mixed) Generator {
	return Generator{Name: name, About: about, Source: func(jobs int, seed uint64) (workload.Source, error) {
		m := m
		m.Seed, m.Jobs = seed, cmp.Or(jobs, m.Jobs)
		return m.Source()
	}, History: func(seed uint64) (workload.Source, error) {
		m := m
		m.Seed = seed
		return m.History(mixedHistory)
	}}
}

// bags lets the tasks of gangs start one by one.
func bags(m paper.Mixed) paper.Mixed {
	m.Bags = true
	return m
}

func slearn(name, about string, params func() paper.SLearn) Generator {
	return Generator{Name: name, About: about, Nodes: 150, Cores: params().Cores / 150, Source: func(jobs int, seed uint64) (workload.Source, error) {
		g := params()
		g.Seed, g.Drawn = seed, cmp.Or(jobs, g.Drawn)
		return g.Source()
	}, History: func(seed uint64) (workload.Source, error) {
		g := params()
		g.Seed = seed
		return g.History()
	}}
}

func hopper(name, about string, h paper.Hopper) Generator {
	return Generator{
		Name: name, About: about, Nodes: h.Nodes, Cores: h.Cores, Memory: h.NodeMemory,
		Places: &workload.Locality{Nodes: h.Nodes, Replicas: h.Replicas, Elsewhere: h.Elsewhere},
		Source: func(jobs int, seed uint64) (workload.Source, error) {
			h := h
			h.Seed, h.Jobs = seed, cmp.Or(jobs, h.Jobs)
			return h.Source()
		},
	}
}

// barriers lets each stage wait until the one before has ended.
func barriers(h paper.Hopper) paper.Hopper {
	h.Pipe = false
	return h
}

func memory(h paper.Hopper) paper.Hopper {
	h.NodeMemory = paper.HopperNodeMemory
	return h
}

func kairos(name, about string, k paper.Kairos) Generator {
	return Generator{Name: name, About: about, Nodes: 30, Cores: 4, Source: func(jobs int, seed uint64) (workload.Source, error) {
		k := k
		k.Seed, k.Jobs = seed, cmp.Or(jobs, k.Jobs)
		return k.Source()
	}}
}

func longMaps(k paper.Kairos, maps int) paper.Kairos {
	k.LongMaps = maps
	return k
}

func lake(jobs int, seed uint64) (*paper.LakeLog, error) {
	l := paper.DefaultLake()
	l.Seed = seed
	// A tenth more than so many in a week, since their number is not the same for all seeds.
	l.JobsPerDay = max(l.JobsPerDay, int(float64(jobs)*1.1/float64(l.Days)))
	return l.Log()
}

func findGenerator(name string) (*Generator, error) {
	var names []string
	for i := range Generators {
		if Generators[i].Name == name {
			return &Generators[i], nil
		}
		names = append(names, Generators[i].Name)
	}
	return nil, Usagef("unknown workload %q, want one of %s", name, strings.Join(names, ", "))
}
