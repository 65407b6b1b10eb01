package forecast

import (
	"math"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// LastTwo returns the forecast of EASY++. It predicts that a task or gang runs for as long as the last two did, on average,
// that finished in jobs of the same user (the attribute "user"), and no longer than the job requests. If only one has finished,
// it takes that one. If none has, or the job has no user, it takes the requested time; if the job requests none, nothing is
// known.
//
// The prediction follows the user's other jobs while the job waits, and stays as it is once a task of the job has started. A
// task that outruns its prediction gets another one, later by 1 minute, then by 5, 15 and 30 more, by 1, 2, 5, 10, 20, 50 and
// 100 more hours, but never beyond the requested time. The fillers of package baseline ask for these corrections, and for
// the predictions of all jobs that wait when some job finishes. Other parts know what was predicted at the last event about the
// job. Whether a task is killed is up to the host, which goes by the requested time alone.
//
// The distribution has nearly all of its mass at the prediction. The corrected values share a millionth of
// it, each has half as much as the one before. So the median runtime of a task that has outrun one value is the next.
//
// A task at speed s counts as if it had run at speed 1 where it prefers to be. Jobs that the host ends at their requested time
// count with that time, and jobs that fail in another way do not count. A query takes constant time. A user takes some 100
// bytes for good.
//
// # When not to use it
//
// Where jobs have no user it says what they request. Where a user's jobs in a row are unlike each other, a [History] may be
// better: docs/backfilling.md compares them.
//
// # Source
//
// D. Tsafrir, Y. Etsion and D. Feitelson, "Backfilling using system-generated predictions rather than user runtime estimates",
// IEEE Transactions on Parallel and Distributed Systems 18(6), 2007. pyss, the simulator of Feitelson's group, waits for two
// jobs before it predicts.
func LastTwo() central.Forecast { return &lastTwo{users: make(map[string]*recent)} }

type lastTwo struct {
	view     *central.View
	jobs     policy.Table[policy.JobID, recently]
	users    map[string]*recent
	revision uint64
}

// recent is what the last two units of a user took: first the older one, if there are two.
type recent struct {
	took  [2]policy.Duration
	units uint64 // that finished
}

// recently is what LastTwo keeps of a job.
type recently struct {
	user    *recent // nil: the job has none
	units   uint64  // that the user had when the prediction was made
	made    *outrun // nil: there is none
	started bool    // the prediction stays
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
			if p.user = l.users[name]; p.user == nil {
				p.user = &recent{}
				l.users[name] = p.user
			}
		}
		l.jobs.Put(j.Job.ID, p)
	case policy.Started, policy.Resumed:
		l.Began(j, ev.Copy, false) // it started before a restart
	case policy.Finished:
		if factor, ok := l.view.Slowdown(ev, &j.Job.Stages[ev.Copy.Stage]); ok && !ev.Replay {
			l.learn(j, policy.Duration(math.Round(float64(ev.Service)/factor)))
		}
	case policy.Ended:
		if ev.Outcome == policy.TimedOut {
			l.learn(j, j.Job.Requested)
		}
		l.jobs.Delete(j.Job.ID)
	}
	return nil
}

// Began hears of a start.
func (l *lastTwo) Began(j *central.Job, _ policy.Copy, _ bool) {
	l.prediction(j)
	l.jobs.Get(j.Job.ID).started = true
}

// learn takes note of how long a unit took.
func (l *lastTwo) learn(j *central.Job, took policy.Duration) {
	if u := l.jobs.Get(j.Job.ID).user; u != nil {
		u.took[0], u.took[1] = u.took[1], took
		u.units++
		l.revision++
	}
}

// Revision counts the changes of what Runtime says of jobs that wait. See [central.Forecast].
func (l *lastTwo) Revision() uint64 { return l.revision }

// Runtime implements [central.Forecast].
func (l *lastTwo) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	if made := l.prediction(j); made != nil {
		return made, true
	}
	return nil, false
}

// prediction returns that for a job, nil if there is none. It makes it anew if the user's jobs tell another one, and the job has
// not started.
func (l *lastTwo) prediction(j *central.Job) *outrun {
	p := l.jobs.Get(j.Job.ID)
	switch {
	case p == nil:
		return nil
	case p.made != nil && (p.started || p.user == nil || p.user.units == p.units):
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

// increments are by how much the corrections of a prediction grow.
var increments = [...]policy.Duration{
	time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 5 * time.Hour,
	10 * time.Hour, 20 * time.Hour, 50 * time.Hour, 100 * time.Hour,
}

// slips is the probability that a prediction is outrun. It is small, so that the mean is the prediction.
const slips = 1.0 / (1 << 20)

// An outrun is the distribution of a prediction with its corrections, none of them above the most.
type outrun struct{ prediction, most policy.Duration }

// each calls a function with the prediction and its corrections, and the probability of at most each, until it returns false.
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
