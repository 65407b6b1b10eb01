package central

import (
	"slices"

	"example.com/augur/policy"
)

// extra is a View's record of a job's extra copies: those that Another started.
type extra struct {
	copies []policy.Copy // whose end has not come
	cores  int64
	memory float64
}

// Extra returns the part of Cores and Memory that the job's extra copies hold: those that [View.Another] started. In
// a restart a host reports the copies of a task together, and all but the first are extra.
func (j *Job) Extra() (cores int64, memory float64) { return j.extra.cores, j.extra.memory }

// Extra returns the cores of the extra copies of all jobs.
func (v *View) Extra() int64 { return v.extra }

// addExtra takes note of an extra copy that starts.
func (v *View) addExtra(j *Job, c policy.Copy) {
	if n := len(v.extras); j.extra.copies == nil && n > 0 {
		j.extra.copies, v.extras = v.extras[n-1], v.extras[:n-1]
	}
	stage := &j.Job.Stages[c.Stage]
	j.extra.copies = append(j.extra.copies, c)
	j.extra.memory += memoryOf(stage)
	v.giveExtra(&j.extra, stage.Width())
}

// accountExtra updates the books of extra copies with an event, if its copy is an extra one.
func (v *View) accountExtra(e *extra, ev *policy.Event, stage *policy.Stage) {
	over := (ev.Kind == policy.Refused || ev.Kind.End()) && !ev.Replay
	if !over && ev.Kind != policy.Suspended && ev.Kind != policy.Resumed {
		return
	}
	at := slices.Index(e.copies, ev.Copy)
	if at < 0 {
		return
	}
	if ev.Kind == policy.Resumed {
		v.giveExtra(e, stage.Width())
	} else if !ev.Idle {
		v.giveExtra(e, -stage.Width())
	}
	if over {
		e.copies = slices.Delete(e.copies, at, at+1)
		e.memory -= memoryOf(stage)
	}
}

func (v *View) giveExtra(e *extra, width int64) {
	e.cores += width
	v.extra += width
}
