package baseline

import (
	"cmp"
	"fmt"

	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// Shortest serves the job with the least remaining work first, by the scheduler's Forecast: mean runtime times cores,
// over its unfinished tasks. Ties go to the earlier submission, then to the smaller ID. With the truth as Forecast it is
// [SRPT], except for gangs and for tasks that differ within a stage.
//
// A job that the Forecast does not know goes by its attained service, so a new one goes first, and one that turns out to
// be long goes back. But unknown jobs go first one at a time: while one of them has cores, and then until a known job
// has got some, all known jobs go before them. They still get the cores that no known job wants.
//
// A step takes time logarithmic in the number of waiting jobs, and that of [central.Books.Left].
func Shortest() central.Order {
	return &shortest{ordered: inOrder(byKey), unknown: queue.NewHeap(byKey)}
}

type shortest struct {
	*ordered
	left      func(j *central.Job) (work float64, ok bool)
	unknown   *queue.Heap[*entry] // those that wait and are not known; waiting has the others
	exploring int                 // unknown jobs that have cores
	explored  bool                // one of them has got its first since a known job got some
	moved     bool                // a job has another place than it was claimed for
}

func (p *shortest) Bind(b central.Books) error {
	if b.Forecast == nil {
		return fmt.Errorf("baseline: Shortest without a Forecast; set central.Config.Forecast")
	}
	b.View.Serves, p.left = true, b.Left
	return p.ordered.Bind(b)
}

// queue returns the queue in which a job waits.
func (p *shortest) queue(e *entry) *queue.Heap[*entry] {
	if e.served {
		return p.unknown
	}
	return p.waiting
}

// held reports whether unknown jobs go after all known ones.
func (p *shortest) held() bool { return p.exploring > 0 || p.explored }

func (p *shortest) Update(j *central.Job, u central.Usage) {
	e, held := p.jobs.Get(j.Job.ID), p.held()
	if e.served && e.cores > 0 {
		p.exploring--
	}
	left, ok := p.left(j)
	if !ok {
		left = p.view.Service(j)
	}
	if e.served == ok || !u.Wants {
		p.queue(e).Remove(e.handle)
		e.handle = queue.Handle{}
	}
	switch {
	case !ok && u.Cores > 0:
		p.exploring++
		p.explored = p.explored || !e.served || e.cores == 0
	case ok && u.Cores > e.cores:
		p.explored = false
	}
	e.served, e.cores, e.key = !ok, u.Cores, left
	if u.Wants && !p.queue(e).Fix(e.handle) {
		e.handle = p.queue(e).Push(e)
	}
	p.moved = p.moved || held != p.held() && p.waiting.Len() > 0 && p.unknown.Len() > 0
}

// Next implements [central.Turn]. Running jobs have attained more service since their last Update, so the first unknown
// one may have changed.
func (p *shortest) Next() *central.Job {
	u, waits := p.unknown.Peek()
	for ; waits && p.view.Service(u.job) != u.key; u, waits = p.unknown.Peek() {
		u.key = p.view.Service(u.job)
		p.unknown.Fix(u.handle)
		p.moved = true
	}
	e, ok := p.waiting.Peek()
	switch {
	case waits && (!ok || p.compare(u, e) < 0):
		return u.job
	case ok:
		return e.job
	}
	return nil
}

// compare orders two jobs.
func (p *shortest) compare(a, b *entry) int {
	switch {
	case a.served == b.served || !p.held():
		return byKey(a, b)
	case a.served:
		return +1
	}
	return -1
}

func (p *shortest) Compare(a, b *central.Job) int {
	return p.compare(p.jobs.Get(a.Job.ID), p.jobs.Get(b.Job.ID))
}

func (p *shortest) Reordered() bool {
	moved := p.moved
	p.moved = false
	return moved
}

// byKey orders by key, then by submission.
func byKey(a, b *entry) int {
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c
	}
	return arrival(a, b)
}
