package slearn

import (
	"math"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/queue"
)

// job is what GS keeps of a job, besides what the View keeps.
type job struct {
	plan    Plan
	when    When    // as planned; Now once the pilots have told, Never if that is no work
	work    float64 // estimated, core-seconds, when it is known
	mean    float64 // estimated runtime of its tasks, s; 0 if there is no estimate
	refused bool    // the host found no room for its last Start
	pilots  pilots

	queue   int     // that is charged for its tasks
	charged int64   // cores of running tasks that are charged for
	held    float64 // charged for these, core-seconds
	joined  uint64  // number of its coming to that queue; 0 before the first
	at      int     // the queue where it waits, if handle is in it
	handle  queue.Handle
	spare   queue.Handle // in spare

	service  float64     // attained, core-seconds, at the instant since
	running  int64       // cores that run
	rate     float64     // of these, core-seconds in a second
	since    policy.Time // never before what service counts
	reaches  policy.Time // when, if it goes on, it reaches the end of its queue, or just before; Never if that is not in sight
	crossing queue.Handle

	runtimes estimate.Moments   // of tasks and gangs that are finished, s
	stages   []estimate.Moments // the same stage by stage; nil if there is one
	done     float64            // of these, core-seconds
}

// note takes note of an event about a job.
func (g *GS) note(j *jobView, ev *policy.Event) error {
	o := &j.Own
	switch ev.Kind {
	case policy.Submitted:
		if err := g.submitted(j); err != nil {
			g.view.Observe(&policy.Event{Time: ev.Time, Kind: policy.Ended, Copy: ev.Copy})
			return err
		}
		return nil
	case policy.Ready:
		if o.plan.When == Later && ev.Copy.Stage == o.plan.Stage && !ev.Replay {
			g.view.First(j, o.plan.Stage, o.pilots.first)
			o.pilots.first = nil
		}
		g.place(j)
		return nil
	case policy.Ended:
		g.place(j)
		g.charge(o, -o.charged)
		g.crossings.Remove(o.crossing)
		g.config.Estimator.Ended(j.Job, Record{
			Outcome: ev.Outcome, Now: g.now, JCT: g.now.Sub(j.Job.Submitted), Runtimes: o.runtimes, Stages: o.stages, Work: o.done,
			Plan: o.plan, Estimate: o.work, Estimated: o.when == Now && !o.plan.Bypass,
		})
		return nil
	}

	width := j.Job.Stages[ev.Copy.Stage].Width()
	speed := g.speed(ev)
	service := float64(ev.Service.Seconds() * speed)
	g.serve(o, ev, width, speed, service)
	pilot := o.when == Later && o.pilots.note(ev, width, service)
	if o.when == Later && o.pilots.all() {
		work := g.config.Estimator.Work(j.Job, g.now, o.pilots.runtimes)
		if checkWork(j.Job, work) == nil {
			g.estimated(j, work)
		} else {
			o.when, o.joined = Never, 0
		}
	}
	if ev.Kind.End() && !ev.Replay && (o.when != Later || pilot) {
		g.ended(o, service, width)
	}
	g.place(j)
	return nil
}

// submitted plans a job.
func (g *GS) submitted(j *jobView) error {
	o := &j.Own
	o.since = g.now
	plan, err := g.config.Estimator.Plan(j.Job, g.now)
	if err != nil {
		return err
	}
	if err := plan.check(j.Job); err != nil {
		return err
	}
	if plan.When == Later {
		o.pilots = newPilots(&plan)
	}
	if n := len(j.Stages); n > 1 {
		o.stages = make([]estimate.Moments, n)
	}
	plan.Tasks = nil // which may be the Estimator's
	o.plan, o.when = plan, plan.When
	switch {
	case plan.When == Later:
		o.queue = g.pilots
	case plan.When == Now && !plan.Bypass:
		g.estimated(j, plan.Work)
	}
	return nil
}

// estimated takes note of a job's work.
func (g *GS) estimated(j *jobView, work float64) {
	o := &j.Own
	o.when, o.work, o.joined = Now, work, 0 // it comes to a queue anew, be it the same
	o.mean = work / Width(j.Job)
}

// serve keeps the service that a job has attained, as the centre hears of it: of one of its
// copies, in seconds.
func (g *GS) serve(o *job, ev *policy.Event, width int64, speed, service float64) {
	o.service, o.since = g.service(o), g.now
	switch {
	case ev.Kind == policy.Started, ev.Kind == policy.Resumed:
		o.running += width
		o.rate += float64(float64(width) * speed)
	case ev.Kind == policy.Suspended && !ev.Idle, ev.Kind.End() && !ev.Idle && !ev.Replay:
		o.running -= width
		o.rate -= float64(float64(width) * speed)
	}
	if o.running == 0 {
		o.rate = 0 // which may have been rounded
	}
	switch ev.Kind {
	case policy.Started:
		o.refused = false
	case policy.Refused:
		o.refused = true
	}
	if ev.Replay && (ev.Kind == policy.Started || ev.Kind.End()) {
		o.service += float64(float64(width) * service)
	}
	if ev.Kind == policy.Finished {
		o.runtimes.Add(service)
		if o.stages != nil {
			o.stages[ev.Copy.Stage].Add(service)
		}
		o.done += float64(float64(width) * service)
		g.runtimes.Add(service)
	}
}

// service returns the service that a job has attained by now.
func (g *GS) service(o *job) float64 {
	return o.service + float64(o.rate*g.now.Sub(o.since).Seconds())
}

// home returns the queue of a job.
func (g *GS) home(o *job) int {
	key := o.work
	switch {
	case o.when == Later:
		return g.pilots
	case o.when == Never:
		key = g.service(o)
	case o.plan.Bypass:
		return 0
	}
	level, _ := g.levels.Level(key)
	return min(level, g.last)
}

// place brings the places of a job in the queues, and what they are charged for it, up to
// date.
func (g *GS) place(j *jobView) {
	o := &j.Own
	to := g.home(o)
	if to != o.queue || o.joined == 0 {
		g.charge(o, -o.charged)
		g.joins++
		o.queue, o.joined = to, g.joins
	}
	if o.when == Later {
		g.charge(o, o.pilots.cores-o.charged)
	} else {
		g.charge(o, j.Cores-o.charged)
	}

	waits := j.Waiting > 0
	byRight := waits && (o.when != Later || o.pilots.wait())
	if _, ok := g.queues[o.at].Get(o.handle); ok != byRight || o.at != to {
		if ok {
			g.queues[o.at].Remove(o.handle)
			if g.queues[o.at].Len() == 0 {
				g.sharing.Leave(g.members[o.at])
			}
		}
		if byRight {
			o.at, o.handle = to, g.queues[to].Push(j)
			g.sharing.Join(g.members[to])
		}
	}
	if idle := waits && !byRight && !g.config.HoldBack; !idle {
		g.spare.Remove(o.spare)
	} else if _, ok := g.spare.Get(o.spare); !ok {
		o.spare = g.spare.Push(j)
	}
	if o.when == Never {
		g.watch(j)
	}
}

// watch keeps the instant at which a job that runs reaches the end of its queue.
func (g *GS) watch(j *jobView) {
	o := &j.Own
	o.reaches = policy.Never
	if o.rate > 0 && o.queue < g.last {
		left := math.Floor((g.levels.End(o.queue) - g.service(o)) / o.rate * 1e9)
		if left = max(1, left); left < math.MaxInt64/2 {
			o.reaches = g.now.Add(policy.Duration(left))
		}
	}
	switch {
	case o.reaches == policy.Never:
		g.crossings.Remove(o.crossing)
	case !g.crossings.Fix(o.crossing):
		o.crossing = g.crossings.Push(j)
	}
}
