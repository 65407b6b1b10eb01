package host

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
)

// far is the engine as a machine in another process reaches it.
func (b *bed) far() Dialer {
	return func(context.Context) (io.ReadWriteCloser, error) {
		near, other := net.Pipe()
		go b.Serve(b.ctx, other)
		return near, nil
	}
}

// A machine whose name another one takes ends, here and far away.
func TestTwins(t *testing.T) {
	for _, far := range []bool{false, true} {
		on(t, Config{}, func(b *bed) {
			m := b.machine("other", 1)
			var to Joiner = b
			if far {
				to = b.far()
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
