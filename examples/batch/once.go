package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"text/tabwriter"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/host"
)

// once runs the jobs of a file on machines of its own, and ends when all jobs have ended.
func once(ctx context.Context, o *options) (err error) {
	s, err := recall(o)
	if err != nil {
		return err
	}
	scripts, names, err := s.scripts()
	if err != nil {
		return err
	}
	if err := s.open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.finish(ctx, scripts); err != nil {
		return err
	}
	return s.print(ctx, names)
}

// errStopped is the error of a scheduler that was interrupted.
var errStopped = errors.New("interrupted; the tasks continue, and so does the scheduler if it is started again with the same -dir")

// finish submits jobs and waits until all have ended, with machines that it starts and ends.
func (s *scheduler) finish(ctx context.Context, scripts []*script) error {
	c := crew{s.options, make(map[string]chan struct{})}
	if s.changed["cores"] || s.changed["memory"] {
		c.dismiss(0)
	} else {
		c.dismiss(s.machines)
	}
	work, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	filled := make(chan struct{})
	go func() {
		defer close(filled)
		for work.Err() == nil {
			jobs, err := s.Jobs(work)
			if err == nil && len(jobs) > 0 {
				err = c.fill()
			}
			if err != nil {
				stop(err)
			}
			select {
			case <-time.After(50 * time.Millisecond):
			case <-work.Done():
			}
		}
	}()
	err := feed(work, scripts, s.kept.Begun, func(j host.Job) error {
		_, err := s.Submit(work, j)
		if errors.Is(err, host.ErrExists) {
			return nil // it was submitted before a restart
		}
		return err
	})
	for err == nil {
		var jobs []host.Status
		if jobs, err = s.Jobs(work); len(jobs) == 0 {
			break
		}
		_, err = s.Wait(work, jobs[0].ID)
	}
	stop(nil)
	<-filled
	switch {
	case ctx.Err() != nil:
		return errStopped
	case err == nil:
		c.dismiss(0)
	}
	return err
}

// scripts reads the jobs of the file, or those of the scheduler before if none is given, and says what has changed. names has
// those that are gone from the file too.
func (s *scheduler) scripts() (scripts []*script, names []string, err error) {
	text, file := cmp.Or(s.kept.Jobs, someJobs), "jobs"
	if s.jobs != "" {
		b, err := os.ReadFile(s.jobs)
		if err != nil {
			return nil, nil, cli.Usage(err)
		}
		text, file = string(b), s.jobs
	}
	if scripts, err = readScripts(text, file); err != nil {
		return nil, nil, cli.Usage(err)
	}
	for _, x := range scripts {
		names = append(names, x.Name)
		for i := range x.Stages {
			if t := &x.Stages[i]; int(t.Cores) > s.cores || s.memory > 0 && t.Memory > int64(s.memory) {
				return nil, nil, cli.Usagef("%s: a task of job %s, stage %s, takes more than a machine has; want other -cores or -memory", file, x.Name, x.work.Stages[i])
			}
		}
	}
	if s.kept.Begun.IsZero() {
		s.kept.Begun = time.Now()
	}
	if s.kept.Jobs != "" && s.kept.Jobs != text {
		before, err := readScripts(s.kept.Jobs, "the jobs of the scheduler before")
		if err != nil {
			return nil, nil, err
		}
		for _, x := range before {
			at := slices.IndexFunc(scripts, func(y *script) bool { return y.Name == x.Name })
			switch {
			case at < 0:
				fmt.Fprintf(s.stderr, "batch: job %s is no longer in %s; it continues if it was submitted\n", x.Name, file)
				names = append(names, x.Name)
			case !reflect.DeepEqual(scripts[at], x):
				fmt.Fprintf(s.stderr, "batch: job %s has changed in %s; it continues as it was if it was submitted\n", x.Name, file)
			}
		}
		for _, x := range scripts {
			if !slices.ContainsFunc(before, func(y *script) bool { return y.Name == x.Name }) {
				fmt.Fprintf(s.stderr, "batch: job %s of %s is new\n", x.Name, file)
			}
		}
	}
	s.kept.Jobs = text
	return scripts, names, nil
}

// print prints what became of jobs.
func (s *scheduler) print(ctx context.Context, names []string) error {
	var jobs []host.Status
	for _, name := range names {
		j, err := s.Find(ctx, name)
		if errors.Is(err, host.ErrUnknown) {
			continue // it was never submitted
		}
		if err != nil {
			return err
		}
		jobs = append(jobs, j)
	}
	t := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "job\toutcome\tseconds\tlast failure")
	s.seen.Lock()
	defer s.seen.Unlock()
	var failed []string
	for _, j := range jobs {
		fmt.Fprintf(t, "%s\t%v\t%.2f\t%s\n", j.Name, j.Outcome, j.Ended.Sub(j.Submitted).Seconds(), j.Reason)
		if j.Outcome != policy.Done {
			failed = append(failed, j.Name)
		}
	}
	n := &s.seen
	fmt.Fprintf(t, "\n%d copies started, %d failed, %d lost with their machine, %d times suspended, %d times saved\n", n.started, n.failed, n.lost, n.suspended, n.saves)
	if err := t.Flush(); err != nil {
		return err
	}
	return notDone(s.options, failed)
}
