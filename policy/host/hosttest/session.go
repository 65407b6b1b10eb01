package hosttest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/host"
)

// A session is the engine's side of a trial. What it knows of copies it compares with what the machine says.
type session struct {
	*Config
	t      *testing.T
	copies map[policy.Copy]*copied
	joins  chan joining
	said   chan saying
	link   *link
	alone  bool // there is no link, so a machine may kill its copies
	stop   context.CancelFunc
	over   context.Context
	ran    chan error
}

// copied is what was ordered of a copy, and what the machine has said.
type copied struct {
	saved     policy.Duration // that it goes on from
	ordered   time.Time       // its Start
	kill      bool            // was ordered
	stands    bool            // since it was reported
	suspended policy.Duration // its service then
	resumed   time.Time       // when it was ordered; 0: never
	end       *host.Report    // reported, and kept by the engine or not
	kept      bool            // it was
}

// joining is a call of Join.
type joining struct {
	has    []host.Report
	answer chan error
	link   *link
}

// saying is a report, and whether it is on disk.
type saying struct {
	host.Report
	kept bool
}

type finding struct{ error }

// fail ends the trial.
func (s *session) fail(format string, args ...any) { panic(finding{fmt.Errorf(format, args...)}) }

func (s *session) begin() {
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	s.over, s.ran = ctx, make(chan error, 1)
	m := s.New(s.t)
	go func() { s.ran <- m.Run(ctx, s) }()
	s.join()
}

// end ends the machine.
func (s *session) end() error {
	s.stop()
	select {
	case <-s.ran:
		s.ran <- nil
	case <-time.After(s.Wait):
		return fmt.Errorf("Run has not returned %v after its context was done", s.Wait)
	}
	if s.Running != nil {
		if n := s.Running(); n > 0 {
			return fmt.Errorf("%d copies run on after Run has returned", n)
		}
	}
	return nil
}

var errRefused = errors.New("hosttest: the engine is not there now")

// Join implements [host.Joiner].
func (s *session) Join(_ context.Context, _ string, _ policy.Node, has ...host.Report) (host.Link, error) {
	j := joining{has, make(chan error, 1), &link{session: s, orders: make(chan host.Order, 100), done: make(chan struct{})}}
	select {
	case s.joins <- j:
		select {
		case err := <-j.answer:
			if err != nil {
				return nil, err
			}
			return j.link, nil
		case <-s.over.Done():
			return nil, errRefused
		}
	case <-s.over.Done():
		return nil, errRefused
	}
}

// hears waits until the machine joins, and looks at what it says that it has.
func (s *session) hears() joining {
	select {
	case j := <-s.joins:
		s.states(j.has)
		return j
	case err := <-s.ran:
		s.ran <- nil
		s.fail("Run returns %v, want that the machine joins until the context is done", err)
	case <-time.After(s.Wait):
		s.fail("the machine has not joined within %v", s.Wait)
	}
	panic("not reached")
}

// join lets the machine join.
func (s *session) join() []host.Report {
	j := s.hears()
	s.link, s.alone = j.link, false
	for _, x := range j.has {
		if c := s.copies[x.Copy]; x.Kind.End() {
			c.end, c.kept = &x, true
		}
	}
	j.answer <- nil
	return j.has
}

// refuse lets no machine join for once.
func (s *session) refuse() { s.hears().answer <- errRefused }

// lose ends the link once the machine has taken its orders.
func (s *session) lose() {
	for deadline := time.Now().Add(s.Wait); len(s.link.orders) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			s.fail("the machine has not taken an order within %v", s.Wait)
		}
	}
	s.alone = true
	s.link.end(errRefused)
}

// order gives an order.
func (s *session) order(o host.Order) {
	if c := s.copies[o.Copy]; c != nil {
		c.kill = c.kill || o.Do == policy.Kill
		if o.Do == policy.Resume && c.stands {
			c.stands, c.resumed = false, time.Now()
		}
	}
	s.link.orders <- o
}

// start orders the Start of a copy of a job.
func (s *session) start(job policy.JobID, data []byte) policy.Copy {
	return s.startFrom(job, data, 0, 0)
}

func (s *session) startFrom(job policy.JobID, data []byte, saved, reload policy.Duration) policy.Copy {
	o := host.Order{Do: policy.Start, Copy: policy.Copy{Task: policy.Task{Job: job}}, Name: fmt.Sprint("job", job), Data: data, Node: 1, Saved: saved}
	o.Stage = &policy.Stage{Tasks: 1, Cores: 1, Saves: s.Saves != nil, Reload: reload}
	s.copies[o.Copy] = &copied{saved: saved, ordered: time.Now()}
	s.order(o)
	return o.Copy
}

func (s *session) do(kind policy.ActionKind, c policy.Copy) { s.order(host.Order{Do: kind, Copy: c}) }

// report waits for a report of a kind, which the engine keeps.
func (s *session) report(kind policy.EventKind, of policy.Copy) host.Report {
	x := s.hear()
	if x.Kind != kind || x.Copy != of {
		s.fail("the machine reports %v of %v, want %v of %v", x.Kind, x.Copy, kind, of)
	}
	return x.Report
}

// hear waits for a report.
func (s *session) hear() saying {
	select {
	case x := <-s.said:
		s.note(&x)
		return x
	case <-time.After(s.Wait):
		s.fail("the machine reports nothing within %v", s.Wait)
	}
	panic("not reached")
}

// quiet looks whether something comes that should not.
func (s *session) quiet(after string) {
	select {
	case x := <-s.said:
		s.note(&x)
		s.fail("the machine reports %v of %v after %s, want nothing", x.Kind, x.Copy, after)
	case <-time.After(s.Pause):
	}
}

// runs looks how many copies run.
func (s *session) runs(most int, after string) {
	if s.Running != nil {
		if n := s.Running(); n > most {
			s.fail("%d copies run after %s, want at most %d", n, after, most)
		}
	}
}

// up waits until a copy runs, as far as the test itself can see that.
func (s *session) up() {
	for over := time.Now().Add(s.Wait); s.Running != nil && s.Running() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(over) {
			s.fail("no copy runs %v after its Start", s.Wait)
		}
	}
}

// A link ends when a report is to be refused.
type link struct {
	session *session
	orders  chan host.Order
	done    chan struct{}

	mu     sync.Mutex
	err    error
	refuse bool // the next report
}

func (l *link) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
		close(l.done)
	}
}

// Next implements [host.Link].
func (l *link) Next(ctx context.Context) (host.Order, error) {
	select {
	case <-l.done:
		return host.Order{}, errRefused
	default:
	}
	select {
	case o := <-l.orders:
		return o, nil
	case <-l.done:
		return host.Order{}, errRefused
	case <-ctx.Done():
		return host.Order{}, context.Cause(ctx)
	}
}

// Report implements [host.Link].
func (l *link) Report(_ context.Context, reports ...host.Report) error {
	l.mu.Lock()
	err, refuse := l.err, l.refuse
	l.mu.Unlock()
	if err != nil {
		return err
	}
	for _, x := range reports {
		l.session.said <- saying{x, !refuse}
	}
	if refuse {
		l.end(errRefused)
		return errRefused
	}
	return nil
}

// Close implements [host.Link].
func (l *link) Close() error {
	l.end(errRefused)
	return nil
}

// Leave implements [host.Link].
func (l *link) Leave(context.Context) error { return l.Close() }
