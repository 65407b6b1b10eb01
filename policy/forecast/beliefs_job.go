package forecast

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// believed is the record of a job.
type believed struct {
	opinions []estimate.Opinion // of the predictor, when the job was submitted
	first    estimate.Belief    // of idle
	known    bool               // there was something to make it of
	stages   []measured
	idle     posterior        // of all stages that have started no task
	prior    *estimate.Belief // what idle was before any task ran; nil: it is still that
	pools    []pool           // by increasing n, if there are several stages
	ended
	run    running                     // copies of all stages
	frozen map[policy.Task]float64     // what is saved of units that wait, s at speed 1
	loads  map[policy.Copy]policy.Time // of copies that go on from there: until when they reload
}

// measured is what the finished units of a stage tell.
type measured struct {
	n    uint32
	sum  float64          // of runtimes, s
	logs estimate.Moments // of their logarithms
	run  running
	own  posterior // no belief: no task has started, so it is the job's idle
}

// A posterior is a belief, and what it was made of.
type posterior struct {
	belief *estimate.Belief
	units  uint64  // finished ones of the job
	n      uint32  // finished ones of the stage
	ran    float64 // the mean service of the job's copies that ran
}

// A pool is what those stages tell that have finished equally many units. They count with the same precision.
type pool struct {
	n      uint32  // units, at least 1
	stages float64 // at least 1
	logs   float64 // the sum of the logarithms of their means
}

// running is the service of copies that run, s at speed 1: each has been served for (now-began)/factor. A unit of which
// something is saved counts as a copy that stands still there, until it is started again.
type running struct{ copies, rate, began float64 }

// waits reports whether nothing of the job has run yet.
func (k *believed) waits() bool { return k.units == 0 && k.run.copies == 0 && k.prior == nil }

// add counts a copy that has been served for at·rate - began at an instant. If n is -1 it removes that copy.
func (r *running) add(n, rate, began float64) {
	r.copies += n
	r.rate += n * rate
	r.began += n * began
	if r.copies <= 0 {
		*r = running{} // no error of rounding is left
	}
}

// add counts a copy of a stage, as running.add does.
func (k *believed) add(s *measured, n, rate, began float64) {
	s.run.add(n, rate, began)
	k.run.add(n, rate, began)
}

// mean returns the mean service, and 0 if nothing runs.
func (r *running) mean(at float64) float64 {
	if r.copies == 0 {
		return 0
	}
	return (at*r.rate - r.began) / r.copies
}

// A variance is a variance of logarithms, pooled over jobs.
type variance struct{ squares, degrees float64 }

// add adds the logarithms of a job. A job of more than eleven tasks counts as eleven, so that no wide job outweighs
// all.
func (v *variance) add(logs *estimate.Moments) {
	if sample, ok := logs.SampleVariance(); ok {
		degrees := float64(min(logs.N()-1, 10))
		v.squares += degrees * sample
		v.degrees += degrees
	}
}

// value returns the variance. Before any job has ended it is 1/4, with the weight of four degrees of freedom.
func (v *variance) value() float64 { return (v.squares + 1) / (v.degrees + 4) }

// serve takes note of an event about a copy.
func (b *Beliefs) serve(ev *policy.Event, j *central.Job) {
	if ev.Again && ev.Saved > 0 || ev.Kind == policy.Started {
		b.freeze(ev, j)
	}
	factor, ok := b.view.Slowdown(ev, &j.Job.Stages[ev.Copy.Stage])
	if !ok {
		return
	}
	k := b.jobs.Get(j.Job.ID)
	s, at, service := &k.stages[ev.Copy.Stage], ev.Time.Sub(j.Job.Submitted).Seconds(), ev.Service.Seconds()
	b.owns(k, s)
	switch {
	case ev.Kind == policy.Started || ev.Kind == policy.Resumed:
		at += k.load(ev, &j.Job.Stages[ev.Copy.Stage])
		k.add(s, 1, 1/factor, (at-service)/factor)
	case !ev.Idle && (ev.Kind == policy.Suspended || ev.Kind.End() && !ev.Replay):
		at += k.unload(ev)
		k.add(s, -1, 1/factor, (at-service)/factor)
	}
	k.note(ev, factor)
	if ev.Kind == policy.Finished && !ev.Replay {
		k.finished(ev.Copy.Stage, service/factor)
	}
}

// owns gives a stage a posterior of its own.
func (b *Beliefs) owns(k *believed, s *measured) {
	if s.own.belief == nil {
		s.own = k.idle
		s.own.belief = b.copied(k.idle.belief)
	}
}

// freeze takes note of a unit that waits and of which something is saved, or of one that starts.
func (b *Beliefs) freeze(ev *policy.Event, j *central.Job) {
	k := b.jobs.Get(j.Job.ID)
	s := &k.stages[ev.Copy.Stage]
	if saved, ok := k.frozen[ev.Copy.Task]; ok {
		delete(k.frozen, ev.Copy.Task)
		k.add(s, -1, 0, -saved)
	}
	if ev.Kind == policy.Started {
		return
	}
	if k.frozen == nil {
		k.frozen = make(map[policy.Task]float64)
	}
	b.owns(k, s)
	saved := ev.Saved.Seconds()
	k.frozen[ev.Copy.Task] = saved
	k.add(s, 1, 0, -saved)
}

// load returns for how long a copy reloads that starts, s.
func (k *believed) load(ev *policy.Event, stage *policy.Stage) float64 {
	reload := stage.Began(ev).Add(ev.Service).Sub(ev.Time)
	if reload == 0 {
		return 0
	}
	if k.loads == nil {
		k.loads = make(map[policy.Copy]policy.Time)
	}
	k.loads[ev.Copy] = ev.Time.Add(reload)
	return reload.Seconds()
}

// unload returns for how long a copy that ends or is suspended would have reloaded still, s.
func (k *believed) unload(ev *policy.Event) float64 {
	until, ok := k.loads[ev.Copy]
	if !ok {
		return 0
	}
	delete(k.loads, ev.Copy)
	return max(0, until.Sub(ev.Time).Seconds())
}

// finished takes note of the runtime of a unit.
func (k *believed) finished(stage uint32, runtime float64) {
	s := &k.stages[stage]
	if s.n > 0 {
		k.pool(s, -1)
	}
	s.n++
	s.sum += runtime
	_ = s.logs.Add(math.Log(max(least, runtime))) // which is finite
	k.pool(s, 1)
}

// pool adds a stage to the pool of its n, or takes it away if stages is -1.
func (k *believed) pool(s *measured, stages float64) {
	if len(k.stages) == 1 {
		return
	}
	at, ok := slices.BinarySearchFunc(k.pools, s.n, func(p pool, n uint32) int { return cmp.Compare(p.n, n) })
	if !ok {
		k.pools = slices.Insert(k.pools, at, pool{n: s.n})
	}
	p := &k.pools[at]
	p.stages += stages
	p.logs += stages * math.Log(s.mean())
	if p.stages == 0 {
		k.pools = slices.Delete(k.pools, at, at+1)
	}
}

// mean returns the mean runtime of the finished units. There must be at least one.
func (s *measured) mean() float64 { return max(least, s.sum/float64(s.n)) }

// update makes the posterior p of a stage, so many seconds after the job was submitted. It pools the other stages
// first, since they share the difference between this stage and the job.
func (b *Beliefs) update(k *believed, s *measured, p *posterior, at float64) {
	if k.prior == nil && p == &k.idle {
		k.prior = b.copied(&k.first)
	}
	*p.belief = k.first
	if k.prior != nil {
		*p.belief = *k.prior
	}
	within, between := b.within.value(), b.between.value()
	sum, precision := 0.0, 0.0 // of logarithms of means
	for _, o := range k.pools {
		if o.n == s.n {
			o.stages--
			o.logs -= math.Log(s.mean())
		}
		w := 1 / (within/float64(o.n) + between)
		sum += w * o.logs
		precision += w * o.stages
	}
	// What the posterior is told is positive and finite.
	if precision > 0 {
		_ = p.belief.Observe(math.Exp(sum/precision), math.Sqrt(between+1/precision))
	}
	if s.n > 0 {
		_ = p.belief.Observe(s.mean(), math.Sqrt(within/float64(s.n)))
	}
	if ran := s.run.mean(at); ran > least {
		_ = p.belief.ObserveCensored(ran, math.Sqrt(within))
	}
	others := running{k.run.copies - s.run.copies, k.run.rate - s.run.rate, k.run.began - s.run.began}
	if ran := others.mean(at); ran > least {
		_ = p.belief.ObserveCensored(ran, math.Sqrt(within+2*between))
	}
}

// copied returns a copy of a belief, in a spare one if there is one.
func (b *Beliefs) copied(of *estimate.Belief) *estimate.Belief {
	last := len(b.spare) - 1
	if last < 0 {
		b.spare, last = append(b.spare, new(estimate.Belief)), 0
	}
	c := b.spare[last]
	b.spare = b.spare[:last]
	*c = *of
	return c
}

// release makes a belief a spare one. Nil is ignored.
func (b *Beliefs) release(belief *estimate.Belief) {
	if belief != nil {
		b.spare = append(b.spare, belief)
	}
}
