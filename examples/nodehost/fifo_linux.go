package main

import (
	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

// A scheduler says what is to be done on this machine. *kairos.Node is one.
type scheduler interface {
	TaskArrived(now policy.Time, id int, memory int64, moves []kairos.Move[int]) ([]kairos.Move[int], error)
	TaskEnded(now policy.Time, id int, moves []kairos.Move[int]) ([]kairos.Move[int], error)
	TaskServed(now policy.Time, id int, service policy.Duration) error
	TimersFired(now policy.Time, moves []kairos.Move[int]) ([]kairos.Move[int], error)
	NextTimer() (at policy.Time, ok bool)
}

// fifo runs tasks first come, first served, each to its end.
type fifo struct {
	waiting []int
	free    []int       // cores
	core    map[int]int // by task that runs
}

// cores returns the numbers of n cores, the first one last.
func cores(n int) (free []int) {
	for c := n - 1; c >= 0; c-- {
		free = append(free, c)
	}
	return free
}

func (f *fifo) TaskArrived(_ policy.Time, id int, _ int64, moves []kairos.Move[int]) ([]kairos.Move[int], error) {
	f.waiting = append(f.waiting, id)
	return f.start(moves), nil
}

func (f *fifo) TaskEnded(_ policy.Time, id int, moves []kairos.Move[int]) ([]kairos.Move[int], error) {
	f.free = append(f.free, f.core[id])
	delete(f.core, id)
	return f.start(moves), nil
}

func (f *fifo) start(moves []kairos.Move[int]) []kairos.Move[int] {
	for len(f.waiting) > 0 && len(f.free) > 0 {
		id, last := f.waiting[0], len(f.free)-1
		c := f.free[last]
		f.waiting, f.free = f.waiting[1:], f.free[:last]
		if f.core == nil {
			f.core = make(map[int]int)
		}
		f.core[id] = c
		moves = append(moves, kairos.Move[int]{Kind: kairos.Start, Task: id, Core: c})
	}
	return moves
}

// TaskServed, TimersFired and NextTimer have nothing to do: nothing is preempted.
func (f *fifo) TaskServed(policy.Time, int, policy.Duration) error { return nil }

func (f *fifo) TimersFired(_ policy.Time, moves []kairos.Move[int]) ([]kairos.Move[int], error) {
	return moves, nil
}

func (f *fifo) NextTimer() (policy.Time, bool) { return 0, false }
