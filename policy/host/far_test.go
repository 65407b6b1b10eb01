package host

import (
	"slices"
	"testing"

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
