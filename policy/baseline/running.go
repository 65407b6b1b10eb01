package baseline

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A copy whose end is unknown ends at never and runs for unbounded.
const (
	never     = policy.Never
	unbounded = policy.Duration(math.MaxInt64)
)

// times says for how long jobs hold the cores of each of their tasks: for the limit that a forecast knows, by the median of a
// forecast that knows it, else for as long as they request, or for ever.
type times struct{ forecast central.Forecast }

// of returns the expected time of a unit that has run for ran and still runs. If the forecast thinks that impossible, it
// is the longest time that the forecast thinks possible.
func (t times) of(j *central.Job, stage uint32, ran policy.Duration) policy.Duration {
	return t.quantile(j, stage, ran, 0.5)
}

// quantile returns the same for another quantile than the median.
func (t times) quantile(j *central.Job, stage uint32, ran policy.Duration, p float64) policy.Duration {
	if l, ok := t.forecast.(central.Limiter); ok && p >= 0.5 {
		if limit, ok := l.Limit(j); ok && ran < limit {
			return limit
		}
	}
	if t.forecast != nil {
		if d, ok := t.forecast.Runtime(j, stage); ok {
			if ran > 0 {
				p = 1 - (1-d.CDF(ran.Seconds()))*(1-p)
			}
			if x := math.Round(d.Quantile(p) * 1e9); x < float64(unbounded) {
				return max(1, saturate.To[policy.Duration](x))
			}
			return unbounded
		}
	}
	if j.Job.Requested == 0 {
		return unbounded
	}
	return j.Job.Requested
}

// next returns for how long the job's next unit, of a stage, is expected to hold its cores: a quantile. What is saved of it need
// not be done again, but reloaded.
func (t times) next(j *central.Job, stage uint32, p float64) policy.Duration {
	time, saved := t.quantile(j, stage, 0, p), j.NextSaved()
	if saved == 0 {
		return time
	}
	if time <= saved {
		time = t.quantile(j, stage, saved, p)
	}
	if time == unbounded {
		return unbounded
	}
	return max(0, time-saved) + j.Job.Stages[stage].Reload
}

// after returns t + d, and never if d is unbounded.
func after(t policy.Time, d policy.Duration) policy.Time {
	if d == unbounded {
		return never
	}
	return t.Add(d)
}

// orderOf returns the order that a filler fills the gaps of: central sees to it that the turn is one.
func orderOf(b central.Books) central.Order { return b.Turn.(central.Order) }

// fixed reports whether an order or a forecast says of itself that it does not change.
func fixed(part any) bool {
	f, ok := part.(central.Constant)
	return ok && f.Fixed()
}

// A unit is a task, or a whole gang, that holds cores until its expected time is over.
type unit struct {
	end   policy.Time
	copy  policy.Copy
	width int64 // cores
	stage *policy.Stage
	at    []policy.Share // where it runs, nil while that is not known
}

// span is when a unit began, for how long it was expected to run when it began, and for how long it is now.
type span struct {
	since       policy.Time
	first, time policy.Duration
}

func (s span) end() policy.Time { return after(s.since, s.time) }

// units are those that hold cores, by their expected ends. A change moves the units behind it, which at some
// thousands of them takes less than a microsecond. Make them with newUnits.
type units struct {
	time     times
	changing bool          // the forecast may change
	revision func() uint64 // of the forecast, nil if it has none
	known    uint64        // the revision by which jobs that wait have their times
	list     []unit
	spans    map[policy.Copy]span
	refusals

	stale   map[policy.JobID]*central.Job   // with events since renew was called
	times   map[policy.Task]policy.Duration // of renew, by stage
	changed []policy.Copy
	spare   [][]policy.Share // of units that have ended
}

func newUnits() units {
	return units{refusals: newRefusals(), spans: make(map[policy.Copy]span), stale: make(map[policy.JobID]*central.Job), times: make(map[policy.Task]policy.Duration)}
}

// bind says by which forecast units are expected to end, nil if there is none.
func (u *units) bind(f central.Forecast) {
	u.time.forecast, u.changing = f, f != nil && !fixed(f)
	if r, ok := f.(central.Reviser); ok {
		u.revision = r.Revision
	}
}

// revised reports whether the forecast of jobs that wait has changed, since it was last asked, with events about other jobs.
func (u *units) revised() bool {
	if u.revision == nil || u.revision() == u.known {
		return false
	}
	u.known = u.revision()
	return true
}

// observe takes note of an event about a job. The ends of its units are looked up anew when renew is called.
func (u *units) observe(j *central.Job, ev *policy.Event) {
	switch {
	case ev.Kind == policy.Started || ev.Kind == policy.Resumed:
		u.hold(j, ev.Copy, j.Job.Stages[ev.Copy.Stage].Began(ev), u.places(ev))
	case ev.Kind == policy.Refused || ev.Kind == policy.Suspended || ev.Kind.End():
		u.recycle(u.release(ev.Copy))
	}
	if ev.Kind == policy.Ended {
		delete(u.stale, j.Job.ID)
	} else if u.changing && j.Cores > 0 {
		u.stale[j.Job.ID] = j
	}
}

// hold says that a copy holds its cores, as if since the given instant, on nodes that may not be known yet.
func (u *units) hold(j *central.Job, c policy.Copy, since policy.Time, at []policy.Share) {
	time := u.time.of(j, c.Stage, 0)
	u.put(j, c, span{since, time, time}, at)
}

// began says that a Start of a copy is on its way, perhaps to a node that it names.
func (u *units) began(v *central.View, j *central.Job, c policy.Copy) {
	var at []policy.Share
	if share, ok := v.Sent(c); ok && !j.Job.Stages[c.Stage].Gang {
		at = append(u.shares(), share) // in the View's books it is there
	}
	since := v.Now()
	if saved := j.Saved(c.Task); saved > 0 {
		since = since.Add(j.Job.Stages[c.Stage].Reload - saved)
	}
	u.hold(j, c, since, at)
	if j.Refused {
		u.tries[j.Job.ID] = true
	}
}

// put says that a copy holds its cores for a span.
func (u *units) put(j *central.Job, c policy.Copy, held span, at []policy.Share) {
	u.recycle(u.release(c))
	stage := &j.Job.Stages[c.Stage]
	x := unit{held.end(), c, stage.Width(), stage, at}
	i, _ := slices.BinarySearchFunc(u.list, x, byEnd)
	u.list = slices.Insert(u.list, i, x)
	u.spans[c] = held
}

// places returns where the copy of an event runs.
func (u *units) places(ev *policy.Event) []policy.Share {
	at := append(u.shares(), ev.Gang...)
	if ev.Node != 0 {
		at = append(at, policy.Share{Node: ev.Node, Tasks: 1, Devices: ev.Devices})
	}
	return at
}

// shares returns an empty list, one that is no longer needed if there is one.
func (u *units) shares() (at []policy.Share) {
	if n := len(u.spare); n > 0 {
		at, u.spare = u.spare[n-1][:0], u.spare[:n-1]
	}
	return at
}

// recycle keeps a list that is no longer needed for shares.
func (u *units) recycle(at []policy.Share) {
	if at != nil {
		u.spare = append(u.spare, at)
	}
}

// byEnd orders units by their ends; ties, as of many ends that nobody knows, go to the older job, so that a unit is found at once.
func byEnd(x, y unit) int {
	a, b := &x.copy, &y.copy
	return cmp.Or(cmp.Compare(x.end, y.end), cmp.Compare(a.Job, b.Job), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Index, b.Index), cmp.Compare(a.N, b.N))
}

// release says that a copy no longer holds cores, if it ever did. It returns where it ran, as far as that was known.
func (u *units) release(c policy.Copy) []policy.Share {
	end, ok := u.end(c)
	if !ok {
		return nil
	}
	i, _ := slices.BinarySearchFunc(u.list, unit{end: end, copy: c}, byEnd)
	at := u.list[i].at
	u.list = slices.Delete(u.list, i, i+1)
	delete(u.spans, c)
	return at
}

// end returns when a copy should end, and false if it holds no cores.
func (u *units) end(c policy.Copy) (end policy.Time, ok bool) {
	held, ok := u.spans[c]
	return held.end(), ok
}

// renew moves the ends of running units where the forecast has changed, and reports whether it has.
func (u *units) renew() (renewed bool) {
	if len(u.stale) == 0 {
		return false
	}
	changed := u.changed[:0]
	for _, x := range u.list {
		j := u.stale[x.copy.Job]
		if j == nil {
			continue
		}
		stage := policy.Task{Job: x.copy.Job, Stage: x.copy.Stage}
		time, ok := u.times[stage]
		if !ok {
			time = u.time.of(j, x.copy.Stage, 0)
			u.times[stage] = time
		}
		if time != u.spans[x.copy].first {
			changed = append(changed, x.copy)
		}
	}
	for _, c := range changed {
		held := u.spans[c]
		u.hold(u.stale[c.Job], c, held.since, u.release(c))
	}
	clear(u.stale)
	clear(u.times)
	u.changed = changed
	return len(changed) > 0
}

// overdue moves the ends of the units that run on after their expected time, to when the forecast expects that now.
func (u *units) overdue(v *central.View) {
	now := v.Now()
	for i := 0; i < len(u.list) && u.list[i].end <= now; {
		c := u.list[i].copy
		j, held := v.Job(c.Job), u.spans[c]
		if j != nil { // else the host has ended the job before its copies
			held.time = u.time.of(j, c.Stage, now.Sub(held.since))
		}
		if held.end() <= now {
			i++ // nobody knows better: as if it ended now
			continue
		}
		u.put(j, c, held, u.release(c))
	}
}

// until returns the earliest expected end by which so many cores will have been freed, or any core if there are
// none to free; never if not all will.
func (u *units) until(cores int64) policy.Time {
	for _, x := range u.list {
		if cores -= x.width; cores <= 0 {
			return x.end
		}
	}
	return never
}

// freed returns how many cores will have been freed by an instant.
func (u *units) freed(by policy.Time) (cores int64) {
	for _, x := range u.list {
		if x.end > by {
			break
		}
		cores += x.width
	}
	return cores
}
