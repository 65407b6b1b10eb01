package kairos

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
)

// A naiveNode is Algorithm 1 with all its rules as they are told: a list of tasks, each
// of which grows older while it runs, and a look through the whole list for every question.
type naiveNode struct {
	config NodeConfig
	now    policy.Time
	tasks  []*naiveTask // by arrival
	turns  int
	idle   []int // the core to be used next is the last
	moves  []Move[int]
}

type naiveTask struct {
	id, core    int
	state       State
	attained    policy.Duration
	unserved    policy.Duration // for how long it has had no service
	turn        int             // which suspension that began with; 0: none yet
	left        policy.Duration // until its timer fires
	undisturbed bool
	begun       bool
	preemptions int
	memory      int64
	since       policy.Time
}

func newNaiveNode(c NodeConfig) *naiveNode {
	s := &naiveNode{config: c}
	if c.Counter == 0 {
		s.config.Counter = 3
	}
	if c.Undisturbed == 0 {
		s.config.Undisturbed = 2
	}
	for i := range c.Cores {
		s.idle = append([]int{i}, s.idle...)
	}
	return s
}

func (s *naiveNode) advance(now policy.Time) {
	d := now.Sub(s.now)
	for _, t := range s.tasks {
		switch t.state {
		case Running:
			t.attained += d
			t.left -= d
			if d > 0 {
				t.unserved, t.turn = 0, 0
			}
		case Suspended:
			t.unserved += d
		}
	}
	s.now = now
}

// in returns the tasks in a state: by their turns if they are suspended, else by arrival.
func (s *naiveNode) in(state State) (in []*naiveTask) {
	for _, t := range s.tasks {
		if t.state == state {
			in = append(in, t)
		}
	}
	if state == Suspended {
		slices.SortFunc(in, func(a, b *naiveTask) int { return cmp.Compare(a.turn, b.turn) })
	}
	return in
}

func (s *naiveNode) find(id int) *naiveTask {
	for _, t := range s.tasks {
		if t.id == id {
			return t
		}
	}
	return nil
}

func (s *naiveNode) change(t *naiveTask, state State) {
	t.state, t.since = state, s.now
	if state == Suspended {
		if t.turn == 0 {
			s.turns++
			t.turn = s.turns
		}
		t.since = s.now.Add(-t.unserved)
	}
}

func (s *naiveNode) say(kind MoveKind, t *naiveTask) {
	s.moves = append(s.moves, Move[int]{Kind: kind, Task: t.id, Core: t.core})
}

func (s *naiveNode) run(t *naiveTask, core int, kind MoveKind, undisturbed bool) {
	s.change(t, Running)
	if !t.begun {
		kind, t.begun = Start, true
	}
	t.core, t.left, t.undisturbed = core, s.config.Quantum, undisturbed
	if undisturbed {
		t.left *= policy.Duration(s.config.Undisturbed)
		t.preemptions = 0
	}
	s.say(kind, t)
}

func (s *naiveNode) suspend(t *naiveTask) {
	s.change(t, Suspended)
	t.preemptions++
	s.say(Suspend, t)
}

func (s *naiveNode) start(t *naiveTask) {
	if len(s.idle) > 0 {
		core := s.idle[len(s.idle)-1]
		s.idle = s.idle[:len(s.idle)-1]
		s.run(t, core, Start, false)
		return
	}
	var oldest *naiveTask
	for _, r := range s.in(Running) {
		if oldest == nil || !r.undisturbed && oldest.undisturbed || r.undisturbed == oldest.undisturbed &&
			(r.attained > oldest.attained || r.attained == oldest.attained && r.core < oldest.core) {
			oldest = r
		}
	}
	if s.config.Firm && oldest.undisturbed {
		s.change(t, Suspended)
		return
	}
	s.suspend(oldest)
	s.run(t, oldest.core, Start, false)
}

func (s *naiveNode) fits(t *naiveTask) bool {
	resident := t.memory
	for _, other := range s.tasks {
		if other.state != Waiting {
			resident += other.memory
		}
	}
	return s.config.Memory == 0 || resident <= s.config.Memory
}

func (s *naiveNode) arrive(id int, memory int64) {
	t := &naiveTask{id: id, memory: memory, state: Waiting, since: s.now}
	s.tasks = append(s.tasks, t)
	s.startWaiting()
}

func (s *naiveNode) startWaiting() {
	for {
		w := s.in(Waiting)
		if len(w) == 0 || !s.fits(w[0]) {
			return
		}
		s.start(w[0])
	}
}

// starved returns the task that has been suspended for longest if that is too long.
func (s *naiveNode) starved() *naiveTask {
	in := s.in(Suspended)
	if s.config.Starvation == NotServed && len(in) > 0 &&
		in[0].unserved >= s.config.Quantum*policy.Duration(s.config.Counter) {
		return in[0]
	}
	return nil
}

func (s *naiveNode) youngest() *naiveTask {
	var youngest *naiveTask
	for _, t := range s.in(Suspended) {
		if youngest == nil || t.attained < youngest.attained {
			youngest = t
		}
	}
	return youngest
}

// resume lets a suspended task have a core because it is the youngest.
func (s *naiveNode) resume(t *naiveTask, core int) {
	s.run(t, core, Resume, s.config.Starvation == Preempted && t.preemptions >= s.config.Counter)
}

func (s *naiveNode) end(id int) {
	t := s.find(id)
	s.tasks = slices.DeleteFunc(s.tasks, func(other *naiveTask) bool { return other == t })
	if t.state == Running {
		w := s.in(Waiting)
		switch {
		case s.starved() != nil:
			s.run(s.starved(), t.core, Resume, true)
		case len(w) > 0 && s.fits(w[0]):
			s.run(w[0], t.core, Start, false)
		case s.youngest() != nil:
			s.resume(s.youngest(), t.core)
		default:
			s.idle = append(s.idle, t.core)
		}
	}
	s.startWaiting()
}

func (s *naiveNode) on(core int) *naiveTask {
	for _, t := range s.in(Running) {
		if t.core == core {
			return t
		}
	}
	return nil
}

func (s *naiveNode) timer(core int) {
	t := s.on(core)
	if t.left > 0 {
		return
	}
	t.undisturbed = false
	y := s.youngest()
	late := policy.Duration(0)
	if y == nil {
		late = -t.left % s.config.Quantum // nobody need have noticed
	}
	starved := s.starved()
	if starved != nil || y != nil && t.attained >= y.attained+s.config.Lead {
		s.suspend(t)
		if starved != nil {
			s.run(starved, core, Resume, true)
		} else {
			s.resume(y, core)
		}
		return
	}
	t.left = s.config.Quantum - late
}

// next is due, if it matters.
func (s *naiveNode) next() (at policy.Time, ok bool) {
	if s.youngest() == nil {
		return 0, false
	}
	return s.due()
}

func (s *naiveNode) due() (at policy.Time, ok bool) {
	for _, t := range s.in(Running) {
		if due := s.now.Add(t.left); !ok || due < at {
			at, ok = due, true
		}
	}
	return at, ok
}

// timers fires the timers that are due, in the order in which they were due.
func (s *naiveNode) timers() {
	for {
		var first *naiveTask
		for _, t := range s.in(Running) {
			if t.left <= 0 && (first == nil || t.left < first.left || t.left == first.left && t.core < first.core) {
				first = t
			}
		}
		if first == nil {
			return
		}
		s.timer(first.core)
	}
}

func (s *naiveNode) heartbeat() (tasks int, variance, sum float64) {
	for _, t := range s.tasks {
		tasks++
		sum += t.attained.Seconds()
	}
	for _, t := range s.tasks {
		d := t.attained.Seconds() - sum/float64(tasks)
		variance += d * d / float64(tasks)
	}
	return tasks, variance, sum
}

func (s *naiveNode) all() (all []Status[int]) {
	for core := range s.config.Cores {
		if t := s.on(core); t != nil {
			all = append(all, Status[int]{
				Task: t.id, State: Running, Core: core, Attained: t.attained, Since: t.since, Timer: s.now.Add(t.left),
				Undisturbed: t.undisturbed, Preemptions: t.preemptions,
			})
		}
	}
	for _, state := range []State{Suspended, Waiting} {
		for _, t := range s.in(state) {
			all = append(all, Status[int]{
				Task: t.id, State: state, Attained: t.attained, Since: t.since, Preemptions: t.preemptions,
				Starving: state == Suspended && s.config.Starvation == NotServed &&
					t.unserved >= s.config.Quantum*policy.Duration(s.config.Counter),
			})
		}
	}
	return all
}
