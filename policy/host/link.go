package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"example.com/augur/policy"
)

// A Link is the connection of a machine to an engine, in the same process or far away. One goroutine calls Next, and any number may
// call Report.
type Link interface {
	// Next returns the next order. It waits for one until the context is done or the link has ended. What has been
	// returned is not returned again.
	Next(ctx context.Context) (Order, error)
	// Report tells the engine what has become of copies, and returns nil once that is on disk. What the engine knows already
	// it ignores. It returns an error if the link has ended, or if a report is out of range, and then has taken none of
	// them.
	Report(ctx context.Context, reports ...Report) error
	// Close ends the link. The machine is silent from now on.
	Close() error
	// Leave ends the link and lets the machine leave for good: copies that it still has are Lost at once.
	Leave(ctx context.Context) error
}

// A Joiner lets machines join: an [Engine], or a [Dialer] that reaches one. See [Engine.Join].
type Joiner interface {
	Join(ctx context.Context, name string, n policy.Node, has ...Report) (Link, error)
}

// A link is that of a machine in this process.
type link struct {
	engine *Engine
	node   policy.NodeID
	more   chan struct{} // a token when there are orders
	done   chan struct{} // closed when the link has ended

	mu     sync.Mutex
	orders []Order
	err    error // after the end
}

// ErrReplaced is the error of a link whose machine has left, or of whose name another one has joined.
var ErrReplaced = errors.New("host: another machine has joined under the name of this one, or it has left")

// errShut is the error of a link that its machine has closed.
var errShut = errors.New("host: the link is closed")

// Next implements [Link].
func (l *link) Next(ctx context.Context) (Order, error) {
	for {
		l.mu.Lock()
		if l.err == nil && len(l.orders) > 0 {
			o := l.orders[0]
			l.orders = l.orders[1:]
			l.mu.Unlock()
			return o, nil
		}
		err := l.err
		l.mu.Unlock()
		if err != nil {
			return Order{}, err
		}
		select {
		case <-l.more:
		case <-l.done:
		case <-ctx.Done():
			return Order{}, context.Cause(ctx)
		}
	}
}

func (l *link) give(orders []Order) {
	l.mu.Lock()
	l.orders = append(l.orders, orders...)
	l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
}

// end ends the link, and returns the orders that nobody has taken.
func (l *link) end(err error) []Order {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
		close(l.done)
	}
	left := l.orders
	l.orders = nil
	return left
}

// reason returns why a link has ended, nil if it has not.
func (l *link) reason() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Report implements [Link].
func (l *link) Report(ctx context.Context, reports ...Report) error {
	for _, r := range reports {
		if err := r.check(); err != nil {
			return err
		}
	}
	return l.engine.do(ctx, func() error {
		n := l.engine.nodes[l.node]
		if n == nil || n.link != l {
			return ErrReplaced
		}
		for i := range reports {
			if err := l.engine.fatal(l.engine.hear(n, &reports[i])); err != nil {
				return err
			}
		}
		return nil
	})
}

// longest is more than any copy runs for.
const longest = 100 * 365 * 24 * time.Hour

// check returns what is out of range.
func (r *Report) check() error {
	switch {
	case r.Kind != policy.Suspended && r.Kind != policy.Progress && r.Kind != policy.Started && r.Kind != policy.Resumed && !r.Kind.End():
		return fmt.Errorf("host: a machine reports %v of %v, want Suspended, Progress, Finished, Failed, Killed or Lost", r.Kind, r.Copy)
	case r.Service < 0 || r.Service > longest || r.Saved < 0 || r.Saved > longest:
		return fmt.Errorf("host: %v of %v with a service of %v and %v saved, want 0 to 100 years", r.Kind, r.Copy, r.Service, r.Saved)
	case !(r.Value >= 0 && r.Value <= 1):
		return fmt.Errorf("host: %v of %v has done %v of its work, want 0 to 1", r.Kind, r.Copy, r.Value)
	}
	return nil
}

// Close implements [Link].
func (l *link) Close() error {
	err := l.engine.do(context.Background(), func() error {
		if n := l.engine.nodes[l.node]; n != nil && n.link == l {
			l.engine.silence(n, errShut)
		}
		return nil
	})
	l.end(errShut)
	return err
}

// Leave implements [Link].
func (l *link) Leave(ctx context.Context) error {
	err := l.engine.do(ctx, func() error {
		n := l.engine.nodes[l.node]
		if n == nil || n.link != l {
			return ErrReplaced
		}
		l.engine.silence(n, ErrReplaced)
		return l.engine.fatal(l.engine.leave(n))
	})
	l.end(ErrReplaced)
	return err
}
