package kairos

import (
	"math/rand/v2"
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
