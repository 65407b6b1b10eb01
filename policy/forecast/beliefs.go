package forecast

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/augur/estimate"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/predict"
)

// BeliefsConfig describes [Beliefs].
type BeliefsConfig struct {
	// Predictor learns from the jobs that end. It should be new: the Beliefs learn how much to trust its estimates,
	// and what it has learned before counts as never tested. Teach it the past with [Beliefs.Learn]. It uses the
	// attributes in predict.Config.Features; the default is 3Sigma's. Nil: no history; a new job is then believed to
	// be like all jobs so far.
	Predictor *predict.Predictor
}

// Beliefs is the forecast that combines history and the job's own tasks in one posterior. The distribution is an
// [estimate.Belief] of T, the mean runtime of the tasks and gangs of a stage, in seconds at speed 1 in a preferred
// partition.
//
// Before any task of a job has finished, all its stages have the same distribution. An [estimate.Stacking] makes it from
// the predictor's point estimates and from how much such estimates have erred. So it is as wide as the errors are. If
// the attributes of a job tell nothing, it is the distribution of all jobs. It stays as it was when the job was
// submitted, whatever other jobs teach. Before the first job has been learned, nothing is known.
//
// Each task that finishes narrows the distribution. The mean of n finished tasks measures ln T with the variance
// σ²/n, where σ² is the variance of the logarithms of runtimes within a stage. What the job's other stages tell is
// pooled, and counts less the more the stages of a job differ. Both variances are pooled over the jobs that have
// ended. The running tasks together count as one more task, which has run for their mean service and takes longer (a
// censored sample). So a job whose first task runs on and on is believed to be long, and if tasks start together, the
// first to finish does not make all look short.
//
// The Beliefs learn the mean runtime of the tasks from each job that is done. From a job that failed, timed out or was
// cancelled they learn that it would have been longer than what its tasks ran, see [estimate.Stacking.ObserveCensored]: so
// a kind of job that always fails is not unknown for ever. Submitting a job takes some 15 µs with
// a Predictor. A query takes up to 6 µs however many stages the job has; if its stages have finished different numbers
// of tasks, each of those numbers adds 10 ns. A job takes 1.5 kB, and 1 kB for each stage that has started a task, which
// later jobs reuse.
//
// The Beliefs cannot be saved: teach a new Predictor the past again with Learn. A restart forgets what the finished
// tasks of unfinished jobs told, and nothing is learned from such jobs.
//
// # Source
//
// It is this library's own. The history is stacked as [estimate.Stacking] says. That the tasks of a job tell its runtime
// is SLearn, section 4.1.
type Beliefs struct {
	config   BeliefsConfig
	view     *central.View
	stack    *estimate.Stacking
	features map[string]int // their places in the Predictor's
	jobs     policy.Table[policy.JobID, believed]
	known    bool               // a job has been learned from
	within   variance           // of tasks of a stage
	between  variance           // of stages of a job
	spare    []*estimate.Belief // posteriors of ended jobs, to be used again

	prediction predict.Prediction
}

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
	run running // copies of all stages
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

// running is the service of copies that run, s at speed 1: each has been served for (now-began)/factor.
type running struct{ copies, rate, began float64 }

// add counts a copy that has been served for so long at an instant. If n is -1 it removes that copy.
func (r *running) add(n, at, service, factor float64) {
	r.copies += n
	r.rate += n / factor
	r.began += n * (at - service) / factor
	if r.copies <= 0 {
		*r = running{} // no error of rounding is left
	}
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

const (
	estimators = 4 // of a predict.Candidate
	scores     = 6 // classes of past errors: an NMAE of up to 0.1, 0.2, 0.4, 0.8, 1.6, and more
	classes    = 1 + 2*scores
	least      = 1e-4 // s, which shorter runtimes count as
)

// NewBeliefs returns Beliefs. It returns no error for a Predictor made by predict.New.
func NewBeliefs(c BeliefsConfig) (*Beliefs, error) {
	b := &Beliefs{config: c, features: make(map[string]int)}
	if c.Predictor != nil {
		for i, feature := range c.Predictor.Config().Features {
			b.features[feature] = i
		}
	}
	stack, err := estimate.NewStacking(len(b.features) * estimators * classes)
	if err != nil {
		return nil, fmt.Errorf("forecast: %w", err)
	}
	b.stack = stack
	return b, nil
}

// Bind implements [central.Forecast].
func (b *Beliefs) Bind(books central.Books) error {
	return books.Enter(&b.view)
}

// Note implements [central.Forecast].
func (b *Beliefs) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		k := &believed{opinions: b.opinions(j.Job, ev.Time), stages: make([]measured, len(j.Job.Stages))}
		if k.known = b.known; k.known {
			b.stack.Predict(k.opinions, &k.first)
		}
		k.idle.belief = &k.first
		if n := len(k.stages); n > 1 {
			k.pools = make([]pool, 0, min(n, 8))
		}
		b.jobs.Put(j.Job.ID, k)
	case policy.Ended:
		k := b.jobs.Get(j.Job.ID)
		b.jobs.Delete(j.Job.ID)
		if k.run.copies == 0 { // else a part may go on to ask the posterior about a copy
			for i := range k.stages {
				b.release(k.stages[i].own.belief)
			}
			b.release(k.prior)
		}
		switch runtime, censored, ok := k.runtime(ev, j.Job); {
		case ok && censored:
			return b.learnCensored(j.Job, k.opinions, runtime, ev.Time)
		case ok:
			b.compare(k)
			return b.learn(j.Job, k.opinions, runtime, ev.Time)
		}
	default:
		if j != nil {
			b.serve(ev, j)
		}
	}
	return nil
}

// serve takes note of an event about a copy.
func (b *Beliefs) serve(ev *policy.Event, j *central.Job) {
	factor, ok := b.view.Slowdown(ev, &j.Job.Stages[ev.Copy.Stage])
	if !ok {
		return
	}
	k := b.jobs.Get(j.Job.ID)
	s, at, service := &k.stages[ev.Copy.Stage], ev.Time.Sub(j.Job.Submitted).Seconds(), ev.Service.Seconds()
	run := &s.run
	if s.own.belief == nil {
		s.own = k.idle
		s.own.belief = b.copied(k.idle.belief)
	}
	switch {
	case ev.Kind == policy.Started || ev.Kind == policy.Resumed:
		run.add(1, at, service, factor)
		k.run.add(1, at, service, factor)
	case !ev.Idle && (ev.Kind == policy.Suspended || ev.Kind.End() && !ev.Replay):
		run.add(-1, at, service, factor)
		k.run.add(-1, at, service, factor)
	}
	k.note(ev, factor)
	if ev.Kind == policy.Finished && !ev.Replay {
		k.finished(ev.Copy.Stage, service/factor)
	}
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

// compare learns how much the tasks and the stages of a job differed.
func (b *Beliefs) compare(k *believed) {
	var means estimate.Moments
	for i := range k.stages {
		b.within.add(&k.stages[i].logs)
		_ = means.Add(math.Log(k.stages[i].mean()))
	}
	b.between.add(&means)
}

// Learn teaches the Beliefs a job of the past, as [History.Learn] does. Call it in the order in which the jobs ended; that
// of their submission will do. The Predictor is scored by its estimate at the end of the job, since its estimate at
// submission is not known.
func (b *Beliefs) Learn(j *policy.Job, runtimes []policy.Duration, ended policy.Time) error {
	mean, err := meanUnit(j, runtimes)
	if err != nil {
		return err
	}
	return b.learn(j, b.opinions(j, ended), mean, ended)
}

// learn learns the mean runtime of a job's units and scores the opinions about it.
func (b *Beliefs) learn(j *policy.Job, opinions []estimate.Opinion, runtime float64, now policy.Time) error {
	if b.config.Predictor != nil {
		if err := b.config.Predictor.Observe(j, runtime, j.Calendar(now)); err != nil {
			return err
		}
	}
	b.known = true
	return b.stack.Observe(opinions, max(least, runtime))
}

// learnCensored learns that the mean runtime of a job's units would have been longer.
func (b *Beliefs) learnCensored(j *policy.Job, opinions []estimate.Opinion, ran float64, now policy.Time) error {
	if b.config.Predictor != nil {
		if err := b.config.Predictor.ObserveCensored(j, ran, j.Calendar(now)); err != nil {
			return err
		}
	}
	b.known = true
	return b.stack.ObserveCensored(opinions, max(least, ran))
}

// opinions returns the point estimates of the Predictor. An expert is an estimator of a feature, with its class of
// past error, from few or from many jobs.
func (b *Beliefs) opinions(j *policy.Job, now policy.Time) (list []estimate.Opinion) {
	if b.config.Predictor == nil || !b.config.Predictor.Predict(j, j.Calendar(now), &b.prediction) {
		return nil
	}
	for i := range b.prediction.Candidates {
		c := &b.prediction.Candidates[i]
		for e, x := range c.Estimates {
			expert := (b.features[c.Feature]*estimators + e) * classes
			if math.IsNaN(c.NMAE[e]) { // of one job all four say the same
				list = append(list, estimate.Opinion{Expert: expert, Value: x})
				break
			}
			expert += 1 + saturate.To[int](min(max(0, math.Log2(c.NMAE[e]/0.05)), scores-1)) // also of 0 and +Inf
			if c.Jobs >= 8 {
				expert += scores
			}
			list = append(list, estimate.Opinion{Expert: expert, Value: x})
		}
	}
	return list
}

// Predict returns the belief about the mean runtime of a job's tasks as of now, whether or not a scheduler has the
// job. It learns nothing, and the caller owns the Belief.
func (b *Beliefs) Predict(j *policy.Job, now policy.Time) *estimate.Belief {
	belief := new(estimate.Belief)
	b.stack.Predict(b.opinions(j, now), belief)
	return belief
}

// Runtime implements [central.Forecast]. It returns false until a job has been learned or a task of this one has
// finished. The distribution is updated when the number of finished tasks, or the mean service of the running ones,
// has changed by an eighth.
func (b *Beliefs) Runtime(j *central.Job, stage uint32) (central.Distribution, bool) {
	k := b.jobs.Get(j.Job.ID)
	if k == nil || int64(stage) >= int64(len(k.stages)) || !b.known && k.units == 0 {
		return nil, false
	}
	if b.known && !k.known {
		k.known = true
		prior := &k.first
		if k.prior != nil {
			prior, k.idle.ran = k.prior, math.NaN()
		}
		b.stack.Predict(k.opinions, prior)
	}
	s := &k.stages[stage]
	p := &s.own
	if p.belief == nil || k.units == 0 && k.run.copies == 0 {
		p = &k.idle
	}
	at := b.view.Now().Sub(j.Job.Submitted).Seconds()
	if ran := k.run.mean(at); !(k.units <= p.units+p.units/8 && s.n <= p.n+p.n/8 && math.Abs(ran-p.ran) <= p.ran/8) {
		b.update(k, s, p, at)
		p.units, p.n, p.ran = k.units, s.n, ran
	}
	return p.belief, true
}

// Revision counts the changes of what Runtime says of jobs that wait: only the first job to be learned makes one. See
// [central.Forecast].
func (b *Beliefs) Revision() uint64 {
	if b.known {
		return 1
	}
	return 0
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
