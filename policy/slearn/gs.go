package slearn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// Scheduler is SLearn, or its generic scheduler GS over another forecast: shortest job first by an estimate of each job's
// work, in queues that share the cluster, so that long jobs are served too. [Turn] is the part of it that orders jobs. A job
// is in queue 0 if its work is below First, and else in the queue i with First·Growth^(i-1) ≤ work < First·Growth^i, in
// core-seconds. job.go (home) chooses the queue of a job, queue.Sharing of package queue chooses the next queue, and
// charge.go charges the queues.
//
// A queue is first in, first out: when a job is estimated, it joins the tail of its queue. It keeps that place as
// long as it belongs there, even if nothing of it waits for a while. The first job with waiting tasks may start all
// of them before the next one gets a core. The next free core goes to the queue with something to start that has had
// the least service divided by its weight. Tasks are not preempted.
//
// By service, a queue is charged for a task when the task ends, with the core-seconds that it ran. Until then it
// holds what is expected of the task: the estimated mean runtime of its job or, without an estimate, that of all
// tasks so far. When a job moves to another queue, what its running tasks hold moves along. Tasks that only ran
// because cores were idle (see TurnConfig.NoWorkConservation) are charged to no queue until their job is estimated.
//
// The pilots of a job, if it has any, are those of its tasks that are started first.
//
// Step takes time logarithmic in the number of queues, for each event and each action. If a job begins or stops
// waiting or, by attained service, crosses a threshold, it is also logarithmic in the number of jobs. It allocates
// only when a job comes, is Ready or ends, and while tables grow.
//
// In a restart, running and finished tasks count as the pilots of their job as far as it needs any. What the Forecast
// has learnt and the queues' shares are kept by Save and Load.
//
// # Starvation
//
// How long a queue with something to start may wait depends on what the queues share, which [TurnConfig] says in
// Sharing: core-seconds (by service) or cores in use (by use, by next use). Let w be its weight, w_j that of another
// queue, and M the cores of the cluster, all in use.
//
// By service, no queue waits from one Start to the next for longer than
//
//	(h/M) · (sum of w_j/w) + (B/M + 1) · D
//
// seconds. Here h is what its tasks that run just after the first of the two Starts hold, in core-seconds. B is the
// number of the other queues that have something to start meanwhile, over which the sum goes, and D is the longest
// runtime of their tasks. So a queue that has had nothing waits for about D; a queue that had all cores while there
// was nothing else waits until the others have had as much by their weights. With the defaults, the sum is 1.1·10^9 for
// the lowest queue, if all others always have something to start, and 110 for the third one.
//
// The bound assumes that estimates are right. If they are not, it grows, but only by these amounts:
//
//   - Tasks of this queue take more than was held: put what they really take in h.
//   - Tasks of another queue take more than was held: add D once more.
//   - A task of another queue takes less than was held: add the difference times the sum of w_j/w_k, with w_k the least
//     weight among the other queues.
//
// By use, the first core of a queue goes before the second one of any other, whatever the weights: it waits for at
// most as many Starts as there are other queues. By next use, a queue may wait forever for queues that always have
// something to start, if M - 1 is less than the sum of their w_j/w - 1.
//
// A queue is first in, first out, so its jobs also wait for those before them. With tasks of several cores, the cores
// that they leave free are not in use.
//
// # Source
//
// SLearn, section 5.1.1.
type Scheduler struct {
	*central.Scheduler
	queues *Turn
}

// Config describes a [Scheduler]. The zero Config is SLearn, with the parameters of its section 5.2.
type Config struct {
	// Forecast estimates the work of jobs: [NewForecast] of an [Estimator], or one of package forecast. Jobs that it
	// does not know go by attained service, and sink from queue to queue as they get more. Nil: a [Sampling], which is
	// SLearn's.
	Forecast central.Forecast
	Seed     uint64 // of the pilots, if Forecast is nil

	TurnConfig
}

// NewScheduler returns the whole policy. It returns an error that names the field that is out of range.
func NewScheduler(c Config) (*Scheduler, error) {
	if c.Forecast == nil {
		sampling, err := NewSampling(SamplingConfig{Src: rand.NewPCG(c.Seed, 0x70696c6f7473)})
		if err != nil {
			return nil, err
		}
		c.Forecast = NewForecast(sampling)
	}
	q, err := NewTurn(c.TurnConfig)
	if err != nil {
		return nil, err
	}
	s, err := central.New(central.Config{Forecast: c.Forecast, Turn: q})
	return &Scheduler{s, q}, err
}

// Turn is that of a [Scheduler]: jobs are in queues by their work, and the queues share the cluster.
type Turn struct {
	view    *central.View
	work    func(j *central.Job) (work float64, ok bool)
	sampler central.Sampler // the Forecast, if it is one
	config  TurnConfig
	jobs    policy.Table[policy.JobID, job]
	levels  queue.Levels        // where the queues lie
	queues  []*queue.Heap[*job] // the jobs with something to start by right
	joins   uint64              // of jobs to queues so far
	sharing *queue.Sharing[int] // the queues
	members []queue.Handle      // of the queues, in sharing
	last    int                 // the lowest queue; after it may come that of the pilots
	pilots  int                 // the queue of the pilots
	cores   []int64             // charged for, by queue

	spare     *queue.Heap[*job] // those with something that may start if cores are idle
	crossings *queue.Heap[*job] // by attained service: by when they reach a threshold
	runtimes  estimate.Moments  // of all tasks so far, s
}

// TurnConfig describes [Turn]. The defaults are those of SLearn, section 5.2.
type TurnConfig struct {
	// Queues sets the thresholds of the queues in core-seconds of a job's work. Queue 0 is the highest. By default
	// there are ten; the first ends at 1,000 core-seconds (First 0) and each other at ten times more
	// than the one before.
	Queues queue.MultilevelConfig

	// Decay is the weight of a queue divided by that of the next lower one, ≥ 1 and finite; 0 means 10. The weight of
	// the lowest queue must be at least 1e-100, where that of the highest is 1.
	Decay float64

	// Sharing says what the queues share by these weights, which decides which of them may starve: see [Scheduler].
	// queue.ByService, the default, shares core-seconds; queue.ByUse and queue.ByNextUse share the cores in use.
	Sharing queue.ShareRule

	// PilotQueue gives the pilots their own queue, with the weight of the second highest, so that they do not wait for
	// the tasks of that queue's jobs. Default false: they wait in the second highest queue.
	PilotQueue bool

	// NoWorkConservation keeps the other tasks of a sampled job from starting until its work is known, even if cores
	// are idle. Default false: they start on cores that nobody else wants, in the order of submission.
	NoWorkConservation bool
}

// NewTurn returns the turn of a [Scheduler]. It needs a Forecast. It returns an error that names the field that is out of
// range.
func NewTurn(c TurnConfig) (*Turn, error) {
	c.Decay = cmp.Or(c.Decay, 10)
	c.Queues.Levels, c.Queues.First = cmp.Or(c.Queues.Levels, 10), cmp.Or(c.Queues.First, 1000)
	if !(c.Decay >= 1) || math.IsInf(c.Decay, 1) {
		return nil, fmt.Errorf("slearn: TurnConfig.Decay is %v, want a finite number of at least 1, or 0 for 10", c.Decay)
	}
	most := 64
	if c.PilotQueue {
		most-- // for the queue of the pilots
	}
	if c.Queues.Levels < 1 || c.Queues.Levels > most {
		return nil, fmt.Errorf("slearn: TurnConfig.Queues.Levels is %d, want 1 to %d, or 0 for 10", c.Queues.Levels, most)
	}
	g := &Turn{
		config: c, last: c.Queues.Levels - 1, pilots: min(1, c.Queues.Levels-1),
		spare: queue.NewHeap(func(a, b *job) int { return central.BySubmission(a.Job, b.Job) }),
		crossings: queue.NewHeap(func(a, b *job) int {
			return cmp.Or(cmp.Compare(a.reaches, b.reaches), cmp.Compare(a.Job.Job.ID, b.Job.Job.ID))
		}),
	}
	if c.PilotQueue {
		g.pilots = c.Queues.Levels
		c.Queues.Levels++
	}
	var err error
	if g.levels, err = queue.NewLevels(c.Queues); err != nil {
		return nil, fmt.Errorf("slearn: TurnConfig.Queues: %w", err)
	}
	if g.sharing, err = queue.NewSharing[int](c.Sharing); err != nil {
		return nil, fmt.Errorf("slearn: TurnConfig.Sharing: %w", err)
	}
	g.cores = make([]int64, c.Queues.Levels)
	for i := range c.Queues.Levels {
		g.queues = append(g.queues, queue.NewHeap(func(a, b *job) int { return cmp.Compare(a.joined, b.joined) }))
		member, err := g.sharing.Add(i, g.weight(i))
		if err != nil {
			return nil, fmt.Errorf("slearn: TurnConfig.Decay is %v, and queue %d weighs too little: %w", c.Decay, i, err)
		}
		g.members = append(g.members, member)
	}
	return g, nil
}

// rank returns which of the queues a queue is as high as.
func (g *Turn) rank(i int) int {
	if i > g.last {
		return min(1, g.last)
	}
	return i
}

// weight returns the weight of a queue, 1 for the highest.
func (g *Turn) weight(i int) float64 {
	weight := 1.0
	for range g.rank(i) {
		weight /= g.config.Decay
	}
	return weight
}

// Bind implements [central.Turn].
func (g *Turn) Bind(b central.Books) error {
	if b.Forecast == nil {
		return errors.New("slearn: Queues without a Forecast; set central.Config.Forecast")
	}
	if err := b.Enter(&g.view); err != nil {
		return err
	}
	b.View.Serves = true
	g.work = b.Work
	g.sampler, _ = b.Forecast.(central.Sampler)
	return nil
}

// Next implements [central.Turn].
func (g *Turn) Next() *central.Job {
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

// Compare orders jobs by queue, and within a queue. Jobs whose pilots all run or have run, and whose work is not
// known yet, go after the others. It says nothing of how the queues share the cluster.
func (g *Turn) Compare(a, b *central.Job) int {
	x, y := g.jobs.Get(a.Job.ID), g.jobs.Get(b.Job.ID)
	sampled := func(o *job) int {
		if o.when == Later && !o.sampled.Wait {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(sampled(x), sampled(y)), cmp.Compare(g.rank(g.home(x)), g.rank(g.home(y))),
		cmp.Compare(x.joined-1, y.joined-1), // those that have not joined, 0, after those that have
		central.BySubmission(a, b))
}
