package hopper_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload/paper"
)

// Copies keep to the reserved slots, and tasks to the others.
func TestSchedulerReserved(t *testing.T) {
	const reserved = 6 // of 24
	for _, s := range allocators(hopper.GS{}, time.Second, 0)[1:] {
		s.reserved = 0.25
		b := newBooks(t, s)
		mostCopies, mostTasks := 0, 0
		b.after = func(*policy.Event) error {
			tasks, copies := 0, 0
			for _, j := range b.jobs {
				all, another := j.slots()
				tasks += all - another
				copies += another
			}
			mostCopies, mostTasks = max(mostCopies, copies), max(mostTasks, tasks)
			return nil
		}
		b.run(t, facebook(60, func(h *paper.Hopper) { h.Pipe = false }), sim.Config{Delay: 20 * time.Millisecond})
		if mostCopies != reserved || mostTasks != 24-reserved {
			t.Errorf("%v: up to %d copies and %d tasks ran at once, want %d and %d",
				s.name, mostCopies, mostTasks, reserved, 24-reserved)
		}
	}
}

// What is wider than the slots of tasks runs alone, and nothing else goes over them.
func TestSchedulerReservedWide(t *testing.T) {
	for _, tt := range []struct {
		reserved float64
		cores    int32 // of each task, on 4 nodes of 4
		most     int
	}{
		{0.5, 3, 6}, {0.5, 4, 8}, {0.75, 3, 3}, {0.99, 1, 1}, {0.9, 4, 4},
	} {
		b := newBooks(t, setting{rival: fewest, reserved: tt.reserved})
		most := 0
		b.after = func(*policy.Event) error {
			for _, j := range b.jobs {
				slots, _ := j.slots()
				most = max(most, slots)
			}
			return nil
		}
		run1(t, b, policy.Stage{Tasks: 5, Cores: tt.cores}, sim.Cluster(sim.Partition{Nodes: 4, Cores: 4}))
		if most != tt.most {
			t.Errorf("%v reserved: tasks of %d cores had %d slots, want %d", tt.reserved, tt.cores, most, tt.most)
		}
	}
}

// Copies start when it is their turn.
func TestSchedulerCopyTurns(t *testing.T) {
	for _, s := range allocators(hopper.GS{}, time.Second, 0.5) {
		for _, turn := range []central.When{central.InTurn, central.AfterOwn, central.AfterAll} {
			if s.rival == nil && turn == central.AfterAll {
				continue
			}
			s.Copies = turn
			b := newBooks(t, s)
			copies, beforeOwn, beforeOthers := 0, 0, 0
			b.start = func(j *entry, _ policy.Copy, another bool) error {
				if !another {
					return nil
				}
				copies++
				if j.waiting() > 0 {
					beforeOwn++
				}
				for _, other := range b.jobs {
					if other != j && other.waiting() > 0 {
						beforeOthers++
						break
					}
				}
				return nil
			}
			b.run(t, facebook(80, func(h *paper.Hopper) { h.Pipe = false }), sim.Config{})
			if copies < 50 {
				t.Errorf("%v, %v: %d copies only", s.name, turn, copies)
			}
			if (beforeOwn == 0) != (turn != central.InTurn) || (beforeOthers == 0) != (turn == central.AfterAll) {
				t.Errorf("%v, %v: of %d copies %d went before tasks of their job, %d before those of others",
					s.name, turn, copies, beforeOwn, beforeOthers)
			}
		}
	}
}

// What Mantri wants killed is killed, and every task is finished all the same.
func TestSchedulerKills(t *testing.T) {
	rule := newMantri(t, hopper.MantriConfig{Period: 3 * time.Second, Copies: 1})
	all := allocators(rule, 3*time.Second, 0.1)
	all[2].reserved, all[3].Copies = 0.2, central.AfterAll
	for _, s := range all {
		b := newBooks(t, s)
		restarts, drops := 0, 0
		b.kill = func(j *entry, c policy.Copy) error {
			if _, ok := j.copies[c]; !ok {
				return fmt.Errorf("%v is killed, but does not run", c)
			}
			if j.running[c.Task] == 1 {
				restarts++
			} else {
				drops++
			}
			return nil
		}
		// run fails if a job does not finish.
		b.run(t, facebook(100, func(h *paper.Hopper) { h.Pipe = false }), sim.Config{Delay: 30 * time.Millisecond})
		if restarts < 5 || drops < 5 {
			t.Errorf("%v: %d copies were killed to start anew, %d dropped", s.name, restarts, drops)
		}
	}
}

// After a restart copies report, and the rule has others started.
func TestSchedulerRestart(t *testing.T) {
	lives, copies, reports, replayed := 0, 0, 0, 0
	newLife := func() *books {
		lives++
		b := newBooks(t, setting{Config: hopper.DefaultConfig()})
		b.start = func(_ *entry, _ policy.Copy, another bool) error {
			if another && lives > 1 {
				copies++
			}
			return nil
		}
		b.after = func(ev *policy.Event) error {
			if ev.Kind == policy.Progress && lives > 1 {
				reports++
			}
			if ev.Kind != policy.Restored {
				return nil
			}
			for _, j := range b.jobs {
				_, another := j.slots()
				replayed += another
				if e, _ := b.Explain(j.job.ID); int(e.Copies) != another {
					return fmt.Errorf("job %d has %d copies after a restart, want %d", j.job.ID, e.Copies, another)
				}
			}
			return nil
		}
		return b
	}
	c := sim.Config{Faults: sim.Faults{NewPolicy: func() (policy.Scheduler, error) { return newLife(), nil }}}
	for at := 100 * second; at < 1500*second; at += 97 * second {
		c.Faults.Restarts = append(c.Faults.Restarts, at)
	}
	newLife().run(t, facebook(60, func(h *paper.Hopper) { h.Pipe = false }), c)
	if lives < 10 || copies < 20 || reports < 1000 || replayed < 5 {
		t.Errorf("%d lives: %d copies began and %d reports came after restarts, %d copies went on", lives, copies, reports, replayed)
	}
}

// Who asks for a copy that the rule does not want gets none.
func TestSpeculationWantsNone(t *testing.T) {
	copies, err := hopper.NewSpeculation(hopper.SpeculationConfig{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := central.New(central.Config{Turn: fewest(), Copy: copies})
	if err != nil {
		t.Fatal(err)
	}
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
	if _, err := s.Step(&policy.Event{Kind: policy.Submitted, Copy: copyOf(1, 0, 0), Job: job}, nil); err != nil {
		t.Fatal(err)
	}
	if task, actions, ok := copies.Next(s.View().Job(1), nil); ok || len(actions) > 0 {
		t.Errorf("got %v of %v, want no copy", actions, task)
	}
}
