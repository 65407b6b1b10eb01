package kairos_test

import (
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

// A machine has one core, on which it runs the task that its node wants there. How much is left
// of a task only the machine finds out, when the task has ended.
type machine struct {
	node *kairos.Node[string]
	left map[string]time.Duration
	runs string // "" if the core is idle
	now  policy.Time
}

// carryOut does what the node wants done.
func (m *machine) carryOut(moves []kairos.Move[string], err error) {
	if err != nil {
		log.Fatal(err)
	}
	for _, move := range moves {
		switch move.Kind {
		case kairos.Start, kairos.Resume:
			m.runs = move.Task
		case kairos.Suspend:
			m.runs = ""
		}
	}
}

func (m *machine) submit(task string, work time.Duration) {
	m.left[task] = work
	m.carryOut(m.node.TaskArrived(m.now, task, 0, nil))
}

// until works until an instant, and tells the node what happens meanwhile: first what ends,
// then timers.
func (m *machine) until(end policy.Time) {
	for m.now < end {
		next := end
		if at, ok := m.node.NextTimer(); ok {
			next = min(next, at)
		}
		if m.runs != "" {
			next = min(next, m.now.Add(m.left[m.runs]))
			m.left[m.runs] -= next.Sub(m.now)
		}
		m.now = next
		if done := m.runs; done != "" && m.left[done] == 0 {
			fmt.Printf("%v s: %s is done\n", m.now.Seconds(), done)
			m.runs = ""
			m.carryOut(m.node.TaskEnded(m.now, done, nil))
		}
		m.carryOut(m.node.TimersFired(m.now, nil))
	}
}

// A worker that can suspend what it runs needs a Node and no more. The video came first, and
// would have kept the page waiting for ten minutes.
func Example_machine() {
	node, err := kairos.NewNode[string](kairos.NodeConfig{Cores: 1, Quantum: 30 * time.Second})
	if err != nil {
		log.Fatal(err)
	}
	m := machine{node: node, left: map[string]time.Duration{}}
	m.submit("video", 10*time.Minute)
	m.until(m.now.Add(20 * time.Second))
	m.submit("page", 5*time.Second)
	m.until(m.now.Add(20 * time.Second))
	m.submit("index", 2*time.Minute)
	m.until(m.now.Add(time.Hour))
	// Output:
	// 25 s: page is done
	// 220 s: index is done
	// 725 s: video is done
}
