package kairos

import (
	"fmt"

	"example.com/augur/policy"
)

// A watch is the clock of a node: the time from its first event to its last one.
type watch struct {
	began bool
	first policy.Time // instant of the first event
	clock policy.Duration
}

// at returns an instant on the clock, and an error if it is before the last event.
func (w *watch) at(now policy.Time) (clock policy.Duration, err error) {
	if !w.began {
		return 0, nil
	}
	if last := w.first.Add(w.clock); now < last {
		return 0, fmt.Errorf("kairos: time goes back from %d ns to %d ns", last, now)
	}
	if uint64(now)-uint64(w.first) > uint64(maxSpan) {
		return 0, fmt.Errorf("kairos: time is %d ns, more than %v after the first event of the node", now, maxSpan)
	}
	return now.Sub(w.first), nil
}

// advance moves the clock to now.
func (w *watch) advance(now policy.Time) error {
	clock, err := w.at(now)
	if err != nil {
		return err
	}
	if !w.began {
		w.began, w.first = true, now
	}
	w.clock = clock
	return nil
}
