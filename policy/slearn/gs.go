package slearn

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

// GS is the generic scheduler: shortest job first by an estimate of each job's work, in
// queues that share the cluster, so that the long ones are served too. Its turn is [Queues]. Which
// queue a job joins is in job.go (home), and what queues are charged for is in charge.go.
//
// A queue is first in, first out: when it is estimated, a job comes to the tail of its queue,
// and keeps that place as long as it belongs there, also if nothing of it waits for a while. The
// first job of which something waits may start all its tasks before the next one gets a core.
// The next free core goes to the queue, of those with something to start, that has had the least
// service by its weight. Tasks are not preempted.
//
// By service, a queue is charged for a task when it ends, with the core-seconds that it ran.
// Until then it holds what is expected of it: the mean runtime that its job is estimated
// at, or, if there is no estimate, that of all tasks so far. When a job moves to another queue,
// what its running tasks hold moves along. Tasks that only ran because cores were idle (see
// QueuesConfig.HoldBack) are charged to no queue until their job is estimated.
//
// The tasks of a job that are started first are its pilots, if it is to have any.
//
// Step takes time logarithmic in the number of queues, for each event and each action, and
// logarithmic in the number of jobs where one begins or ceases to wait or, by attained
// service, crosses a threshold. It allocates only when a job comes, is Ready or ends, and while
// tables grow.
//
// In a restart, tasks that run or are finished are taken for the pilots of their job as far
// as it needs any. What the Forecast has learnt is lost, and so are the queues' shares.
//
// # Starvation
//
// How long a queue may have something to start and not start it depends on what is shared.
// Let w be its weight, w_j that of another queue, and M the cores of the cluster, all in use.
//
// By service, no queue waits from one Start to the next for longer than
//
//	(h/M) · (sum of w_j/w) + (Q/M + 1) · D
//
// seconds, where h is what its tasks hold, in core-seconds, that run just after the first of the
// two, Q is the number of the other queues that have something to start meanwhile, over which
// the sum goes, and D the longest runtime of their tasks. So a queue that has had nothing waits
// for D or so; one that had all cores while there was nothing else waits until the others have
// had as much by their weights. Wrong estimates do no lasting harm: count in h what its tasks
// turn out to take, if that is more, and as much again as D if tasks of the others do; and add
// what one of theirs was expected to take in excess of the truth, times the sum of w_j/w_k, where
// w_k is the least of their weights. With the defaults, the sum is 1.1·10^9 for the lowest queue
// of all, if all others always have something to start, and 110 for the third one.
//
// By use, the first core of a queue goes before the second one of any other, whatever the
// weights: it waits for as many Starts as there are other queues at most. By next use, a queue
// waits for ever for those that always have something to start if M - 1 is less than the sum
// of their w_j/w - 1.
//
// A queue is first in, first out, so its jobs wait for those before them too. Add for tasks
// of several cores that the cores which they leave free are not in use.
//
// # Source
//
// SLearn, section 5.1.1.
type GS struct {
	*central.Scheduler
	queues *Queues
}

// GSConfig describes a [GS]. Forecast is required; the defaults are those of SLearn, section
// 5.2.
type GSConfig struct {
	// Forecast says how much work a job is: [NewForecast] of an [Estimator], or one of package forecast. Jobs of
	// which it knows nothing go by the service that they have attained, and sink from queue to queue as they get
	// more.
	Forecast central.Forecast

	QueuesConfig
}

// NewGS returns a scheduler. The error names the field that is outside its range.
func NewGS(c GSConfig) (*GS, error) {
	if c.Forecast == nil {
		return nil, errors.New("slearn: GSConfig.Forecast is nil, want one that says how much work a job is")
	}
	q, err := NewQueues(c.QueuesConfig)
	if err != nil {
		return nil, err
	}
	s, err := central.New(central.Config{Forecast: c.Forecast, Turn: q})
	return &GS{s, q}, err
}

// Queues is the turn of [GS]: jobs in queues by their work, and the queues share the cluster.
type Queues struct {
	view     *central.View
	forecast central.Forecast
	sampler  central.Sampler // the same, if it is one
	config   QueuesConfig
	jobs     policy.Table[policy.JobID, job]
	levels   *queue.Multilevel[struct{}] // where the queues lie; it stays empty
	queues   []*queue.Heap[*job]         // the jobs with something to start by right
	joins    uint64                      // of jobs to queues so far
	sharing  *queue.Sharing[int]         // the queues
	members  []queue.Handle              // of the queues, in sharing
	last     int                         // the lowest queue; after it may come that of the pilots
	pilots   int                         // the queue of the pilots
	cores    []int64                     // charged for, by queue

	spare     *queue.Heap[*job] // those with something that may start if cores are idle
	crossings *queue.Heap[*job] // by attained service: by when they reach a threshold
	runtimes  estimate.Moments  // of all tasks so far, s
}

// QueuesConfig describes [Queues]. The defaults are those of SLearn, section 5.2.
type QueuesConfig struct {
	// Queues says how the queues lie on the scale of a job's work, in core-seconds. Queue 0
	// is the highest. By default there are ten, of which the first ends at 1,000 core-seconds
	// (10^6 ms; First may be 0) and each other at ten times more than the one before.
	Queues queue.MultilevelConfig

	// Decay is the ratio of the weights of neighbouring queues, the higher one's over the
	// lower one's, ≥ 1 and finite; 0 means 10. The weight of the lowest queue may not
	// underflow.
	Decay float64

	// Sharing says what the queues share by these weights, and so which of them may starve: see
	// GS. queue.ByService, the default, shares core-seconds; queue.ByUse and queue.ByNextUse
	// share the cores in use.
	Sharing queue.ShareRule

	// Apart gives the pilots a queue of their own, of the weight of the second highest, so that
	// they do not wait for the tasks of jobs whose work is between its thresholds. Default false:
	// they wait in that queue, beside these.
	Apart bool

	// HoldBack keeps the other tasks of a job that is sampled until its work is known, even if
	// cores are idle. Default false: they start on cores that nobody else wants, in the order of
	// submission.
	HoldBack bool
}

// NewQueues returns the turn of a [GS]. It wants a Forecast. The error names the field that is outside its range.
func NewQueues(c QueuesConfig) (*Queues, error) {
	c.Decay = cmp.Or(c.Decay, 10)
	c.Queues.Levels, c.Queues.First = cmp.Or(c.Queues.Levels, 10), cmp.Or(c.Queues.First, 1000)
	if !(c.Decay >= 1) || math.IsInf(c.Decay, 1) {
		return nil, fmt.Errorf("slearn: QueuesConfig.Decay is %v, want a finite number of at least 1, or 0 for 10", c.Decay)
	}
	most := 64
	if c.Apart {
		most-- // for the queue of the pilots
	}
	if c.Queues.Levels < 1 || c.Queues.Levels > most {
		return nil, fmt.Errorf("slearn: QueuesConfig.Queues.Levels is %d, want 1 to %d, or 0 for 10", c.Queues.Levels, most)
	}
	g := &Queues{
		config: c, last: c.Queues.Levels - 1, pilots: min(1, c.Queues.Levels-1),
		spare: queue.NewHeap(func(a, b *job) int { return central.BySubmission(a.Job, b.Job) }),
		crossings: queue.NewHeap(func(a, b *job) int {
			return cmp.Or(cmp.Compare(a.reaches, b.reaches), cmp.Compare(a.Job.Job.ID, b.Job.Job.ID))
		}),
	}
	if c.Apart {
		g.pilots = c.Queues.Levels
		c.Queues.Levels++
	}
	var err error
	if g.levels, err = queue.NewMultilevel[struct{}](c.Queues); err != nil {
		return nil, fmt.Errorf("slearn: QueuesConfig.Queues: %w", err)
	}
	if g.sharing, err = queue.NewSharing[int](c.Sharing); err != nil {
		return nil, fmt.Errorf("slearn: QueuesConfig.Sharing: %w", err)
	}
	g.cores = make([]int64, c.Queues.Levels)
	for i := range c.Queues.Levels {
		g.queues = append(g.queues, queue.NewHeap(func(a, b *job) int { return cmp.Compare(a.joined, b.joined) }))
		member, err := g.sharing.Add(i, g.weight(i))
		if err != nil {
			return nil, fmt.Errorf("slearn: QueuesConfig.Decay is %v, and the weight of queue %d underflows: %w", c.Decay, i, err)
		}
		g.members = append(g.members, member)
	}
	return g, nil
}

// rank returns which of the queues a queue is as high as.
func (g *Queues) rank(i int) int {
	if i > g.last {
		return min(1, g.last)
	}
	return i
}

// weight returns the weight of a queue, 1 for the highest.
func (g *Queues) weight(i int) float64 {
	weight := 1.0
	for range g.rank(i) {
		weight /= g.config.Decay
	}
	return weight
}

// Bind implements [central.Turn].
func (g *Queues) Bind(b central.Books) error {
	if b.Forecast == nil {
		return errors.New("slearn: Queues without a Forecast, want one that says how much work a job is")
	}
	g.view, g.forecast = b.View, b.Forecast
	g.view.Serves = true
	g.sampler, _ = b.Forecast.(central.Sampler)
	return nil
}

// Next implements [central.Turn].
func (g *Queues) Next() *central.Job {
	var o *job
	if i, ok := g.sharing.Next(); ok {
		o, _ = g.queues[i].Peek()
	} else {
		o, _ = g.spare.Peek()
	}
	if o == nil {
		return nil
	}
	return o.Job
}
