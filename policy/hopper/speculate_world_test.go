package hopper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

// A small world in which every rule has to do under every allocator: two jobs that come at 0, a few
// slots, copies whose runtimes have a Pareto tail, and a report of every copy each second.
type world struct {
	slots6
	slots int
	rule  hopper.Speculator // nil: no copies
	last  bool              // copies come after waiting tasks
	jobs  [2]worldJob
	moves map[hopper.MoveKind]int
}

type worldJob struct {
	luck    uint64
	tracker hopper.Tracker
	waiting []uint32 // tasks
	copies  []worldCopy
	begun   []uint32 // copies of each task so far
	left    int
	done    int // s, when its last task finished
}

type worldCopy struct {
	task, n     uint32
	speculative bool
	began, ends int // s
}

func newWorld(seed uint64, slots int, s slots6, rule hopper.Speculator, last bool) *world {
	w := &world{slots6: s, slots: slots, rule: rule, last: last, moves: map[hopper.MoveKind]int{}}
	rng := rand.New(rand.NewPCG(seed, 8))
	for i := range w.jobs {
		tasks := 5 + rng.IntN(40)
		w.jobs[i] = worldJob{luck: rng.Uint64(), left: tasks, begun: make([]uint32, tasks)}
		for task := range uint32(tasks) {
			w.jobs[i].waiting = append(w.jobs[i].waiting, task)
		}
	}
	return w
}

// runtime of a copy does not depend on when it starts: 10 s or more, with a tail of 1.5.
func (j *worldJob) runtime(task, n uint32) int {
	rng := rand.New(rand.NewPCG(j.luck, uint64(task)<<32|uint64(n)))
	return int(min(10*math.Pow(1-rng.Float64(), -1/1.5), 1000))
}

func (j *worldJob) start(now int, task uint32, speculative bool) error {
	n := j.begun[task]
	j.begun[task]++
	j.copies = append(j.copies, worldCopy{task, n, speculative, now, now + j.runtime(task, n)})
	return j.tracker.Start(policy.Time(now)*second, task, n, 0)
}

// tick ends what ends and reports what goes on.
func (j *worldJob) tick(now int) error {
	for i := 0; i < len(j.copies); {
		c := j.copies[i]
		service := policy.Duration(now-c.began) * time.Second
		if c.ends > now {
			done := float64(now-c.began) / float64(c.ends-c.began)
			if err := j.tracker.Report(policy.Time(now)*second, c.task, c.n, service, done); err != nil {
				return err
			}
			i++
			continue
		}
		if err := j.tracker.Finish(c.task, service); err != nil {
			return err
		}
		j.left--
		j.done = now
		j.copies = slices.DeleteFunc(j.copies, func(other worldCopy) bool { return other.task == c.task })
		i = 0
	}
	return nil
}

func (j *worldJob) used(speculative, both bool) int {
	n := 0
	for _, c := range j.copies {
		if both || c.speculative == speculative {
			n++
		}
	}
	return n
}

// copy carries out a move of the rule, and reports whether there was one. It checks that the move is legal.
func (w *world) copy(j *worldJob, now int, room bool) (bool, error) {
	if w.rule == nil {
		return false, nil
	}
	extra := w.jobs[0].used(true, false) + w.jobs[1].used(true, false)
	p := j.tracker.Phase(policy.Time(now)*second, len(j.waiting), w.slots/2)
	move, ok := w.rule.Next(p, hopper.Room{Slots: w.slots, Copies: extra})
	if !ok || move.Kind == hopper.Duplicate && !room {
		return false, nil
	}
	w.moves[move.Kind]++
	var mine []worldCopy
	for _, c := range j.copies {
		if c.task == move.Task {
			mine = append(mine, c)
		}
	}
	if len(mine) == 0 {
		return false, fmt.Errorf("%+v: no copy runs", move)
	}
	if move.Kind == hopper.Duplicate {
		return true, j.start(now, move.Task, true)
	}
	victim := slices.IndexFunc(j.copies, func(c worldCopy) bool { return c.task == move.Task && c.n == move.Copy })
	if victim < 0 || (move.Kind == hopper.Restart) != (len(mine) == 1) {
		return false, fmt.Errorf("%+v of a task with copies %+v", move, mine)
	}
	speculative := j.copies[victim].speculative
	j.copies = slices.Delete(j.copies, victim, victim+1)
	j.tracker.End(move.Task, move.Copy)
	if move.Kind == hopper.Restart {
		j.tracker.Restarted(move.Task)
		return true, j.start(now, move.Task, speculative)
	}
	return true, nil
}

// task starts a waiting task, and reports whether there was one.
func (w *world) task(j *worldJob, now int) (bool, error) {
	if len(j.waiting) == 0 {
		return false, nil
	}
	task := j.waiting[0]
	j.waiting = j.waiting[1:]
	return true, j.start(now, task, false)
}

// fill gives the slots of a pool away until nobody wants one.
func (w *world) fill(now int, copies, tasks bool) error {
	pool, both := w.slots-w.reserved, w.reserved == 0
	if !tasks {
		pool = w.reserved
	}
	limit, order := w.limits(pool, [2]int{w.jobs[0].left, w.jobs[1].left})
	for _, i := range order {
		j := &w.jobs[i]
		for question := 0; ; question++ {
			if question > 10*w.slots {
				return fmt.Errorf("at %d s: a rule that never has enough", now)
			}
			all := w.jobs[0].used(!tasks, both) + w.jobs[1].used(!tasks, both)
			room := j.used(!tasks, both) < limit[i] && all < pool
			did, err := false, error(nil)
			if copies && (!w.last || len(j.waiting) == 0 || !room) {
				did, err = w.copy(j, now, room)
			}
			if !did && err == nil && tasks && room {
				did, err = w.task(j, now)
			}
			if err != nil {
				return err
			}
			if !did {
				break
			}
		}
	}
	return nil
}

// run returns when the jobs are done, on average.
func (w *world) run() (float64, error) {
	for now := 0; w.jobs[0].left+w.jobs[1].left > 0; now++ {
		if now > 1e5 {
			return 0, fmt.Errorf("%d and %d tasks are never done", w.jobs[0].left, w.jobs[1].left)
		}
		for i := range w.jobs {
			if err := w.jobs[i].tick(now); err != nil {
				return 0, err
			}
		}
		if err := w.fill(now, w.reserved == 0, true); err != nil {
			return 0, err
		}
		if w.reserved > 0 {
			if err := w.fill(now, true, false); err != nil {
				return 0, err
			}
		}
		if n := w.jobs[0].used(true, true) + w.jobs[1].used(true, true); n > w.slots {
			return 0, fmt.Errorf("at %d s: %d copies on %d slots", now, n, w.slots)
		}
	}
	return float64(w.jobs[0].done+w.jobs[1].done) / 2, nil
}

func TestEveryRuleUnderEveryAllocator(t *testing.T) {
	const seeds, slots = 16, 20
	rules := speculators(t)
	for _, tt := range []struct {
		name  string
		slots slots6
		last  bool
	}{
		{"SRPT, best effort", slots6{0, shortestFirst}, false},
		{"SRPT, best effort, copies last", slots6{0, shortestFirst}, true},
		{"SRPT, reserved", slots6{4, shortestFirst}, false},
		{"Fair, best effort", slots6{0, evenShares}, false},
		{"Fair, reserved", slots6{4, evenShares}, false},
		{"Hopper", slots6{0, virtualSizes}, false},
	} {
		mean := func(rule hopper.Speculator, moves map[hopper.MoveKind]int) float64 {
			sum := 0.0
			for seed := range uint64(seeds) {
				w := newWorld(seed, slots, tt.slots, rule, tt.last)
				done, err := w.run()
				if err != nil {
					t.Fatalf("%s, %T, seed %d: %v", tt.name, rule, seed, err)
				}
				sum += done
				for kind, n := range w.moves {
					moves[kind] += n
				}
			}
			return sum / seeds
		}
		without := mean(nil, nil)
		for _, name := range []string{"Simple", "LATE", "Mantri", "GS", "RAS", "GRASS"} {
			moves := map[hopper.MoveKind]int{}
			with := mean(rules[name], moves)
			t.Logf("%-31s %-6s %6.1f s, %6.1f s without copies; %d copies, %d restarts, %d drops",
				tt.name, name, with, without, moves[hopper.Duplicate], moves[hopper.Restart], moves[hopper.Drop])
			if moves[hopper.Duplicate] == 0 || with >= without {
				t.Errorf("%s, %s: jobs are done after %.1f s with %d copies, and after %.1f s without any",
					tt.name, name, with, moves[hopper.Duplicate], without)
			}
		}
	}
}

// With more tasks than slots GRASS beats the two rules that it is made of, which is what it is
// for.
func TestGRASSBeatsItsParts(t *testing.T) {
	const seeds, slots = 300, 12
	rules := speculators(t)
	for _, tt := range []struct {
		name  string
		slots slots6
	}{{"SRPT", slots6{0, shortestFirst}}, {"Fair", slots6{0, evenShares}}} {
		mean := map[string]float64{}
		for _, name := range []string{"GS", "RAS", "GRASS"} {
			for seed := range uint64(seeds) {
				done, err := newWorld(seed, slots, tt.slots, rules[name], false).run()
				if err != nil {
					t.Fatalf("%s, %s, seed %d: %v", tt.name, name, seed, err)
				}
				mean[name] += done / seeds
			}
		}
		t.Logf("%s: jobs are done after %v s", tt.name, mean)
		if mean["GRASS"] >= min(mean["GS"], mean["RAS"]) {
			t.Errorf("%s: jobs are done after %v s", tt.name, mean)
		}
	}
}
