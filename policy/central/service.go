package central

import (
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// Service returns the service that a job has attained by the last event, in core-seconds. It counts all copies that
// have ended or still run; a running copy counts from its Started, and if it goes on from what was saved from when it has
// reloaded that. It is 0 unless View.Serves is set.
func (v *View) Service(j *Job) float64 {
	return j.until(v.now)
}

// until returns the service that a job attains up to an instant.
func (j *Job) until(now policy.Time) (service float64) {
	service = j.service
	if j.running > 0 && now != j.since {
		service += j.Rate() * now.Sub(j.since).Seconds()
	}
	for _, r := range j.reloads {
		service += float64(r.width) * max(0, now.Sub(r.until).Seconds())
	}
	return service
}

// A reload is a copy that holds cores and does not work until an instant, since it goes on from what was saved.
type reload struct {
	copy  policy.Copy
	until policy.Time
	width int64
}

// Rate returns the core-seconds that the job's running copies attain in each second: their cores. It is as of the last event
// about a copy of the job, so it does not count copies that reloaded then.
func (j *Job) Rate() float64 { return float64(j.running) }

// Capacity returns the cores of the nodes that are there, and their memory in bytes. Nodes without a limit count 0
// bytes.
func (v *View) Capacity() (cores int64, memory float64) { return v.cores, v.memory }

// Nodes returns how many nodes are there.
func (v *View) Nodes() int { return v.there }

// Slowdown returns how many times longer the copy of an event runs, or has run, than at speed 1 where its stage prefers and
// its input is. The slowest task of a gang counts. It returns false if the event names no node.
func (v *View) Slowdown(ev *policy.Event, stage *policy.Stage) (factor float64, ok bool) {
	if ev.Node != 0 {
		return v.slowdown(ev.Node, stage, stage.Local(ev.Copy.Index, ev.Node)), true
	}
	task := ev.Copy.Index
	for _, share := range ev.Gang {
		local := true
		for i := uint32(0); local && len(stage.Holders) > 0 && i < share.Tasks; i++ {
			local = stage.Local(task+i, share.Node)
		}
		task += share.Tasks
		factor = max(factor, v.slowdown(share.Node, stage, local))
	}
	return factor, factor > 0
}

// SlowdownOn returns how many times longer a task of a stage runs on a node that holds its input than at speed 1 in a
// partition that the stage prefers. It panics if the node is not there.
func (v *View) SlowdownOn(n policy.NodeID, stage *policy.Stage) float64 {
	return v.slowdown(n, stage, true)
}

func (v *View) slowdown(n policy.NodeID, stage *policy.Stage, local bool) float64 {
	if v.partition(n) == 0 {
		panic(fmt.Sprintf("central: slowdown on node %d, which is not there", n))
	}
	return stage.Slowdown(v.nodes[n].partition, v.nodes[n].speed, local)
}

// Memory returns the memory of a node in bytes, 0 if it has no limit or the node is not there.
func (v *View) Memory(n policy.NodeID) int64 {
	if v.partition(n) == 0 {
		return 0
	}
	return v.nodes[n].memory
}

// Within these bounds no product with a speed becomes infinite.
const minSpeed, maxSpeed = 1e-4, 1e4

// serve updates the service that a job has attained, and its rate.
func (v *View) serve(ev *policy.Event, j *Job, stage *policy.Stage) {
	width := stage.Width()
	j.service, j.since = j.until(ev.Time), ev.Time
	j.reloads = slices.DeleteFunc(j.reloads, func(r reload) bool {
		if r.until <= ev.Time {
			j.running += r.width
		}
		return r.until <= ev.Time
	})
	works := stage.Began(ev).Add(ev.Service)
	switch {
	case ev.Kind == policy.Started && works > ev.Time:
		j.reloads = append(j.reloads, reload{ev.Copy, works, width})
	case ev.Kind == policy.Started, ev.Kind == policy.Resumed:
		j.running += width
	case ev.Kind == policy.Suspended && !ev.Idle, ev.Kind.End() && !ev.Idle && !ev.Replay:
		j.reloads = slices.DeleteFunc(j.reloads, func(r reload) bool {
			if r.copy == ev.Copy { // it never worked
				j.running += width
			}
			return r.copy == ev.Copy
		})
		j.running -= width
	}
	if ev.Replay && (ev.Kind == policy.Started || ev.Kind.End()) {
		j.service += float64(width) * max(ev.Service, ev.Saved).Seconds()
	}
}
