// Package gittins schedules jobs by the Gittins index: of all jobs, serve the one that costs the least service for each
// completion. One rule covers what published policies know in part:
//
//   - Runtimes are known: the rank is the remaining work, as in SRPT.
//   - Nothing is known: the rank is the attained service, as in LAS and Kairos.
//   - History gives a distribution, as in 3Sigma: the rank uses all of it, not one number.
//   - Some tasks of the job have finished, as in SLearn: they narrow the distribution. A new job starts one task first,
//     and no queue or ratio of pilots has to be set.
//   - A job has a value, as in Wing: the rank is divided by it.
//
// A [Turn] is a part of package central, so it goes with any filler, copier and kind of node:
//
//	beliefs, err := forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: history})
//	turn, err := gittins.New(gittins.Config{})
//	s, err := central.New(central.Config{Turn: turn, Forecast: beliefs})
//
// A host without the contract calls [estimate.Gittins] directly.
//
// # When not to use it
//
// A wide gang that is first in the order keeps cores idle until it fits: combine the turn with baseline.EASY where jobs are
// gangs. The turn serves the mean completion time and treats jobs unequally on purpose: choose baseline.Fair where equal
// shares matter more, and policy/threesigma where deadlines do.
//
// # Cost
//
// A step takes O(log n) time with n waiting jobs, and about a microsecond for each rank by an [estimate.Belief]. A job whose
// pilot runs gets a new rank when it comes to the front and its pilot has run an eighth longer. If nothing is known, each job that
// runs and waits gets one at each instant at which it comes to the front. The Turn allocates only when a job comes.
//
// # Source
//
// S. Aalto, U. Ayesta and R. Righter, "On the Gittins index in the M/G/1 queue", Queueing Systems 63, 2009. See
// [estimate.Gittins] for the formula. The term for pilots, jobs of many tasks and the bound on overtaking are this library's own.
package gittins

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// Config describes a [Turn]. The zero Config is ready to use.
type Config struct {
	// Value returns what a job is worth, above 0 and finite. A job of twice the value may take twice the work. Nil: all
	// jobs are worth the same.
	Value func(j *policy.Job) float64
	// Overtaking is K in the bound of [Turn], at least 1; 0 means 10,000. The smaller it is, the more the jobs go by
	// their submission.
	Overtaking float64
}

// A Turn serves the job with the least rank first. The rank is the Gittins rank of what is left of the job's work, in
// core-seconds, divided by its value. It asks the scheduler's Forecast for the runtimes, and goes by attained service where the Forecast knows
// nothing: such a job goes before those of which something is known. Ties go to the earlier submission, then to the smaller ID.
//
// As long as no task of a job has finished, the mean runtime T of its tasks is unknown, and one task is enough to learn it:
// the rank is that of a job with one pilot. Starting more tasks while the pilot runs forgoes what the pilot would tell, so
// they rank as if all were pilots, by a pilot that has run for so long. When a task has finished the Forecast knows more. Until
// then all stages of the job count as like the one that starts next. What running tasks have done is not taken off: they run to their end, whoever is next.
//
// A unit of w cores, a gang or a wide task, waits while cores are freed one by one, and those stand idle meanwhile. So
// w·(w-1)/2 is added to the rank, divided by the cores that have been freed in a second so far.
//
// # Nobody waits for ever
//
// Number the jobs in the order of their submission. The order is by
//
//	ln(rank) + number/K
//
// so job i, submitted after j, goes before j only while its rank is below R·exp(-(i-j)/K), where R is the largest rank
// of j so far. Each later job has one number, so the ranks at which later jobs overtake j add up to less than
//
//	Σ R·exp(-m/K) over m ≥ 1  =  R / (exp(1/K)-1)  <  K·R
//
// whatever jobs arrive. A restart begins to number anew. If runtimes are known and tasks take one core, the rank is the work. Then the work that overtakes a
// job is less than K times its own. The bound is tight: jobs that arrive one at a time, each just short enough to overtake,
// add up to it. Ranks below 1e-9 core-seconds count as that. A filler lets further jobs pass, by its own rules.
type Turn struct {
	config   Config
	view     *central.View
	forecast central.Forecast
	jobs     policy.Table[policy.JobID, entry]
	waiting  *queue.Heap[*entry]
	number   float64     // jobs so far
	begun    policy.Time // when the first of them came
	freed    float64     // cores of all copies that have ended
	moved    bool        // a job has another place than it was claimed for
}

// An entry is what a Turn keeps of a job.
type entry struct {
	job    *central.Job
	number float64
	value  float64
	rank   float64 // for each unit of value
	placed bool    // the rank and the key are known
	key    float64
	handle queue.Handle
	since  policy.Time // when the oldest of the tasks that run was started; Never if none runs
	due    policy.Time // when the key is to be worked out anew though no event comes
}

const (
	leastStop = 0.5  // see estimate.Gittins.Least
	leastRank = 1e-9 // core-seconds
)

// New returns a Turn. The error names the field that is outside its range.
func New(c Config) (*Turn, error) {
	c.Overtaking = cmp.Or(c.Overtaking, 10_000)
	if !(c.Overtaking >= 1 && c.Overtaking <= math.MaxFloat64) {
		return nil, fmt.Errorf("gittins: Config.Overtaking is %v, want at least 1, or 0 for 10000", c.Overtaking)
	}
	return &Turn{config: c, waiting: queue.NewHeap(before)}, nil
}

func before(a, b *entry) int {
	return cmp.Or(cmp.Compare(a.key, b.key), central.BySubmission(a.job, b.job))
}

// Bind implements [central.Turn].
func (t *Turn) Bind(b central.Books) error {
	if b.Forecast == nil {
		return errors.New("gittins: Turn without a Forecast, want one, forecast.Nothing at least")
	}
	b.View.Serves = true
	t.view, t.forecast = b.View, b.Forecast
	return nil
}

// Note implements [central.Turn].
func (t *Turn) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		value := 1.0
		if t.config.Value != nil {
			value = t.config.Value(j.Job)
			if !(value > 0 && value <= math.MaxFloat64) {
				return fmt.Errorf("gittins: the value of job %d is %v, want one above 0 and finite", j.Job.ID, value)
			}
		}
		if t.number == 0 {
			t.begun = ev.Time
		}
		t.number++
		t.jobs.Put(j.Job.ID, &entry{job: j, number: t.number, value: value, since: policy.Never, due: policy.Never})
	case policy.Ended:
		t.jobs.Delete(j.Job.ID)
	default:
		if ev.Kind.End() && !ev.Replay {
			t.freed += float64(j.Job.Stages[ev.Copy.Stage].Width())
		}
	}
	return nil
}

// Claim implements [central.Turn].
func (t *Turn) Claim(j *central.Job, c central.Claim) {
	e := t.jobs.Get(j.Job.ID)
	switch {
	case c.Cores == 0:
		e.since = policy.Never
	case e.since == policy.Never:
		e.since = t.view.Now()
	}
	if !c.Wants {
		t.waiting.Remove(e.handle)
		return
	}
	t.place(e)
	if _, ok := t.waiting.Get(e.handle); ok {
		t.waiting.Fix(e.handle)
	} else {
		e.handle = t.waiting.Push(e)
	}
}

// Next implements [central.Turn]. The rank of a job whose pilot runs on is worked out anew when it comes to the front.
func (t *Turn) Next() *central.Job {
	for {
		e, ok := t.waiting.Peek()
		switch {
		case !ok:
			return nil
		case e.due > t.view.Now():
			return e.job
		}
		t.place(e)
		t.waiting.Fix(e.handle)
		t.moved = true
	}
}

// Compare implements [central.Order].
func (t *Turn) Compare(a, b *central.Job) int {
	return before(t.jobs.Get(a.Job.ID), t.jobs.Get(b.Job.ID))
}

// Reordered implements [central.Order].
func (t *Turn) Reordered() bool {
	moved := t.moved
	t.moved = false
	return moved
}

// Rank returns the rank by which a job has its place, in core-seconds for each unit of value. It is as of the last event
// about the job, or later if the job has come to the front since. It is false if the job is not there or has never had anything to start.
func (t *Turn) Rank(id policy.JobID) (rank float64, ok bool) {
	e := t.jobs.Get(id)
	if e == nil || !e.placed {
		return 0, false
	}
	return e.rank, true
}

// place works out the rank and the key of a job, and how long they hold.
func (t *Turn) place(e *entry) {
	e.due = policy.Never
	e.placed, e.rank = true, max(t.rank(e)/e.value, leastRank)
	e.key = math.Log(e.rank) + e.number/t.config.Overtaking
}

// rank returns the Gittins rank of a job, core-seconds.
func (t *Turn) rank(e *entry) float64 {
	finished := false
	for i := range e.job.Stages {
		finished = finished || e.job.Stages[i].Finished > 0
	}
	rank, ok := 0.0, false
	if finished {
		rank, ok = t.rest(e)
	} else {
		rank, ok = t.whole(e)
	}
	if !ok {
		if e.since != policy.Never {
			e.due = t.view.Now() + 1 // attained service grows
		}
		return t.view.Service(e.job)
	}
	if stage, waits := e.job.Next(); waits {
		rank += t.idle(float64(e.job.Job.Stages[stage].Width()))
	}
	return rank
}

// idle returns the core-seconds in which a unit of so many cores keeps them idle, while it collects them at the rate at which
// cores have been freed so far.
func (t *Turn) idle(width float64) float64 {
	passed := t.view.Now().Sub(t.begun).Seconds()
	if t.freed == 0 || passed == 0 {
		return 0
	}
	return width * (width - 1) / 2 / (t.freed / passed)
}

// whole returns the rank of a job of which nothing has finished. All stages count as like the one that starts next.
func (t *Turn) whole(e *entry) (rank float64, ok bool) {
	j := e.job
	stage, ok := j.Next()
	if !ok {
		stage = 0
	}
	d, ok := t.forecast.Runtime(j, stage)
	if !ok {
		return 0, false
	}
	width := float64(j.Job.Stages[stage].Width())
	work := 0.0
	for i := range j.Job.Stages {
		work += float64(j.Job.Stages[i].Units()) * float64(j.Job.Stages[i].Width())
	}
	tasks := int(max(1, math.Round(work/width)))
	if e.since == policy.Never {
		return work * index(d, tasks, 1, 0) / float64(tasks), true
	}
	ran := t.view.Now().Sub(e.since)
	e.due = t.view.Now().Add(max(ran/8, 1e9))
	return work * (index(d, tasks, tasks, ran.Seconds())/float64(tasks) + ran.Seconds()), true
}

// rest returns the rank of what is left of a job of which something has finished.
func (t *Turn) rest(e *entry) (rank float64, ok bool) {
	j := e.job
	for i := range j.Job.Stages {
		s := &j.Job.Stages[i]
		left := int(s.Units() - j.Stages[i].Finished)
		if left == 0 {
			continue
		}
		d, ok := t.forecast.Runtime(j, uint32(i))
		if !ok {
			return 0, false
		}
		rank += index(d, left, left, 0) * float64(s.Width())
	}
	return rank, true
}

// index returns the rank of so many tasks, s, of which the pilots have been served for e each.
func index(d central.Distribution, tasks, pilots int, e float64) float64 {
	rank := estimate.Gittins{Tasks: tasks, Pilots: pilots, Least: leastStop}.Rank(d, e)
	if math.IsNaN(rank) { // it runs for longer than thought possible: as long again
		return float64(tasks) * e
	}
	return rank
}
