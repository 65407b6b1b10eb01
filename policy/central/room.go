package central

import (
	"encoding/binary"
	"iter"
	"maps"
	"slices"

	"example.com/augur/policy"
)

// Short reports whether a unit of a stage may lack room although enough cores are free in the sum over all nodes: its tasks
// take several cores, memory where nodes have a limit of it, or named resources, of which a single node can be short.
func (v *View) Short(stage *policy.Stage) bool {
	return stage.Cores > 1 && v.there > 1 || stage.Needs != nil || stage.Memory > 0 && v.limited > 0
}

// Rooms reports whether there is room for a unit of a stage, a task or a whole gang: enough free cores in the whole cluster
// and, if a node can be short of something ([View.Short]), nodes that hold all its tasks. A Start that is not answered and
// leaves the node to the host counts as taken from any node that could hold it. So sure may be false for a moment although
// there is room. possible reports whether there could be room if these Starts go elsewhere. Where a node can be short of
// something, Rooms takes time in proportion to the open nodes.
func (v *View) Rooms(stage *policy.Stage) (sure, possible bool) {
	if stage.Width() > v.total {
		return false, false
	}
	if !v.Short(stage) {
		return true, true
	}
	want := tasksOf(stage)
	for _, need := range stage.Needs {
		if i := v.find(need.Name); i < 0 || v.names[i].Free < want*need.Amount {
			return false, false
		}
	}
	asked := int64(0)
	for _, x := range v.asking {
		if x.units > 0 {
			asked += x.units * v.Spoils(x.stage, stage)
		}
	}
	if asked > 0 {
		if same := v.asking[string(v.kindOf(stage))]; same != nil { // as when a job starts many tasks at once
			return v.holds(same, want+asked), v.holds(same, want)
		}
	}
	for n := range v.Open() {
		if want -= v.Tasks(n, stage); want+asked <= 0 {
			return true, true
		}
	}
	return false, want <= 0
}

// kindOf returns what units of a stage need of nodes, as a key.
func (v *View) kindOf(stage *policy.Stage) []byte {
	v.text = v.text[:0]
	for _, n := range []int64{int64(stage.Cores), tasksOf(stage), stage.Memory} {
		v.text = binary.AppendVarint(v.text, n)
	}
	for _, need := range stage.Needs {
		v.text = append(append(v.text, need.Name...), 0)
		v.text = binary.AppendVarint(v.text, need.Amount)
	}
	return v.text
}

// A request is what Starts ask for that are not answered and leave the node to the host.
type request struct {
	stage *policy.Stage // one whose units need this
	units int64         // that are asked for
	room  int64         // tasks of these for which the nodes before next have room
	next  int
	at    uint64 // View.changes at that time
}

// holds reports whether nodes have room for so many tasks. It goes on where it has stopped, unless something has changed on
// nodes since.
func (v *View) holds(r *request, tasks int64) bool {
	if r.at != v.changes {
		r.at, r.room, r.next = v.changes, 0, 0
	}
	for r.room < tasks {
		n, ok := v.open.next(r.next)
		if !ok {
			return false
		}
		r.room += v.Tasks(policy.NodeID(n), r.stage)
		r.next = n + 1
	}
	return true
}

// ask counts a Start that leaves the node to the host, and takes it back if units is -1.
func (v *View) ask(stage *policy.Stage, units int64) {
	k := v.kindOf(stage)
	r := v.asking[string(k)]
	if r == nil {
		if v.asking == nil {
			v.asking = make(map[string]*request)
		}
		r = &request{stage: stage}
		v.asking[string(k)] = r
	}
	r.units = max(0, r.units+units)
	switch {
	case r.units > 0:
		if r.units == units {
			v.kinds++
		}
	case units < 0:
		if v.kinds--; len(v.asking) > 64+2*v.kinds { // most are of the past
			maps.DeleteFunc(v.asking, func(_ string, r *request) bool { return r.units == 0 })
		}
	}
}

// Tasks returns how many tasks of a stage a node has room for now by its free cores, memory and named resources, 0 if it is not
// there. Like [View.Room] it knows of Starts that are not answered only if they name the node.
func (v *View) Tasks(n policy.NodeID, stage *policy.Stage) int64 {
	if v.partition(n) == 0 {
		return 0
	}
	x := &v.nodes[n]
	k := max(0, x.room) / int64(max(1, stage.Cores))
	if k > 0 && stage.Memory > 0 && x.memory > 0 {
		k = min(k, max(0, x.memory-x.used)/stage.Memory)
	}
	if k > 0 && stage.Needs != nil {
		k = min(k, int64(v.Stock(n).Fits(stage)))
	}
	return k
}

// FreeMemory returns the bytes that are free on a node, and false if it has no limit or is not there. Like [View.Room] it knows
// of Starts that are not answered only if they name the node.
func (v *View) FreeMemory(n policy.NodeID) (bytes int64, ok bool) {
	if v.Memory(n) == 0 {
		return 0, false
	}
	return v.nodes[n].memory - v.nodes[n].used, true
}

// All yields the nodes that are there by increasing ID.
func (v *View) All() iter.Seq[policy.NodeID] {
	return func(yield func(policy.NodeID) bool) {
		for i := range v.nodes {
			if v.nodes[i].cores > 0 && !yield(policy.NodeID(i)) {
				return
			}
		}
	}
}

// Suppose gives a node back what tasks of a stage hold there if sign is +1, and takes it again if it is -1. It is for
// policies that ask [View.Tasks] what would have room if those tasks had ended: they take back what they have given before
// they return. It changes nothing else in the books, and nothing at all if no such node has joined.
func (v *View) Suppose(stage *policy.Stage, held policy.Share, sign int64) {
	if int64(held.Node) >= int64(len(v.nodes)) {
		return
	}
	v.changes++
	n, tasks := &v.nodes[held.Node], sign*int64(held.Tasks)
	n.room += tasks * int64(stage.Cores)
	n.used -= tasks * stage.Memory
	v.Stock(held.Node).Add(stage, held.Devices, tasks)
}

// Shares reports whether units of two stages take memory, where nodes have a limit of it, or the same named resource.
func (v *View) Shares(a, b *policy.Stage) bool {
	return v.limited > 0 && a.Memory > 0 && b.Memory > 0 || slices.ContainsFunc(a.Needs, func(x policy.Need) bool {
		return slices.ContainsFunc(b.Needs, func(y policy.Need) bool { return x.Name == y.Name })
	})
}

// Spoils returns for how many tasks of a stage nodes may lose the room to a unit of another stage, wherever that runs: a task of
// 3 cores may take the room of two tasks of 2, but of no more than fit on a node.
func (v *View) Spoils(other, stage *policy.Stage) int64 {
	most := ratio(int64(other.Cores), int64(stage.Cores))
	if other.Memory > 0 && stage.Memory > 0 && v.limited > 0 {
		most = max(most, ratio(other.Memory, stage.Memory))
	}
	for _, need := range stage.Needs {
		for _, x := range other.Needs {
			if x.Name == need.Name {
				most = max(most, ratio(x.Amount, need.Amount))
			}
		}
	}
	return min(most, max(1, int64(v.most)/int64(max(1, stage.Cores)))) * tasksOf(other)
}

// ratio returns a/b, rounded up.
func ratio(a, b int64) int64 { return (a-1)/max(1, b) + 1 }

// tasksOf returns how many tasks a unit of a stage has.
func tasksOf(stage *policy.Stage) int64 {
	if stage.Gang {
		return int64(stage.Tasks)
	}
	return 1
}

// Possible reports whether the nodes that are there could hold a unit of a stage if nothing ran on them. It takes time in
// proportion to the nodes if a single node can be short of something, else it is constant.
func (v *View) Possible(stage *policy.Stage) bool {
	if stage.Width() > v.cores {
		return false
	}
	if !v.Short(stage) {
		return true
	}
	want := tasksOf(stage)
	if int(v.able) < len(v.nodes) && v.atMost(v.able, stage) >= want {
		return true
	}
	for i := range v.nodes {
		n := v.atMost(policy.NodeID(i), stage)
		if n >= want {
			v.able = policy.NodeID(i)
		}
		if want -= n; want <= 0 {
			return true
		}
	}
	return false
}

// atMost returns how many tasks of a stage a node holds if nothing else runs there, 0 if it is not there.
func (v *View) atMost(id policy.NodeID, stage *policy.Stage) int64 {
	n := &v.nodes[id]
	k := int64(n.cores / max(1, stage.Cores))
	if k > 0 && stage.Memory > 0 && n.memory > 0 {
		k = min(k, n.memory/stage.Memory)
	}
	if k > 0 && stage.Needs != nil {
		k = min(k, int64(v.Stock(id).Holds(stage)))
	}
	return k
}

// Park takes the units of the job's next stage ([Job.Next]) out of those that wait, until a node joins: no node that is there
// could hold one, see [View.Possible]. Meanwhile other stages of the job may be next.
func (v *View) Park(j *Job) {
	stage, ok := j.Next()
	if !ok {
		return
	}
	j.Waiting -= j.waiting(stage)
	j.Stages[stage].parked, j.Refused = true, false
	if j.parked == 0 {
		v.parked = append(v.parked, j)
		j.parked = len(v.parked)
	}
}

// Unparked calls f for each job whose parked units wait again because a node has joined, large enough or not. Call it after each
// event.
func (v *View) Unparked(f func(j *Job)) {
	if !v.grown {
		return
	}
	v.grown = false
	for _, j := range v.parked {
		j.parked = 0
		for stage := range j.Stages {
			v.unpark(j, uint32(stage))
		}
		f(j)
	}
	clear(v.parked)
	v.parked = v.parked[:0]
}

// unpark lets the units of a stage wait again, if it was parked.
func (v *View) unpark(j *Job, stage uint32) {
	if s := &j.Stages[stage]; s.parked {
		s.parked = false
		j.Waiting += j.waiting(stage)
		j.wake(stage)
	}
}
