package threesigma_test

import (
	"strings"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/policy/threesigma"
)

func TestDraftThatHasNotBegun(t *testing.T) {
	d := must(t, threesigma.NewDraft, threesigma.Window{Width: 2, Slots: 3})
	before := hostile.Dump(d)
	_, held := d.Hold(1, nil, nil, 0)
	_, offered := d.Offer(threesigma.Utility{}, []threesigma.Site{{}})
	for i, err := range []error{d.Occupy(nil, nil, 0), held, offered} {
		if err == nil || !strings.Contains(err.Error(), "Begin") {
			t.Errorf("call %d before Begin: error %v, want one that names it", i, err)
		}
	}
	if after := hostile.Dump(d); after != before {
		t.Errorf("the draft has become %s, from %s", after, before)
	}
}
