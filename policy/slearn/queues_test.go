package slearn

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/queue"
)

// said is a Forecast that is no Sampler, and knows what a test tells it: the runtimes of all tasks of a job, s.
type said map[policy.JobID]float64

func (said) Bind(central.Books) error { return nil }

func (said) Note(*policy.Event, *central.Job) error { return nil }

func (f said) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	x, ok := f[j.Job.ID]
	return forecast.Known(x), ok
}

// late is a Forecast that is no Sampler. It knows a job once two of its tasks are finished, by their mean.
type late struct {
	jobs policy.Table[policy.JobID, learned]
}

type learned struct {
	mean forecast.Known
	seen int
}

func (*late) Bind(central.Books) error { return nil }

func (f *late) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		f.jobs.Put(j.Job.ID, new(learned))
	case policy.Ended:
		f.jobs.Delete(j.Job.ID)
	case policy.Finished:
		if o := f.jobs.Get(j.Job.ID); o.seen < 2 {
			o.seen++
			o.mean += forecast.Known(ev.Service.Seconds() / 2)
		}
	}
	return nil
}

func (f *late) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	o := f.jobs.Get(j.Job.ID)
	return &o.mean, o.seen == 2
}

// low are queues for the small jobs of tests.
func low() TurnConfig { return TurnConfig{Queues: queue.MultilevelConfig{First: 5}} }

// byHand tells a scheduler of one node what a test wants told.
type byHand struct {
	jobtest.Hand[*central.Scheduler]
}

func newByHand(t *testing.T, cores int32, c central.Config) *byHand {
	t.Helper()
	h := &byHand{jobtest.Hand[*central.Scheduler]{TB: t, Policy: jobtest.Must(central.New(c))}}
	h.Join(1, cores)
	return h
}

// tell says an event, and lets what is started begin.
func (h *byHand) tell(ev policy.Event) (started []policy.Copy) {
	h.Helper()
	for _, a := range h.Tell(ev) {
		if a.Kind == policy.Start {
			started = append(started, a.Copy)
		}
	}
	for _, c := range started {
		started = append(started, h.tell(policy.Event{Kind: policy.Started, Copy: c, Node: 1})...)
	}
	return started
}

// submit submits a job that is ready.
func (h *byHand) submit(id policy.JobID, tasks uint32) []policy.Copy {
	h.Helper()
	of := policy.Copy{Task: policy.Task{Job: id}}
	h.tell(policy.Event{Kind: policy.Submitted, Copy: of, More: true, Job: &policy.Job{ID: id, Submitted: h.Now, Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}}})
	return h.tell(policy.Event{Kind: policy.Ready, Copy: of})
}

// end ends a copy that has run since the beginning of the last second.
func (h *byHand) end(kind policy.EventKind, c policy.Copy, again bool) []policy.Copy {
	h.Helper()
	h.Now = h.Now.Add(s)
	return h.tell(policy.Event{Kind: kind, Copy: c, Node: 1, Service: s, Again: again})
}

// What a Forecast says that is no work is as if it said nothing.
func TestQueuesByNonsense(t *testing.T) {
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		q := jobtest.Must(NewTurn(low()))
		h := newByHand(t, 1, central.Config{Turn: q, Forecast: said{1: bad}})
		h.submit(1, 2)
		if e, _ := q.Explain(1); e.When != Never {
			t.Errorf("runtimes of %v: %v, want it by attained service", bad, e)
		}
	}
}

func TestQueuesWantAForecast(t *testing.T) {
	_, err := central.New(central.Config{Turn: jobtest.Must(NewTurn(TurnConfig{}))})
	if err == nil || !strings.Contains(err.Error(), "without a Forecast") {
		t.Errorf("got error %v, want one that a Forecast is lacking", err)
	}
}

// twins is a Copier that wants a second copy of each task whose first one runs.
type twins struct {
	jobs policy.Table[policy.JobID, pairs]
}

type pairs struct {
	alone []policy.Task // that have one copy
	more  map[policy.Copy]bool
}

func (*twins) Bind(central.Books) error { return nil }

func (w *twins) Note(ev *policy.Event, j *central.Job, actions []policy.Action) ([]policy.Action, bool) {
	switch {
	case ev.Kind == policy.Submitted:
		w.jobs.Put(j.Job.ID, &pairs{more: map[policy.Copy]bool{}})
	case ev.Kind == policy.Ended:
		w.jobs.Delete(j.Job.ID)
	case ev.Kind == policy.Started && !ev.Replay && !j.Job.Stages[ev.Copy.Stage].Gang:
		if o := w.jobs.Get(j.Job.ID); !o.more[ev.Copy] && len(o.alone) < 4 {
			o.alone = append(o.alone, ev.Copy.Task)
		}
	case ev.Kind == policy.Refused || ev.Kind.End():
		o := w.jobs.Get(j.Job.ID)
		o.alone = slices.DeleteFunc(o.alone, func(t policy.Task) bool { return t == ev.Copy.Task })
		delete(o.more, ev.Copy)
	}
	return actions, false
}

func (*twins) Review(actions []policy.Action) []policy.Action { return actions }

func (w *twins) Wants(j *central.Job) bool { return len(w.jobs.Get(j.Job.ID).alone) > 0 }

func (w *twins) Next(j *central.Job, actions []policy.Action) (policy.Task, []policy.Action, bool) {
	o := w.jobs.Get(j.Job.ID)
	if len(o.alone) == 0 {
		return policy.Task{}, actions, false
	}
	return o.alone[0], actions, true
}

func (w *twins) Began(j *central.Job, c policy.Copy, another bool, actions []policy.Action) []policy.Action {
	if another {
		o := w.jobs.Get(j.Job.ID)
		o.alone = slices.Delete(o.alone, 0, 1)
		o.more[c] = true
	}
	return actions
}
