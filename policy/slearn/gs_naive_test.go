package slearn

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// naive is what the definition of GS goes by, written down in full.
type naive struct {
	config Config
	plan   plans
	jobs   map[policy.JobID]*naiveJob
	free   int64
	nodes  map[policy.NodeID]policy.Node
	joins  int
	by     [4]int       // starts: by right of jobs known Now, Later, Never; of idle cores
	shares *naiveShares // nil: shared by use
}

func newNaive(c Config, plan plans) *naive {
	return &naive{config: c, plan: plan, jobs: map[policy.JobID]*naiveJob{}, nodes: map[policy.NodeID]policy.Node{}}
}

type naiveJob struct {
	job     *policy.Job
	plan    Plan
	when    When
	work    float64
	waiting map[policy.Task]bool
	runs    map[policy.Copy]*naiveRun
	pilots  map[policy.Task]bool
	times   []float64
	queue   int // where it waits by right, -1 if it does not
	home    int // where it belongs
	joined  int
}

type naiveRun struct {
	started, ended bool
	since          policy.Time
	service        float64
}

func (n *naive) level(key float64) (level int) {
	end := n.config.Queues.First
	for ; level < n.config.Queues.Levels-1 && key >= end; level++ {
		end *= n.config.Queues.Growth
	}
	return level
}

func (j *naiveJob) width(c policy.Copy) int64 { return j.job.Stages[c.Stage].Width() }

func (j *naiveJob) service(now policy.Time) (sum float64) {
	for c, r := range j.runs {
		if r.started && !r.ended {
			r.service = now.Sub(r.since).Seconds()
		}
		sum += r.service * float64(j.width(c))
	}
	return sum
}

func (n *naive) home(j *naiveJob, now policy.Time) int {
	switch {
	case j.when == Later && n.config.PilotQueue:
		return n.config.Queues.Levels
	case j.when == Later:
		return 1
	case j.when == Never:
		return n.level(j.service(now) + 1e-6)
	case j.plan.Bypass:
		return 0
	}
	return n.level(j.work)
}

func (j *naiveJob) byRight() bool {
	if j.when != Later {
		return len(j.waiting) > 0
	}
	for t := range j.pilots {
		if j.waiting[t] {
			return true
		}
	}
	return len(j.pilots) < j.plan.Pilots && len(j.waiting) > 0
}

// cores returns what a job's queue is charged for.
func (j *naiveJob) cores() (cores int64) {
	for c, r := range j.runs {
		if !r.ended && (j.when != Later || j.pilots[c.Task]) {
			cores += j.width(c)
		}
	}
	return cores
}

func (n *naive) queueUp(now policy.Time) {
	for id := policy.JobID(1); int(id) <= 1000; id++ {
		j := n.jobs[id]
		if j == nil {
			continue
		}
		home := n.home(j, now)
		if home != j.home || j.joined == 0 {
			n.joins++
			j.home, j.joined = home, n.joins
		}
		j.queue = -1
		if j.byRight() {
			j.queue = home
		}
	}
}

func (n *naive) observe(ev *policy.Event) {
	id := ev.Copy.Job
	j := n.jobs[id]
	switch {
	case ev.Kind == policy.Joined:
		n.nodes[ev.Node] = *ev.Info
		n.free += int64(ev.Info.Cores)
	case ev.Kind == policy.Left:
		n.free -= int64(n.nodes[ev.Node].Cores)
	case ev.Kind == policy.Submitted:
		plan := n.plan(ev.Job)
		n.jobs[id] = &naiveJob{
			job: ev.Job, plan: plan, when: plan.When, work: plan.Work, queue: -1,
			waiting: map[policy.Task]bool{}, runs: map[policy.Copy]*naiveRun{}, pilots: map[policy.Task]bool{},
		}
	case ev.Kind == policy.Ready:
		for i := range j.job.Stages[ev.Copy.Stage].Units() {
			j.waiting[policy.Task{Job: id, Stage: ev.Copy.Stage, Index: i}] = true
		}
	case ev.Kind == policy.Started:
		*j.runs[ev.Copy] = naiveRun{started: true, since: ev.Time}
	case ev.Kind == policy.Refused:
		delete(j.runs, ev.Copy)
		n.free += j.width(ev.Copy)
	case ev.Kind.End():
		service := ev.Service.Seconds()
		*j.runs[ev.Copy] = naiveRun{started: true, ended: true, service: service}
		n.free += j.width(ev.Copy)
		if j.pilots[ev.Copy.Task] && ev.Kind == policy.Finished && j.when == Later {
			if j.times = append(j.times, service/n.slowdown(ev)); len(j.times) == j.plan.Pilots {
				j.when, j.work, j.joined = Now, mean(j.times)*width(j.job), 0
			}
		}
	case ev.Kind == policy.Ended:
		delete(n.jobs, id)
	}
	if ev.Again {
		j.waiting[ev.Copy.Task] = true
	}
}

// slowdown returns how many times longer than at speed 1 the copy of an event has run. No stage prefers a partition.
func (n *naive) slowdown(ev *policy.Event) float64 {
	slowest := n.nodes[ev.Node].Speed
	for i, share := range ev.Gang {
		if speed := n.nodes[share.Node].Speed; i == 0 || speed < slowest {
			slowest = speed
		}
	}
	return 1 / slowest
}

// use returns what each queue is charged for by its weight, and whether it has a job.
func (n *naive) use(now policy.Time) (use []float64, waits []bool) {
	use, waits = make([]float64, n.config.Queues.Levels+1), make([]bool, n.config.Queues.Levels+1)
	for _, j := range n.jobs {
		use[n.home(j, now)] += float64(j.cores())
		if j.queue >= 0 {
			waits[j.queue] = true
		}
	}
	if n.shares != nil {
		return n.shares.measures(), waits
	}
	for q := range use {
		rank := q
		if q == n.config.Queues.Levels {
			rank = 1
		}
		if n.config.Sharing == queue.ByNextUse {
			use[q]++
		}
		use[q] *= math.Pow(n.config.Decay, float64(rank))
	}
	return use, waits
}

// start checks a Start against the definition, and takes note of it.
func (n *naive) start(a policy.Action, now policy.Time) error {
	j := n.jobs[a.Copy.Job]
	use, waits := n.use(now)
	if j.queue >= 0 {
		for q := range use {
			if waits[q] && use[q] < use[j.queue]*(1-1e-9) {
				return fmt.Errorf("start of %v in queue %d of use %v, but queue %d has %v", a.Copy, j.queue, use[j.queue], q, use[q])
			}
		}
		for id, k := range n.jobs {
			if k.queue == j.queue && k.joined < j.joined && j.when != Never && k.when != Never {
				return fmt.Errorf("start of %v, but job %d joined queue %d before", a.Copy, id, j.queue)
			}
		}
		n.by[j.when]++
	} else {
		if n.config.NoWorkConservation || j.when != Later {
			return fmt.Errorf("start of %v, which does not wait", a.Copy)
		}
		for id, k := range n.jobs {
			if k.queue >= 0 {
				return fmt.Errorf("start of %v on idle cores, but job %d waits", a.Copy, id)
			}
			if len(k.waiting) > 0 && (k.job.Submitted < j.job.Submitted || k.job.Submitted == j.job.Submitted && id < a.Copy.Job) {
				return fmt.Errorf("start of %v on idle cores, but job %d came before", a.Copy, id)
			}
		}
		n.by[3]++
	}
	if !j.waiting[a.Copy.Task] {
		return fmt.Errorf("start of %v, which does not wait", a.Copy)
	}
	if new := n.take(a); new && !slices.Contains(j.plan.Tasks, int(a.Copy.Index)) {
		return fmt.Errorf("start of %v, but the pilots are %v", a.Copy, j.plan.Tasks)
	}
	return nil
}

// take takes note of a Start, and reports whether it is the first one of a pilot.
func (n *naive) take(a policy.Action) (newPilot bool) {
	j := n.jobs[a.Copy.Job]
	delete(j.waiting, a.Copy.Task)
	j.runs[a.Copy] = &naiveRun{}
	if !j.pilots[a.Copy.Task] && j.when == Later && len(j.pilots) < j.plan.Pilots {
		j.pilots[a.Copy.Task] = true
		newPilot = true
	}
	n.free -= j.width(a.Copy)
	return newPilot
}
