package slearn

import (
	"math"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// job is a Turn's record of a job.
type job struct {
	*central.Job
	has     central.Usage // by its last Update
	ready   bool          // a stage of it is
	sampled central.Sampled
	when    When    // its work is known
	work    float64 // estimated, core-seconds, when it is known
	mean    float64 // estimated runtime of its tasks, s; 0 if there is no estimate
	width   float64 // its Width

	queue   int     // that is charged for its tasks
	charged int64   // cores of running tasks that are charged for
	held    float64 // charged for these, core-seconds
	joined  uint64  // number of its coming to that queue; 0 before the first
	at      int     // the queue where it waits, if handle is in it
	handle  queue.Handle
	spare   queue.Handle // in spare

	reaches  policy.Time // when, if it goes on, it reaches the end of its queue, or just before; Never if that is not in sight
	crossing queue.Handle
}

// Note implements [central.Turn].
func (g *Turn) Note(ev *policy.Event, j *central.Job) error {
	for first, ok := g.crossings.Peek(); ok && first.reaches <= ev.Time; first, ok = g.crossings.Peek() {
		g.place(first)
	}
	if j == nil {
		return nil
	}
	if ev.Kind == policy.Submitted {
		o := &job{Job: j, width: width(j.Job)}
		g.jobs.Put(j.Job.ID, o)
		if g.learn(o); o.when == Later {
			o.queue = g.pilots
		}
		return nil
	}
	o := g.jobs.Get(j.Job.ID)
	switch {
	case ev.Kind == policy.Ready:
		o.ready = true
	case ev.Kind == policy.Ended:
		g.charge(o, -o.charged)
		g.crossings.Remove(o.crossing)
		g.jobs.Delete(j.Job.ID)
	case ev.Kind.End():
		service := ev.Service.Seconds()
		if ev.Kind == policy.Finished {
			_ = g.runtimes.Add(service) // which is not negative
		}
		sampled := o.when == Later
		g.learn(o)
		if !ev.Replay && (!sampled || g.sampler.Pilot(ev.Copy.Task)) {
			g.ended(o, service, j.Job.Stages[ev.Copy.Stage].Width())
		}
	}
	return nil
}

// learn asks for a job's work. A job whose work has become known joins a queue anew, even the same one.
func (g *Turn) learn(o *job) {
	before := o.when
	o.when = Never
	if work, ok := g.work(o.Job); ok && checkWork(o.Job.Job, work) == nil {
		o.when, o.work = Now, work
		o.mean = work / o.width
	}
	if g.sampler != nil {
		o.sampled = g.sampler.Sampled(o.Job)
		switch {
		case o.sampled.Now:
			o.when = Later
		case o.sampled.Bypass:
			o.when = Now
		}
	}
	if o.when != before {
		o.joined = 0
		g.crossings.Remove(o.crossing) // which is of those that nobody knows
	}
}

// home returns the queue of a job.
func (g *Turn) home(o *job) int {
	key := o.work
	switch {
	case o.when == Later:
		return g.pilots
	case o.when == Never:
		key = g.view.Service(o.Job)
	case o.sampled.Bypass:
		return 0
	}
	level, _ := g.levels.Level(key)
	return min(level, g.last)
}

// Update implements [central.Turn].
func (g *Turn) Update(j *central.Job, u central.Usage) {
	o := g.jobs.Get(j.Job.ID)
	o.has = u
	g.learn(o)
	if o.ready {
		g.place(o)
	}
}

// place updates the places of a job in the queues, and what they are charged for it.
func (g *Turn) place(o *job) {
	to := g.home(o)
	anew := to != o.queue || o.joined == 0
	if anew {
		g.charge(o, -o.charged)
		g.joins++
		o.queue, o.joined = to, g.joins
	}
	if o.when == Later {
		g.charge(o, o.sampled.Cores-o.charged)
	} else {
		g.charge(o, o.has.Cores-o.charged)
	}

	byRight := o.has.Wants && (o.when != Later || o.sampled.Wait)
	if _, ok := g.queues[o.at].Get(o.handle); ok != byRight || o.at != to {
		if ok {
			g.queues[o.at].Remove(o.handle)
			if g.queues[o.at].Len() == 0 {
				g.sharing.Leave(g.members[o.at])
			}
		}
		if byRight {
			o.at, o.handle = to, g.queues[to].Push(o)
			g.sharing.Join(g.members[to])
		}
	} else if anew {
		g.queues[to].Fix(o.handle)
	}
	if idle := o.has.Wants && !byRight && !g.config.NoWorkConservation; !idle {
		g.spare.Remove(o.spare)
	} else if _, ok := g.spare.Get(o.spare); !ok {
		o.spare = g.spare.Push(o)
	}
	if o.when == Never {
		g.watch(o)
	}
}

// watch keeps the instant at which a job that runs reaches the end of its queue.
func (g *Turn) watch(o *job) {
	o.reaches = policy.Never
	if rate := o.Job.Rate(); rate > 0 && o.queue < g.last {
		left := math.Floor((g.levels.Threshold(o.queue) - g.view.Service(o.Job)) / rate * 1e9)
		if left = max(1, left); left < math.MaxInt64/2 {
			o.reaches = g.view.Now().Add(saturate.To[policy.Duration](left))
		}
	}
	switch {
	case o.reaches == policy.Never:
		g.crossings.Remove(o.crossing)
	case !g.crossings.Fix(o.crossing):
		o.crossing = g.crossings.Push(o)
	}
}
