package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
)

func TestSilence(t *testing.T) {
	for _, silent := range []time.Duration{30 * time.Second, 2 * time.Minute} {
		on(t, Config{}, func(b *bed) {
			l, err := b.Join(b.ctx, "m1", policy.Node{Cores: 1})
			if err != nil {
				t.Fatal(err)
			}
			id := b.submit(jobOf("", "1s"))
			o, err := l.Next(b.ctx)
			if err != nil || o.Do != policy.Start || string(o.Data) != "1s" || o.Node != 1 {
				t.Fatalf("got %+v, error %v", o, err)
			}
			_ = l.Close()
			if _, err := l.Next(b.ctx); err != errShut {
				t.Errorf("error %v, want errShut", err)
			}
			other, err := b.Join(b.ctx, "m2", policy.Node{Cores: 1})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(silent)
			finished := Report{Copy: o.Copy, Kind: policy.Finished, Service: time.Second}
			l, err = b.Join(b.ctx, "m1", policy.Node{Cores: 1}, finished)
			if err != nil {
				t.Fatal(err)
			}
			if silent < time.Minute {
				b.wait(id, policy.Done, silent)
				return
			}
			again, err := other.Next(b.ctx)
			if err != nil || again.Copy.N != 1 {
				t.Fatalf("got %+v, error %v", again, err)
			}
			finished.Copy = again.Copy
			if err := errors.Join(l.Report(b.ctx, finished), other.Report(b.ctx, finished), other.Report(b.ctx, finished)); err != nil {
				t.Error(err)
			}
			b.wait(id, policy.Done, silent)
		})
	}
}

func TestAnotherMachineOfTheName(t *testing.T) {
	on(t, Config{}, func(b *bed) {
		l, _ := b.Join(b.ctx, "m1", policy.Node{Cores: 1})
		id := b.submit(jobOf("", "1s"))
		o, _ := l.Next(b.ctx)
		l, err := b.Join(b.ctx, "m1", policy.Node{Cores: 2}, Report{Copy: o.Copy, Kind: policy.Started})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for range 2 {
			o, err := l.Next(b.ctx)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(o.Do, " ", o.Copy))
		}
		if want := []string{"Kill 1/0/0#0", "Start 1/0/0#1"}; !slices.Equal(got, want) {
			t.Errorf("got orders %v, want %v", got, want)
		}
		for _, bad := range []Report{{Kind: policy.Ended}, {Kind: policy.Finished, Service: -1}, {Kind: policy.Progress, Value: 2}} {
			if err := l.Report(b.ctx, bad); err == nil {
				t.Errorf("%+v is taken", bad)
			}
			if _, err := b.Join(b.ctx, "m2", policy.Node{Cores: 1}, bad); err == nil {
				t.Errorf("%+v is taken", bad)
			}
		}
		if _, err := b.Join(b.ctx, "m2", policy.Node{}); err == nil || !strings.Contains(err.Error(), `machine "m2"`) {
			t.Errorf("error %v, want one that names the machine", err)
		}
		_ = l.Report(b.ctx, Report{Copy: policy.Copy{Task: policy.Task{Job: 1}, N: 1}, Kind: policy.Finished})
		b.wait(id, policy.Done, 0)
	})
}

func TestDevices(t *testing.T) {
	on(t, Config{}, func(b *bed) {
		l, _ := b.Join(b.ctx, "m1", policy.Node{Cores: 9, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 2}}})
		b.submit(jobOf("", "1s", policy.Stage{Tasks: 5, Cores: 1, Needs: []policy.Need{{Name: "gpu", Amount: 500}}}))
		count := map[policy.Devices]int{}
		for range 4 {
			o, _ := l.Next(b.ctx)
			count[o.Devices]++
		}
		if count[1] != 2 || count[2] != 2 {
			t.Errorf("got %v tasks by devices, want two on each", count)
		}
	})
}

func TestDialer(t *testing.T) {
	on(t, Config{}, func(b *bed) {
		m := b.machine("here", 1)
		far := &Machine{Name: "far", Node: policy.Node{Cores: 3}, Do: m.Do}
		done := make(chan error)
		go func() {
			done <- far.Run(b.ctx, Dialer(func(context.Context) (io.ReadWriteCloser, error) {
				near, other := net.Pipe()
				b.mu.Lock()
				defer b.mu.Unlock()
				b.conns = append(b.conns, near)
				go b.Serve(b.ctx, other)
				return near, nil
			}))
		}()
		synctest.Wait()
		id := b.submit(jobOf("", "5s", policy.Stage{Tasks: 4, Cores: 1}))
		for range 7 {
			time.Sleep(500 * time.Millisecond)
			b.mu.Lock()
			_ = b.conns[len(b.conns)-1].Close()
			b.mu.Unlock()
		}
		b.wait(id, policy.Done, 5*time.Second)
		b.mu.Lock()
		if len(b.conns) < 7 || b.ran != 4 {
			t.Errorf("%d connections, and tasks have run %d times, want at least 7, and 4", len(b.conns), b.ran)
		}
		b.mu.Unlock()
		if _, err := Dialer(func(context.Context) (io.ReadWriteCloser, error) { return nil, io.EOF }).Join(b.ctx, "m", policy.Node{}); err != io.EOF {
			t.Errorf("error %v, want that of the dialer", err)
		}
		near, other := net.Pipe()
		go b.Serve(b.ctx, other)
		if _, err := (Dialer(func(context.Context) (io.ReadWriteCloser, error) { return near, nil })).Join(b.ctx, "bad", policy.Node{}); err == nil || !strings.Contains(err.Error(), `"bad"`) {
			t.Errorf("error %v, want that of Join", err)
		}
		b.stop()
		<-done
	})
}

func TestMachineLeaves(t *testing.T) {
	for _, far := range []bool{false, true} {
		on(t, Config{}, func(b *bed) {
			b.machine("m1", 1)
			m := b.machine("m2", 1)
			ctx, stop := context.WithCancel(b.ctx)
			ran := make(chan error, 1)
			var to Joiner = b
			if far {
				to = b.far()
			}
			third := &Machine{Name: "m3", Node: policy.Node{Cores: 4}, Do: m.Do}
			go func() { ran <- third.Run(ctx, to) }()
			synctest.Wait()
			id := b.submit(jobOf("", "3s", policy.Stage{Tasks: 2, Cores: 1}))
			time.Sleep(time.Second)
			stop()
			if err := <-ran; err != nil {
				t.Error(err)
			}
			if nodes, err := b.Nodes(b.ctx); err != nil || len(nodes) != 2 {
				t.Errorf("got machines %v, error %v, want two left", nodes, err)
			}
			b.wait(id, policy.Done, 4*time.Second)
		})
	}
}

type usurper struct{}

func (usurper) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	first := policy.Copy{Task: policy.Task{Job: 1}}
	switch {
	case ev.Kind == policy.Ready && ev.Copy.Job == 1:
		actions = append(actions, policy.Action{Kind: policy.Start, Copy: first, Node: 1})
	case ev.Kind == policy.Ready:
		actions = append(actions, policy.Action{Kind: policy.Suspend, Copy: first}, policy.Action{Kind: policy.Start, Copy: ev.Copy, Node: 1})
	case ev.Kind == policy.Finished && ev.Copy.Job == 2:
		actions = append(actions, policy.Action{Kind: policy.Resume, Copy: first})
	}
	return actions, nil
}

func TestLostResume(t *testing.T) {
	on(t, Config{New: func(string) (policy.Scheduler, error) { return usurper{}, nil }}, func(b *bed) {
		l, err := b.Join(b.ctx, "m1", policy.Node{Cores: 1})
		if err != nil {
			t.Fatal(err)
		}
		next := func(want policy.ActionKind, job policy.JobID) Order {
			t.Helper()
			o, err := l.Next(b.ctx)
			if err != nil || o.Do != want || o.Copy.Job != job {
				t.Fatalf("got %v of job %d, error %v, want %v of job %d", o.Do, o.Copy.Job, err, want, job)
			}
			return o
		}
		b.submit(jobOf("", "1h"))
		first := next(policy.Start, 1)
		time.Sleep(time.Minute)
		b.submit(jobOf("", "1s"))
		next(policy.Suspend, 1)
		stands := Report{Copy: first.Copy, Kind: policy.Suspended, Service: time.Minute}
		if err := l.Report(b.ctx, stands); err != nil {
			t.Fatal(err)
		}
		second := next(policy.Start, 2)
		if err := l.Report(b.ctx, Report{Copy: second.Copy, Kind: policy.Finished}); err != nil {
			t.Fatal(err)
		}
		next(policy.Resume, 1)
		_ = l.Close()
		if l, err = b.Join(b.ctx, "m1", policy.Node{Cores: 1}, stands); err != nil {
			t.Fatal(err)
		}
		next(policy.Resume, 1)
	})
}

func TestResumeBeforeSuspended(t *testing.T) {
	first, second := policy.Copy{Task: policy.Task{Job: 1}}, policy.Copy{Task: policy.Task{Job: 2}}
	changes := scripted(func(ev *policy.Event) []policy.Action {
		switch {
		case ev.Kind == policy.Ready && ev.Copy.Job == 1:
			return []policy.Action{{Kind: policy.Start, Copy: first, Node: 1}}
		case ev.Kind == policy.Ready && ev.Copy.Job == 2:
			return []policy.Action{{Kind: policy.Suspend, Copy: first}, {Kind: policy.Start, Copy: second, Node: 1}}
		case ev.Kind == policy.Ready:
			return []policy.Action{{Kind: policy.Suspend, Copy: second}, {Kind: policy.Resume, Copy: first}}
		}
		return nil
	})
	running, stands := Report{Copy: first, Kind: policy.Started}, Report{Copy: first, Kind: policy.Suspended, Service: time.Minute}
	for name, has := range map[string]*Report{"its link goes on": nil, "it has not got the order": &running, "it could not report": &stands} {
		t.Run(name, func(t *testing.T) {
			on(t, Config{New: func(string) (policy.Scheduler, error) { return changes, nil }}, func(b *bed) {
				l, err := b.Join(b.ctx, "m1", policy.Node{Cores: 1})
				if err != nil {
					t.Fatal(err)
				}
				next := func(want policy.ActionKind, of policy.Copy) {
					t.Helper()
					ctx, cancel := context.WithTimeout(b.ctx, time.Second)
					defer cancel()
					if o, err := l.Next(ctx); err != nil || o.Do != want || o.Copy != of {
						t.Fatalf("got %v of %v, error %v, want %v of %v", o.Do, o.Copy, err, want, of)
					}
				}
				b.submit(jobOf("", "1h"))
				next(policy.Start, first)
				time.Sleep(time.Minute)
				b.submit(jobOf("", "1h"))
				if has != &running {
					next(policy.Suspend, first)
				}
				b.submit(jobOf("", "1h"))
				if has != nil {
					_ = l.Close()
					if l, err = b.Join(b.ctx, "m1", policy.Node{Cores: 1}, *has); err != nil {
						t.Fatal(err)
					}
				}
				if has == &running {
					next(policy.Suspend, first)
				}
				if has != &stands {
					if err := l.Report(b.ctx, stands); err != nil {
						t.Fatal(err)
					}
				}
				next(policy.Start, second)
				next(policy.Suspend, second)
				if err := l.Report(b.ctx, Report{Copy: second, Kind: policy.Suspended}); err != nil {
					t.Fatal(err)
				}
				next(policy.Resume, first)
			})
		})
	}
}

func TestBadMachine(t *testing.T) {
	on(t, Config{}, func(b *bed) {
		do := func(context.Context, Order) error { return nil }
		for _, m := range []*Machine{
			{Name: "m1", Node: policy.Node{Cores: -1}, Do: do},
			{Name: "m1", Node: policy.Node{Cores: 1}},
		} {
			ctx, end := context.WithTimeout(b.ctx, time.Second)
			if err := m.Run(ctx, b); err == nil || !strings.Contains(err.Error(), `machine "m1"`) || ctx.Err() != nil {
				t.Errorf("error %v, want one at once that names the machine", err)
			}
			end()
		}
	})
}

func TestConn(t *testing.T) {
	on(t, Config{}, func(b *bed) {
		m := b.machine("here", 1)
		in, to := io.Pipe()
		from, out := io.Pipe()
		killed := make(chan error, 1)
		far := &Machine{Name: "far", Node: policy.Node{Cores: 3}, Do: func(ctx context.Context, o Order) error {
			err := m.Do(ctx, o)
			killed <- err
			return err
		}}
		ran := make(chan error, 1)
		go func() { ran <- far.Run(b.ctx, Conn(in, out)) }()
		ctx, end := context.WithCancel(b.ctx)
		go b.Serve(ctx, duplex{from, to})
		synctest.Wait()
		b.submit(jobOf("", "1h", policy.Stage{Tasks: 1, Cores: 3}))
		time.Sleep(time.Second)
		end()
		if err := <-killed; err != ErrKilled {
			t.Errorf("the task has ended with error %v, want ErrKilled", err)
		}
		if err := <-ran; err != nil || time.Since(b.began) != time.Second {
			t.Errorf("the machine has ended after %v, error %v, want at once, and none", time.Since(b.began), err)
		}
		in, to = io.Pipe()
		bad := Conn(in, out)
		_ = to.CloseWithError(errors.New("cut"))
		go io.Copy(io.Discard, from)
		_, first := bad.Join(b.ctx, "m", policy.Node{})
		if _, err := bad.Join(b.ctx, "m", policy.Node{}); first == nil || !errors.Is(err, errEnded) || !strings.Contains(err.Error(), first.Error()) {
			t.Errorf("errors %v and %v, want the second to say the first", first, err)
		}
	})
}
