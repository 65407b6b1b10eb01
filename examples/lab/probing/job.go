package probing

import (
	"fmt"

	"example.com/augur/policy"
)

// jobState is what the centre keeps of a job.
type jobState struct {
	estimate policy.Duration
	long     bool
	wants    bool            // it is in wanting
	units    int             // tasks of all stages
	left     int             // of these that are not finished
	unsought int             // units of Ready stages that were never probed for, or need it anew
	vector   *vector         // the newest of the nodes that it has probed, under Eagle; nil if none had any
	slots    []policy.NodeID // where its probes are, by their numbers; 0: there is none of that number
	spare    []uint32        // the numbers that may be used again
	lost     int             // how many may not: what a node had sent before it left may come later
	tasks    [][]sent        // by stage and index
}

// sent says where a task was sent: to node 0 if it was not, or has started. probe is the number of the probe that it was
// given to, plus 1, if that stays there for more.
type sent struct {
	node  policy.NodeID
	probe uint32
}

type jobView = job[jobState]

// byTask makes a place for each task of a job, by stage and index.
func byTask[T any](j *policy.Job) [][]T {
	stages := make([][]T, len(j.Stages))
	for i := range stages {
		stages[i] = make([]T, j.Stages[i].Tasks)
	}
	return stages
}

// refused takes note that a node has let go of the probe that stayed there for more tasks, since
// the one that it was given was Refused. Node 0 says that the task is noted nowhere: it was Refused
// before, or its node was lost, and its probe has been dropped.
func (o *jobState) refused(t *sent) {
	if t.node != 0 && t.probe > 0 && o.slots[t.probe-1] == t.node {
		o.drop(t.probe - 1)
	}
	t.node = 0
}

// put notes that a probe is sent to a node, and returns its number.
func (o *jobState) put(node policy.NodeID) (slot uint32) {
	last := len(o.spare) - 1
	if last < 0 {
		o.slots = append(o.slots, node)
		return uint32(len(o.slots) - 1)
	}
	slot, o.spare = o.spare[last], o.spare[:last]
	o.slots[slot] = node
	return slot
}

// drop notes that a probe that is out is no more.
func (o *jobState) drop(slot uint32) {
	o.slots[slot], o.spare = 0, append(o.spare, slot)
}

// out returns how many probes are out.
func (o *jobState) out() int { return len(o.slots) - len(o.spare) - o.lost }

func supported(j *policy.Job) error {
	for i := range j.Stages {
		switch st := &j.Stages[i]; {
		case st.Gang:
			return fmt.Errorf("probing: stage %d of job %d is a gang, want tasks that may start one by one", i, j.ID)
		case len(st.Needs) > 0:
			return fmt.Errorf("probing: stage %d of job %d needs %s, and nodes that are probed count cores and memory only: want no Needs, or a central policy", i, j.ID, st.Needs[0].Name)
		}
	}
	return nil
}
