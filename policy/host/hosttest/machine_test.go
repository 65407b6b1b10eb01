package hosttest_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/host"
	"example.com/augur/policy/host/hosttest"
)

// A machine of functions keeps the contract.
func TestHostMachine(t *testing.T) {
	const patience = time.Second
	var running atomic.Int64
	hosttest.Run(t, hosttest.Config{
		New: func(*testing.T) hosttest.Machine {
			return &host.Machine{Name: "m", Node: policy.Node{Cores: 4}, Patience: patience, Do: func(ctx context.Context, o host.Order) error {
				running.Add(1)
				defer running.Add(-1)
				return work(ctx, o)
			}}
		},
		Short: []byte("20ms"), Long: []byte("1h"), Fails: []byte("never"),
		Cannot:  []policy.ActionKind{policy.Suspend, policy.Report},
		Running: func() int { return int(running.Load()) }, Patience: patience, Pause: 150 * time.Millisecond,
	})
}
