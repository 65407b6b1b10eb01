package forecast

import (
	"math"
	"time"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// LastTwo returns the forecast of EASY++. For a job it looks at the last two units (tasks or gangs) that finished in jobs of the
// same user (the attribute "user"). It predicts their mean runtime, but never more than the job requests. If only one
// unit has finished, it predicts that unit's runtime. If none has, or the job has no user, it predicts the requested time. If the
// job requests none either, it predicts nothing.
//
// While the job waits, the prediction changes as more units of the user finish. It is fixed once a unit of the job has started.
// A unit that outruns its prediction gets a correction: the prediction grows by 1 minute, then by a further 5, 15 and 30
// minutes, and 1, 2, 5, 10, 20, 50 and 100 hours, but never beyond the requested time. The fillers of package baseline ask
// for new predictions of all waiting jobs when a unit finishes, and for corrections. Other parts of a scheduler use the
// prediction as of the last event about the job. LastTwo kills nothing: whether a task is killed at its requested time is up to
// the host.
//
// The distribution has nearly all of its mass at the prediction. The corrected values share a millionth of
// it, each half as much as the one before. So the median runtime of a unit that has outrun one value is the next value.
//
// Runtimes are converted to what they would have been on a node of speed 1 where the task prefers to run. A job that the host
// ends at its requested time counts with that time. A job that fails in another way does not count. A query takes constant time.
// Each user takes some 100 bytes. LastTwo remembers the 32,768 users whose jobs came last, and up to as many more.
//
// # When not to use it
//
// If jobs have no user, it is no better than [Requested]. If a user's successive jobs differ, a [History] may be better:
// docs/backfilling.md compares them.
//
// # Source
//
// D. Tsafrir, Y. Etsion and D. Feitelson, "Backfilling using system-generated predictions rather than user runtime estimates",
// IEEE Transactions on Parallel and Distributed Systems 18(6), 2007. We differ from pyss, the
// simulator of Feitelson's group, which predicts only once two jobs have finished.
func LastTwo() central.Forecast { return &lastTwo{users: make(map[string]*recent)} }

// maxUsers is how many users come until those of whom no job has come meanwhile are forgotten.
const maxUsers = 1 << 15

type lastTwo struct {
	view     *central.View
	jobs     policy.Table[policy.JobID, recently]
	users    map[string]*recent // at most maxUsers
	older    map[string]*recent // those before, of whom no job has come since
	revision uint64
}

// recent has the runtimes of a user's last two units.
type recent struct {
	took  [2]policy.Duration // the older one first, 0 if there is one only
	units uint64             // that have finished
}

// recently is the state of a job.
type recently struct {
	user    *recent // nil: the job has no user
	units   uint64  // user.units when the prediction was made
	made    *outrun // the prediction; nil: none
	started bool    // the prediction is fixed
}

// Bind implements [central.Forecast].
func (l *lastTwo) Bind(b central.Books) error {
	return b.Enter(&l.view)
}

// Note implements [central.Forecast].
func (l *lastTwo) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		p := &recently{}
		if name, ok := j.Job.Attr("user"); ok {
			p.user = l.user(name)
		}
		l.jobs.Put(j.Job.ID, p)
	case policy.Started, policy.Resumed:
		l.Began(j, ev.Copy, false) // it started before a restart
	case policy.Finished:
		if factor, ok := l.view.Slowdown(ev, &j.Job.Stages[ev.Copy.Stage]); ok && !ev.Replay {
			l.learn(j, saturate.To[policy.Duration](math.Round(float64(ev.Service)/factor)))
		}
	case policy.Ended:
		if ev.Outcome == policy.TimedOut {
			l.learn(j, j.Job.Requested)
		}
		l.jobs.Delete(j.Job.ID)
	}
	return nil
}

// user returns the record of a user, and makes it if there is none.
func (l *lastTwo) user(name string) *recent {
	u := l.users[name]
	if u != nil {
		return u
	}
	if u = l.older[name]; u == nil {
		u = &recent{}
	}
	delete(l.older, name)
	if len(l.users) == maxUsers {
		l.users, l.older = make(map[string]*recent), l.users
	}
	l.users[name] = u
	return u
}

// Began fixes the prediction of a job of which a unit starts.
func (l *lastTwo) Began(j *central.Job, _ policy.Copy, _ bool) {
	l.prediction(j)
	l.jobs.Get(j.Job.ID).started = true
}

// learn records the runtime of a unit.
func (l *lastTwo) learn(j *central.Job, took policy.Duration) {
	if u := l.jobs.Get(j.Job.ID).user; u != nil {
		u.took[0], u.took[1] = u.took[1], took
		u.units++
		l.revision++
	}
}

// Revision grows when Runtime's answers for waiting jobs may have changed. See [central.Forecast].
func (l *lastTwo) Revision() uint64 { return l.revision }

// Runtime implements [central.Forecast].
func (l *lastTwo) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	if made := l.prediction(j); made != nil {
		return made, true
	}
	return nil, false
}

// prediction returns the prediction of a job, nil if there is none. It makes a new one if units of the user have finished since
// and no unit of the job has started.
func (l *lastTwo) prediction(j *central.Job) *outrun {
	p := l.jobs.Get(j.Job.ID)
	switch {
	case p == nil:
		return nil
	case p.started || p.made != nil && (p.user == nil || p.user.units == p.units):
		return p.made
	}
	most := j.Job.Requested
	if most == 0 {
		most = math.MaxInt64
	}
	switch {
	case p.user != nil && p.user.units > 1:
		p.made = &outrun{min(most, p.user.took[0]+(p.user.took[1]-p.user.took[0])/2), most}
	case p.user != nil && p.user.units == 1:
		p.made = &outrun{min(most, p.user.took[1]), most}
	case j.Job.Requested > 0:
		p.made = &outrun{most, most}
	}
	if p.user != nil {
		p.units = p.user.units
	}
	return p.made
}

// increments are what each correction adds to the prediction.
var increments = [...]policy.Duration{
	time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 5 * time.Hour,
	10 * time.Hour, 20 * time.Hour, 50 * time.Hour, 100 * time.Hour,
}

// slips is the probability that a prediction is outrun. It is small, so that the mean is the prediction.
const slips = 1.0 / (1 << 20)

// An outrun is the distribution of a prediction and its corrections, which are at most most.
type outrun struct{ prediction, most policy.Duration }

// each calls see with each value x, first the prediction and then its corrections, and the probability p of at most x, until see
// returns false.
func (o *outrun) each(see func(x, p float64) bool) {
	at, left := o.prediction, slips
	for _, more := range increments {
		if at == o.most {
			break
		}
		if !see(at.Seconds(), 1-left) {
			return
		}
		at, left = at+min(more, o.most-at), left/2
	}
	see(at.Seconds(), 1)
}

// CDF implements [central.Distribution].
func (o *outrun) CDF(x float64) (p float64) {
	if math.IsNaN(x) {
		return x
	}
	o.each(func(at, below float64) bool {
		if at <= x {
			p = below
		}
		return at < x
	})
	return p
}

// Quantile implements [central.Distribution].
func (o *outrun) Quantile(p float64) (x float64) {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	o.each(func(at, below float64) bool {
		x = at
		return below < p
	})
	return x
}

// Mean implements [central.Distribution].
func (o *outrun) Mean() (mean float64) {
	before := 0.0
	o.each(func(at, below float64) bool {
		mean += float64(at * (below - before))
		before = below
		return true
	})
	return mean
}

// Alike reports that all stages of a job have the same prediction. See [central.Forecast].
func (*lastTwo) Alike(*central.Job, uint32) bool { return true }
