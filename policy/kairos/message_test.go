package kairos

import (
	"math"
	"testing"

	"example.com/augur/policy"
)

// Whatever memory a task has, the node is told of no more than that, so that one of the same size can hold
// it: as a float64, 2^53 + 3 is one more.
func TestAssignmentsOfMuchMemory(t *testing.T) {
	for _, memory := range []int64{0, 1, 1<<53 - 1, 1 << 53, 1<<53 + 3, math.MaxInt64} {
		p := &part{places: 1, memory: memory, centres: make([]link, 1), begun: 1, config: Config{Node: NodeConfig{Quantum: 1}}}
		joined := policy.Event{Kind: policy.Joined, Node: 1}
		task := policy.Event{Kind: policy.Arrived, Msg: assignment(assign, policy.Copy{Task: policy.Task{Job: 1}}, 1, 0, memory)}
		for _, ev := range []*policy.Event{&joined, &task} {
			actions, err := p.Step(ev, nil)
			if err != nil || ev == &task && (len(actions) == 0 || actions[0].Kind != policy.Start) {
				t.Errorf("%d bytes: %v gives %v, %v", memory, ev.Kind, actions, err)
			}
		}
	}
}
