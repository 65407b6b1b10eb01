package pool_test

import (
	"context"
	"errors"
	"expvar"
	"fmt"
	"log"
	"log/slog"
	"os"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// Vars is pool.Metrics that package expvar publishes, by tenant: gauges of tasks that wait and run, and sums of tasks,
// failures, seconds waited and seconds run.
type Vars struct{ waiting, running, tasks, failed, waited, ran *expvar.Map }

// NewVars publishes a map of variables.
func NewVars(name string) *Vars {
	all := expvar.NewMap(name)
	of := func(name string) *expvar.Map {
		m := new(expvar.Map).Init()
		all.Set(name, m)
		return m
	}
	return &Vars{of("waiting"), of("running"), of("tasks"), of("failed"), of("waited_seconds"), of("run_seconds")}
}

func (v *Vars) Submitted(s pool.Status) {
	v.waiting.Add(s.Tenant, 1)
}

func (v *Vars) Started(s pool.Status) {
	v.waiting.Add(s.Tenant, -1)
	v.running.Add(s.Tenant, 1)
}

func (v *Vars) Finished(s pool.Status) {
	if s.Started {
		v.running.Add(s.Tenant, -1)
	} else {
		v.waiting.Add(s.Tenant, -1)
	}
	if s.Err != nil {
		v.failed.Add(s.Tenant, 1)
	}
	v.tasks.Add(s.Tenant, 1)
	v.waited.AddFloat(s.Tenant, s.Wait.Seconds())
	v.ran.AddFloat(s.Tenant, s.Run.Seconds())
}

// Failures is pool.Metrics that logs the tasks that fail.
type Failures struct{ *slog.Logger }

func (Failures) Submitted(pool.Status) {}
func (Failures) Started(pool.Status)   {}

func (l Failures) Finished(s pool.Status) {
	if s.Err != nil {
		l.Warn("task failed", "tenant", s.Tenant, "wait", s.Wait, "run", s.Run, "err", s.Err)
	}
}

// Both is pool.Metrics that tells two.
type Both [2]pool.Metrics

func (b Both) Submitted(s pool.Status) { b[0].Submitted(s); b[1].Submitted(s) }
func (b Both) Started(s pool.Status)   { b[0].Started(s); b[1].Started(s) }
func (b Both) Finished(s pool.Status)  { b[0].Finished(s); b[1].Finished(s) }

// A pool whose tasks are counted by expvar and, where they fail, logged by slog.
func Example_metrics() {
	vars := NewVars("pool")
	handler := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch a.Key {
		case "time", "wait", "run": // of another value each time
			return slog.Attr{}
		}
		return a
	}})
	p, err := pool.New(pool.Config{Tenant: "customer", Metrics: Both{vars, Failures{slog.New(handler)}}})
	if err != nil {
		log.Fatal(err)
	}
	for _, failure := range []error{nil, errors.New("no paper")} {
		if _, err := p.Submit(context.Background(), predict.Attrs{"customer": "acme"}, func(context.Context) error { return failure }); err != nil {
			log.Fatal(err)
		}
	}
	if err := p.Close(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println("tasks", vars.tasks, "failed", vars.failed, "waiting", vars.waiting, "running", vars.running)
	// Output:
	// level=WARN msg="task failed" tenant=acme err="no paper"
	// tasks {"acme": 2} failed {"acme": 1} waiting {"acme": 0} running {"acme": 0}
}
