package central_test

import (
	"errors"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
)

// strict is a Forecast that must not be asked about a job that it has not been told of, or whose end it has been told.
type strict struct {
	*testing.T
	jobs map[policy.JobID]bool
}

func (strict) Bind(central.Books) error { return nil }

func (f strict) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		f.jobs[j.Job.ID] = true
	case policy.Ended:
		delete(f.jobs, j.Job.ID)
	}
	return nil
}

func (f strict) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	if !f.jobs[j.Job.ID] {
		f.Errorf("asked about job %d, which is not there", j.Job.ID)
	}
	return forecast.Known(1), true
}

// A picky turn refuses all jobs.
type picky struct{ central.Order }

var errPicky = errors.New("no job is good enough")

func (picky) Note(ev *policy.Event, _ *central.Job) error {
	if ev.Kind == policy.Submitted {
		return errPicky
	}
	return nil
}

// The Turn may ask the Forecast when it lets go of a job that the turn of copies refuses.
func TestRefusedBesideAForecast(t *testing.T) {
	f := strict{t, map[policy.JobID]bool{}}
	s, err := central.New(central.Config{
		Forecast: f, Turn: baseline.Shortest(), Copy: newGRASS(t), Copies: central.AfterAll, CopyTurn: picky{baseline.Fair()},
	})
	if err != nil {
		t.Fatal(err)
	}
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
	if _, err := s.Step(&policy.Event{Kind: policy.Submitted, Copy: copyOf(1, 0, 0, 0), Job: job}, nil); !errors.Is(err, errPicky) {
		t.Errorf("got error %v, want that of the turn of copies", err)
	}
	if s.View().Job(1) != nil || len(f.jobs) > 0 {
		t.Errorf("the job is there: %v, %v", s.View().Job(1), f.jobs)
	}
}
