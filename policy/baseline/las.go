package baseline

import (
	"cmp"
	"fmt"
	"math"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// LAS serves the job with the least attained service first, in core-seconds of its copies that have ended or still
// run: nothing need be known of a job, and short ones go first. Jobs with service between the same two thresholds are
// in one level, and go in the order in which they joined it. A job joins the tail of its level when it reaches a
// threshold, and when something of it waits anew. A lower level goes first. Tasks are not preempted.
//
// A job that was refused room goes back to the head of its level, so that no job starves there because it is wide.
//
// Service counts from Started to the end of a copy, as the centre hears of them. A threshold that is reached between
// two events counts with the second: LAS sets no alarm.
//
// A step takes time logarithmic in the number of waiting jobs, for each event, each action and each threshold that a
// job reaches.
//
// levels sets the thresholds of attained service, in core-seconds. The first may be 0, and then ends at 1,000
// core-seconds; by default there are ten, and each ends at ten times more than the one before. LAS returns an error
// that names the field that is out of range.
//
// # Source
//
// I. Rai, G. Urvoy-Keller and E. Biersack, "Analysis of LAS scheduling for job size
// distributions with high variance", SIGMETRICS 2003. Levels and their defaults: A. Jajoo,
// Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for cluster job
// scheduling", NSDI 2022 (extended version), sections 5.1 and 5.2.
func LAS(levels queue.MultilevelConfig) (central.Order, error) {
	levels.First = cmp.Or(levels.First, 1000)
	waiting, err := queue.NewMultilevel[*served](levels)
	if err != nil {
		return nil, fmt.Errorf("baseline: levels of LAS: %w", err)
	}
	return &las{waiting: waiting, crossings: queue.NewHeap(func(a, b *served) int {
		return cmp.Or(cmp.Compare(a.reaches, b.reaches), cmp.Compare(a.job.Job.ID, b.job.Job.ID))
	})}, nil
}

// NewLAS returns the policy whose turn is [LAS]. The zero MultilevelConfig means ten levels. The first of them ends at
// 1,000 core-seconds.
func NewLAS(levels queue.MultilevelConfig) (*central.Scheduler, error) {
	t, err := LAS(levels)
	if err != nil {
		return nil, err
	}
	return of(t), nil
}

type las struct {
	view      *central.View
	jobs      policy.Table[policy.JobID, served]
	waiting   *queue.Multilevel[*served] // the jobs with something to start
	crossings *queue.Heap[*served]       // those of them that run, by when they reach a threshold
	reordered bool
}

// served is what LAS keeps of a job.
type served struct {
	job      *central.Job
	wants    bool
	reaches  policy.Time // when, if it goes on, it reaches the end of its level, or just before
	handle   queue.Handle
	crossing queue.Handle
}

func (p *las) Bind(b central.Books) error {
	b.View.Serves = true
	return b.Enter(&p.view)
}

func (p *las) Note(ev *policy.Event, j *central.Job) error {
	for first, ok := p.crossings.Peek(); ok && first.reaches <= ev.Time; first, ok = p.crossings.Peek() {
		p.place(first)
		p.reordered = true
	}
	switch ev.Kind {
	case policy.Submitted:
		p.jobs.Put(j.Job.ID, &served{job: j})
	case policy.Ended:
		p.jobs.Delete(j.Job.ID)
	}
	return nil
}

func (p *las) Update(j *central.Job, u central.Usage) {
	o := p.jobs.Get(j.Job.ID)
	o.wants = u.Wants
	p.place(o)
}

// place brings the place of a job in the queues up to date.
func (p *las) place(o *served) {
	if !o.wants {
		p.waiting.Remove(o.handle)
		p.crossings.Remove(o.crossing)
		return
	}
	service := p.view.Service(o.job)
	switch {
	case p.waiting.Move(o.handle, service):
	case o.job.Refused:
		o.handle, _ = p.waiting.PushFront(o, service)
	default:
		o.handle, _ = p.waiting.Push(o, service)
	}
	level, _, _ := p.waiting.Place(o.handle)
	o.reaches = p.reaches(service, o.job.Rate(), p.waiting.Threshold(level))
	switch {
	case o.reaches == never:
		p.crossings.Remove(o.crossing)
	case !p.crossings.Fix(o.crossing):
		o.crossing = p.crossings.Push(o)
	}
}

// reaches returns when a job that has attained some service so far reaches an end of a
// level, or a little before; never if that is not in sight.
func (p *las) reaches(service, rate, end float64) policy.Time {
	if rate <= 0 {
		return never
	}
	left := math.Floor((end - service) / rate * 1e9)
	if !(left < float64(never/2)) {
		return never
	}
	return after(p.view.Now(), saturate.To[policy.Duration](max(1, left)))
}

func (p *las) Next() *central.Job {
	if o, ok := p.waiting.Peek(); ok {
		return o.job
	}
	return nil
}

// Compare implements [central.Order]: by level, and on one level in the order in which they joined it. Jobs of
// which nothing waits go after those, by submission, since they would join the tail.
func (p *las) Compare(a, b *central.Job) int {
	k, i := p.turn(a)
	l, j := p.turn(b)
	return cmp.Or(cmp.Compare(k, l), cmp.Compare(i, j), central.BySubmission(a, b))
}

// turn returns the level of a job, and its turn there.
func (p *las) turn(j *central.Job) (level int, turn int64) {
	level, turn, ok := p.waiting.Place(p.jobs.Get(j.Job.ID).handle)
	if ok {
		return level, turn
	}
	level, _ = p.waiting.Level(p.view.Service(j))
	return level, math.MaxInt64
}

func (p *las) Reordered() bool {
	before := p.reordered
	p.reordered = false
	return before
}
