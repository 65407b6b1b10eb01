package kairos

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// copyOf returns a task with a number.
func copyOf[ID int | policy.JobID](id ID) policy.Copy {
	return policy.Copy{Task: policy.Task{Job: policy.JobID(id)}}
}

// naivePairs is the rules of an AdaptiveNode, word by word. Time passes by a nanosecond at a time.
type naivePairs struct {
	cores, floor int
	tasks        []*naiveTask
	moves        []move
}

type naiveTask struct {
	id, core, attained, stood int
	runs                      bool
}

// on returns what runs on a core and what is suspended there, nil for none.
func (p *naivePairs) on(core int) (runs, waits *naiveTask) {
	for _, t := range p.tasks {
		switch {
		case t.core != core:
		case t.runs:
			runs = t
		default:
			waits = t
		}
	}
	return runs, waits
}

// best returns the core for a task that arrives, -1 if there is none.
func (p *naivePairs) best() (core, credit int) {
	core, credit = -1, 0
	for c := range p.cores {
		runs, waits := p.on(c)
		if runs == nil {
			return c, 0
		}
		if waits == nil && runs.attained-runs.stood > credit {
			core, credit = c, runs.attained-runs.stood
		}
	}
	return core, credit
}

func (p *naivePairs) arrives(id int) bool {
	core, _ := p.best()
	if core < 0 {
		return false
	}
	if runs, _ := p.on(core); runs != nil {
		p.suspend(runs)
	}
	p.tasks = append(p.tasks, &naiveTask{id: id, core: core, runs: true})
	p.moves = append(p.moves, move{Start, copyOf(id), core})
	return true
}

func (p *naivePairs) suspend(t *naiveTask) {
	t.runs = false
	p.moves = append(p.moves, move{Suspend, copyOf(t.id), t.core})
}

func (p *naivePairs) resume(t *naiveTask, core int) {
	t.runs, t.core = true, core
	p.moves = append(p.moves, move{Resume, copyOf(t.id), core})
}

func (p *naivePairs) ends(t *naiveTask) {
	p.tasks = slices.DeleteFunc(p.tasks, func(o *naiveTask) bool { return o == t })
	if !t.runs {
		return
	}
	if _, other := p.on(t.core); other != nil {
		p.resume(other, t.core)
		return
	}
	var rest []*naiveTask
	for _, o := range p.tasks {
		if !o.runs {
			rest = append(rest, o)
		}
	}
	if len(rest) > 0 {
		p.resume(slices.MinFunc(rest, func(a, b *naiveTask) int { return cmp.Or(a.attained-b.attained, a.core-b.core) }), t.core)
	}
}

// pass lets a nanosecond pass.
func (p *naivePairs) pass() {
	for _, t := range p.tasks {
		if t.runs {
			t.attained++
		} else {
			t.stood++
		}
	}
	for core := range p.cores {
		if runs, waits := p.on(core); waits != nil {
			if x := max(waits.attained, p.floor); 2*runs.attained >= 3*x {
				p.suspend(runs)
				p.resume(waits, core)
			}
		}
	}
}

// An AdaptiveNode moves tasks as the rules say, and accepts one exactly if they have a core for it.
func TestAdaptiveNodeAgainstNaive(t *testing.T) {
	seen := map[MoveKind]int{}
	refused := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 29))
		naive := &naivePairs{cores: 1 + rng.IntN(4), floor: 1 + rng.IntN(10)}
		n := newAdaptiveNode(naive.cores, 0)
		n.floor = policy.Duration(naive.floor)
		now := policy.Time(-50)
		for step := range 300 {
			naive.moves = nil
			var moves []move
			var err error
			switch op := rng.IntN(5); {
			case op == 0:
				accepts := n.accepts(now, 0)
				if accepts != naive.arrives(step) {
					t.Fatalf("seed %d, step %d: accepts %v", seed, step, accepts)
				}
				if accepts {
					moves, err = n.TaskArrived(now, copyOf(step), 0, nil)
				} else {
					refused++
				}
			case op == 1 && len(naive.tasks) > 0:
				over := naive.tasks[rng.IntN(len(naive.tasks))]
				naive.ends(over)
				moves, err = n.TaskEnded(now, copyOf(over.id), nil)
			default:
				for range rng.IntN(20) {
					naive.pass()
					now++
					if at, ok := n.NextTimer(); ok && at <= now {
						if moves, err = n.TimersFired(now, moves); err != nil {
							break
						}
					}
				}
			}
			if err != nil || !slices.Equal(moves, naive.moves) {
				t.Fatalf("seed %d, step %d: %v, %v, want %v", seed, step, moves, err, naive.moves)
			}
			for _, m := range moves {
				seen[m.Kind]++
			}
			for core := range naive.cores {
				if runs, waits := naive.on(core); runs != nil && waits == nil && n.cores[core].credit(n.clock) != policy.Duration(runs.attained-runs.stood)-now.Sub(n.first.Add(n.clock)) {
					t.Fatalf("seed %d, step %d: credit %v on core %d, want %d", seed, step, n.cores[core].credit(n.clock), core, runs.attained-runs.stood)
				}
			}
			if n.len() != len(naive.tasks) {
				t.Fatalf("seed %d, step %d: %d tasks, want %d", seed, step, n.len(), len(naive.tasks))
			}
		}
	}
	if refused < 1000 || seen[Suspend] < 1000 {
		t.Errorf("%d tasks are refused, and %v, want more of all", refused, seen)
	}
}

// A suspension lasts at most 1.5 times the service of its task, or the floor, and all of them 2.5 times.
func TestAdaptiveNodeBounds(t *testing.T) {
	const floor = 1000
	one, all := 0.0, 0.0
	type life struct{ attained, stood, rest, since policy.Time } // rest: the last suspension; since: when it was measured last
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 30))
		n := newAdaptiveNode(1+rng.IntN(3), 0)
		n.floor = floor
		greedy := seed%2 == 0
		now := policy.Time(0)
		given := 0
		lives := map[int]*life{}
		running := map[int]bool{}
		// measure brings a task up to date.
		measure := func(id int) {
			l := lives[id]
			if span := now - l.since; running[id] {
				l.attained += span
			} else {
				l.stood, l.rest = l.stood+span, l.rest+span
				own := float64(max(l.attained, floor))
				one, all = max(one, float64(l.rest)/own), max(all, float64(l.stood)/own)
			}
			l.since = now
		}
		carry := func(moves []move, err error) {
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range moves {
				id := int(m.Task.Job)
				if m.Kind == Start {
					lives[id] = &life{since: now}
				} else {
					measure(id)
					lives[id].rest = 0
				}
				running[id] = m.Kind != Suspend
			}
		}
		for range 300 {
			switch rng.IntN(4) {
			case 0, 1: // one comes as soon as it may, or somewhat later
				if !n.accepts(now, 0) {
					credit, ok := n.says(now)
					if !ok {
						break
					}
					at := now.Add(1 - policy.Duration(credit))
					if timer, ok := n.NextTimer(); ok && timer < at {
						now = timer
						carry(n.TimersFired(now, nil))
						break
					}
					now = at
				}
				if n.accepts(now, 0) {
					given++
					carry(n.TaskArrived(now, copyOf(given), 0, nil))
				}
			case 2: // one ends: in half of the trials one that is suspended
				for id := range given {
					if id++; lives[id] != nil && (greedy && !running[id] || !greedy && rng.IntN(3) == 0) {
						measure(id)
						delete(lives, id)
						carry(n.TaskEnded(now, copyOf(id), nil))
						break
					}
				}
			default:
				at := now.Add(policy.Duration(rng.IntN(3 * floor)))
				if timer, ok := n.NextTimer(); ok {
					at = timer
				}
				now = at
				carry(n.TimersFired(now, nil))
			}
			for id := range lives {
				measure(id)
			}
		}
	}
	t.Logf("one suspension lasts %.3f times the own service, all together %.3f", one, all)
	if one > 1.5+1.0/floor || one < 0.75*1.5 {
		t.Errorf("one suspension lasts %.3f times the own service, want 1.13 to 1.5", one)
	}
	if all > 2.5+2.0/floor || all < 0.75*2.5 {
		t.Errorf("all suspensions together last %.3f times the own service, want 1.88 to 2.5", all)
	}
}

// After a restart what ran goes on, suspended tasks get idle cores, the youngest first, then make pairs, and those that are left
// go before the other of a pair when a task ends.
func TestAdaptiveNodeRestored(t *testing.T) {
	n := newAdaptiveNode(2, 0)
	n.floor = 10
	for _, task := range []struct {
		id      int
		service policy.Duration
		runs    bool
	}{{1, 100, true}, {2, 90, false}, {3, 80, false}, {4, 70, false}, {5, 60, false}} {
		if err := n.restored(1000, copyOf(task.id), 0, task.service, task.runs); err != nil {
			t.Fatal(err)
		}
	}
	check := func(moves []move, err error, want ...move) {
		t.Helper()
		if err != nil || !slices.Equal(moves, want) {
			t.Fatalf("%v, %v, want %v", moves, err, want)
		}
	}
	moves, err := n.fill(1000, nil)
	check(moves, err, move{Resume, copyOf(5), 1}) // 4 and 3 wait on cores 0 and 1, and 2 has none
	if n.len() != 5 || n.stateOf(copyOf(2)) != suspended || n.accepts(1000, 0) {
		t.Errorf("%d tasks, want 5 and no place", n.len())
	}
	moves, err = n.TaskEnded(1001, copyOf(5), nil)
	check(moves, err, move{Resume, copyOf(2), 1})
	moves, err = n.TaskEnded(1002, copyOf(2), nil)
	check(moves, err, move{Resume, copyOf(3), 1})
	if n.accepts(1002, 0) {
		t.Error("a task from before the restart may be preempted at once")
	}
	if !n.accepts(1100, 0) {
		t.Error("a task from before the restart may not be preempted when it has run for 98 ns")
	}
}

// Two tasks do not change places without end, however long one of them has run.
func TestAdaptiveNodeExtremeService(t *testing.T) {
	n := newAdaptiveNode(1, 0)
	_, err := n.TaskArrived(0, copyOf(1), 0, nil)
	if err = cmp.Or(err, n.TaskServed(0, copyOf(1), maxSpan)); err != nil {
		t.Fatal(err)
	}
	now := policy.Time(maxSpan / 2)
	if _, err := n.TaskArrived(now, copyOf(2), 0, nil); err != nil {
		t.Fatal(err)
	}
	if at, ok := n.NextTimer(); !ok || at.Sub(now) != maxSpan {
		t.Errorf("they change places %v from when task 2 came, want %v", at.Sub(now), maxSpan)
	}
}
