package pool_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// Whatever the tenants and the limits, no limit is ever exceeded, and if nothing is next then a limit holds back each task
// that waits. Nothing is left in the end.
func TestLimitsHold(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		limits := []pool.Limit{{Attr: "kind", Value: "0", Running: 1}, {Attr: "kind", Running: 2}, {Attr: "tenant", Running: 3}}
		q, err := pool.NewQueue[int](pool.Config{Features: []string{"kind"}, Tenant: "tenant", Limits: limits})
		if err != nil {
			t.Fatal(err)
		}
		type task struct {
			kind, tenant string
			runs         bool
		}
		tasks := map[int]task{}
		room := func(of task) bool {
			kinds, tenants, most := 0, 0, 2
			if of.kind == "0" {
				most = 1
			}
			for _, o := range tasks {
				if o.runs && o.kind == of.kind {
					kinds++
				}
				if o.runs && o.tenant == of.tenant {
					tenants++
				}
			}
			return kinds < most && tenants < 3
		}
		for step := range 600 {
			now := time.Unix(int64(step), 0)
			id := rng.IntN(step + 1)
			old, ok := tasks[id]
			switch op := rng.IntN(4); {
			case op == 0 && step < 500:
				n := task{fmt.Sprint(rng.IntN(4)), fmt.Sprint(rng.IntN(5)), false}
				tasks[step] = n
				q.Add(step, predict.Attrs{"kind": n.kind, "tenant": n.tenant}, now)
			case op == 1 && ok:
				q.Ended(id, time.Second, nil, now)
				delete(tasks, id)
			case op == 2 && ok && !old.runs && room(old): // by another process
				q.Started(id, now)
				old.runs = true
				tasks[id] = old
			default:
				for _, id := range q.Next(1+rng.IntN(3), now) {
					n := tasks[id]
					if n.runs || !room(n) {
						t.Fatalf("seed %d, step %d: task %d is next, which runs or has no room", seed, step, id)
					}
					n.runs = true
					tasks[id] = n
					q.Started(id, now)
				}
				if len(q.Next(1, now)) == 0 {
					for id, n := range tasks {
						if !n.runs && room(n) {
							t.Fatalf("seed %d, step %d: nothing is next, and task %d has room", seed, step, id)
						}
					}
				}
			}
		}
		for id := range tasks {
			q.Remove(id)
		}
		if s := q.Stats(); s.Waiting+s.Running > 0 || len(q.Next(1, time.Unix(600, 0))) > 0 {
			t.Errorf("seed %d: %+v in the end", seed, s)
		}
	}
}

// In a pool, what waits behind a limit lets others pass, even if it fills the queue, and goes on when there is room.
func TestPoolLimits(t *testing.T) {
	limits := []pool.Limit{
		{Attr: "kind", Value: "export", Running: 1}, // of all exports one at a time
		{Attr: "customer", Running: 4},              // of each customer's tasks four
	}
	inPool(t, pool.Config{Workers: 3, Queue: 2, Limits: limits}, func(t *testing.T, b *bench) {
		for i := range 3 {
			b.submit(fmt.Sprint("export ", i), time.Hour)
		}
		time.Sleep(time.Minute)
		if _, err := b.TrySubmit(t.Context(), attrs("export 3"), sleep(0)); err != pool.ErrFull {
			t.Errorf("a fourth export: error %v, want %v", err, pool.ErrFull)
		}
		begin := time.Now()
		mail := b.submit("mail", time.Second)
		if err := mail.Wait(); err != nil || time.Since(begin) != time.Second {
			t.Errorf("the mail took %v, error %v, want 1s", time.Since(begin), err)
		}
		if got := b.Stats(); got.Running != 1 || got.Waiting != 2 || !slices.Equal(got.Missing, []string{"customer"}) {
			t.Errorf("%+v, want one export that runs and two that wait, none with a customer", got)
		}
		b.want("export 0", "mail", "export 1", "export 2")
		if took := time.Since(begin); took != 3*time.Hour-time.Minute {
			t.Errorf("all took %v, want 2h59m", took)
		}
	})
}

// Workers come and go, a pause lets what runs go on, and weights change, while tasks wait.
func TestChangesWhileItRuns(t *testing.T) {
	inPool(t, pool.Config{Tenant: "customer"}, func(t *testing.T, b *bench) {
		b.give("a", 60, time.Minute)
		b.give("b", 60, time.Minute)
		running := func() int { time.Sleep(10 * time.Second); return b.Stats().Running }
		for _, step := range []struct {
			name string
			do   func() error
			want int
		}{
			{"one worker", func() error { return nil }, 1},
			{"four", func() error { return b.Resize(4) }, 4},
			{"two, when two have ended", func() error { return b.Resize(2) }, 4},
			{"two", func() error { time.Sleep(time.Minute); return nil }, 2},
			{"a pause", func() error { b.Pause(); return nil }, 2},
			{"a pause, when they have ended", func() error { time.Sleep(2 * time.Minute); return nil }, 0},
			{"more workers in a pause", func() error { return b.Resize(4) }, 0},
			{"after the pause", func() error { b.Resume(); return nil }, 4},
		} {
			if err := step.do(); err != nil {
				t.Error(err)
			}
			if got := running(); got != step.want {
				t.Errorf("%s: %d tasks run, want %d", step.name, got, step.want)
			}
		}
		if err := b.SetWeight("a", 3); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		b.count()
		time.Sleep(10 * time.Minute)
		if n := b.count(); n["a"] != 30 || n["b"] != 10 {
			t.Errorf("%v tasks in 10 min, want 30 of a and 10 of b", n)
		}
		b.Pause()
		b.drain() // which ends the pause
	})
}
