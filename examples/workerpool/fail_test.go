package main

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/predict"
)

func TestJobsThatFail(t *testing.T) {
	failure := errors.New("no paper")
	for _, test := range []struct {
		name string
		do   func(context.Context) error
		want func(error) bool
	}{
		{"error", func(context.Context) error { return failure }, func(err error) bool { return err == failure }},
		{"panic", func(context.Context) error { panic("no ink") }, func(err error) bool {
			p, ok := errors.AsType[*PanicError](err)
			return ok && p.Value == "no ink" && strings.Contains(string(p.Stack), "TestJobsThatFail") && strings.Contains(err.Error(), "no ink")
		}},
		{"goexit", func(context.Context) error { runtime.Goexit(); return nil }, func(err error) bool { return err == ErrExit }},
		{"no function", nil, func(err error) bool { _, ok := errors.AsType[*PanicError](err); return ok }},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, Config{})
				bad := b.Submit(t.Context(), predict.Attrs{"kind": "a"}, test.do)
				good := b.submit("good", "a", time.Second)
				if r := <-bad; !test.want(r.Err) {
					t.Errorf("got %v", r.Err)
				}
				if r := <-good; r.Err != nil || r.Known {
					t.Errorf("the next job has %+v, want that it runs, and nothing learned from one that failed", r)
				}
				b.want("good")
			})
		})
	}
}

func TestContexts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Config{})
		tired := errors.New("tired")
		ctx, cancel := context.WithCancelCause(t.Context())
		over, end := context.WithCancel(t.Context())
		end()
		runs := b.submitIn(ctx, "runs", "a", time.Hour)
		waits := b.submitIn(ctx, "waits", "a", time.Hour)
		never := b.submitIn(over, "never", "a", time.Hour)
		other := b.submit("other", "a", time.Second)
		time.Sleep(time.Minute)
		cancel(tired)
		if r := <-runs; r.Err != tired || r.Ran != time.Minute {
			t.Errorf("the job that ran has %+v, want its end after a minute, with the cause", r)
		}
		if r := <-waits; r.Err != tired || r.Ran != 0 || r.Waited != time.Minute {
			t.Errorf("the job that waited has %+v, want that it did not run", r)
		}
		if r := <-never; !errors.Is(r.Err, context.Canceled) || r.Ran != 0 || r.Waited != 0 {
			t.Errorf("the job whose context was over has %+v, want that it did not run", r)
		}
		if r := <-other; r.Err != nil || r.Known {
			t.Errorf("the other job has %+v, want that it ran, and nothing learned from one that was stopped", r)
		}
		b.want("runs", "other")
	})
}

func TestNoContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Config{})
		var none context.Context
		if r := <-b.submitIn(none, "never", "a", time.Second); r != (Result{Err: errContext}) {
			t.Errorf("got %+v, want %v", r, errContext)
		}
		b.submit("a", "a", time.Second)
		b.want("a")
	})
}

// A watched is a context that counts who wants to know of its end.
type watched struct {
	context.Context
	n atomic.Int32
}

func (w *watched) Value(any) any { return nil } // else package context sees what is in it, and asks that

func (w *watched) AfterFunc(f func()) func() bool {
	w.n.Add(1)
	stop := context.AfterFunc(w.Context, f)
	return func() bool { w.n.Add(-1); return stop() }
}

// A context outlives its jobs, and keeps nothing of them.
func TestContextForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := &watched{Context: ctx}
		b := open(t, Config{})
		b.submitIn(w, "a", "a", time.Second)
		b.submitIn(w, "b", "a", time.Second)
		if got := w.n.Load(); got != 1 {
			t.Errorf("the context knows %d jobs, want the one that waits", got)
		}
		b.want("a", "b")
		if got := w.n.Load(); got != 0 {
			t.Errorf("the context knows %d jobs, want none", got)
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	kind := []string{"kind"}
	for _, test := range []struct {
		c    Config
		want string
	}{
		{Config{}, "Features"},
		{Config{Features: []string{""}}, "Features"},
		{Config{Features: kind, Workers: -1}, "Workers is -1"},
		{Config{Features: kind, Every: -1}, "Every is -1"},
		{Config{Features: kind, Patience: -1}, "Patience is -1ns"},
		{Config{Features: kind, First: -1}, "First"},
		{Config{Features: kind, Growth: 1}, "Growth"},
		{Config{Features: kind, Levels: 65}, "Levels"},
	} {
		if p, err := Open(test.c); err == nil || p != nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Open(%+v) has error %v, want one with %q", test.c, err, test.want)
		}
	}
}
