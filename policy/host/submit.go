package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"example.com/augur/policy"
)

// A Job is what is submitted.
type Job struct {
	policy.Job // ID and Submitted are the engine's matter; the caller must not change what it points to
	// Name is the job's, for those who ask again after a crash whether it was submitted. No two jobs have one name, as long as the
	// first is remembered. "": it has none.
	Name string
	Data []byte // what machines need to run it: it comes with each Start. At most 16 MiB
}

// ErrExists is wrapped by the error about a job whose name another one has.
var ErrExists = errors.New("there is a job of this name")

// ErrUnknown is wrapped by the error about a job that the engine does not know, or not any more (Config.Remember).
var ErrUnknown = errors.New("no such job, or it has ended long ago")

// errFull is that of a Submit that has to wait: the loop does it again when there is room.
var errFull = errors.New("full")

// Submit submits a job and returns its ID once it is on disk. While Config.Limit jobs have not ended it waits, and those that
// wait are served in the order in which they came. It returns an error if the job is not valid, if it has pipes, if the policy
// does not take it, if it reads a job that is not known, or if the name is taken: then the error wraps [ErrExists] and the ID is
// that of the job which has it, so that a caller who does not know whether an earlier Submit succeeded calls it again.
func (e *Engine) Submit(ctx context.Context, j Job) (id policy.JobID, err error) {
	err = e.do(ctx, func() (err error) {
		id, err = e.submit(&j)
		return err
	})
	return id, err
}

func (e *Engine) submit(j *Job) (policy.JobID, error) {
	if id, ok := e.names[j.Name]; ok {
		return id, fmt.Errorf("host: job %q: %w", j.Name, ErrExists)
	}
	if !utf8.ValidString(j.Name) {
		return 0, fmt.Errorf("host: the name %q of a job is not UTF-8, and would not be the same after a restart", j.Name)
	}
	if len(j.Data) > 16<<20 {
		return 0, fmt.Errorf("host: job %q has %d bytes of Data, want at most 16 MiB; put it into a file and its name here", j.Name, len(j.Data))
	}
	spec := j.Job
	spec.ID, spec.Submitted = e.newest+1, max(e.now(), e.last+1)
	if err := spec.Validate(); err != nil {
		return 0, fmt.Errorf("host: job %q: %w", j.Name, err)
	}
	for i := range spec.Stages {
		for _, d := range spec.Stages[i].Reads {
			if d.Pipe {
				return 0, fmt.Errorf("host: stage %d reads stage %d as a pipe, which machines have not; want a gang, or one stage after the other", i, d.Stage)
			}
		}
	}
	if spec.Inputs != nil {
		for _, in := range spec.Inputs.Jobs {
			if _, over := e.past[in]; !over && e.jobs.Get(in) == nil {
				return 0, fmt.Errorf("host: job %q reads job %d: %w", j.Name, in, ErrUnknown)
			}
		}
	}
	if e.jobs.Len() >= e.config.Limit {
		return 0, errFull
	}
	if err := e.put(note{Job: spec.ID, Name: j.Name, Data: j.Data}); err != nil {
		return 0, e.fatal(err)
	}
	err := e.tell(0, policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: spec.ID}}, Job: &spec})
	if err == nil {
		return spec.ID, nil
	}
	delete(e.comes, spec.ID)
	if e.jobs.Get(spec.ID) != nil || e.journal.Sync() != nil { // it is not the policy's
		return 0, e.fatal(err)
	}
	return 0, fmt.Errorf("host: the policy does not take the job: %w", err)
}

// Wait waits until a job has ended, and returns how.
func (e *Engine) Wait(ctx context.Context, id policy.JobID) (Status, error) {
	ends := make(chan Status, 1)
	err := e.do(ctx, func() error {
		if s, ok := e.past[id]; ok {
			ends <- s
			return nil
		}
		if e.jobs.Get(id) == nil {
			return fmt.Errorf("host: job %d: %w", id, ErrUnknown)
		}
		e.waiters[id] = append(e.waiters[id], ends)
		return nil
	})
	if err != nil {
		return Status{}, err
	}
	select {
	case s := <-ends:
		if s.Outcome == 0 {
			return s, e.do(ctx, func() error { return ErrClosed }) // or why it has stopped
		}
		return s, nil
	case <-ctx.Done():
		_, _ = e.begin(context.Background(), func() error {
			e.waiters[id] = slices.DeleteFunc(e.waiters[id], func(x chan Status) bool { return x == ends })
			if len(e.waiters[id]) == 0 {
				delete(e.waiters, id)
			}
			return nil
		})
		return Status{}, context.Cause(ctx)
	}
}

// Cancel ends a job as Cancelled, if it has not ended: its copies get a Kill. It returns when that is on disk; Wait waits for
// the end.
func (e *Engine) Cancel(ctx context.Context, id policy.JobID) error {
	return e.do(ctx, func() error {
		if _, over := e.past[id]; over {
			return nil
		}
		j := e.jobs.Get(id)
		if j == nil {
			return fmt.Errorf("host: job %d: %w", id, ErrUnknown)
		}
		if j.outcome != 0 {
			return nil
		}
		return e.fatal(e.put(note{Job: id, Outcome: policy.Cancelled}))
	})
}

// Find returns the job of a name.
func (e *Engine) Find(ctx context.Context, name string) (s Status, err error) {
	err = e.do(ctx, func() error {
		id, ok := e.names[name]
		if s = e.past[id]; ok && s.Outcome == 0 {
			if j := e.jobs.Get(id); j != nil {
				s = e.status(j, make(map[need]string))
			}
		}
		if s.ID == 0 {
			return fmt.Errorf("host: job %q: %w", name, ErrUnknown)
		}
		return nil
	})
	return s, err
}
