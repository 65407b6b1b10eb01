package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
)

func fifo(string) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }

// A bed is an engine with machines whose tasks do what the job's data says: run for a time, or fail after it.
type bed struct {
	*Engine
	t       *testing.T
	ctx     context.Context
	stop    context.CancelFunc
	stopped []chan error
	began   time.Time
	mu      sync.Mutex
	ran     int // tasks that have started
	conns   []io.Closer
}

// on runs a test on a bed in a bubble of its own.
func on(t *testing.T, c Config, test func(b *bed)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if c.New == nil {
			c.New = fifo
		}
		e, err := Open(c)
		if err != nil {
			t.Fatal(err)
		}
		b := &bed{Engine: e, t: t, began: time.Now()}
		b.ctx, b.stop = context.WithCancel(t.Context())
		defer func() {
			b.stop()
			for _, s := range b.stopped {
				<-s
			}
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}()
		test(b)
	})
}

func (b *bed) machine(name string, cores int32) *Machine {
	m := &Machine{Name: name, Node: policy.Node{Cores: cores}, Do: func(ctx context.Context, o Order) error {
		b.mu.Lock()
		b.ran++
		b.mu.Unlock()
		text, fails := strings.CutSuffix(string(o.Data), " fails")
		d, err := time.ParseDuration(text)
		if err != nil {
			return err
		}
		select {
		case <-time.After(d):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if fails {
			return errors.New("no luck")
		}
		return nil
	}}
	b.stopped = append(b.stopped, make(chan error, 1))
	ended := b.stopped[len(b.stopped)-1]
	go func() { ended <- m.Run(b.ctx, b) }()
	synctest.Wait()
	return m
}

// job is one whose tasks do what a text says.
func jobOf(name, does string, stages ...policy.Stage) Job {
	if len(stages) == 0 {
		stages = []policy.Stage{{Tasks: 1, Cores: 1}}
	}
	return Job{Name: name, Data: []byte(does), Job: policy.Job{Stages: stages}}
}

func (b *bed) submit(j Job) policy.JobID {
	b.t.Helper()
	id, err := b.Submit(b.ctx, j)
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

// wait wants a job to end so, at a time since the beginning.
func (b *bed) wait(id policy.JobID, want policy.Outcome, at time.Duration) {
	b.t.Helper()
	got, err := b.Wait(b.ctx, id)
	if took := time.Since(b.began).Round(time.Millisecond); err != nil || got.Outcome != want || took != at {
		b.t.Errorf("job %d has ended as %v after %v, error %v, want %v after %v", id, got.Outcome, took, err, want, at)
	}
}

func TestJobs(t *testing.T) {
	limited := jobOf("limited", "1h")
	limited.Limited, limited.Requested = true, 10*time.Second
	chain := jobOf("chain", "1s", policy.Stage{Tasks: 2, Cores: 1}, policy.Stage{Tasks: 4, Cores: 1, Reads: []policy.Dep{{Stage: 0}}})
	for name, test := range map[string]func(b *bed){
		"nine tasks on two cores": func(b *bed) {
			b.wait(b.submit(jobOf("", "1s", policy.Stage{Tasks: 9, Cores: 1})), policy.Done, 5*time.Second)
		},
		"a stage after another": func(b *bed) { b.wait(b.submit(chain), policy.Done, 3*time.Second) },
		"a limit":               func(b *bed) { b.wait(b.submit(limited), policy.TimedOut, 10*time.Second) },
		"three failures":        func(b *bed) { b.wait(b.submit(jobOf("", "1s fails")), policy.TaskFailed, 3*time.Second) },
		"a panic is a failure":  func(b *bed) { b.wait(b.submit(jobOf("", "?")), policy.TaskFailed, 0) },
		"a gang on two machines": func(b *bed) {
			b.machine("m2", 1)
			b.wait(b.submit(jobOf("", "1s", policy.Stage{Tasks: 3, Cores: 1, Gang: true})), policy.Done, time.Second)
		},
		"a gang that fails": func(b *bed) {
			b.machine("m2", 1)
			b.wait(b.submit(jobOf("", "1s fails", policy.Stage{Tasks: 3, Cores: 1, Gang: true})), policy.TaskFailed, 3*time.Second)
		},
		"too large for now": func(b *bed) {
			large := b.submit(jobOf("", "1s", policy.Stage{Tasks: 1, Cores: 8}))
			b.wait(b.submit(jobOf("", "1s")), policy.Done, time.Second)
			b.machine("large", 8)
			b.wait(large, policy.Done, 2*time.Second)
		},
		"cancelled as it runs": func(b *bed) {
			id := b.submit(jobOf("", "1h"))
			time.Sleep(time.Second)
			if err := b.Cancel(b.ctx, id); err != nil {
				b.t.Error(err)
			}
			b.wait(id, policy.Cancelled, time.Second)
			if err := b.Cancel(b.ctx, id); err != nil {
				b.t.Errorf("a job that has ended cannot be cancelled: %v", err)
			}
		},
		"cancelled as it waits": func(b *bed) {
			id := b.submit(jobOf("", "1s", policy.Stage{Tasks: 1, Cores: 8}))
			if err := b.Cancel(b.ctx, id); err != nil {
				b.t.Error(err)
			}
			b.wait(id, policy.Cancelled, 0)
		},
		"one reads another": func(b *bed) {
			reader := jobOf("", "1s")
			reader.Inputs = &policy.Inputs{Jobs: []policy.JobID{b.submit(jobOf("", "1s"))}, Wait: true}
			b.wait(b.submit(reader), policy.Done, 2*time.Second)
		},
		"one reads what fails": func(b *bed) {
			reader := jobOf("", "1s")
			reader.Inputs = &policy.Inputs{Jobs: []policy.JobID{b.submit(jobOf("", "1s fails"))}, Wait: true}
			b.wait(b.submit(reader), policy.NoInput, 3*time.Second)
			b.wait(b.submit(reader), policy.NoInput, 3*time.Second)
		},
		"one reads and does not wait": func(b *bed) {
			reader := jobOf("", "1s")
			reader.Inputs = &policy.Inputs{Jobs: []policy.JobID{b.submit(jobOf("", "1s"))}}
			b.wait(b.submit(reader), policy.NoInput, 0)
		},
		"a machine leaves": func(b *bed) {
			id := b.submit(jobOf("", "2s"))
			b.machine("m2", 1)
			time.Sleep(time.Second)
			if err := b.Leave(b.ctx, "m1"); err != nil {
				b.t.Error(err)
			}
			b.wait(id, policy.Done, 3*time.Second)
			if err := b.Leave(b.ctx, "m7"); err == nil {
				b.t.Error("an unknown machine can leave")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			on(t, Config{}, func(b *bed) {
				b.machine("m1", 2)
				test(b)
			})
		})
	}
}

func TestWhatSubmitRefuses(t *testing.T) {
	on(t, Config{New: byLine, Policy: "kairos", Remember: 2}, func(b *bed) {
		b.machine("m1", 1)
		first := b.submit(jobOf("first", "1s"))
		pipe := jobOf("", "1s", policy.Stage{Tasks: 1, Cores: 1}, policy.Stage{Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 0, Pipe: true}}})
		reader := jobOf("", "1s")
		reader.Inputs = &policy.Inputs{Jobs: []policy.JobID{77}, Wait: true}
		for _, test := range []struct {
			job  Job
			says string
			is   error
		}{
			{jobOf("", "1s", policy.Stage{Tasks: 1}), "0 cores", nil},
			{pipe, "as a pipe", nil},
			{reader, "reads job 77", ErrUnknown},
			{jobOf("first", "1s"), `"first"`, ErrExists},
			{jobOf("", "1s", policy.Stage{Tasks: 1, Cores: 2}), "takes 2 cores, want 1", nil},
			{Job{Data: make([]byte, 17<<20)}, "16 MiB", nil},
		} {
			id, err := b.Submit(b.ctx, test.job)
			if err == nil || !strings.Contains(err.Error(), test.says) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %v, want one that says %s", err, test.says)
			}
			if id != 0 && (test.is != ErrExists || id != first) {
				t.Errorf("%s: got ID %d", test.says, id)
			}
		}
		next := b.submit(jobOf("next", "1s"))
		if next != first+1 {
			t.Errorf("the job after those that were refused is %d, want %d", next, first+1)
		}
		if _, err := b.Wait(b.ctx, 77); !errors.Is(err, ErrUnknown) {
			t.Errorf("error %v, want ErrUnknown", err)
		}
		if err := b.Cancel(b.ctx, 77); !errors.Is(err, ErrUnknown) {
			t.Errorf("error %v, want ErrUnknown", err)
		}
		_, _ = b.Wait(b.ctx, b.submit(jobOf("third", "1s")))
		if _, err := b.Find(b.ctx, "first"); !errors.Is(err, ErrUnknown) {
			t.Errorf("error %v, want the first of three jobs forgotten", err)
		}
		if s, err := b.Find(b.ctx, "third"); err != nil || s.Outcome != policy.Done {
			t.Errorf("got %+v, error %v", s, err)
		}
		b.submit(jobOf("first", "1s")) // the name is free again
	})
}

func TestSubmitWaitsAtTheLimit(t *testing.T) {
	on(t, Config{Limit: 2}, func(b *bed) {
		b.machine("m1", 1)
		first := b.submit(jobOf("", "1s"))
		b.submit(jobOf("", "1h"))
		b.submit(jobOf("", "1s"))
		if took := time.Since(b.began); took != time.Second {
			t.Errorf("the third of two jobs is submitted after %v", took)
		}
		b.wait(first, policy.Done, time.Second)
		ctx, cancel := context.WithTimeout(b.ctx, time.Second)
		defer cancel()
		if _, err := b.Submit(ctx, jobOf("", "1s")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want a deadline", err)
		}
	})
}

func TestStatus(t *testing.T) {
	ended := []string{}
	on(t, Config{Ended: func(s Status) { ended = append(ended, fmt.Sprint(s.Name, " ", s.Outcome, " ", s.Reason)) }}, func(b *bed) {
		b.machine("m1", 3)
		b.submit(jobOf("a", "1s", policy.Stage{Tasks: 5, Cores: 1}))
		b.submit(jobOf("b", "1s fails"))
		time.Sleep(1500 * time.Millisecond)
		jobs, err := b.Jobs(b.ctx)
		if err != nil || len(jobs) != 2 || jobs[0].Finished != 3 || jobs[0].Running != 2 || jobs[1].Running != 1 || jobs[1].Reason != "" {
			t.Errorf("got %+v, error %v", jobs, err)
		}
		nodes, err := b.Nodes(b.ctx)
		if err != nil || len(nodes) != 1 || nodes[0].Name != "m1" || nodes[0].Silent || nodes[0].Free != 0 || len(nodes[0].Copies) != 3 || nodes[0].Node.Speed != 1 {
			t.Errorf("got %+v, error %v", nodes, err)
		}
		_, _ = b.Wait(b.ctx, 2)
		if want := []string{"a Done ", "b TaskFailed no luck"}; !slices.Equal(ended, want) {
			t.Errorf("got %q, want %q", ended, want)
		}
	})
}

// What a silent machine is refused for overtakes again when another one has room, under each filler.
func TestRefusedOvertake(t *testing.T) {
	for _, p := range []func() *central.Scheduler{baseline.NewEASY, baseline.NewConservative} {
		on(t, Config{Patience: time.Hour, New: func(string) (policy.Scheduler, error) { return p(), nil }}, func(b *bed) {
			b.machine("m1", 8)
			l, err := b.Join(b.ctx, "gpu", policy.Node{Cores: 8, Offers: []policy.Offer{{Name: "gpu", Amount: 1000}}})
			if err != nil {
				t.Fatal(err)
			}
			submit := func(stage policy.Stage) policy.JobID {
				j := jobOf("", "10s", stage)
				j.Requested = 100 * time.Second
				id := b.submit(j)
				synctest.Wait()
				return id
			}
			submit(policy.Stage{Tasks: 1, Cores: 8})
			_ = l.Close()
			submit(policy.Stage{Tasks: 2, Cores: 1, Needs: []policy.Need{{Name: "gpu", Amount: 1000}}})
			b.wait(submit(policy.Stage{Tasks: 1, Cores: 4}), policy.Done, 20*time.Second)
		})
	}
}

// A job that no machine is large enough for says so, until one is.
func TestStatusOfWhatFitsNowhere(t *testing.T) {
	on(t, Config{}, func(b *bed) {
		first := b.submit(jobOf("waits", "1s", policy.Stage{Tasks: 9, Cores: 2}))
		if s, err := b.Find(b.ctx, "waits"); err != nil || s.ID != first || s.Reason != "stage 0 waits for machines, of which none has joined" {
			t.Errorf("got %+v, error %v, want that no machine is there", s, err)
		}
		b.machine("m1", 2)
		b.submit(jobOf("wide", "1s", policy.Stage{Tasks: 1, Cores: 3, Memory: 3 << 29, Needs: []policy.Need{{Name: "gpu", Amount: 1500}}}))
		b.submit(jobOf("gang", "1s", policy.Stage{Tasks: 5, Cores: 1, Gang: true}))
		b.submit(jobOf("later", "1s", policy.Stage{Tasks: 1, Cores: 1}, policy.Stage{Tasks: 1, Cores: 9, Reads: []policy.Dep{{Stage: 0}}}))
		reasons := func() (all []string) {
			jobs, err := b.Jobs(b.ctx)
			if err != nil {
				t.Error(err)
			}
			for _, j := range jobs {
				all = append(all, j.Reason)
			}
			return all
		}
		const cannot = "stage 0 is too large for the machines that are there: a task takes cores "
		wide := cannot + "3, memory 1.5 GiB, gpu 1.5"
		if got, want := reasons(), []string{"", wide, cannot + "1, and 5 tasks start together", ""}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		l, err := b.Join(b.ctx, "m2", policy.Node{Cores: 3})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := reasons(), []string{"", wide, "", ""}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q, with another machine", got, want)
		}
		_ = l.Close()
		if got, want := reasons(), []string{"", wide, "stage 0 waits for a machine that is silent: a task takes cores 1, and 5 tasks start together", ""}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q, with a machine that is silent", got, want)
		}
	})
}

// A cancelled job says so while its task is still dying, and a task that was lost says where.
func TestStatusOfWhatEnds(t *testing.T) {
	on(t, Config{}, func(b *bed) {
		l, err := b.Join(b.ctx, "m1", policy.Node{Cores: 2})
		if err != nil {
			t.Fatal(err)
		}
		cancelled := b.submit(jobOf("cancelled", ""))
		b.submit(jobOf("lost", "1h"))
		for _, want := range []policy.Outcome{0, policy.Cancelled} {
			s, err := b.Find(b.ctx, "cancelled")
			if err != nil || s.Outcome != want || s.Ended != 0 || s.Running != 1 {
				t.Errorf("got %+v, error %v, want one that runs, and has not ended, with %v", s, err, want)
			}
			if _, err := json.Marshal(s); err != nil {
				t.Error(err)
			}
			if err := b.Cancel(b.ctx, cancelled); err != nil {
				t.Error(err)
			}
		}
		b.machine("m2", 1)
		if err := l.Leave(b.ctx); err != nil {
			t.Error(err)
		}
		b.wait(cancelled, policy.Cancelled, 0)
		for name, want := range map[string]string{"cancelled": "", "lost": "lost on machine m1"} {
			if s, err := b.Find(b.ctx, name); err != nil || s.Reason != want {
				t.Errorf("%s: got %+v, error %v, want the reason %q", name, s, err, want)
			}
		}
	})
}

// A machine that is silent for less than its patience loses nothing. After that its tasks start elsewhere.
// A machine that is not as before loses what it had, and gets a Kill of what it says to have.
// Tasks of GPUs have devices of their own, and the order says which.
// What an engine knows is there after it has been closed, also when the journal has been renewed all the time.
// A Swap that cannot be leaves everything as it was, and a new policy of a journal is swapped to.
// A journal whose policy decides otherwise than it did goes on with the jobs that it has.
// Machines at the other end of a pipe that breaks now and then.
// A machine that ends leaves, so what it has starts elsewhere at once.
// usurper suspends the task of job 1 for that of job 2.
// A copy whose Resume was lost with the engine goes on when its machine joins again.
// A policy that wants a copy resumed before its machine has said that it is suspended gets all that it asked for, in its order, also if
// the link ends meanwhile.
// A machine that can never join says so at once.
// Config.Ended hears of a job again if the process was killed in it, and not of those before.
// A machine with one connection ends with it.

// A Submit whose context ends while the engine finds out that there is no room does not wait for room.
func TestSubmitIsGivenUpAtTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		armed := false
		e, err := Open(Config{New: fifo, Limit: 1, Now: func() time.Time {
			if armed {
				armed = false
				cancel()
				time.Sleep(time.Second) // while its caller sees that
			}
			return time.Now()
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		if _, err := e.Submit(ctx, jobOf("", "")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		armed = true
		if _, err := e.Submit(ctx, jobOf("", "")); err != context.Canceled {
			t.Errorf("error %v, want that of the context", err)
		}
	})
}
