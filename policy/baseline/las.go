package baseline

import (
	"cmp"
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// LAS serves the job that has received the least service so far, in core-seconds of its
// copies that ended or still run: nothing need be known of a job, and short ones go first.
// Jobs whose service is between the same two thresholds are in one level, and served in the
// order in which they joined it; a job joins the tail of its level when a threshold is
// reached, and when something of it waits anew. A lower level goes first. Tasks are not
// preempted.
//
// While the next task of the first job finds no room, the others wait with it. If its Start
// was refused, it goes back to the head of its level and tries again alone, until it gets one
// through, so that none of its level starves because it is wide.
//
// Service is counted as the centre hears of it: from Started to the end of a copy.
//
// Step takes time logarithmic in the number of jobs that wait, for each event, each action
// and each threshold that a job reaches.
//
// # Source
//
// I. Rai, G. Urvoy-Keller and E. Biersack, "Analysis of LAS scheduling for job size
// distributions with high variance", SIGMETRICS 2003. Levels and their defaults: A. Jajoo,
// Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for cluster job
// scheduling", NSDI 2022 (extended version), sections 5.1 and 5.2.
type LAS struct {
	view      policy.View[served]
	now       policy.Time                    // of the last event
	waiting   *queue.Multilevel[*servedView] // the jobs with something to start
	crossings *queue.Heap[*servedView]       // those of them that run, by when they reach a threshold
}

// served is what LAS keeps of a job.
type served struct {
	service  float64     // core-seconds, at the instant since
	rate     int64       // cores that run
	since    policy.Time // never before what service counts
	reaches  policy.Time // when, if it goes on, it reaches the end of its level, or just before
	refused  bool        // the host found no room for its last Start
	handle   queue.Handle
	crossing queue.Handle
}

type servedView = policy.JobView[served]

// NewLAS returns a LAS policy whose levels lie so on the scale of attained service, in
// core-seconds. The first may be 0, and then ends at 1,000 core-seconds; by default there are
// ten, and each ends at ten times more than the one before. The error names the field that is
// outside its range.
func NewLAS(levels queue.MultilevelConfig) (*LAS, error) {
	levels.First = cmp.Or(levels.First, 1000)
	waiting, err := queue.NewMultilevel[*servedView](levels)
	if err != nil {
		return nil, fmt.Errorf("baseline: levels of LAS: %w", err)
	}
	return &LAS{waiting: waiting, crossings: queue.NewHeap(func(a, b *servedView) int {
		return cmp.Or(cmp.Compare(a.Own.reaches, b.Own.reaches), cmp.Compare(a.Job.ID, b.Job.ID))
	})}, nil
}

// Step implements [policy.Scheduler].
func (p *LAS) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	j, err := p.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	p.now = ev.Time
	for first, ok := p.crossings.Peek(); ok && first.Own.reaches <= p.now; first, ok = p.crossings.Peek() {
		p.place(first)
	}
	if j != nil {
		p.note(j, ev)
	}
	if !p.view.Decide(ev) {
		return actions, nil
	}
	for {
		j, ok := p.waiting.Peek()
		if !ok || !p.view.Fits(j) {
			return actions, nil
		}
		actions = append(actions, p.view.Start(j, 0))
		p.place(j)
		if j.Own.refused {
			return actions, nil // it tries alone, as in inOrder
		}
	}
}

// note takes note of an event about a job.
func (p *LAS) note(j *servedView, ev *policy.Event) {
	o := &j.Own
	o.service, o.since = p.service(o), p.now
	width := int64(0)
	if ev.Kind >= policy.Started && ev.Kind <= policy.Lost { // about a copy
		width = j.Job.Stages[ev.Copy.Stage].Width()
	}
	switch {
	case ev.Kind == policy.Started:
		o.rate += width
		o.refused = false
	case ev.Kind == policy.Refused:
		o.refused = true
	case ev.Kind == policy.Resumed:
		o.rate += width
	case ev.Kind == policy.Suspended && !ev.Idle, ev.Kind.End() && !ev.Idle && !ev.Replay:
		o.rate -= width
	}
	if ev.Replay && (ev.Kind == policy.Started || ev.Kind.End()) {
		o.service += float64(float64(width) * ev.Service.Seconds())
	}
	p.place(j)
}

// place brings the place of a job in the queues up to date.
func (p *LAS) place(j *servedView) {
	o := &j.Own
	if j.Waiting == 0 {
		p.waiting.Remove(o.handle)
		p.crossings.Remove(o.crossing)
		return
	}
	service := p.service(o)
	if !p.waiting.Move(o.handle, service) {
		push := p.waiting.Push
		if o.refused {
			push = p.waiting.PushFront
		}
		o.handle, _ = push(j, service)
	}
	_, level, _ := p.waiting.Get(o.handle)
	o.reaches = p.reaches(service, o.rate, p.waiting.End(level))
	switch {
	case o.reaches == never:
		p.crossings.Remove(o.crossing)
	case !p.crossings.Fix(o.crossing):
		o.crossing = p.crossings.Push(j)
	}
}

// reaches returns when a job that has attained some service so far reaches an end of a
// level, or a little before; never if that is not in sight.
func (p *LAS) reaches(service float64, rate int64, end float64) policy.Time {
	if rate <= 0 {
		return never
	}
	left := math.Floor((end - service) / float64(rate) * 1e9)
	if !(left < float64(never/2)) {
		return never
	}
	return after(p.now, policy.Duration(max(1, left)))
}

// service returns the service that a job has attained by now.
func (p *LAS) service(o *served) float64 {
	return o.service + float64(float64(o.rate)*p.now.Sub(o.since).Seconds())
}

// Compare returns a negative number if job a is on a higher level than job b, and a positive number
// if it is on a lower one; on one level, if it was submitted before or after. A job that is not there goes last.
func (p *LAS) Compare(a, b policy.JobID) int {
	level := func(j *servedView) int {
		l, _ := p.waiting.Level(p.service(&j.Own))
		return l
	}
	return p.view.Compare(a, b, func(a, b *servedView) int {
		return cmp.Or(cmp.Compare(level(a), level(b)), submission(a.Job, b.Job))
	})
}
