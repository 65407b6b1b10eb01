package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
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

// A machine that is silent for less than its patience loses nothing. After that its tasks start elsewhere.
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
			if _, err := l.Next(b.ctx); err != ErrReplaced {
				t.Errorf("error %v, want ErrReplaced", err)
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

// A machine that is not as before loses what it had, and gets a Kill of what it says to have.
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

// Tasks of GPUs have devices of their own, and the order says which.
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

// What an engine knows is there after it has been closed, also when the journal has been renewed all the time.
func TestRestart(t *testing.T) {
	for _, renew := range []int64{0, 1} {
		c := Config{Dir: filepath.Join(t.TempDir(), "new", "dir"), New: fifo, Renew: renew, Attempts: 4}
		on(t, c, func(b *bed) {
			b.machine("m1", 2)
			b.wait(b.submit(jobOf("done", "1s")), policy.Done, time.Second)
			b.wait(b.submit(jobOf("failed", "1s fails")), policy.TaskFailed, 5*time.Second)
			b.submit(jobOf("waits", "1s", policy.Stage{Tasks: 1, Cores: 7}))
			b.submit(jobOf("fails", "1s fails"))
			time.Sleep(3500 * time.Millisecond)
			if err := b.Close(); err != nil { // before the machine can leave
				t.Error(err)
			}
		})
		on(t, c, func(b *bed) {
			for name, want := range map[string]policy.Outcome{"done": policy.Done, "failed": policy.TaskFailed, "waits": 0, "fails": 0} {
				s, err := b.Find(b.ctx, name)
				if err != nil || s.Outcome != want || strings.HasPrefix(name, "fail") && s.Reason != "no luck" {
					t.Errorf("%s: got %+v, error %v, want %v", name, s, err, want)
				}
			}
			if _, err := b.Submit(b.ctx, jobOf("done", "1s")); !errors.Is(err, ErrExists) {
				t.Errorf("error %v, want ErrExists", err)
			}
			nodes, _ := b.Nodes(b.ctx)
			if len(nodes) != 1 || !nodes[0].Silent {
				t.Errorf("got %+v, want a silent machine", nodes)
			}
			b.machine("m1", 2)
			b.wait(4, policy.TaskFailed, time.Second) // the copy that ran was lost, and one more fails
			b.machine("m2", 7)
			b.wait(3, policy.Done, 2*time.Second)
			if id := b.submit(jobOf("", "1s")); id != 5 {
				t.Errorf("the next job is %d, want 5", id)
			}
		})
		size, err := os.Stat(filepath.Join(c.Dir, "journal"))
		if err != nil || renew > 0 && size.Size() > 4000 {
			t.Errorf("the journal has %d bytes, error %v", size.Size(), err)
		}
	}
}

func TestWhatOpenRefuses(t *testing.T) {
	held := t.TempDir()
	e, err := Open(Config{New: fifo, Dir: held})
	if err != nil {
		t.Fatal(err)
	}
	for says, c := range map[string]Config{
		"Config.New is nil":     {},
		"Attempts -1":           {New: fifo, Attempts: -1},
		"may return Suspend":    {New: byLine, Policy: "kairos", Cannot: []policy.ActionKind{policy.Suspend}},
		"may return Report":     {New: byLine, Policy: "fair+grass", Cannot: []policy.ActionKind{policy.Report}},
		"unknown policy":        {New: byLine, Policy: "best"},
		"returned a nil policy": {New: func(string) (policy.Scheduler, error) { return nil, nil }},
		"it is open already":    {New: fifo, Dir: held},
		"not a directory":       {New: fifo, Dir: filepath.Join(held, "journal")},
	} {
		if _, err := Open(c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %s", err, says)
		}
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	_, joins := e.Join(t.Context(), "m1", policy.Node{Cores: 1})
	_, submits := e.Submit(t.Context(), jobOf("", "1s"))
	_, waits := e.Wait(t.Context(), 1)
	for _, err := range []error{joins, submits, waits, e.Swap(t.Context(), "")} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("error %v, want ErrClosed", err)
		}
	}
}

// A Swap that cannot be leaves everything as it was, and a new policy of a journal is swapped to.
func TestSwap(t *testing.T) {
	dir := t.TempDir()
	on(t, Config{Dir: dir, New: byLine, Policy: "fifo", Cannot: []policy.ActionKind{policy.Suspend}}, func(b *bed) {
		b.machine("m1", 2)
		wide := b.submit(jobOf("", "3s", policy.Stage{Tasks: 2, Cores: 2}))
		for _, bad := range []string{"kairos", "best"} {
			if err := b.Swap(b.ctx, bad); err == nil {
				t.Errorf("swapped to %s", bad)
			}
		}
		time.Sleep(time.Second)
		if err := b.Swap(b.ctx, "index"); err != nil {
			t.Fatal(err)
		}
		short := b.submit(jobOf("", "1s"))
		b.wait(wide, policy.Done, 6*time.Second)
		b.wait(short, policy.Done, 7*time.Second)
		if name, err := b.Policy(b.ctx); name != "index" || err != nil {
			t.Errorf("got policy %q, error %v", name, err)
		}
	})
	for want, given := range map[string]string{"fair": "fair", "": ""} {
		on(t, Config{Dir: dir, New: byLine, Policy: given}, func(b *bed) {
			if name, _ := b.Policy(b.ctx); name != cmp.Or(want, name) || name == "" {
				t.Errorf("got policy %q, want %q", name, want)
			}
		})
	}
}

// A journal whose policy decides otherwise than it did goes on with the jobs that it has.
func TestRebuild(t *testing.T) {
	for _, line := range []string{"fifo", "fair@kairos"} {
		dir := t.TempDir()
		var ids []policy.JobID
		on(t, Config{Dir: dir, New: byLine, Policy: line}, func(b *bed) {
			b.machine("m1", 2)
			for range 3 {
				ids = append(ids, b.submit(jobOf("", "2s", policy.Stage{Tasks: 3, Cores: 1})))
			}
			time.Sleep(5 * time.Second)
		})
		other := func(string) (policy.Scheduler, error) { return baseline.NewRandom(rand.NewPCG(1, 2)) }
		if _, err := Open(Config{Dir: dir, New: other}); err == nil || line == "fifo" && !strings.Contains(err.Error(), "Config.Rebuild") {
			t.Errorf("error %v, want one that says what to do", err)
		}
		on(t, Config{Dir: dir, New: other, Rebuild: true}, func(b *bed) {
			b.machine("m1", 2)
			for _, id := range ids {
				if o, err := b.Wait(b.ctx, id); err != nil || o.Outcome != policy.Done {
					t.Errorf("%s: job %d is %v, error %v, want Done", line, id, o, err)
				}
			}
		})
		e, err := Open(Config{Dir: dir, New: other})
		if err != nil {
			t.Fatal(err)
		}
		_ = e.Close()
	}
}

// Machines at the other end of a pipe that breaks now and then.
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

// A machine that ends leaves, so what it has starts elsewhere at once.
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

// usurper suspends the task of job 1 for that of job 2.
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

// A copy whose Resume was lost with the engine goes on when its machine joins again.
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

// A policy that wants a copy resumed before its machine has said that it is suspended gets all that it asked for, in its order, also if
// the link ends meanwhile.
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

// A machine that can never join says so at once.
func TestBadMachine(t *testing.T) {
	on(t, Config{}, func(b *bed) {
		if err := (&Machine{Name: "m1", Node: policy.Node{Cores: -1}}).Run(b.ctx, b); err == nil || !strings.Contains(err.Error(), `machine "m1"`) {
			t.Errorf("error %v, want one that names the machine", err)
		}
	})
}

// Config.Ended hears of a job again if the process was killed in it, and not of those before.
func TestEndedAfterACrash(t *testing.T) {
	first, second := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	var heard []string
	c := Config{Dir: first, Ended: func(s Status) {
		if heard = append(heard, s.Name); len(heard) == 2 {
			if err := os.CopyFS(second, os.DirFS(first)); err != nil {
				t.Error(err)
			}
		}
	}}
	on(t, c, func(b *bed) {
		b.machine("m1", 1)
		for _, name := range []string{"a", "b"} {
			if s, err := b.Wait(b.ctx, b.submit(jobOf(name, "1s"))); err != nil || s.Ended.Sub(s.Submitted).Round(time.Millisecond) != time.Second {
				t.Errorf("got %+v, error %v", s, err)
			}
		}
	})
	for _, dir := range []string{first, second} { // closed as it should be, and killed in Ended of b
		heard, c.Dir = nil, dir
		on(t, c, func(b *bed) { time.Sleep(time.Second) })
		want := map[string][]string{first: nil, second: {"b"}}[dir]
		if !slices.Equal(heard, want) {
			t.Errorf("after the restart Ended hears of %v, want %v", heard, want)
		}
	}
}

// A machine with one connection ends with it.
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
		go b.Serve(ctx, struct {
			io.Reader
			io.WriteCloser
		}{from, to})
		synctest.Wait()
		b.submit(jobOf("", "1h", policy.Stage{Tasks: 1, Cores: 3}))
		time.Sleep(time.Second)
		end()
		if err := <-killed; err != ErrKilled {
			t.Errorf("the task has ended with error %v, want ErrKilled", err)
		}
		if err := <-ran; !errors.Is(err, ErrEnded) || time.Since(b.began) != time.Second {
			t.Errorf("the machine has ended after %v, error %v, want ErrEnded at once", time.Since(b.began), err)
		}
		in, to = io.Pipe()
		bad := Conn(in, out)
		_ = to.CloseWithError(errors.New("cut"))
		go io.Copy(io.Discard, from)
		_, first := bad.Join(b.ctx, "m", policy.Node{})
		if _, err := bad.Join(b.ctx, "m", policy.Node{}); first == nil || !errors.Is(err, ErrEnded) || !strings.Contains(err.Error(), first.Error()) {
			t.Errorf("errors %v and %v, want the second to say the first", first, err)
		}
	})
}
