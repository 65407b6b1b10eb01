package host

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
)

// A slowLink takes a second for its first Report, and no time for the others.
type slowLink struct {
	Link
	mu    sync.Mutex
	calls int
	heard []string // by call
}

func (l *slowLink) Join(context.Context, string, policy.Node, ...Report) (Link, error) { return l, nil }

func (l *slowLink) Report(ctx context.Context, reports ...Report) error {
	l.mu.Lock()
	l.calls++
	first := l.calls == 1
	l.mu.Unlock()
	if first {
		time.Sleep(time.Second)
	}
	var text strings.Builder
	for _, x := range reports {
		fmt.Fprintf(&text, "%v %v, ", x.Kind, x.Value)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = append(l.heard, text.String())
	return nil
}

func (l *slowLink) Next(ctx context.Context) (Order, error) {
	<-ctx.Done()
	return Order{}, ctx.Err()
}

func (l *slowLink) Leave(context.Context) error { return nil }

// Reports arrive in the order in which they were made, and those that gather while one is on its way arrive together. One of a kind
// that no machine reports goes nowhere.
func TestReportsArriveInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := new(slowLink)
		a := &Agent{Name: "m1", Node: policy.Node{Cores: 1}, Obey: func(Order) {}}
		ctx, stop := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- a.Run(ctx, l) }()
		synctest.Wait()
		c := policy.Copy{Task: policy.Task{Job: 1}}
		a.obey(Order{Do: policy.Start, Copy: c, Stage: new(policy.Stage)})
		for i := range 3 {
			a.Report(Report{Copy: c, Kind: policy.Progress, Value: float64(i) / 4})
			synctest.Wait()
		}
		a.Report(Report{Copy: c, Kind: policy.Joined})
		a.Report(Report{Copy: c, Kind: policy.Finished})
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		if want := []string{"Progress 0, ", "Progress 0.25, Progress 0.5, Finished 0, "}; !slices.Equal(l.heard, want) {
			t.Errorf("the link hears %q, want %q", l.heard, want)
		}
		if len(a.copies) > 0 {
			t.Errorf("%d copies are left whose ends are on disk", len(a.copies))
		}
	})
}
