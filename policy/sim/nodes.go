package sim

import (
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// nodes are the machines of the cluster, and what is free on each.
type nodes struct {
	all   []node // by ID
	list  []policy.Node
	rooms []*room // by partition
	usage usage
}

// node is a machine.
type node struct {
	memory    int64 // free, if limited
	speed     float64
	cores     int32 // free
	freeing   int32 // that suspended copies are about to leave
	partition policy.PartitionID
	leaf      int32 // its place in the room of the partition
	up        bool
	limited   bool // memory is accounted for; else there is always enough, unlimited
	info      *policy.Node
	stock     *policy.Stock // free of named resources
}

// clear makes all of a node free.
func (n *node) clear() {
	n.cores, n.freeing, n.memory, n.limited = n.info.Cores, 0, n.info.Memory, n.info.Memory > 0
	if !n.limited {
		n.memory = unlimited
	}
	n.stock = policy.NewStock(n.info)
}

// fit returns how many tasks of a stage a node has room for.
func (n *node) fit(spec *policy.Stage) uint32 {
	fit := int64(n.cores / spec.Cores)
	if n.limited && spec.Memory > 0 {
		fit = min(fit, n.memory/spec.Memory)
	}
	if spec.Needs != nil {
		fit = min(fit, int64(n.stock.Fits(spec)))
	}
	return uint32(max(0, fit))
}

// fits reports whether a node has room for a task of a stage.
func (n *node) fits(spec *policy.Stage) bool { return n.cores >= spec.Cores && n.fitsRest(spec) }

// fitsRest is like fits, but without cores, which are still to be freed.
func (n *node) fitsRest(spec *policy.Stage) bool {
	return n.memory >= spec.Memory && (spec.Needs == nil || n.stock.Fits(spec) > 0)
}

// newNodes prepares the nodes and the index of their free resources; no node is up yet.
func newNodes(list []policy.Node) (ns nodes, err error) {
	list = slices.Clone(list)
	ns.all, ns.list = make([]node, len(list)+1), list
	members := make(map[policy.PartitionID][]int)
	for i := range list {
		info := &list[i]
		if err := info.Validate(); err != nil {
			return ns, fmt.Errorf("sim: Config.Nodes[%d]: %w", i, err)
		}
		if info.ID != policy.NodeID(i+1) {
			return ns, fmt.Errorf("sim: Config.Nodes[%d] has ID %d, want %d", i, info.ID, i+1)
		}
		if int64(info.Partition) > int64(len(list)) {
			return ns, fmt.Errorf("sim: Config.Nodes[%d] is in partition %d, want at most the number of nodes, %d", i, info.Partition, len(list))
		}
		n := &ns.all[info.ID]
		n.info, n.speed, n.partition = info, info.Speed, info.Partition
		n.clear()
		n.leaf = int32(len(members[info.Partition]))
		members[info.Partition] = append(members[info.Partition], i+1)
	}
	for p, ids := range members {
		for int(p) >= len(ns.rooms) {
			ns.rooms = append(ns.rooms, nil)
		}
		ns.rooms[p] = newRoom(ids)
	}
	return ns, nil
}

// join makes a node available, empty.
func (ns *nodes) join(n *node) {
	n.up = true
	n.clear()
	ns.rooms[n.partition].set(int(n.leaf), n.cores, n.memory)
	ns.usage.up += int64(n.info.Cores)
}

// leave makes a node unavailable.
func (ns *nodes) leave(n *node) {
	n.up = false
	ns.rooms[n.partition].set(int(n.leaf), 0, 0)
	ns.usage.up -= int64(n.info.Cores)
}

// take changes what is free on a node.
func (ns *nodes) take(n *node, cores int32, memory int64) {
	n.cores -= cores
	if n.limited {
		n.memory -= memory
	}
	if n.up {
		ns.rooms[n.partition].set(int(n.leaf), n.cores, n.memory)
	}
	ns.usage.busy += int64(cores)
}

// Holds reports whether a cluster, empty and with all its nodes up, has room for each task and each gang of a job. Jobs that it
// does not hold end as TooLarge. It takes time in proportion to the nodes at most.
func Holds(cluster []policy.Node, job *policy.Job) bool {
	for i := range job.Stages {
		stage := &job.Stages[i]
		want := stage.UnitTasks() // of one unit
		for k := 0; k < len(cluster) && want > 0; k++ {
			want -= min(want, cluster[k].Holds(stage))
		}
		if want > 0 {
			return false
		}
	}
	return true
}

// usage sums up core-seconds.
type usage struct {
	busy, up            int64 // cores now
	busyTime, available float64
}

func (u *usage) advance(from, to policy.Time) {
	dt := to.Sub(from).Seconds()
	u.busyTime += float64(u.busy) * dt
	u.available += float64(u.up) * dt
}
