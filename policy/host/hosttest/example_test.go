package hosttest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/host"
	"example.com/augur/policy/host/hosttest"
)

// work is a task of the machine: how long it takes, or fails.
func work(ctx context.Context, o host.Order) error {
	d, err := time.ParseDuration(string(o.Data))
	if err != nil {
		return errors.New("that is no duration")
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// A machine, and the test that says whether it may be trusted with tasks that are to run once.
func Example() {
	var t *testing.T // that of the test function
	hosttest.Run(t, hosttest.Config{
		New: func(*testing.T) hosttest.Machine {
			return &host.Machine{Name: "m", Node: policy.Node{Cores: 2}, Do: work}
		},
		Short: []byte("50ms"), Long: []byte("1h"), Fails: []byte("never"),
		Cannot: []policy.ActionKind{policy.Suspend, policy.Report},
	})
}
