package kairos_test

import (
	"fmt"
	"log"
	"sync"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

// A pool runs tasks that work in slices, each in a goroutine of its own, which waits while its task
// has no core. A goroutine for each core would not do: what is suspended goes on until its slice
// ends, and may be resumed on another core before that, so that it would run twice at once.
type pool struct {
	node  *kairos.Node[string]
	begun time.Time
	runs  map[string]bool // the tasks that have a core
	turn  *sync.Cond      // its lock guards the node and runs
}

func newPool(c kairos.NodeConfig) *pool {
	node, err := kairos.NewNode[string](c)
	if err != nil {
		log.Fatal(err)
	}
	return &pool{node: node, begun: time.Now(), runs: map[string]bool{}, turn: sync.NewCond(new(sync.Mutex))}
}

func (p *pool) now() policy.Time { return policy.Time(time.Since(p.begun)) }

func (p *pool) carryOut(moves []kairos.Move[string], err error) {
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range moves {
		p.runs[m.Task] = m.Kind != kairos.Suspend
	}
	p.turn.Broadcast()
}

// run returns when a task of so many slices is done. Somebody looks in after each slice, so timers
// need no alarm.
func (p *pool) run(task string, slices int, slice func()) {
	p.turn.L.Lock()
	defer p.turn.L.Unlock()
	p.carryOut(p.node.TaskArrived(p.now(), task, 0, nil))
	for range slices {
		for !p.runs[task] {
			p.turn.Wait()
		}
		p.turn.L.Unlock()
		slice()
		p.turn.L.Lock()
		p.carryOut(p.node.TimersFired(p.now(), nil))
	}
	p.carryOut(p.node.TaskEnded(p.now(), task, nil))
	delete(p.runs, task)
}

// Six tasks share two cores. Those of 5 ms are done soon after they come, however long the others are.
func Example_pool() {
	p := newPool(kairos.NodeConfig{Cores: 2, Quantum: 20 * time.Millisecond})
	var tasks sync.WaitGroup
	for i, slices := range []int{120, 100, 5, 40, 5, 12} {
		tasks.Go(func() {
			p.run(fmt.Sprintf("task %d", i), slices, func() { time.Sleep(time.Millisecond) }) // or work that takes about as long
		})
		time.Sleep(10 * time.Millisecond)
	}
	tasks.Wait()
	fmt.Println("tasks that have a core:", len(p.runs))
	// Output: tasks that have a core: 0
}
