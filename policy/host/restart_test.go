package host

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/kairos"
)

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

// A tap hides the parts of a distributed policy.
type tap struct{ *central.Scheduler }

func tapped(line string) (policy.Scheduler, error) {
	if line == "tap" {
		return &tap{kairos.NewAdaptive().Scheduler}, nil
	}
	return byLine(line)
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
		"wrap the *central.Dis": {New: tapped, Policy: "tap"},
		"unknown policy":        {New: byLine, Policy: "best"},
		"returned a nil policy": {New: func(string) (policy.Scheduler, error) { return nil, nil }},
		"it is open already":    {New: fifo, Dir: held},
		"not a directory":       {New: fifo, Dir: filepath.Join(held, "journal")},
	} {
		if _, err := Open(c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %s", err, says)
		}
	}
	time.AfterFunc(200*time.Millisecond, func() { _ = e.Close() }) // as a process that is killed may hold it for a moment
	next, err := Open(Config{New: fifo, Dir: held})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(next.Close(), e.Close(), e.Close()); err != nil {
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
		on(t, Config{Dir: dir, New: tapped, Policy: given}, func(b *bed) {
			if err := b.Swap(b.ctx, "tap"); err == nil {
				t.Error("swapped to a policy that hides its parts")
			}
			if name, _ := b.Policy(b.ctx); name != cmp.Or(want, name) || name == "" {
				t.Errorf("got policy %q, want %q", name, want)
			}
		})
	}
}

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

// What a part had asked for and nobody had answered when its machine left, a policy that takes over may ask for again.
func TestSwapAfterLeave(t *testing.T) {
	on(t, Config{New: byLine, Policy: "kairos"}, func(b *bed) {
		l, err := b.Join(b.ctx, "m1", policy.Node{Cores: 1})
		if err != nil {
			t.Fatal(err)
		}
		first := b.submit(jobOf("", "1h"))
		_, _ = l.Next(b.ctx)
		time.Sleep(time.Second)
		second := b.submit(jobOf("", "1s")) // whose Start waits for the Suspend of the first
		if o, err := l.Next(b.ctx); err != nil || o.Do != policy.Suspend {
			t.Fatalf("got %+v, error %v, want a Suspend", o, err)
		}
		if err := errors.Join(l.Leave(b.ctx), b.Swap(b.ctx, "kairos"), b.Cancel(b.ctx, first)); err != nil {
			t.Fatal(err)
		}
		b.machine("m1", 1)
		b.wait(second, policy.Done, 2*time.Second)
	})
}

// aged is a policy whose snapshots a later version of the program cannot load.
type aged struct {
	policy.Scheduler
	version string
}

func (a aged) Save(w io.Writer) error { _, err := io.WriteString(w, a.version); return err }

func (a aged) Load(r io.Reader) error {
	if text, err := io.ReadAll(r); err != nil || string(text) != a.version {
		return fmt.Errorf("%w: version %s", policy.ErrFormat, text)
	}
	return nil
}

// Rebuild goes on without what the policy cannot load, and Open says so of that, and of a rule that the policy breaks.
func TestRebuildOtherwise(t *testing.T) {
	for name, was := range map[string]func(p policy.Scheduler) policy.Scheduler{
		"other version": func(p policy.Scheduler) policy.Scheduler { return aged{p, "1"} },
		"breach":        func(p policy.Scheduler) policy.Scheduler { return &rash{Scheduler: p} },
	} {
		dir := t.TempDir()
		c := Config{Dir: dir, New: func(string) (policy.Scheduler, error) { return was(baseline.NewFIFO()), nil }}
		on(t, c, func(b *bed) {
			b.submit(jobOf("waits", "1s", policy.Stage{Tasks: 1, Cores: 2}))
			_ = b.Swap(b.ctx, "") // so the journal keeps what was learnt
			_, _ = b.Join(b.ctx, "m1", policy.Node{Cores: 1})
			if name == "breach" {
				if _, err := b.Wait(b.ctx, 1); err == nil || !strings.Contains(err.Error(), "the engine has stopped") {
					t.Errorf("%s: error %v, want why the engine has stopped", name, err)
				}
				_ = b.Close()
			}
		})
		c.New = func(string) (policy.Scheduler, error) { return aged{baseline.NewFIFO(), "2"}, nil }
		if _, err := Open(c); err == nil || !strings.Contains(err.Error(), "Config.Rebuild") {
			t.Errorf("%s: error %v, want one that names Config.Rebuild", name, err)
		}
		for c.Rebuild = true; ; c.Rebuild = false {
			on(t, c, func(b *bed) {
				if s, err := b.Find(b.ctx, "waits"); err != nil || s.Outcome != 0 {
					t.Errorf("%s: got %+v, error %v, want the job", name, s, err)
				}
			})
			if !c.Rebuild {
				break
			}
		}
	}
}

// rash starts a job twice.
type rash struct {
	policy.Scheduler
}

func (r *rash) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := r.Scheduler.Step(ev, actions)
	if ev.Kind == policy.Joined && !ev.Replay {
		start := policy.Action{Kind: policy.Start, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Node: 1}
		actions = append(actions, start, start)
	}
	return actions, err
}

// A Submit that waits for room ends with the engine, and says why.
func TestStopsAtAnError(t *testing.T) {
	on(t, Config{New: func(string) (policy.Scheduler, error) { return &rash{baseline.NewFIFO()}, nil }, Limit: 1}, func(b *bed) {
		b.submit(jobOf("", "1s"))
		errs := make(chan error, 2)
		go func() { _, err := b.Submit(b.ctx, jobOf("", "1s")); errs <- err }()
		go func() { _, err := b.Wait(b.ctx, 1); errs <- err }()
		synctest.Wait()
		_, _ = b.Join(b.ctx, "m1", policy.Node{Cores: 1})
		for range 2 {
			if err := <-errs; err == nil || !strings.Contains(err.Error(), "the engine has stopped") || !strings.Contains(err.Error(), "1/0/0#0") {
				t.Errorf("error %v, want why the engine has stopped", err)
			}
		}
		<-b.Done()
		if err := b.Close(); err == nil {
			t.Error("Close has no error")
		}
	})
}
