package forecast

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"

	"example.com/augur/estimate"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/predict"
)

// BeliefsConfig describes [Beliefs].
type BeliefsConfig struct {
	// Predictor learns from the jobs that end. It must be new, since the Beliefs learn how much to trust its estimates:
	// teach both the past with [Beliefs.Learn]. Without predict.Config.Features it uses all that the jobs carry. Nil: no
	// history; a new job is then believed to be like all jobs so far.
	Predictor *predict.Predictor
}

// Beliefs is the forecast that combines history and the job's own tasks in one posterior. The distribution is an
// [estimate.Belief] of T, the mean runtime of the tasks and gangs of a stage, in seconds at speed 1 in a preferred
// partition.
//
// Before any task of a job has finished, all its stages have the same distribution. An [estimate.Stacking] makes it from
// the predictor's point estimates, and from the time that the job requests, and from how much such estimates have erred. So
// it is as wide as the errors are. If the attributes of a job tell nothing, it is the distribution of all jobs. It is made when
// the job is submitted and, as long as nothing of the job has run, again whenever the number of learned jobs has doubled: with
// each event that of 100 jobs, the newest first. Before the first job has been learned, nothing is known.
//
// A requested time is a bound too: the probability that a job runs longer is at most the share of past jobs that did, and 0 if
// the job is Limited. See [estimate.Belief.Limit]. Since it is time on a node, and T is at speed 1, it counts as if on the
// fastest node that has joined. Until a node has joined, the speed is taken to be 1.
//
// Each task that finishes narrows the distribution. The mean of n finished tasks measures ln T with the variance
// σ²/n, where σ² is the variance of the logarithms of runtimes within a stage. What the job's other stages tell is
// pooled, and counts less the more the stages of a job differ. Both variances are pooled over the jobs that have
// ended. The running tasks together count as one more task, which has run for their mean service and takes longer (a
// censored sample). A task that waits takes longer than what was saved of it, in the same way. So a job whose first task runs on
// and on is believed to be long, and if tasks start together, the first to finish does not make all look short.
//
// The Beliefs learn the mean runtime of the tasks from each job that is done. From a job that failed, timed out or was
// cancelled they learn that it would have been longer than what its tasks ran, see [estimate.Stacking.ObserveCensored]: so
// a kind of job that always fails is not unknown for ever.
//
// Submitting a job takes some 15 µs with a Predictor of few features, and 80 µs with one of sixteen. To renew what is believed
// of a job takes as long. So when the number of learned jobs has doubled, events take up to 10 ms until all jobs that wait have
// been renewed. A query takes up to 6 µs however many stages the job has; if its stages have finished different numbers of
// tasks, each of those numbers adds 10 ns. A job takes 1.5 kB, and 1 kB for each stage that has started a task, which later jobs
// reuse.
//
// What was learned can be saved, see [Beliefs.Save]. A restart forgets what the finished
// tasks of unfinished jobs told, and nothing is learned from such jobs.
//
// # Source
//
// It is this library's own. The history is stacked as [estimate.Stacking] says. That the tasks of a job tell its runtime
// is SLearn, section 4.1.
type Beliefs struct {
	config         BeliefsConfig
	view           *central.View
	stack          *estimate.Stacking
	features       map[string]int // their places in the Predictor's
	jobs           policy.Table[policy.JobID, believed]
	fastest        float64            // the speed of the fastest node that has joined, 0 before the first
	kept, exceeded float64            // requested times, as far as jobs have shown
	learned        uint64             // jobs
	revision       uint64             // how often all that waited has been renewed
	asOf           int                // the length of learned in bits when that was begun last
	stale          []policy.JobID     // jobs to be renewed, the last first
	known          bool               // a job has been learned from
	within         variance           // of tasks of a stage
	between        variance           // of stages of a job
	spare          []*estimate.Belief // posteriors of ended jobs, to be used again

	prediction predict.Prediction
}

const (
	features   = 64 // of a Predictor, which has no more than 32 at a time
	estimators = 5  // of a predict.Candidate
	scores     = 6  // classes of past errors: an NMAE of up to 0.1, 0.2, 0.4, 0.8, 1.6, and more
	classes    = 1 + 2*scores
	least      = 1e-4 // s, which shorter runtimes count as
)

// NewBeliefs returns Beliefs. It returns an error if the Predictor has learned already.
func NewBeliefs(c BeliefsConfig) (*Beliefs, error) {
	b := &Beliefs{config: c, features: make(map[string]int)}
	if c.Predictor != nil {
		if n := c.Predictor.Observed(); n > 0 {
			return nil, fmt.Errorf("forecast: BeliefsConfig.Predictor has learned from %d jobs; give a new one, and teach the Beliefs by Learn", n)
		}
	}
	stack, err := estimate.NewStacking(features*estimators*classes + 1)
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
	defer b.renew()
	switch ev.Kind {
	case policy.Joined:
		b.fastest = max(b.fastest, 1/b.view.SlowdownOn(ev.Node, &policy.Stage{}))
	case policy.Submitted:
		k := &believed{opinions: b.opinions(j.Job, ev.Time), stages: make([]measured, len(j.Job.Stages))}
		if k.known = b.known; k.known {
			b.stack.Predict(k.opinions, &k.first)
			b.limit(j.Job, &k.first)
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
		if runtime, censored, ok := k.runtime(ev, j.Job); ok {
			if !censored {
				b.compare(k)
			}
			return b.learn(j.Job, k.opinions, runtime, censored, ev.Time)
		}
	default:
		if j != nil {
			b.serve(ev, j)
		}
	}
	return nil
}

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
	return b.learn(j, b.opinions(j, ended), mean, false, ended)
}

// learn learns the mean runtime of a job's units and scores the opinions about it. If it is censored, it would have been
// longer.
func (b *Beliefs) learn(j *policy.Job, opinions []estimate.Opinion, runtime float64, censored bool, now policy.Time) error {
	observe := b.stack.Observe
	if censored {
		observe = b.stack.ObserveCensored
	}
	if p := b.config.Predictor; p != nil {
		if err := teach(p, j, runtime, censored, now); err != nil {
			return err
		}
	}
	switch exceeds := runtime > 1.05*b.longest(j); {
	case j.Requested == 0 || censored && !exceeds: // nobody knows
	case exceeds:
		b.exceeded++
	default:
		b.kept++
	}
	b.known = true
	b.learned++
	return observe(opinions, max(least, runtime))
}

// opinions returns the time that the job requests, which is one expert, and the point estimates of the Predictor. There an
// expert is an estimator of a feature, with its class of past error, from few or from many jobs.
func (b *Beliefs) opinions(j *policy.Job, now policy.Time) (list []estimate.Opinion) {
	if j.Requested > 0 {
		list = append(list, estimate.Opinion{Expert: features * estimators * classes, Value: j.Requested.Seconds()})
	}
	if b.config.Predictor == nil || !b.config.Predictor.Predict(j, j.Calendar(now), &b.prediction) {
		return list
	}
	for i := range b.prediction.Candidates {
		c := &b.prediction.Candidates[i]
		at, ok := b.features[c.Feature]
		if !ok {
			at = len(b.features) % features // one that was dropped long ago leaves its place
			b.features[c.Feature] = at
		}
		for e, x := range c.Estimates {
			expert := (at*estimators + e) * classes
			switch {
			case math.IsNaN(x):
				continue
			case math.IsNaN(c.NMAE[e]):
				if e == 0 { // of one job all say the same
					list = append(list, estimate.Opinion{Expert: expert, Value: x})
				}
				continue
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
// job, from history and the job's request alone: of a job that runs ask Runtime. It returns false before the first job has been
// learned. It learns nothing, and the caller owns the Belief.
func (b *Beliefs) Predict(j *policy.Job, now policy.Time) (*estimate.Belief, bool) {
	belief := new(estimate.Belief)
	b.stack.Predict(b.opinions(j, now), belief)
	b.limit(j, belief)
	return belief, b.known
}

// limit cuts a belief off at the time that the job requests, as far as that has been a limit.
func (b *Beliefs) limit(j *policy.Job, to *estimate.Belief) {
	if p, ok := b.limits(j); ok {
		_ = to.Limit(b.longest(j), p) // which are in range
	}
}

// longest returns the longest runtime at speed 1 with which a job can keep the time that it requests.
func (b *Beliefs) longest(j *policy.Job) float64 {
	return j.Requested.Seconds() * cmp.Or(b.fastest, 1)
}

// limits returns the probability that the job runs for longer than it requests, and false if it requests nothing.
func (b *Beliefs) limits(j *policy.Job) (exceeds float64, ok bool) {
	if j.Limited {
		return 0, true
	}
	return (b.exceeded + 1) / (b.exceeded + b.kept + 2), j.Requested > 0
}

// Limit returns the time that a job requests, if it is a limit or if of the past jobs at most one in twenty has run for longer
// than it requested, by 5 % or more. Then the job's Belief is Limited too. Jobs that were stopped before that time do
// not count. See [central.Limiter].
func (b *Beliefs) Limit(j *central.Job) (policy.Duration, bool) {
	p, ok := b.limits(j.Job)
	return j.Job.Requested, ok && p <= 0.05
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
		b.believe(j, k, k.opinions)
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

// believe makes what is believed of a job before any of its tasks has run.
func (b *Beliefs) believe(j *central.Job, k *believed, opinions []estimate.Opinion) {
	prior := &k.first
	if k.prior != nil {
		prior, k.idle.ran = k.prior, math.NaN()
	}
	k.known = true
	b.stack.Predict(opinions, prior)
	b.limit(j.Job, prior)
}

// renew makes anew what is believed of some of the jobs that wait, until it has renewed all that waited when the number of
// learned jobs had doubled.
func (b *Beliefs) renew() {
	const some = 100
	if now := bits.Len64(b.learned); len(b.stale) == 0 && now > b.asOf {
		b.asOf = now
		for id, k := range b.jobs.All() {
			if k.waits() {
				b.stale = append(b.stale, id)
			}
		}
		if len(b.stale) == 0 {
			b.revision++
		}
	}
	for range min(some, len(b.stale)) {
		last := len(b.stale) - 1
		j := b.view.Job(b.stale[last])
		if b.stale = b.stale[:last]; last == 0 {
			b.revision++
		}
		if j == nil {
			continue
		}
		if k := b.jobs.Get(j.Job.ID); k != nil && k.waits() {
			opinions := k.opinions
			if k.known {
				opinions = b.opinions(j.Job, b.view.Now())
			}
			b.believe(j, k, opinions)
		}
	}
}

// Revision counts the changes of what Runtime says of jobs that wait: one when all that waited when the number of learned jobs
// had doubled have been renewed. See [central.Reviser].
func (b *Beliefs) Revision() uint64 { return b.revision }

// Alike reports whether nothing of a stage has run: such stages have the same distribution. See [central.Forecast].
func (b *Beliefs) Alike(j *central.Job, stage uint32) bool {
	s := &b.jobs.Get(j.Job.ID).stages[stage]
	return s.n == 0 && s.run.copies == 0
}
