package central

import (
	"slices"

	"example.com/augur/policy"
)

// A Resource is a named resource, summed over the cluster, in thousandths of its unit.
type Resource struct {
	Name string
	All  int64 // what the nodes offer
	// Free is All without what copies hold and what Starts that are not answered yet ask for. It may be negative for a moment
	// when a node leaves.
	Free int64
	most int64 // the most that a single node has offered
}

// Resources returns the named resources that nodes have offered or started tasks have needed, in the order in which they were
// first seen. The caller must not change the result.
func (v *View) Resources() []Resource { return v.names }

// Stock returns the free named resources of a node. It returns nil if the node offers none or has not joined. A Start that
// names the node counts at once, before the host answers. The caller must not change the result.
func (v *View) Stock(n policy.NodeID) *policy.Stock {
	if int64(n) < int64(len(v.stocks)) {
		return v.stocks[n]
	}
	return nil
}

// Left returns how much is free on a node, as a sum of shares: one of cores and one of each named resource that the node offers.
// A share is the free amount divided by the most that any single node has had so far, so it is at most 1. It is below 0 for a
// moment if a node is full and Starts that name it are not answered yet: the host will refuse some. Left returns 0 if the
// node is not there.
func (v *View) Left(n policy.NodeID) float64 {
	if v.partition(n) == 0 {
		return 0
	}
	left := float64(v.nodes[n].room) / float64(v.most)
	for o, free := range v.Stock(n).All {
		sum := int64(0)
		for _, x := range free {
			sum += x
		}
		left += float64(sum) / float64(v.names[v.find(o.Name)].most)
	}
	return left
}

// find returns the place of a named resource, -1 if it was never seen.
func (v *View) find(name string) int {
	return slices.IndexFunc(v.names, func(r Resource) bool { return r.Name == name })
}

// see is like find, but adds a resource that was never seen.
func (v *View) see(name string) int {
	i := v.find(name)
	if i < 0 {
		i = len(v.names)
		v.names = append(v.names, Resource{Name: name})
	}
	return i
}

// offer adds the named resources of a node that joins.
func (v *View) offer(n *policy.Node) {
	if len(n.Offers) > 0 {
		v.stocks = grown(v.stocks, int(n.ID))
		v.stocks[n.ID] = policy.NewStock(n)
		v.count(n.ID, +1)
		for o := range v.stocks[n.ID].All {
			r := &v.names[v.find(o.Name)]
			r.most = max(r.most, o.All())
		}
	}
}

// count adds what a node offers, or subtracts it if sign is -1.
func (v *View) count(n policy.NodeID, sign int64) {
	for o := range v.Stock(n).All {
		i, all := v.see(o.Name), sign*o.All()
		v.names[i].All += all
		v.names[i].Free += all
	}
}

// charge adds the needs of a number of units to what a job holds. If units is negative, it gives them back.
func (v *View) charge(j *Job, stage *policy.Stage, units int64) {
	for _, need := range stage.Needs {
		i, amount := v.see(need.Name), units*tasksOf(stage)*need.Amount
		v.names[i].Free -= amount
		j.Resources = grown(j.Resources, i)
		j.Resources[i] += amount
	}
}

// stock takes the needs of an event's copy from its nodes (sign -1), or gives them back (+1).
func (v *View) stock(ev *policy.Event, stage *policy.Stage, sign int64) {
	if ev.Node != 0 {
		v.Stock(ev.Node).Add(stage, ev.Devices, sign)
	}
	for _, share := range ev.Gang {
		v.Stock(share.Node).Add(stage, share.Devices, sign*int64(share.Tasks))
	}
}

// accountNeeds does for named resources what account does for cores.
func (v *View) accountNeeds(ev *policy.Event, j *Job, stage *policy.Stage) {
	switch {
	case ev.Kind == policy.Started:
		if ev.Replay {
			v.charge(j, stage, 1)
		} else {
			v.restock(ev.Copy, stage)
		}
		v.stock(ev, stage, -1)
	case ev.Kind == policy.Refused && !ev.Replay:
		v.charge(j, stage, -1)
		v.restock(ev.Copy, stage)
	case ev.Kind.End() && !ev.Replay:
		v.charge(j, stage, -1)
		v.stock(ev, stage, +1)
	}
}

// restock gives back to a node what a Start that named it took. Call it when the host has answered the Start.
func (v *View) restock(c policy.Copy, stage *policy.Stage) {
	if at, ok := v.named[c]; ok {
		at.stock.Add(stage, at.devices, 1)
	}
}
