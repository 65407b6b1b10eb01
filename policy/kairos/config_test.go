package kairos

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// Errors call a configuration what the caller calls it.
func TestConfigErrors(t *testing.T) {
	node := NodeConfig{Quantum: time.Second}
	_, ofNode := NewNode[int](node)
	_, ofCentral := NewCentral[int](CentralConfig{Tie: AtRandom})
	_, noQuantum := NewScheduler(Config{})
	_, queue := NewScheduler(Config{Node: node, Central: CentralConfig{Queue: -1, Tie: AtRandom, Src: rand.NewPCG(1, 1)}})
	for _, test := range []struct {
		err  error
		want string
	}{
		{ofNode, "kairos: NodeConfig.Cores is 0, want 1 to 1048576"},
		{ofCentral, "kairos: CentralConfig.Src is nil, want a source of randomness for AtRandom"},
		{noQuantum, "kairos: Config.Node.Quantum is 0s, want more than 0 s, at most 1281023h53m38.427387903s"},
		{queue, "kairos: Config.Central.Queue is -1, want 0 to 1048576"},
	} {
		if test.err == nil || test.err.Error() != test.want {
			t.Errorf("got error %v, want %q", test.err, test.want)
		}
	}
}

func TestNodeConfig(t *testing.T) {
	for _, test := range []struct {
		config NodeConfig
		names  string // what the error must name; empty: there is none
	}{
		{NodeConfig{Cores: 1, Quantum: 1}, ""},
		{NodeConfig{Cores: MaxCores, Quantum: maxSpan / 3}, ""},
		{NodeConfig{Cores: 3, Quantum: maxSpan, Counter: 1, Undisturbed: 1, Lead: maxSpan, Memory: math.MaxInt64}, ""},
		{NodeConfig{Quantum: 1}, "Cores is 0"},
		{NodeConfig{Cores: -1, Quantum: 1}, "Cores is -1"},
		{NodeConfig{Cores: MaxCores + 1, Quantum: 1}, "Cores is 1048577"},
		{NodeConfig{Cores: 1}, "Quantum is 0s"},
		{NodeConfig{Cores: 1, Quantum: -1}, "Quantum is -1ns"},
		{NodeConfig{Cores: 1, Quantum: maxSpan + 1}, "Quantum is"},
		{NodeConfig{Cores: 1, Quantum: 1, Starvation: 3}, "Starvation is 3, want NotServed"},
		{NodeConfig{Cores: 1, Quantum: 1, Counter: -1}, "Counter is -1"},
		{NodeConfig{Cores: 1, Quantum: maxSpan/2 + 1, Counter: 2, Undisturbed: 1}, "Counter is 2"},
		{NodeConfig{Cores: 1, Quantum: maxSpan / 2, Starvation: Preempted}, ""},
		{NodeConfig{Cores: 1, Quantum: 1, Undisturbed: -1}, "Undisturbed is -1"},
		{NodeConfig{Cores: 1, Quantum: maxSpan/2 + 1, Counter: 1}, "Undisturbed is 2"},
		{NodeConfig{Cores: 1, Quantum: 1, Lead: -1}, "Lead is -1ns"},
		{NodeConfig{Cores: 1, Quantum: 1, Lead: maxSpan + 1}, "Lead is"},
		{NodeConfig{Cores: 1, Quantum: 1, Memory: -1}, "Memory is -1"},
	} {
		_, err := NewNode[int](test.config)
		if (err == nil) != (test.names == "") || err != nil && !strings.Contains(err.Error(), test.names) {
			t.Errorf("%+v: got error %v, want one that says %q", test.config, err, test.names)
		}
	}
}
