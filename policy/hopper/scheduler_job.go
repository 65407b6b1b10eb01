package hopper

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
)

// job is what a Scheduler keeps of a job.
type job struct {
	lists
	wanted   wanted
	readers  []int64 // of each stage; nil if there are none
	left     int64   // slots' worth of tasks that are not finished, of all stages
	group    string
	tail     float64       // of its tasks, β
	seat     link[jobView] // in Scheduler.members, if there are groups
	placed   int           // its phases that say which nodes hold what tasks read
	holdings [2]holding    // in the lanes
	memory   float64       // bytes of copies that run and of Starts that are not answered

	extraSlots  int64 // of extra
	extraMemory float64

	changed  bool // its demand is another one than the pool knows
	reported bool // it is one of Scheduler.reported
	refused  bool // the host found no room for its last Start, of a task that may want some for long

	// What the rule said when it was asked last.
	asked policy.Time
	asks  bool   // it wants a copy:
	wish  *phase // of a task of this phase,
	move  Move   // this one
}

// lists is what a job leaves to those that come after it.
type lists struct {
	phases []*phase      // its stages that are Ready and not finished, in order
	extra  []policy.Copy // copies beside the first of their task
}

// phase is a stage of a job that is Ready and has units to finish.
type phase struct {
	stage   uint32
	gang    bool
	placed  bool // it says which nodes hold what its tasks read
	waits   bool // it reads another stage through a pipe
	picky   bool // a unit may find no room though cores are free, or have to wait for what it reads
	units   uint32
	left    uint32 // units that are not finished
	width   int64  // slots of each
	readers int64  // tasks that read it through pipes
	tracker Tracker
	lost    []float64 // for how long copies would have run that lost a race or were killed, s
}

// of returns the phase of a stage, nil if it is not Ready or finished.
func (o *job) of(stage uint32) *phase {
	if at, ok := o.place(stage); ok {
		return o.phases[at]
	}
	return nil
}

// place returns where the phase of a stage is or would be among those of the job.
func (o *job) place(stage uint32) (at int, ok bool) {
	return slices.BinarySearchFunc(o.phases, stage, func(p *phase, stage uint32) int { return cmp.Compare(p.stage, stage) })
}

// lose notes for how long a copy would have run that is cut short, if that is known.
func (p *phase) lose(task, n uint32) {
	if at, ok := p.tracker.find(task, n); ok && p.tracker.copies[at].total > 0 {
		p.lost = append(p.lost, p.tracker.copies[at].total)
	}
}

func (s *Scheduler) submitted(j *jobView) {
	own := &j.Own
	own.holdings[0].job, own.holdings[1].job = j, j
	s.enrol(j)
	if n := len(s.lists); n > 0 {
		own.lists, s.lists = s.lists[n-1], s.lists[:n-1]
	} else {
		own.extra = make([]policy.Copy, 0, 4)
	}
	for i := range j.Job.Stages {
		stage := &j.Job.Stages[i]
		own.left += int64(stage.Units()) * stage.Width()
	}
	own.readers = readers(j.Job.Stages)
	own.changed = true
	s.place(j)
}

func (s *Scheduler) ended(j *jobView) {
	own := &j.Own
	for i := range s.lanes {
		l, h := &s.lanes[i], &own.holdings[i]
		l.used -= h.slots
		l.turns.remove(h)
	}
	for _, p := range own.phases {
		s.over(p)
	}
	clear(own.phases)
	if s.config.Group != "" {
		own.seat.remove()
		s.enrolled--
	}
	s.placed -= own.placed
	s.extra -= own.extraSlots
	if own.reported {
		s.reported = slices.DeleteFunc(s.reported, func(other *jobView) bool { return other == j })
	}
	if len(s.lists) < mostSpare {
		s.lists = append(s.lists, lists{own.phases[:0], own.extra[:0]})
	}
	j.Own = job{}
}

// mostSpare is how many phases, and lists of jobs, are kept for those to come. Each grows to what the largest job
// that had it took, and after a burst they would be as many as there ever were at a time.
const mostSpare = 8

// over takes back the phase of a stage that is over.
func (s *Scheduler) over(p *phase) {
	if len(s.spare) < mostSpare {
		s.spare = append(s.spare, p)
	}
}

func (s *Scheduler) ready(j *jobView, stage uint32) {
	var p *phase
	if n := len(s.spare); n > 0 {
		p, s.spare = s.spare[n-1], s.spare[:n-1]
		p.tracker.reset()
	} else {
		p = &phase{lost: make([]float64, 0, 8)}
	}
	d, own := &j.Job.Stages[stage], &j.Own
	p.stage, p.gang, p.units, p.left, p.width = stage, d.Gang, d.Units(), d.Units(), d.Width()
	p.readers, p.lost = 0, p.lost[:0]
	if own.readers != nil {
		p.readers = own.readers[stage]
	}
	p.waits = slices.ContainsFunc(d.Reads, func(read policy.Dep) bool { return read.Pipe })
	p.picky = p.waits || p.width > 1 || d.Memory > 0
	p.tracker.reserve(int(min(p.units, 1<<16)))
	if p.placed = len(d.Holders) > 0; p.placed {
		own.placed++
		s.placed++
	}
	own.wanted.opened(p, d)
	at, _ := own.place(stage)
	own.phases = slices.Insert(own.phases, at, p)
	own.changed = true
	s.place(j)
}

// note takes note of what has happened to a copy.
func (s *Scheduler) note(j *jobView, ev *policy.Event, actions []policy.Action) []policy.Action {
	own, c := &j.Own, ev.Copy
	p := own.of(c.Stage)
	known := p != nil && p.tracker.knows(c.Index, c.N) // else its task is finished, or it is to be killed
	switch ev.Kind {
	case policy.Started:
		own.refused = false
		if ev.Replay {
			s.began(j, c, p != nil && len(p.tracker.copiesOf(c.Index)) > 0)
			known = p != nil
		}
		if known {
			must(p.tracker.Start(ev.Time, c.Index, c.N, ev.Service))
			if !ev.Replay {
				actions = s.watch(p, c, actions)
			}
		}
		if !ev.Replay {
			return actions // its cores have counted since its Start
		}
	case policy.Progress:
		if known {
			must(p.tracker.Report(ev.Time, c.Index, c.N, ev.Service, ev.Value))
			actions = s.watch(p, c, actions)
			if !own.reported {
				own.reported = true
				s.reported = append(s.reported, j)
			}
		}
		return actions
	case policy.Suspended:
		if known {
			must(p.tracker.Suspend(ev.Time, c.Index, c.N, ev.Service))
		}
	case policy.Resumed:
		if known {
			must(p.tracker.Resume(ev.Time, c.Index, c.N, ev.Service))
		}
	default: // Refused, or an end
		if ev.Kind == policy.Refused {
			own.refused = own.refused || p != nil && p.picky && !slices.Contains(own.extra, c)
			own.asks = false // until it is asked again
			// A copy of a task that has finished meanwhile: who waits for its cores may hear of nothing else.
			s.freed = s.freed || !known && !ev.Again && !ev.Replay
		}
		if !ev.Replay {
			s.gone(j, c)
		}
		if ev.Kind == policy.Finished {
			s.finished(j, p, ev)
		} else if known {
			p.tracker.End(c.Index, c.N)
			if own.wish == p && own.move.Task == c.Index && len(p.tracker.copiesOf(c.Index)) == 0 {
				own.asks = false // there is nothing to copy now
			}
		}
	}
	s.place(j)
	return actions
}

// finished takes note of a task that is finished.
func (s *Scheduler) finished(j *jobView, p *phase, ev *policy.Event) {
	own := &j.Own
	if p == nil || p.left == 0 {
		return // it cannot be
	}
	for _, x := range p.tracker.copiesOf(ev.Copy.Index) {
		if x.n != ev.Copy.N {
			p.lose(x.task, x.n)
		}
	}
	if !ev.Replay || ev.Service > 0 { // else the host does not know any more
		must(p.tracker.Finish(ev.Copy.Index, ev.Service))
	}
	p.left--
	own.left -= p.width
	own.wanted.finished(p, &j.Job.Stages[p.stage])
	own.changed = true
	if own.asks && own.wish == p && own.move.Task == ev.Copy.Index {
		own.asks = false
	}
	if p.left == 0 {
		s.learn(j, p)
		at, _ := own.place(p.stage)
		own.phases = slices.Delete(own.phases, at, at+1)
		own.asks = own.asks && own.wish != p
		if p.placed {
			own.placed--
			s.placed--
		}
		s.over(p)
	}
}

// began takes note of a copy that starts.
func (s *Scheduler) began(j *jobView, c policy.Copy, another bool) {
	own, stage := &j.Own, &j.Job.Stages[c.Stage]
	own.memory += memoryOf(stage)
	if another {
		own.extra = append(own.extra, c)
		own.extraSlots += stage.Width()
		own.extraMemory += memoryOf(stage)
		s.extra += stage.Width()
	}
	if p := own.of(c.Stage); p != nil {
		must(p.tracker.Start(s.now, c.Index, c.N, 0))
	}
}

// gone takes note of a copy that holds nothing any more.
func (s *Scheduler) gone(j *jobView, c policy.Copy) {
	own, stage := &j.Own, &j.Job.Stages[c.Stage]
	own.memory -= memoryOf(stage)
	if at := slices.Index(own.extra, c); at >= 0 {
		own.extra = slices.Delete(own.extra, at, at+1)
		own.extraSlots -= stage.Width()
		own.extraMemory -= memoryOf(stage)
		s.extra -= stage.Width()
	}
}

// memoryOf returns the bytes that a unit of a stage takes.
func memoryOf(stage *policy.Stage) float64 {
	return float64(float64(stage.Memory) * float64(stage.Tasks/stage.Units()))
}
