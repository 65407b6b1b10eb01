package gittins

import (
	"example.com/augur/policy/central"
)

// The Forecast is asked about all stages of a job whenever its rank is worked out, if they are at most allAsked. Else
// it is asked about those that had an event, and about someAsked others in turn, so that an event costs the same however
// many stages there are.
const allAsked, someAsked = 64, 4

// stages are a job's unfinished stages, in groups that each have one distribution.
type stages struct {
	parts    []share // by stage
	known    int     // stages that are in groups; of the next one the Forecast knows nothing
	groups   []group
	stale    []int32 // the groups that are
	sums     sums    // of all groups
	resolved int     // groups since sums were added up from the start
	finished bool    // a unit has finished
	noted    []uint32
	turn     int // the stage that is next in turn
}

// A share is what a stage adds to its group.
type share struct {
	work  float64 // its unfinished units times their cores
	saved float64 // of these, core-seconds
	group int32
	home  int32 // the group that it was in first
	own   int32 // the group for itself, if it has ever differed from the others in home; else 0
	noted bool  // it is in stages.noted
}

func newStages(n int) stages {
	most := min(n+1, 8) // groups, as a rule
	return stages{parts: make([]share, n), groups: make([]group, 0, most), stale: make([]int32, 0, most)}
}

// note takes note of an event about a stage.
func (s *stages) note(stage uint32) {
	if p := &s.parts[stage]; len(s.parts) > allAsked && !p.noted {
		p.noted = true
		s.noted = append(s.noted, stage)
	}
}

// single reports whether no more than one task is wanted, since nothing has run.
func (e *entry) single() bool { return !e.has && !e.finished }

// update asks the Forecast and updates the sums. It reports whether the Forecast knows all unfinished stages.
func (e *entry) update(f central.Forecast) bool {
	n := len(e.parts)
	for _, i := range e.noted {
		e.parts[i].noted = false
		e.ask(f, int(i))
	}
	e.noted = e.noted[:0]
	turns := e.known
	if n > allAsked {
		turns = min(turns, someAsked)
	}
	for range turns {
		e.turn = (e.turn + 1) % n
		e.ask(f, e.turn)
	}
	for e.known < n && e.enter(f, e.known) {
		e.known++
	}
	e.resolve()
	return e.known == n
}

// unfinished returns the work of a stage that is not finished.
func (e *entry) unfinished(i int) float64 {
	s, finished := &e.job.Job.Stages[i], e.job.Stages[i].Finished
	e.finished = e.finished || finished > 0
	return float64(s.Units()-finished) * float64(s.Width())
}

// enter puts a stage into one of the last groups, or into a new one. It returns false if the Forecast does not know
// the stage.
func (e *entry) enter(f central.Forecast, i int) bool {
	work := e.unfinished(i)
	if work == 0 {
		return true
	}
	d, ok := f.Runtime(e.job, uint32(i))
	if !ok {
		return false
	}
	at := len(e.groups) - 1
	for last := max(0, at-7); at >= last && !same(d, e.groups[at].d); {
		at--
		if at < last {
			at = -1
		}
	}
	if at < 0 {
		at = e.group(d, i)
	}
	e.groups[at].size++
	e.parts[i].home = int32(at)
	e.move(i, int32(at), work)
	return true
}

// group makes a group of a stage's distribution.
func (e *entry) group(d central.Distribution, stage int) int {
	e.groups = append(e.groups, group{d: d, width: float64(e.job.Job.Stages[stage].Width())})
	return len(e.groups) - 1
}

// ask updates what a stage adds, and its group.
func (e *entry) ask(f central.Forecast, i int) {
	p := &e.parts[i]
	if i >= e.known || p.work == 0 {
		return
	}
	work, to := e.unfinished(i), p.group
	if work > 0 {
		d, ok := f.Runtime(e.job, uint32(i))
		switch {
		case !ok:
			e.ungroup()
			return
		case same(d, e.groups[to].d):
		case same(d, e.groups[p.home].d):
			to = p.home
		case e.groups[to].size == 1: // of no other stage, ever
			e.groups[to].d = d
		case e.single():
			e.ungroup()
			return
		default:
			if p.own == 0 {
				p.own = int32(e.group(d, i))
			}
			to = p.own
			e.groups[to].d = d
		}
	}
	e.move(i, to, work)
}

// ungroup makes update group all stages anew.
func (e *entry) ungroup() {
	clear(e.parts)
	e.known, e.groups, e.stale, e.sums = 0, e.groups[:0], e.stale[:0], sums{}
}

// move puts a stage with some unfinished work into a group.
func (e *entry) move(i int, to int32, work float64) {
	p := &e.parts[i]
	if p.work > 0 {
		e.groups[p.group].work -= p.work
		e.groups[p.group].saved -= p.saved
		e.groups[p.group].stages--
		e.mark(p.group)
	}
	p.work, p.group = work, to
	p.saved = e.job.Stages[i].Saved * float64(e.job.Job.Stages[i].Width())
	if work > 0 {
		e.groups[to].work += work
		e.groups[to].saved += p.saved
		e.groups[to].stages++
		e.mark(to)
	}
}

// mark makes resolve work out the sums of a group.
func (e *entry) mark(at int32) {
	if g := &e.groups[at]; !g.stale {
		g.stale = true
		e.stale = append(e.stale, at)
	}
}

// resolve works out the sums. What rounding leaves is bounded, since it adds all up after as many changes as there
// are groups.
func (e *entry) resolve() {
	e.resolved += len(e.stale)
	for _, i := range e.stale {
		g := &e.groups[i]
		e.sums.add(&g.sums, -1)
		g.resolve(!e.finished, e.job.Job.SLO != nil)
		e.sums.add(&g.sums, 1)
	}
	e.stale = e.stale[:0]
	if e.resolved < len(e.groups) && !e.sums.lost() {
		return
	}
	e.resolved, e.sums = 0, sums{}
	for i := range e.groups {
		e.sums.add(&e.groups[i].sums, 1)
	}
}
