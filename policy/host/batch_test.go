package host

import (
	"context"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
)

// A machine may report between two calls of Next, in one goroutine: over a connection too, where orders may have come before the
// answer.
func TestReportBetweenTwoOrders(t *testing.T) {
	e, err := Open(Config{New: fifo})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	l, err := Dialer(func(context.Context) (io.ReadWriteCloser, error) {
		here, there := net.Pipe()
		go func() { _ = e.Serve(t.Context(), there) }()
		return here, nil
	}).Join(t.Context(), "m", policy.Node{Cores: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	id, err := e.Submit(t.Context(), Job{Job: policy.Job{Stages: []policy.Stage{{Tasks: 9, Cores: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	for range 9 {
		o, err := l.Next(ctx)
		if err == nil {
			err = l.Report(ctx, Report{Copy: o.Copy, Kind: policy.Finished, Service: time.Second})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if o, err := e.Wait(ctx, id); o.Outcome != policy.Done || err != nil {
		t.Error(o, err)
	}
}

// scripted is a policy that answers as a test says.
type scripted func(ev *policy.Event) []policy.Action

func (s scripted) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return append(actions, s(ev)...), nil
}

// What waits behind a Kill or a Suspend that a machine tells when it joins again is ordered once all that it tells is heard: a copy
// that starts is not lost for want of being named, and one that goes on was not suspended once more.
func TestOrdersOfAJoin(t *testing.T) {
	of := func(job policy.JobID) policy.Copy { return policy.Copy{Task: policy.Task{Job: job}} }
	type actions = []policy.Action
	type reports = []Report
	for name, c := range map[string]struct {
		ready map[policy.JobID]actions
		has   reports
		want  Order
	}{
		"Start behind Kill": {
			map[policy.JobID]actions{2: {{Kind: policy.Kill, Copy: of(1)}, {Kind: policy.Start, Copy: of(2), Node: 1}}, 3: nil},
			reports{{Copy: of(1), Kind: policy.Killed}}, Order{Do: policy.Start, Copy: of(2)},
		},
		"Resume behind Suspend": {
			map[policy.JobID]actions{2: {{Kind: policy.Suspend, Copy: of(1)}, {Kind: policy.Start, Copy: of(2), Node: 1}}, 3: {{Kind: policy.Suspend, Copy: of(2)}, {Kind: policy.Resume, Copy: of(1)}}},
			reports{{Copy: of(2), Kind: policy.Suspended}, {Copy: of(1), Kind: policy.Suspended}}, Order{Do: policy.Resume, Copy: of(1)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				suspended := 0
				e, err := Open(Config{New: func(string) (policy.Scheduler, error) {
					return scripted(func(ev *policy.Event) actions {
						switch {
						case ev.Kind == policy.Suspended && ev.Copy.Job == 1:
							suspended++
						case ev.Kind == policy.Ready && ev.Copy.Job == 1:
							return actions{{Kind: policy.Start, Copy: of(1), Node: 1}}
						case ev.Kind == policy.Ready:
							return c.ready[ev.Copy.Job]
						}
						return nil
					}), nil
				}})
				if err != nil {
					t.Fatal(err)
				}
				defer e.Close()
				next := func(l Link) Order {
					t.Helper()
					ctx, stop := context.WithTimeout(t.Context(), time.Second)
					defer stop()
					o, err := l.Next(ctx)
					if err != nil && ctx.Err() == nil {
						t.Fatal(err)
					}
					if o.Do == policy.Suspend && o.Copy.Job == 1 {
						if err := l.Report(t.Context(), Report{Copy: o.Copy, Kind: policy.Suspended}); err != nil {
							t.Fatal(err)
						}
					}
					return o
				}
				l, err := e.Join(t.Context(), "m", policy.Node{Cores: 1})
				for range 3 {
					if err == nil {
						_, err = e.Submit(t.Context(), Job{Job: policy.Job{Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}})
					}
					if err != nil {
						t.Fatal(err)
					}
					for next(l).Do != 0 {
					}
				}
				_ = l.Close()
				if l, err = e.Join(t.Context(), "m", policy.Node{Cores: 1}, c.has...); err != nil {
					t.Fatal(err)
				}
				if o := next(l); o.Do != c.want.Do || o.Copy != c.want.Copy {
					t.Errorf("the first order is %v %v, want %v %v", o.Do, o.Copy, c.want.Do, c.want.Copy)
				}
				if o := next(l); o.Do != 0 {
					t.Errorf("%v %v follows, want nothing", o.Do, o.Copy)
				}
				if err := l.Report(t.Context(), Report{Copy: c.want.Copy, Kind: policy.Finished}); err != nil {
					t.Error(err)
				}
				ctx, stop := context.WithTimeout(t.Context(), time.Second)
				defer stop()
				if o, err := e.Wait(ctx, c.want.Copy.Job); o.Outcome != policy.Done {
					t.Errorf("the job of the order ends as %v, %v, want Done", o, err)
				}
				if suspended > 1 {
					t.Errorf("the policy has heard %d times that job 1 is suspended, want once", suspended)
				}
			})
		})
	}
}

// deaf is an engine whose first link a test ends, and which does not answer later Joins.
type deaf struct {
	*Engine
	joins int
	first Link
}

func (d *deaf) Join(ctx context.Context, name string, n policy.Node, has ...Report) (l Link, err error) {
	if d.joins++; d.joins > 1 {
		time.Sleep(time.Hour)
	}
	d.first, err = d.Engine.Join(ctx, name, n, has...)
	return d.first, err
}

// The patience of a machine ends while it waits for an engine that does not answer.
func TestPatienceWithADeafEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := Open(Config{New: fifo})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		began := make(chan bool)
		killed := make(chan time.Time, 2)
		m := Machine{Name: "m", Node: policy.Node{Cores: 1}, Patience: 10 * time.Second, Do: func(ctx context.Context, _ Order) error {
			began <- true
			<-ctx.Done()
			killed <- time.Now()
			return ctx.Err()
		}}
		d := &deaf{Engine: e}
		ctx, stop := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- m.Run(ctx, d) }()
		if _, err := e.Submit(t.Context(), Job{Job: policy.Job{Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}}); err != nil {
			t.Fatal(err)
		}
		<-began
		lost := time.Now()
		_ = d.first.Close()
		time.Sleep(time.Minute)
		select {
		case at := <-killed:
			if alone := at.Sub(lost); alone != 10*time.Second {
				t.Errorf("the task was killed after %v without a link, want 10 s", alone)
			}
		default:
			t.Error("the task runs a minute after the link was lost, want that it is killed after 10 s")
		}
		stop()
		<-ran
	})
}
