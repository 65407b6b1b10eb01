package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/host"
)

// A Desk is where submit, list, wait and cancel ask a scheduler, by net/rpc.
type Desk struct {
	ctx    context.Context
	engine *host.Engine
}

// An Answer is what is known of jobs and machines.
type Answer struct {
	Policy   string
	Jobs     []host.Status
	Machines []host.NodeStatus
}

// Submit submits a job.
func (d *Desk) Submit(j host.Job, id *policy.JobID) (err error) {
	*id, err = d.engine.Submit(d.ctx, j)
	return err
}

// List answers with jobs by their names, or with all that have not ended, and with all machines.
func (d *Desk) List(names []string, a *Answer) (err error) {
	if a.Jobs, err = d.jobs(names); err != nil {
		return err
	}
	if a.Policy, err = d.engine.Policy(d.ctx); err != nil {
		return err
	}
	a.Machines, err = d.engine.Nodes(d.ctx)
	return err
}

func (d *Desk) jobs(names []string) (all []host.Status, err error) {
	if len(names) == 0 {
		return d.engine.Jobs(d.ctx)
	}
	for _, name := range names {
		s, err := d.engine.Find(d.ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// Wait answers with a job once it has ended.
func (d *Desk) Wait(name string, s *host.Status) error {
	found, err := d.engine.Find(d.ctx, name)
	if err == nil {
		*s, err = d.engine.Wait(d.ctx, found.ID)
	}
	return err
}

// Cancel ends jobs.
func (d *Desk) Cancel(names []string, a *Answer) (err error) {
	if a.Jobs, err = d.jobs(names); err != nil {
		return err
	}
	for _, s := range a.Jobs {
		if err := d.engine.Cancel(d.ctx, s.ID); err != nil {
			return err
		}
	}
	return nil
}

// call asks the scheduler.
func call(ctx context.Context, o *options, method string, arg, answer any) error {
	c, err := rpc.Dial("unix", socket(o))
	if err != nil {
		return fmt.Errorf("no scheduler is there (batch serve -dir %s): %w", o.dir, err)
	}
	defer c.Close()
	select {
	case done := <-c.Go("Desk."+method, arg, answer, make(chan *rpc.Call, 1)).Done:
		if _, answered := errors.AsType[rpc.ServerError](done.Error); done.Error != nil && !answered {
			return fmt.Errorf("the scheduler of %s has not answered: %w", o.dir, done.Error)
		}
		return done.Error
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// submit submits the jobs of files.
func submit(ctx context.Context, o *options) error {
	if len(o.files) == 0 {
		return cli.Usagef("no file of jobs, want names of files, or - for standard input")
	}
	var scripts []*script
	for _, file := range o.files {
		text, err := []byte(nil), error(nil)
		if file == "-" {
			text, err = io.ReadAll(os.Stdin)
		} else {
			text, err = os.ReadFile(file)
		}
		if err != nil {
			return cli.Usage(err)
		}
		more, err := readScripts(string(text), file)
		if err != nil {
			return cli.Usage(err)
		}
		scripts = append(scripts, more...)
	}
	return feed(ctx, scripts, time.Now(), func(j host.Job) error {
		var id policy.JobID
		return call(ctx, o, "Submit", j, &id)
	})
}

// feed submits each job at its second.
func feed(ctx context.Context, scripts []*script, begun time.Time, submit func(host.Job) error) error {
	for _, s := range scripts {
		select {
		case <-time.After(time.Until(begun.Add(s.at))):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err := submit(s.Job); err != nil {
			return err
		}
	}
	return nil
}

// list shows machines and jobs.
func list(ctx context.Context, o *options) error {
	var a Answer
	if err := call(ctx, o, "List", o.files, &a); err != nil {
		return err
	}
	t := tabwriter.NewWriter(o.stdout, 0, 0, 2, ' ', 0)
	if len(o.files) == 0 {
		fmt.Fprintf(t, "policy %s\n\nmachine\tcores\tfree\ttasks\n", a.Policy)
		for _, m := range a.Machines {
			silent := map[bool]string{true: "silent"}[m.Silent]
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\n", m.Name, m.Node.Cores, m.Free, len(m.Copies), silent)
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintln(t, "job\toutcome\tdone\trun\tlast failure")
	for _, s := range a.Jobs {
		outcome, done := "-", "-"
		if s.Outcome != 0 {
			outcome = s.Outcome.String()
		}
		if s.Job != nil {
			done = fmt.Sprintf("%d/%d", s.Finished, s.Job.Tasks())
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\n", s.Name, outcome, done, s.Running, strings.ReplaceAll(s.Reason, "\n", " "))
	}
	return t.Flush()
}

// wait waits for jobs, also while the scheduler is down.
func wait(ctx context.Context, o *options) error {
	var a Answer
	if err := call(ctx, o, "List", o.files, &a); err != nil {
		return err
	}
	var failed []string
	for _, j := range a.Jobs {
		var s host.Status
		for {
			err := call(ctx, o, "Wait", j.Name, &s)
			if _, answered := errors.AsType[rpc.ServerError](err); ctx.Err() != nil || answered && err.Error() != host.ErrClosed.Error() {
				return err
			}
			if err == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		fmt.Fprintf(o.stdout, "%s %v\n", s.Name, s.Outcome)
		if s.Outcome != policy.Done {
			failed = append(failed, s.Name)
		}
	}
	return notDone(o, failed)
}

// notDone is the error about jobs that were not done.
func notDone(o *options, failed []string) error {
	if len(failed) == 0 {
		return nil
	}
	return fmt.Errorf("%d jobs were not done: %s; the output of their tasks is in %s/out", len(failed), strings.Join(failed, ", "), o.dir)
}

// cancel ends jobs.
func cancel(ctx context.Context, o *options) error {
	if len(o.files) == 0 {
		return cli.Usagef("no job, want names of jobs")
	}
	return call(ctx, o, "Cancel", o.files, new(Answer))
}
