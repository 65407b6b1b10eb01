package probing

import (
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/view"
)

// jobState is what the centre keeps of a job.
type jobState struct {
	estimate policy.Duration
	long     bool
	wants    bool            // it is in wanting
	left     int             // units that are not finished
	unsought int             // units of Ready stages that were never probed for, or need it anew
	slots    []policy.NodeID // where its probes are; of a number of which there is none 0, or a link of spare
	spare    policy.NodeID   // the numbers that may be used again: a link to the first, 0 if there is none
	spares   int             // how many
	lost     int             // how many may not: what a node had sent before it left may come later
	number   numbering       // of units
	at       []policy.NodeID // where each unit was sent, 0 if it was not, or has started
	by       []uint32        // the number of the probe that each was given to, plus 1, if that stays there for more
}

type jobView = view.Job[jobState]

// refused takes note that a node has let go of a probe that stayed there for more tasks, since
// the one that it was given was Refused. Node 0 says that the task is noted nowhere: it was Refused
// before, or its node was lost, and its probe has been dropped.
func (o *jobState) refused(unit int, node policy.NodeID) {
	if o.by == nil || node == 0 {
		return
	}
	if slot := o.by[unit]; slot > 0 && o.slots[slot-1] == node {
		o.drop(slot - 1)
	}
}

// A link is the number that may be used again next, beside this bit, which no node has: so it is neither a
// node nor 0.
const linked policy.NodeID = 1 << 31

// put notes that a probe is sent to a node, and returns its number.
func (o *jobState) put(node policy.NodeID) (slot uint32) {
	if o.spares == 0 {
		o.slots = append(o.slots, node)
		return uint32(len(o.slots) - 1)
	}
	slot = uint32(o.spare &^ linked)
	o.spare, o.slots[slot] = o.slots[slot], node
	o.spares--
	return slot
}

// drop notes that a probe that is out is no more.
func (o *jobState) drop(slot uint32) {
	o.spare, o.slots[slot] = linked|policy.NodeID(slot), o.spare
	o.spares++
}

// out returns how many probes are out.
func (o *jobState) out() int { return len(o.slots) - o.spares - o.lost }

func noGangs(j *policy.Job) error {
	for i := range j.Stages {
		if j.Stages[i].Gang {
			return fmt.Errorf("probing: stage %d of job %d is a gang, want tasks that may start one by one", i, j.ID)
		}
	}
	return nil
}

// A numbering numbers the tasks of a job through all its stages. It holds the number of the first task of
// each stage; of a job of one stage it is nil.
type numbering []uint32

func newNumbering(j *policy.Job) (first numbering) {
	if len(j.Stages) == 1 {
		return nil
	}
	first = make(numbering, len(j.Stages))
	for i := 1; i < len(first); i++ {
		first[i] = first[i-1] + j.Stages[i-1].Tasks
	}
	return first
}

// of returns the number of a task.
func (first numbering) of(t policy.Task) int {
	if first == nil {
		return int(t.Index)
	}
	return int(first[t.Stage] + t.Index)
}
