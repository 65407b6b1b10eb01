package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
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
				to = Dialer(func(context.Context) (io.ReadWriteCloser, error) {
					near, other := net.Pipe()
					go b.Serve(b.ctx, other)
					return near, nil
				})
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
		if err := (&Machine{Name: "m1", Node: policy.Node{Cores: -1}}).Run(b.ctx, b); err == nil || !strings.Contains(err.Error(), `machine "m1"`) {
			t.Errorf("error %v, want one that names the machine", err)
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

// A machine whose name another one takes ends, here and far away.
func TestTwins(t *testing.T) {
	for _, far := range []bool{false, true} {
		on(t, Config{}, func(b *bed) {
			m := b.machine("other", 1)
			var to Joiner = b
			if far {
				to = Dialer(func(context.Context) (io.ReadWriteCloser, error) {
					near, other := net.Pipe()
					go b.Serve(b.ctx, other)
					return near, nil
				})
			}
			ran := make(chan error, 1)
			go func() { ran <- (&Machine{Name: "twin", Node: policy.Node{Cores: 2}, Do: m.Do}).Run(b.ctx, to) }()
			synctest.Wait()
			id := b.submit(jobOf("", "1s", policy.Stage{Tasks: 1, Cores: 2}))
			b.machine("twin", 2)
			if err := <-ran; !errors.Is(err, ErrReplaced) {
				t.Errorf("the first machine of the name ends with error %v, want ErrReplaced", err)
			}
			b.wait(id, policy.Done, time.Second)
		})
	}
}

// Gangs of one task under a policy with parts: those hear of them as of other tasks.
func TestGangOfOne(t *testing.T) {
	on(t, Config{New: byLine, Policy: "kairos"}, func(b *bed) {
		b.machine("m1", 1)
		var ids []policy.JobID
		for range 3 {
			ids = append(ids, b.submit(jobOf("", "1s", policy.Stage{Tasks: 1, Cores: 1, Gang: true})))
		}
		for i, id := range ids {
			b.wait(id, policy.Done, time.Duration(1+i)*time.Second)
		}
	})
}

// Names come back from the journal as they were, or are refused.
func TestNames(t *testing.T) {
	on(t, Config{}, func(b *bed) {
		_, err := b.Join(b.ctx, "caf\xe9", policy.Node{Cores: 1})
		_, errs := b.Submit(b.ctx, jobOf("caf\xe9", "1s"))
		for _, err := range []error{err, errs} {
			if err == nil || !strings.Contains(err.Error(), "UTF-8") {
				t.Errorf("error %v, want one about UTF-8", err)
			}
		}
		id := b.submit(jobOf("", "1h"))
		l, _ := b.Join(b.ctx, "m1", policy.Node{Cores: 1, Offers: []policy.Offer{}})
		o, _ := l.Next(b.ctx)
		l, _ = b.Join(b.ctx, "m1", policy.Node{Cores: 1}, Report{Copy: o.Copy, Kind: policy.Started}) // the same machine
		for _, bad := range []policy.Duration{-1, 1 << 62} {
			if err := l.Report(b.ctx, Report{Copy: o.Copy, Kind: policy.Suspended, Service: bad}); err == nil {
				t.Errorf("a service of %v is taken", bad)
			}
		}
		if err := l.Report(b.ctx, Report{Copy: o.Copy, Kind: policy.Finished, Service: time.Second}); err != nil {
			t.Error(err)
		}
		b.wait(id, policy.Done, 0)
	})
}

// flips is a policy that lets two tasks of a job take turns on one core, and the one of index 0 run in the end.
type flips struct {
	rng  *rand.Rand
	runs uint32
	left int
}

func (p *flips) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	of := func(index uint32) policy.Copy { return policy.Copy{Task: policy.Task{Job: 1, Index: index}} }
	switch {
	case ev.Kind == policy.Ready:
		p.runs = 1
		actions = append(actions, policy.Action{Kind: policy.Start, Copy: of(0), Node: 1}, policy.Action{Kind: policy.Suspend, Copy: of(0)}, policy.Action{Kind: policy.Start, Copy: of(1), Node: 1},
			policy.Action{Kind: policy.Wake, At: ev.Time + 1})
	case ev.Kind == policy.Woken && (p.left > 0 || p.runs != 0):
		p.left--
		actions = append(actions, policy.Action{Kind: policy.Suspend, Copy: of(p.runs)}, policy.Action{Kind: policy.Resume, Copy: of(1 - p.runs)},
			policy.Action{Kind: policy.Wake, At: ev.Time + policy.Time(p.rng.Int64N(6e6))})
		p.runs = 1 - p.runs
	}
	return actions, nil
}

// A machine that suspends slowly ends as the policy wanted last, however often that has changed its mind meanwhile.
func TestSlowSuspend(t *testing.T) {
	for seed := range uint64(300) {
		p := &flips{rng: rand.New(rand.NewPCG(seed, 1)), left: 40}
		on(t, Config{New: func(string) (policy.Scheduler, error) { return p, nil }}, func(b *bed) {
			l, err := b.Join(b.ctx, "m1", policy.Node{Cores: 1})
			if err != nil {
				t.Fatal(err)
			}
			b.submit(jobOf("", "", policy.Stage{Tasks: 2, Cores: 1}))
			state, slow := [2]string{}, rand.New(rand.NewPCG(seed, 2))
			suspended := make(chan policy.Copy)
			orders := make(chan Order)
			go func() {
				for {
					o, err := l.Next(b.ctx)
					if err != nil {
						return
					}
					orders <- o
				}
			}()
			for over := time.After(time.Second); over != nil; {
				select {
				case o := <-orders:
					switch i := o.Copy.Index; {
					case o.Do != policy.Suspend:
						state[i] = "runs"
					case state[i] == "runs":
						state[i] = "is being suspended"
						time.AfterFunc(time.Duration(slow.Int64N(20e6)), func() { suspended <- o.Copy })
					}
				case c := <-suspended:
					state[c.Index] = "is suspended"
					if err := l.Report(b.ctx, Report{Copy: c, Kind: policy.Suspended, Service: 1}); err != nil {
						t.Error(err)
					}
				case <-over:
					over = nil
				}
			}
			if want := [2]string{"runs", "is suspended"}; state != want {
				t.Errorf("seed %d: the tasks are %q, want %q", seed, state, want)
			}
		})
	}
}

// shaky is a Joiner whose links a test ends, and whose Joins it holds up.
type shaky struct {
	*bed
	link Link
	join func() // called in each Join after the first, before it is told
}

func (s *shaky) Join(ctx context.Context, name string, n policy.Node, has ...Report) (Link, error) {
	if s.link != nil {
		s.join()
	}
	l, err := s.bed.Join(ctx, name, n, has...)
	s.link = l
	return l, err
}

// What an Agent reports is told, whatever its link does meanwhile.
func TestAgent(t *testing.T) {
	for name, test := range map[string]func(b *bed, a *Agent, to *shaky, first policy.Copy){
		"a bad end is a failure": func(b *bed, a *Agent, _ *shaky, first policy.Copy) {
			a.Report(Report{Copy: first, Kind: policy.Finished, Service: -1})
			b.wait(1, policy.TaskFailed, 0)
		},
		"suspended while it joins": func(b *bed, a *Agent, to *shaky, first policy.Copy) {
			to.join = func() { a.Report(Report{Copy: first, Kind: policy.Suspended, Service: 1}) }
			second := b.submit(jobOf("", "1h")) // for which the first is suspended
			synctest.Wait()
			_ = to.link.Close()
			time.Sleep(time.Second)
			if jobs, err := b.Jobs(b.ctx); err != nil || jobs[1].ID != second || jobs[1].Running != 1 {
				b.t.Errorf("got %+v, error %v, want the second job running", jobs, err)
			}
			a.Report(Report{Copy: policy.Copy{Task: policy.Task{Job: second}}, Kind: policy.Finished})
			b.wait(second, policy.Done, time.Second)
		},
		"it ends without a link": func(b *bed, a *Agent, to *shaky, first policy.Copy) {
			to.join = func() {}
			_ = to.link.Close()
			a.Report(Report{Copy: first, Kind: policy.Finished, Service: 1})
			b.stop()
			s, err := b.Wait(context.WithoutCancel(b.ctx), 1)
			if err != nil || s.Outcome != policy.Done {
				b.t.Errorf("got %+v, error %v, want Done", s, err)
			}
		},
		"killed while it saves at its end": func(b *bed, a *Agent, to *shaky, first policy.Copy) {
			b.stop() // its Kill saves, and takes for ever
			synctest.Wait()
			ctx := context.WithoutCancel(b.ctx)
			_ = b.Cancel(ctx, 1)
			if s, err := b.Wait(ctx, 1); err != nil || s.Outcome != policy.Cancelled {
				b.t.Errorf("got %+v, error %v, want Cancelled", s, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			on(t, Config{New: func(string) (policy.Scheduler, error) { return usurper{}, nil }, Attempts: 1}, func(b *bed) {
				to := &shaky{bed: b}
				a := &Agent{Name: "m1", Node: policy.Node{Cores: 1}, Suspended: func(policy.Copy) (policy.Duration, bool) { return 0, false }}
				a.Obey = func(o Order) {
					if o.Do == policy.Kill && !o.Save {
						a.Report(Report{Copy: o.Copy, Kind: policy.Killed})
					}
				}
				ran := make(chan error, 1)
				b.stopped = append(b.stopped, ran)
				go func() { ran <- a.Run(b.ctx, to) }()
				synctest.Wait()
				first := policy.Copy{Task: policy.Task{Job: b.submit(jobOf("", "1h", policy.Stage{Tasks: 1, Cores: 1, Saves: true}))}}
				synctest.Wait()
				test(b, a, to, first)
				_ = b.Cancel(context.WithoutCancel(b.ctx), 1) // what saves for ever
				if err := a.Run(b.ctx, b); err == nil {
					t.Error("an Agent runs twice")
				}
			})
		})
	}
}

// A part that is refused because a machine has just been given up hears Woken.
func TestWokenAfterAMachineIsGivenUp(t *testing.T) {
	start := func(n uint32, on policy.NodeID) []policy.Action {
		return []policy.Action{{Kind: policy.Start, Copy: policy.Copy{Task: policy.Task{Job: 1}, N: n}, Node: on}}
	}
	p := scripted(func(ev *policy.Event) []policy.Action {
		switch ev.Kind {
		case policy.Ready:
			return start(0, 1)
		case policy.Lost:
			return start(1, 1) // before it hears that the machine has left
		case policy.Woken:
			return start(1, 2)
		}
		return nil
	})
	on(t, Config{New: func(string) (policy.Scheduler, error) { return p, nil }}, func(b *bed) {
		l, _ := b.Join(b.ctx, "m1", policy.Node{Cores: 1})
		other, err := b.Join(b.ctx, "m2", policy.Node{Cores: 1})
		if err != nil {
			t.Fatal(err)
		}
		b.submit(jobOf("", "1h"))
		_, _ = l.Next(b.ctx)
		_ = l.Close()
		if o, err := other.Next(b.ctx); err != nil || o.Do != policy.Start || time.Since(b.began) != time.Minute {
			t.Errorf("after %v: got %v, error %v, want a Start after a minute", time.Since(b.began), o.Do, err)
		}
	})
}

// A machine that is replaced while it waits for its tasks to end leaves the other one alone.
func TestReplacedWhileItLeaves(t *testing.T) {
	on(t, Config{}, func(b *bed) {
		slow := func(ctx context.Context, o Order) error {
			<-ctx.Done()
			time.Sleep(5 * time.Second)
			return ctx.Err()
		}
		ctx, stop := context.WithCancel(b.ctx)
		ran := make(chan error, 1)
		go func() { ran <- (&Machine{Name: "m", Node: policy.Node{Cores: 1}, Do: slow}).Run(ctx, b) }()
		synctest.Wait()
		b.submit(jobOf("", ""))
		synctest.Wait()
		stop()
		synctest.Wait()
		b.machine("m", 1)
		<-ran
		time.Sleep(time.Minute)
		select {
		case err := <-b.stopped[0]:
			t.Errorf("the other machine has ended with error %v", err)
			b.stopped = nil
		default:
		}
	})
}
