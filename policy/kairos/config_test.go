package kairos

import (
	"fmt"
	"math"
	"testing"

	"example.com/augur/policy"
)

func TestConfigErrors(t *testing.T) {
	node := func(c NodeConfig) error {
		_, err := NewNode[int](c)
		return err
	}
	config := func(c Config) error {
		_, err := NewScheduler(c)
		return err
	}
	good := NodeConfig{Quantum: 1}
	for _, test := range []struct {
		err  error
		want string
	}{
		{node(NodeConfig{Cores: MaxCores, Quantum: maxSpan / 3, Hysteresis: maxSpan, Memory: math.MaxInt64}), "<nil>"},
		{node(NodeConfig{Quantum: 1}), "kairos: NodeConfig.Cores is 0, want 1 to 1048576"},
		{node(NodeConfig{Cores: MaxCores + 1, Quantum: 1}), "kairos: NodeConfig.Cores is 1048577, want 1 to 1048576"},
		{node(NodeConfig{Cores: 1}), "kairos: NodeConfig.Quantum is 0s, want more than 0 s, at most 427007h57m52.809129301s"},
		{node(NodeConfig{Cores: 1, Quantum: maxSpan/3 + 1}), "kairos: NodeConfig.Quantum is 427007h57m52.809129302s, want more than 0 s, at most 427007h57m52.809129301s"},
		{node(NodeConfig{Cores: 1, Quantum: 1, Starvation: 3}), "kairos: NodeConfig.Starvation is 3, want NotServed, Preempted or Never"},
		{node(NodeConfig{Cores: 1, Quantum: 1, Hysteresis: -1}), "kairos: NodeConfig.Hysteresis is -1ns, want 0 s to 1281023h53m38.427387903s"},
		{node(NodeConfig{Cores: 1, Quantum: 1, Memory: -1}), "kairos: NodeConfig.Memory is -1 bytes, want at least 0"},
		{config(Config{Node: good, Queue: MaxQueue}), "<nil>"},
		{config(Config{}), "<nil>"},
		{config(Config{Queue: -1, Heartbeat: -1}), "<nil>"},
		{config(Config{Node: NodeConfig{Quantum: -1}}), "kairos: Config.Node.Quantum is -1ns, want more than 0 s, at most 427007h57m52.809129301s"},
		{config(Config{Node: NodeConfig{Quantum: 1, Cores: 1}}), "kairos: Config.Node has 1 cores and 0 bytes, want 0: they are those of each node"},
		{config(Config{Node: good, Queue: MaxQueue + 1}), "kairos: Config.Queue is 1048577, want at most 1048576, below 0 for none, or 0 for 4"},
		{config(Config{Node: good, Tie: 3}), "kairos: Config.Tie is 3, want LeastVariance, LeastSum or AtRandom"},
	} {
		if got := fmt.Sprint(test.err); got != test.want {
			t.Errorf("got error %s, want %s", got, test.want)
		}
	}
}

// Whatever memory a task has, the node is told of no more than that, so that one of the same size can hold
// it: as a float64, 2^53 + 3 is one more.
func TestAssignmentsOfMuchMemory(t *testing.T) {
	for _, memory := range []int64{0, 1, 1<<53 - 1, 1 << 53, 1<<53 + 3, math.MaxInt64} {
		p := &part{cores: 1, places: 1, memory: memory, begun: true, config: Config{Node: NodeConfig{Quantum: 1}}}
		joined := policy.Event{Kind: policy.Joined, Node: 1}
		task := policy.Event{Kind: policy.Arrived, Msg: assignment(assign, held{copyOf(1), memory}, 1)}
		for _, ev := range []*policy.Event{&joined, &task} {
			actions, err := p.Step(ev, nil)
			if err != nil || ev == &task && (len(actions) == 0 || actions[0].Kind != policy.Start) {
				t.Errorf("%d bytes: %v gives %v, %v", memory, ev.Kind, actions, err)
			}
		}
	}
}
