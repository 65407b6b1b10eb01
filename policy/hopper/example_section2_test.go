package hopper_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy/hopper"
)

// The world of section 2: 6 slots and two jobs that come at 0, with the runtimes of Table 2.1
// in time units. A straggler is detected one time unit after its task starts.

type table21Task struct{ init, fresh int }

var table21 = [2][]table21Task{
	{{8, 2}, {3, 2}, {3, 2}, {3, 2}},
	{{6, 2}, {6, 2}, {3, 2}, {3, 2}, {1, 1}, {1, 1}},
}

// slots6 is who may use which of the 6 slots.
type slots6 struct {
	reserved int // slots in which only speculative copies run, and they only there; 0: best effort
	// limits returns how many slots of a pool each job may have, from the tasks left of
	// both, and says which job chooses first.
	limits func(pool int, left [2]int) (limit [2]int, order [2]int)
}

// shortestFirst is SRPT, by tasks left.
func shortestFirst(pool int, left [2]int) (limit, order [2]int) {
	order = [2]int{0, 1}
	slices.SortStableFunc(order[:], func(a, b int) int { return cmp.Compare(left[a], left[b]) })
	return [2]int{pool, pool}, order
}

// evenShares is Fair: half each while both live.
func evenShares(pool int, left [2]int) (limit, order [2]int) {
	if left[0] == 0 || left[1] == 0 {
		return [2]int{pool, pool}, [2]int{0, 1}
	}
	return [2]int{pool / 2, pool / 2}, [2]int{0, 1}
}

// virtualSizes is Hopper with 2/β = 1.25 and ε = 1.
func virtualSizes(pool int, left [2]int) (limit, order [2]int) { return epsilonFair(1, pool, left) }

// nearlyFair is Hopper with ε = 0.1, as in the paper's evaluation.
func nearlyFair(pool int, left [2]int) (limit, order [2]int) { return epsilonFair(0.1, pool, left) }

func epsilonFair(epsilon float64, pool int, left [2]int) (limit, order [2]int) {
	_, order = shortestFirst(pool, left)
	floor := (1 - epsilon) * float64(pool)
	if left[0] > 0 && left[1] > 0 {
		floor /= 2
	}
	whole, err := hopper.AllocateWhole(nil, pool, []hopper.Demand{
		{Tasks: float64(left[0]), Tail: 1.6, Floor: floor}, {Tasks: float64(left[1]), Tail: 1.6, Floor: floor},
	})
	if err != nil {
		panic(err)
	}
	return [2]int(whole), order
}

type copy21 struct {
	task        int
	speculative bool
	began, ends int
}

type job21 struct {
	tasks   []table21Task
	next    int // first task that has not begun
	left    int
	running []copy21
	done    int // when its last task ended
}

// phase is what the rule is told: the truth.
func (j *job21) phase(now int) *hopper.Phase {
	p := &hopper.Phase{Waiting: len(j.tasks) - j.next}
	for task := range j.tasks {
		r := hopper.Running{
			Task: uint32(task), Remaining: math.Inf(1), New: float64(j.tasks[task].fresh),
		}
		for _, c := range j.running {
			if c.task == task {
				r.Copies++
				r.Elapsed = max(r.Elapsed, float64(now-c.began))
				r.Remaining = min(r.Remaining, float64(c.ends-now))
			}
		}
		if r.Copies > 0 {
			p.Running = append(p.Running, r)
		}
	}
	return p
}

func (j *job21) used(speculative bool) int {
	n := 0
	for _, c := range j.running {
		if c.speculative == speculative {
			n++
		}
	}
	return n
}

// end takes out what has ended, and the copies that lost.
func (j *job21) end(now int) {
	for i := 0; i < len(j.running); i++ {
		if c := j.running[i]; c.ends == now {
			j.left--
			j.done = now
			j.running = slices.DeleteFunc(j.running, func(other copy21) bool { return other.task == c.task })
			i = -1
		}
	}
}

// begin starts one more copy or task, and reports whether there was one.
func (j *job21) begin(now int, rule hopper.Speculator, copies, tasks bool) bool {
	if copies {
		if move, ok := rule.Next(j.phase(now), hopper.Room{Slots: 6}); ok {
			task := int(move.Task)
			j.running = append(j.running, copy21{task, true, now, now + j.tasks[task].fresh})
			return true
		}
	}
	if tasks && j.next < len(j.tasks) {
		j.running = append(j.running, copy21{j.next, false, now, now + j.tasks[j.next].init})
		j.next++
		return true
	}
	return false
}

// run21 returns when each of the jobs is done.
func run21(rule hopper.Speculator, s slots6) [2]int {
	var jobs [2]job21
	for i := range jobs {
		jobs[i] = job21{tasks: table21[i], left: len(table21[i])}
	}
	for now := 0; now < 100 && jobs[0].left+jobs[1].left > 0; now++ {
		left := [2]int{}
		for i := range jobs {
			jobs[i].end(now)
			left[i] = jobs[i].left
		}
		pool := 6 - s.reserved
		limit, order := s.limits(pool, left)
		for _, i := range order {
			j := &jobs[i]
			for {
				mine, all := j.used(false), jobs[0].used(false)+jobs[1].used(false)
				if s.reserved == 0 {
					mine, all = len(j.running), len(jobs[0].running)+len(jobs[1].running)
				}
				if mine >= limit[i] || all >= pool || !j.begin(now, rule, s.reserved == 0, true) {
					break
				}
			}
		}
		limit, order = s.limits(s.reserved, left)
		for _, i := range order {
			j := &jobs[i]
			for s.reserved > 0 && j.used(true) < limit[i] && jobs[0].used(true)+jobs[1].used(true) < s.reserved &&
				j.begin(now, rule, true, false) {
			}
		}
	}
	return [2]int{jobs[0].done, jobs[1].done}
}

type schedule21 struct {
	name  string
	slots slots6
	want  [2]int
}

var schedules21 = []schedule21{
	{"SRPT, best effort (Figure 2.1a)", slots6{0, shortestFirst}, [2]int{5, 8}},
	{"Fair, best effort (Figure 2.1b)", slots6{0, evenShares}, [2]int{6, 8}},
	{"SRPT, 2 slots reserved (Figure 2.2a)", slots6{2, shortestFirst}, [2]int{3, 7}},
	{"Fair, 2 slots reserved (Figure 2.2b)", slots6{2, evenShares}, [2]int{6, 8}},
	{"Hopper (Figure 2.3)", slots6{0, virtualSizes}, [2]int{3, 6}},
}

func TestSection2(t *testing.T) {
	rule, err := hopper.NewSimple(hopper.SimpleConfig{Delay: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range append(schedules21, schedule21{
		// Each job has at least 0.9 of 3 slots: A has no room for a copy until A2 is done, as under Fair.
		"Hopper, ε = 0.1", slots6{0, nearlyFair}, [2]int{6, 8},
	}) {
		if got := run21(rule, tt.slots); got != tt.want {
			t.Errorf("%s: A and B are done at %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The example of section 2: two jobs on 6 slots. Table 2.1 has their runtimes.
func ExampleSimple() {
	rule, err := hopper.NewSimple(hopper.SimpleConfig{Delay: time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range schedules21 {
		fmt.Printf("%-36s %v\n", s.name, run21(rule, s.slots))
	}
	// Output:
	// SRPT, best effort (Figure 2.1a)      [5 8]
	// Fair, best effort (Figure 2.1b)      [6 8]
	// SRPT, 2 slots reserved (Figure 2.2a) [3 7]
	// Fair, 2 slots reserved (Figure 2.2b) [6 8]
	// Hopper (Figure 2.3)                  [3 6]
}
