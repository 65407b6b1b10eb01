// Package gittins lowers the mean completion time where runtimes are known only roughly, or not at all: the job that is
// expected to need the least work for each completion goes first. Most callers take the whole policy, which has nothing to
// set and learns from the jobs that end:
//
//	scheduler, err := gittins.NewScheduler(gittins.Options{})
//
// and let package host drive it, or step it as package policy says. If jobs are gangs or tasks are wide, set Options.Fill to
// baseline.EASY(). [Options] also adds copies of slow tasks, the worth of jobs and a bound on how long a job waits.
//
// # The index
//
// Suppose that a job is served until it ends, or is given up after some work θ. The job's rank is the expected work divided by
// the probability that the job ends, with the θ that makes it least: the work for each completion. It is the reciprocal of the
// Gittins index. The job of the least rank is next, since each core-second then goes where it is expected to end the most
// jobs. One rule covers several published policies:
//
//   - Runtimes are known: the rank is the unfinished work, as in SRPT.
//   - Nothing is known, not even from the job's own tasks: the rank is the attained service, as in LAS and
//     Kairos, but at most one unknown job goes before the known ones.
//   - History gives a distribution, as in 3Sigma: the rank uses all of it.
//   - Some tasks of the job have finished, as in SLearn: they narrow the distribution. A new job ranks as if one task
//     ran first to tell of the others. Such pilots need no settings.
//   - A job has a value, as in Wing: the rank is divided by it. The rank of a job that must start soon
//     to meet its deadline, while it still can, is divided by 10.
//
// A [Turn] is a part of package central, so it goes with any placer and kind of node too:
//
//	beliefs, err := forecast.NewBeliefs(forecast.BeliefsConfig{}) // without a history
//	turn, err := gittins.NewTurn(gittins.Config{})
//	s, err := central.NewDistributed(central.Config{Turn: turn, Forecast: beliefs, Node: kairos.NewAdaptiveNodes()})
//
// A Turn needs a Forecast, which must not be nil. If there is no history, take Beliefs without a Predictor: they learn
// from the job's own tasks, and forecast.Nothing() does not. A host without the contract calls [estimate.Gittins] directly.
//
// # Formula
//
// A Turn stops no running task: to give up a job means not to start its other tasks. Take a new job of n tasks of c cores each,
// whose common mean runtime T is unknown. One task, the pilot, runs to its end and tells T, and the others run only if T ≤ θ. So
// the rank, for which no task is held back, is
//
//	c · min over θ of ( E[T] + (n-1)·E[T; T ≤ θ] ) / P(T ≤ θ)
//
// where E[T; T ≤ θ] counts T as 0 above θ. For example, if three tasks take 1 s each with a probability of 0.8, and else 300 s, the rank
// is (60.8 + 2·0.8)/0.8 = 78, with θ = 1 s, and the job goes before one that certainly takes three times 40 s. For n = 1 the
// rank is the mean; [Turn] says when Beliefs put E[√T]² in its place, and ranks jobs of several stages, wide tasks and values.
// [estimate.Gittins] has the formula for tasks that have been served already, and for servers that may stop a task.
//
// # When not to use it
//
// A wide gang that is first in the order keeps cores idle until it fits. baseline.EASY uses these cores meanwhile,
// but makes the gang wait longer if runtimes are mistaken. Try both if there are few gangs and little is known of
// them.
//
// The index serves the mean completion time and treats jobs unequally on purpose (later jobs overtake one by at most 10,000
// times its rank): choose baseline.Fair if equal shares
// matter more. The 99th percentile may be above FIFO's. So may the mean, if jobs are gangs and nothing at all is known
// of runtimes. It preempts only with the filler of policy/preempt. Choose policy/threesigma if deadlines matter more than
// the mean, and jobs without a deadline may be killed for them.
//
// # Cost
//
// For each job whose rank changes, a step takes O(log n) time with n waiting jobs. An event changes the rank of its job.
// The rank of a running job changes when it has run an eighth longer, but after a second at the earliest. If nothing is
// known of a job, its rank changes when it has attained an eighth more service, and the Turn asks the Forecast again when it
// has waited an eighth longer. A rank takes up to a microsecond for each of the job's stages, plus the time of the Forecast.
// For a job of more than 64 stages the Turn asks only about stages with an event and about four others in turn, so a
// job of n stages takes O(n) time in all. If the Forecast is a central.Reviser, a new revision changes the ranks of all waiting
// jobs: 200 with each event, the newest first. So with forecast.Beliefs no step takes much longer than 10 ms, and with
// n jobs waiting it takes n/100 and then n/200 events until all have their new ranks. The Turn allocates only when a job comes.
//
// # Source
//
// S. Aalto, U. Ayesta and R. Righter, "On the Gittins index in the M/G/1 queue", Queueing Systems 63, 2009. See
// [estimate.Gittins] for the formula. The term for pilots, jobs of many tasks, deadlines and the bound on overtaking
// are this library's own.
package gittins

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// Config describes a [Turn]. The zero Config is ready to use.
type Config struct {
	// Worth returns what a job is worth now, above 0 and finite, and until when that holds; [policy.Never] if it does
	// not change with time. The rank is divided by it: a job of twice the worth may take twice the work. It is called
	// again at the first event from that instant on, and after events about the job. If its first result is out of
	// range, the job is refused; a later one is ignored, and the last good one stays. A falling worth sends a job
	// back the longer it waits; to hurry a job, give it a deadline. Nil: all jobs are worth the same.
	Worth func(j *policy.Job, now policy.Time) (worth float64, until policy.Time)
	// MaxWait is how long a job may wait while nothing of it runs, at least 0. After that it goes before all that have
	// waited less, whatever is predicted, until one of its units starts. 0: there is no limit.
	MaxWait policy.Duration
}

// A Turn serves the job with the least rank first. The rank is the Gittins rank of the job's unfinished work, in
// core-seconds, divided by its worth. Runtimes come from the scheduler's Forecast. Ties go to the earlier submission,
// then to the smaller ID.
//
// If the Forecast knows nothing of a job, the rank is the service that the job has attained, so a new job goes first.
// But at most one unknown job goes before the known ones: while one has cores, and then until a known job has got some, all
// known jobs go before the other unknown ones, which still get the cores that no known job wants.
//
// As long as nothing of a job has run, the mean runtime T of its tasks is unknown, and one task is enough to learn it. So the
// rank is that of a job with one pilot, which runs to its end, see [estimate.Gittins]. A job of one unit has nothing to
// learn: its rank is its mean. If the Forecast gives an estimate.Belief it is E[√T]², which depends less on the longest
// values that are held possible, unless the Belief is Limited: users' time limits are reliable. While the pilot runs, and
// once a task has finished, the tasks that have not started rank by their mean work. The Forecast decides what running and
// finished tasks tell of T, see forecast.Beliefs. A running task counts with its whole mean, whatever it has run, since it
// will run to its end whoever is next. That mean grows as it runs for longer than the Forecast held likely.
//
// What is saved of units that wait ([policy.Event].Saved) is taken from the work. If that is the job's only unit, it ranks by the
// index of one task that has been served for that long and may be stopped again.
//
// Stages with the same distribution share one T. Other stages are ranked one by one, and the ranks are added. That is
// exact if the runtimes are known. Otherwise the sum is a little low, because it ignores that the service of the
// first stages is wasted if a later stage is given up.
//
// A unit of w cores, a gang or a wide task, waits while cores are freed one by one, and those stand idle meanwhile. So
// w·(w-1)/2 over the mean rate, in cores per second, at which cores have been freed so far, is added to the rank. The
// term is computed anew only when the rank is. It is 0 if no core has been freed yet.
//
// # Deadlines
//
// The rank of a job with a deadline is divided by 10 while the job is urgent: it would probably be late if it waited
// much longer, and may still be in time. A job is urgent from the instant at which
//
//	now + Q(0.5) + Q(0.8) = deadline
//
// where Q(p) is the p-quantile of the time that it needs if it gets all its cores at once: if it waited another Q(0.5),
// it would be in time with a probability of 0.8 or less. It is no longer urgent when now + Q(0.05) passes the deadline.
// Stages count as if they ran one after the other. A deadline does not count if its utility is 0 or if the job's
// runtimes are not known.
//
// # Starvation
//
// After [Config].MaxWait without anything running a job goes before all that have waited less; it may still wait for room. By
// default there is no such limit. Jobs that have waited that long go in the order of their submission, so they wait
// longer if there are more of them than the cluster can start.
//
// Besides, jobs age. Number them in the order of their submission. They are ordered by
//
//	ln(rank) + number/K, K = 10,000
//
// so job i, submitted after j, goes before j only while its rank is below R·exp(-(i-j)/K), where R is the largest
// rank of j so far. Each later job has its own number, so the ranks at which later jobs overtake j add up to less
// than
//
//	Σ R·exp(-m/K) over m ≥ 1  =  R / (exp(1/K)-1)  <  K·R
//
// whatever jobs arrive. A restart numbers the jobs that are there anew. If runtimes are known and tasks take one core, the rank is the
// work, so the work that overtakes a job is less than K times its own. The bound is tight: jobs that arrive one at a
// time, each just short enough to overtake, reach it. To be urgent is as good as to have come ln(10)·K jobs earlier, so
// the work of urgent jobs that overtakes is less than 10 times the bound. Ranks below 1e-9 core-seconds count as 1e-9.
// A filler lets further jobs pass, by its own rules.
type Turn struct {
	config     Config
	overtaking float64 // K in the bound above
	view       *central.View
	forecast   central.Forecast
	fixed      bool            // the Forecast does not change
	reviser    central.Reviser // the Forecast, if it is one
	revision   uint64          // that the keys go by, but for those of stale
	stale      []policy.JobID  // jobs whose keys do not yet, the last is next
	jobs       policy.Table[policy.JobID, entry]
	waiting    *queue.Heap[*entry] // those that want something, but for
	unknown    *queue.Heap[*entry] // those whose runtimes are not known and that have not waited for MaxWait
	exploring  int                 // unknown jobs that have cores
	explored   bool                // one of them has got its first since a known job got some
	timed      *queue.Heap[*entry] // those whose key changes with time, by when
	number     float64             // jobs so far
	begun      policy.Time         // when the first of them came
	freed      float64             // cores of all copies that have ended or were suspended
	moved      bool                // a job has another place than it was claimed for
}

// An entry is a Turn's record of a job.
type entry struct {
	job      *central.Job
	number   float64
	worth    float64
	rank     float64 // divided by the worth
	key      float64
	due      policy.Time  // when the key changes though no event comes, if something waits
	handle   queue.Handle // in waiting
	alarm    queue.Handle // in timed
	cores    int64        // by its last Update
	has      bool         // some
	waits    policy.Time  // since when it has wanted something and nothing of it has run; Never: it does not wait
	unknown  bool         // it belongs into Turn.unknown
	explores bool         // it is in Turn.exploring
	since    policy.Time  // when it last got some while it had none
	changed  bool         // there was an event since the key was worked out
	stages
}

const minRank = 1e-9 // core-seconds

// NewTurn returns a Turn. It returns an error that names the field that is out of range.
func NewTurn(c Config) (*Turn, error) {
	if c.MaxWait < 0 {
		return nil, fmt.Errorf("gittins: Config.MaxWait is %v, want at least 0, which means no limit", c.MaxWait)
	}
	return &Turn{config: c, overtaking: 10_000, waiting: queue.NewHeap(before), unknown: queue.NewHeap(before), timed: queue.NewHeap(func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(a.job.Job.ID, b.job.Job.ID))
	})}, nil
}

func before(a, b *entry) int {
	return cmp.Or(cmp.Compare(a.key, b.key), central.BySubmission(a.job, b.job))
}

// Bind implements [central.Turn].
func (t *Turn) Bind(b central.Books) error {
	if b.Forecast == nil {
		return errors.New("gittins: the Scheduler has no Forecast; set central.Config.Forecast, to forecast.Nothing() at least")
	}
	if err := b.Enter(&t.view); err != nil {
		return err
	}
	b.View.Serves = true
	t.forecast = b.Forecast
	f, ok := b.Forecast.(central.Constant)
	t.fixed = ok && f.Fixed()
	t.reviser, _ = b.Forecast.(central.Reviser)
	return nil
}

// Note implements [central.Turn]. It first updates the keys that have changed with time.
func (t *Turn) Note(ev *policy.Event, j *central.Job) error {
	for e, ok := t.timed.Peek(); ok && e.due <= ev.Time; e, ok = t.timed.Peek() {
		key, unknown := e.key, e.unknown
		t.place(e)
		t.moved = t.moved || e.key != key || e.unknown != unknown
	}
	if j == nil {
		return nil
	}
	t.revise()
	switch {
	case ev.Kind == policy.Submitted:
		e := &entry{job: j, number: t.number + 1, worth: 1, key: math.Inf(-1), due: policy.Never, waits: policy.Never, stages: newStages(len(j.Stages))}
		if t.config.Worth != nil {
			worth, _ := t.config.Worth(j.Job, ev.Time)
			if !valid(worth) {
				return fmt.Errorf("gittins: Config.Worth of job %d is %v, want above 0 and finite", j.Job.ID, worth)
			}
		}
		if t.number == 0 {
			t.begun = ev.Time
		}
		t.number++
		t.jobs.Put(j.Job.ID, e)
	case ev.Kind == policy.Ended:
		t.jobs.Delete(j.Job.ID)
		return nil
	case (ev.Kind.End() || ev.Kind == policy.Suspended) && !ev.Idle && !ev.Replay:
		t.freed += float64(j.Job.Stages[ev.Copy.Stage].Width())
	}
	e := t.jobs.Get(j.Job.ID)
	e.changed = true
	if ev.Kind == policy.Started {
		e.waits = policy.Never
	}
	if ev.Kind != policy.Submitted {
		e.note(ev.Copy.Stage)
	}
	return nil
}

// revise works out all keys anew when the Forecast has come to know more: some with each event, those of the newest jobs first.
func (t *Turn) revise() {
	const some = 200
	if t.reviser == nil {
		return
	}
	if now := t.reviser.Revision(); len(t.stale) == 0 && now != t.revision {
		t.revision = now
		for id := range t.jobs.All() {
			t.stale = append(t.stale, id)
		}
	}
	for range min(some, len(t.stale)) {
		last := len(t.stale) - 1
		e := t.jobs.Get(t.stale[last])
		t.stale = t.stale[:last]
		if e == nil {
			continue
		}
		e.changed = true
		if e.handle != (queue.Handle{}) {
			t.place(e)
			t.moved = true
		}
	}
}

func valid(worth float64) bool { return worth > 0 && worth <= math.MaxFloat64 }

// Update implements [central.Turn].
func (t *Turn) Update(j *central.Job, u central.Usage) {
	e := t.jobs.Get(j.Job.ID)
	now := t.view.Now()
	if has := u.Cores > 0; has != e.has {
		e.has, e.since, e.changed = has, now, true
	}
	if u.Wants && !e.has && e.waits == policy.Never {
		e.waits, e.changed = now, true
	}
	if u.Cores > e.cores && !e.unknown {
		t.explore(0, false)
	}
	e.cores = u.Cores
	if !u.Wants {
		t.queue(e).Remove(e.handle)
		e.handle = queue.Handle{}
		t.timed.Remove(e.alarm)
		e.changed = true
		t.sort(e, e.unknown && e.has && !e.update(t.forecast))
		return
	}
	if e.changed {
		e.changed = false
		t.place(e)
	}
	if e.handle == (queue.Handle{}) {
		e.handle = t.queue(e).Push(e)
	}
}

// queue returns the queue in which a job waits.
func (t *Turn) queue(e *entry) *queue.Heap[*entry] {
	if e.unknown {
		return t.unknown
	}
	return t.waiting
}

// sort moves a job to the queue of those that are unknown, or of those that are not, if it waits. It counts the job if it explores.
func (t *Turn) sort(e *entry, unknown bool) {
	if unknown != e.unknown && e.handle != (queue.Handle{}) {
		t.queue(e).Remove(e.handle)
		e.unknown = unknown
		e.handle = t.queue(e).Push(e)
	}
	e.unknown = unknown
	switch explores := e.unknown && e.has; {
	case explores && !e.explores:
		t.explore(1, true)
	case !explores && e.explores:
		t.explore(-1, t.explored)
	}
	e.explores = e.unknown && e.has
}

// explore counts jobs that explore, and sets whether one has begun since a known job got cores.
func (t *Turn) explore(more int, explored bool) {
	before := t.held()
	t.exploring, t.explored = t.exploring+more, explored
	t.moved = t.moved || t.held() != before && t.waiting.Len() > 0 && t.unknown.Len() > 0
}

// held reports whether unknown jobs go after all known ones.
func (t *Turn) held() bool { return t.exploring > 0 || t.explored }

// Next implements [central.Turn].
func (t *Turn) Next() *central.Job {
	e, ok := t.waiting.Peek()
	if u, waits := t.unknown.Peek(); waits && (!ok || t.compare(u, e) < 0) {
		return u.job
	}
	if ok {
		return e.job
	}
	return nil
}

// compare orders two jobs.
func (t *Turn) compare(a, b *entry) int {
	switch {
	case a.unknown == b.unknown || !t.held():
		return before(a, b)
	case a.unknown:
		return +1
	}
	return -1
}

// Compare implements [central.Order]. It is as of the last event. A job that wants nothing to start keeps the place
// that it had when it last wanted something; a new job goes first.
func (t *Turn) Compare(a, b *central.Job) int {
	return t.compare(t.jobs.Get(a.Job.ID), t.jobs.Get(b.Job.ID))
}

// Reordered implements [central.Order].
func (t *Turn) Reordered() bool {
	moved := t.moved
	t.moved = false
	return moved
}

// Until returns when the order changes next even without an event, see [central.Turn].
func (t *Turn) Until() policy.Time {
	if e, ok := t.timed.Peek(); ok {
		return e.due
	}
	return policy.Never
}

// place computes the rank and the key of a job and until when they hold, and moves the job there.
func (t *Turn) place(e *entry) {
	rank, need, known, due := t.left(e)
	key, known, due := t.weigh(e, rank, need, known, due)
	e.key = key
	t.queue(e).Fix(e.handle)
	t.sort(e, !known)
	e.due = due
	switch {
	case due == policy.Never:
		t.timed.Remove(e.alarm)
	case !t.timed.Fix(e.alarm):
		e.alarm = t.timed.Push(e)
	}
}

// weigh returns the key of a job of this rank, whether it counts as known, and until when that holds, which is no later than due.
func (t *Turn) weigh(e *entry, rank float64, need need, known bool, due policy.Time) (float64, bool, policy.Time) {
	now := t.view.Now()
	if slo := e.job.Job.SLO; slo != nil && slo.Utility > 0 && known {
		factor, until := need.urgency(slo.Deadline, now)
		rank /= factor
		due = min(due, until)
	}
	if t.config.Worth != nil {
		worth, until := t.config.Worth(e.job.Job, now)
		if valid(worth) {
			e.worth = worth
		}
		due = min(due, max(until, now+1))
	}
	e.rank = max(rank/e.worth, minRank)
	key := math.Log(e.rank) + e.number/t.overtaking
	if t.config.MaxWait > 0 && e.waits != policy.Never && !e.has {
		if at := e.waits.Add(t.config.MaxWait); now < at {
			due = min(due, at)
		} else {
			key, known = math.Inf(-1), true // goes first
		}
	}
	return key, known, due
}
