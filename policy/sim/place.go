package sim

import (
	"slices"

	"example.com/augur/policy"
)

// place returns the first node with room for a task, 0 if there is none: first of the nodes that hold its input, then
// of the partitions that its stage prefers, then of all.
func (ns *nodes) place(spec *policy.Stage, index uint32, p policy.PartitionID) policy.NodeID {
	for _, id := range spec.HoldersOf(index) {
		if int(id) >= len(ns.all) {
			continue // no node of this cluster
		}
		n := &ns.all[id]
		if n.up && (p == 0 || n.partition == p) && spec.Prefers(n.partition) && n.fits(spec) {
			return id
		}
	}
	for _, preferred := range [...]bool{true, false} {
		for q, r := range ns.rooms {
			id := policy.PartitionID(q)
			if r == nil || p != 0 && p != id || spec.Prefers(id) != preferred {
				continue
			}
			for k, ok := r.first(0, spec.Cores, spec.Memory); ok; k, ok = r.first(k+1, spec.Cores, spec.Memory) {
				if spec.Needs == nil || ns.all[r.nodes[k]].stock.Fits(spec) > 0 {
					return policy.NodeID(r.nodes[k])
				}
			}
		}
	}
	return 0
}

// placeGang returns the nodes of a gang's tasks, nil if there is not room for all.
func (ns *nodes) placeGang(spec *policy.Stage, a *policy.Action) (gang []policy.Share) {
	left := spec.Tasks
	add := func(id int) {
		if fit := min(left, ns.all[id].fit(spec)); fit > 0 {
			gang = ns.share(gang, spec, id, fit)
			left -= fit
		}
	}
	if a.Node != 0 {
		if n := &ns.all[a.Node]; n.up && (a.Partition == 0 || n.info.Partition == a.Partition) {
			add(int(a.Node))
		}
	} else {
		for _, preferred := range [...]bool{true, false} {
			for q, r := range ns.rooms {
				id := policy.PartitionID(q)
				if r == nil || a.Partition != 0 && a.Partition != id || spec.Prefers(id) != preferred {
					continue
				}
				for k, ok := r.first(0, spec.Cores, spec.Memory); ok && left > 0; k, ok = r.first(k+1, spec.Cores, spec.Memory) {
					add(r.nodes[k])
				}
			}
		}
	}
	if left > 0 {
		return nil
	}
	return gang
}

// share appends this many tasks of a gang on a node: tasks with the same devices are one Share.
func (ns *nodes) share(gang []policy.Share, spec *policy.Stage, id int, tasks uint32) []policy.Share {
	if spec.Needs == nil {
		return append(gang, policy.Share{Node: policy.NodeID(id), Tasks: tasks})
	}
	first, stock := len(gang), ns.all[id].stock
	for range tasks {
		devices, _ := stock.Take(spec) // there is room: fit says so
		if at := slices.IndexFunc(gang[first:], func(x policy.Share) bool { return x.Devices == devices }); at >= 0 {
			gang[first+at].Tasks++
		} else {
			gang = append(gang, policy.Share{Node: policy.NodeID(id), Tasks: 1, Devices: devices})
		}
	}
	for _, x := range gang[first:] {
		stock.Add(spec, x.Devices, int64(x.Tasks)) // until launch holds it
	}
	return gang
}
