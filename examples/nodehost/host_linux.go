package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"sync"
	"time"

	"example.com/augur/examples/internal/processes"
	"example.com/augur/policy"
	"example.com/augur/policy/host"
)

// A task is what becomes of a job.
type task struct {
	*job
	preemptions int           // so far
	used        time.Duration // processor time that it took, as the kernel measured it
	ended       time.Duration // at which it was over; 0: it is not
	err         error         // if it did not start, or ended with another status than 0
}

// A frame is what goes on at an instant.
type frame struct {
	now       time.Duration
	coming    int // jobs that have not come
	over      int // and those that are over
	tasks     []task
	processes []processes.Process
}

// runJobs runs jobs on so many cores as a policy says, and returns what became of them. If ctx ends it kills what runs, and says so. When it
// returns no process of its jobs is left. show, if not nil, is called now and then.
func runJobs(ctx context.Context, jobs []job, cores int, p policy.Scheduler, show func(frame)) ([]task, error) {
	epoch, tasks := time.Now(), make([]task, len(jobs))
	var mu sync.Mutex
	left, done := len(jobs), make(chan struct{})
	engine, err := host.Open(host.Config{
		New:      func(string) (policy.Scheduler, error) { return p, nil },
		Cannot:   []policy.ActionKind{policy.Report},
		Attempts: 1,
		Heard: func(part policy.NodeID, ev *policy.Event, _ []policy.Action) {
			mu.Lock()
			defer mu.Unlock()
			switch {
			case part != 0:
			case ev.Kind == policy.Suspended && !ev.Idle:
				tasks[ev.Copy.Job-1].preemptions++
			case ev.Kind.End():
				t := &tasks[ev.Copy.Job-1]
				t.used, t.ended = ev.Service, time.Since(epoch)
			}
		},
		Ended: func(s host.Status) {
			mu.Lock()
			defer mu.Unlock()
			if s.Outcome != policy.Done {
				tasks[s.ID-1].err = errors.New(s.Reason)
			}
			if left--; left == 0 {
				close(done)
			}
		},
	})
	if err != nil {
		return nil, err
	}
	m := processes.Machine{Name: "here", Node: policy.Node{Cores: int32(cores)}, Processor: true, Command: func(o host.Order) (*exec.Cmd, error) {
		var args []string
		if err := json.Unmarshal(o.Data, &args); err != nil {
			return nil, err
		}
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Stderr = os.Stderr
		return cmd, nil
	}}
	work, stop := context.WithCancelCause(ctx)
	ran := make(chan struct{})
	go func() {
		stop(m.Run(work, engine)) // which returns before that only if it cannot begin
		close(ran)
	}()
	came := 0
	frames, arrival := time.NewTicker(100*time.Millisecond), time.NewTimer(0)
	defer frames.Stop()
	for running := true; running && err == nil; {
		select {
		case <-arrival.C:
			if came == len(jobs) {
				break
			}
			j := &jobs[came]
			if wait := j.at - time.Since(epoch); wait > 0 {
				arrival.Reset(wait)
				break
			}
			var data []byte
			if data, err = json.Marshal(j.args); err == nil {
				mu.Lock()
				tasks[came].job = j
				mu.Unlock()
				_, err = engine.Submit(work, host.Job{Data: data, Job: policy.Job{Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}})
			}
			came++
			arrival.Reset(0)
		case <-frames.C:
			if show != nil {
				mu.Lock()
				f := frame{time.Since(epoch), len(jobs) - came, len(jobs) - left, append([]task(nil), tasks...), nil}
				mu.Unlock()
				f.processes = m.Processes()
				show(f)
			}
		case <-done:
			running = false
		case <-engine.Done(): // at an error, which Close returns
			running = false
		case <-work.Done():
			err = context.Cause(work)
		}
	}
	stop(nil)
	<-ran
	return tasks, errors.Join(err, engine.Close())
}
