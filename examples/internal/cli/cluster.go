package cli

import (
	"cmp"
	"flag"
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// ClusterFlags are the flags that size the cluster: so many nodes, or as many as make a load. Where nodes offer named resources, the
// load is that of the scarcest of these and of the cores.
// What is set before [ClusterFlags.Register] is the default.
type ClusterFlags struct {
	Nodes      int            // 0: as many as the load needs
	Cores      int            // of each node
	Memory     int64          // of each node, bytes; 0: not accounted for
	Offers     []policy.Offer // of each node
	Partitions int
	Load       float64
	Stretch    bool // nodes and load are both given, so the arrivals are stretched

	divided bool // partitions are given
	free    bool // nobody says how many cores a node has
	own     bool // nobody says anything of the cluster, so it is the log's own, if that tells one
	widened bool // nodes have more for it than the default

	taken  *sim.Partition // the log's own cluster, which was taken; nil: it was not
	factor float64        // by which the arrivals were stretched; 0: they were not
}

const maxCores = 1 << 20

// Register defines -nodes, -cores and -load. What is said of the cores of a node is its default.
func (f *ClusterFlags) Register(fs *flag.FlagSet, nodes, cores string) {
	fs.Func("nodes", "`number` of nodes (default: as many as the load needs"+nodes+"; those of the log if its header tells them and neither -cores nor -load is given)", Whole(&f.Nodes, 1, 1<<24))
	fs.Func("cores", "`cores` of each node (default "+cores+", or more if a task takes more)", Whole(&f.Cores, 1, maxCores))
	fs.Func("load", fmt.Sprintf("offered `load`, which is work over cores times time: without -nodes, the load chooses the number of nodes (default %v); with -nodes, arrivals are stretched to this load, and stay as they are without -load", f.Load), Above0(&f.Load))
}

// Check notes which flags are given, takes from the workload's own cluster what is not, if there is a
// generator, and refuses fewer nodes than partitions, of which there are at least so many.
func (f *ClusterFlags) Check(given map[string]bool, g *Generator, partitions int) error {
	f.Stretch, f.divided = given["nodes"] && given["load"], given["partitions"]
	f.free = !given["cores"] && (g == nil || g.Cores == 0)
	f.own = !given["nodes"] && !given["cores"] && !given["load"]
	if g != nil {
		if !given["cores"] {
			f.Cores = cmp.Or(g.Cores, f.Cores)
			if !given["nodes"] && !given["load"] {
				f.Nodes = g.Nodes
			}
		}
		if g.Memory > 0 && !given["memory"] {
			f.Memory = g.Memory / int64(g.Cores) * int64(f.Cores)
		}
		f.Partitions = cmp.Or(f.Partitions, g.Partitions)
	}
	f.Partitions = cmp.Or(f.Partitions, partitions)
	if f.Nodes > 0 && f.Nodes < f.Partitions {
		return Usagef("%d nodes in %d partitions, want at least one in each", f.Nodes, f.Partitions)
	}
	return nil
}

// Fit returns the nodes of a cluster for the jobs, whose arrivals it stretches if that is asked for. If nobody says
// how many cores a node has, it has enough for the widest task.
func (f *ClusterFlags) Fit(js *Jobs) ([]policy.Node, error) {
	if f.own && js.Own.Nodes > 0 {
		f.take(js)
	} else if widest := widestTask(js.List); f.free && widest > f.Cores {
		f.Cores, f.widened = min(widest, maxCores), true
	}
	if err := f.checkNeeds(js); err != nil {
		return nil, err
	}
	nodes, err := f.Nodes, error(nil)
	switch {
	case nodes == 0:
		if nodes, err = f.size(js); err != nil {
			return nil, err
		}
	case f.Stretch:
		before := js.List
		if js.List, err = workload.ToLoad(before, float64(nodes*f.Cores), f.Load/f.scarcity(js)); err != nil {
			return nil, Usagef("%s cannot be brought to load %v on %d nodes: %w", js.Name, f.Load, nodes, err)
		}
		f.factor = span(js.List) / span(before)
	}
	parts := make([]sim.Partition, max(1, f.Partitions))
	for i := range parts {
		parts[i] = sim.Partition{Nodes: nodes*(i+1)/len(parts) - nodes*i/len(parts), Cores: int32(f.Cores), Memory: f.Memory, Offers: f.Offers}
	}
	return sim.Cluster(parts...), nil
}

// take makes the cluster that of the log, or as many more of its nodes as the widest job takes.
func (f *ClusterFlags) take(js *Jobs) {
	f.taken = &js.Own
	f.Cores = int(js.Own.Cores)
	nodes := float64(max(js.Own.Nodes, f.Partitions))
	for _, j := range js.List {
		for i := range j.Stages {
			nodes = max(nodes, f.fill(&j.Stages[i]))
		}
	}
	f.Nodes = int(nodes)
}

// span returns the time from the first submission to the last, s.
func span(list []*workload.Job) float64 {
	return list[len(list)-1].Submitted.Sub(list[0].Submitted).Seconds()
}

// Notes says which sizes were chosen because no flag gave them, and by how much the arrivals were stretched.
func (f *ClusterFlags) Notes() (notes []string) {
	if f.taken != nil {
		why := ""
		if f.Nodes > f.taken.Nodes {
			why = fmt.Sprintf(", and %s more that its widest job needs", Thousands(f.Nodes-f.taken.Nodes))
		}
		notes = append(notes, fmt.Sprintf("the cluster is the log's own, by its header: nodes %s, cores of each %s%s; arrivals stay as they are; -nodes, -cores or -load choose another",
			Thousands(f.taken.Nodes), Thousands(f.Cores), why))
	}
	if f.widened {
		notes = append(notes, fmt.Sprintf("nodes have %s cores, as the widest task needs; -cores chooses", Thousands(f.Cores)))
	}
	if f.factor > 0 {
		notes = append(notes, fmt.Sprintf("arrivals are %.3g times as far apart as given, so that the jobs offer load %v", f.factor, f.Load))
	}
	return notes
}

// widestTask returns the most cores that a task takes.
func widestTask(list []*workload.Job) (cores int) {
	for _, j := range list {
		for i := range j.Stages {
			cores = max(cores, int(j.Stages[i].Cores))
		}
	}
	return cores
}

// size returns the number of nodes on which the jobs offer the load that is asked for, but enough for
// the widest gang, and one for each partition. More partitions than that are an error if somebody asked for them.
func (f *ClusterFlags) size(js *Jobs) (int, error) {
	offered := workload.Measure(js.List)
	cores := offered.Work / offered.Span() / f.Load * f.scarcity(js)
	undefined := math.IsNaN(cores) || math.IsInf(cores, 0) // all jobs at once
	if undefined {
		cores = 1
	}
	nodes := math.Ceil(cores / float64(f.Cores))
	for _, j := range js.List {
		for i := range j.Stages {
			nodes = max(nodes, f.fill(&j.Stages[i]))
		}
	}
	if f.divided && !undefined && nodes < float64(f.Partitions) {
		return 0, Usagef("%s needs %v nodes for load %v, fewer than %d partitions, want at least one in each; choose -nodes", js.Name, max(1, nodes), f.Load, f.Partitions)
	}
	nodes = max(nodes, float64(f.Partitions))
	if nodes > 1<<24 {
		return 0, Usagef("%s needs %g nodes of %d cores for load %v, more than 2^24; choose -nodes", js.Name, nodes, f.Cores, f.Load)
	}
	return max(1, int(nodes)), nil
}

// fill returns how many nodes a unit of the stage fills, in cores or in memory. What is too large for a node
// is taken to have one for each of its tasks, and fails.
func (f *ClusterFlags) fill(s *policy.Stage) float64 {
	each := max(1, f.Cores/int(s.Cores)) // tasks on a node
	if f.Memory > 0 && s.Memory > 0 {
		each = int(max(1, min(int64(each), f.Memory/s.Memory)))
	}
	if len(s.Needs) > 0 {
		each = max(1, min(each, int(policy.NewStock(&policy.Node{Offers: f.Offers}).Fits(s))))
	}
	return math.Ceil(float64(s.UnitTasks()) / float64(each))
}
