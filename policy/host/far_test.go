package host

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"slices"
	"testing"
	"testing/synctest"

	"example.com/augur/policy"
)

// An order that passes over a connection takes no more bytes the more tasks the stage has, and the job keeps what it has.
func TestFarOrder(t *testing.T) {
	stage := policy.Stage{Tasks: 3, Cores: 2, Saves: true, Holders: []policy.NodeID{1, 2, 3}}
	o := Order{Do: policy.Start, Stage: &stage}
	if got := o.far().Stage; got.Cores != 2 || !got.Saves || got.Holders != nil {
		t.Errorf("got %+v, want all but Holders", got)
	}
	if want := []policy.NodeID{1, 2, 3}; !slices.Equal(stage.Holders, want) || o.Stage != &stage {
		t.Errorf("the job has Holders %v, want %v", stage.Holders, want)
	}
	if o = (Order{Do: policy.Kill}); o.far().Stage != nil {
		t.Error("a Kill has a Stage")
	}
}

// A machine ends in time though the engine reads nothing any more.
func TestLeaveOfOneThatReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, other := net.Pipe()
		go func() {
			_ = json.NewDecoder(other).Decode(new(message))
			_ = json.NewEncoder(other).Encode(message{Answer: &answer{}})
		}()
		a := &Agent{Name: "m1", Node: policy.Node{Cores: 1}, Obey: func(Order) {}}
		ctx, stop := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() {
			ran <- a.Run(ctx, Dialer(func(context.Context) (io.ReadWriteCloser, error) { return conn, nil }))
		}()
		synctest.Wait()
		stop()
		if err := <-ran; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that it could not leave", err)
		}
	})
}
