package trace

import (
	"cmp"
	"slices"
	"time"

	"example.com/augur/internal/calendar"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// Events of a job or a task.
const (
	eventSubmit = iota
	eventSchedule
	eventEvict
	eventFail
	eventFinish
	eventKill
	eventLost
	eventUpdatePending
	eventUpdateRunning
)

// A googleJob is what is known so far of a job that is not over.
type googleJob struct {
	id       uint64
	rank     uint64 // among all jobs, by first row
	first    int64  // time of the first row, µs
	submit   int64  // of the first SUBMIT of the job, or else of a task; unseen
	known    bool   // submit is the job's
	ended    bool
	user     string
	class    string
	name     string
	program  string
	cpu      string
	memory   string
	priority float64
	self     googleTask // the job as one task, for job_events alone
	live     int        // tasks that wait or run
	tasks    []googleTask
	// at says where in tasks a task is. It is nil as long as task i is at i.
	at map[uint32]uint32
}

// A googleTask is what is known so far of a task.
type googleTask struct {
	start int64 // of the attempt that runs, µs; unseen if none does
	run   int64 // of the last attempt that came to an end of its own, µs; unseen if none has
	index uint32
	live  bool // waits or runs
	early bool // an attempt began before the trace
	ran   bool // an attempt was evicted or lost
}

// unseen is no time.
const unseen = -1

func newGoogleTask(index uint32) googleTask {
	return googleTask{start: unseen, run: unseen, index: index}
}

// google2011Zero is the instant that times of the trace count from: 600 s before its begin.
var google2011Zero = time.Date(2011, time.May, 1, 18, 50, 0, 0, time.FixedZone("EDT", -4*60*60))

// task returns a task, which is new if it is not there. It is valid until the next call.
func (j *googleJob) task(index uint32) *googleTask {
	if j.at == nil {
		if int64(index) < int64(len(j.tasks)) {
			return &j.tasks[index]
		}
		if int64(index) > int64(len(j.tasks)) {
			j.at = make(map[uint32]uint32, len(j.tasks)+1)
			for i := range j.tasks {
				j.at[uint32(i)] = uint32(i)
			}
		}
	}
	if j.at != nil {
		if i, ok := j.at[index]; ok {
			return &j.tasks[i]
		}
		j.at[index] = uint32(len(j.tasks))
	}
	j.tasks = append(j.tasks, newGoogleTask(index))
	return &j.tasks[len(j.tasks)-1]
}

// Why attempts, tasks and jobs are left out.
const (
	attemptEvicted  = "attempt that was evicted"
	attemptLost     = "attempt whose end was lost"
	attemptAgain    = "attempt that another one followed"
	taskWaited      = "task that never ran"
	taskEarly       = "task that began before the trace"
	taskInterrupted = "task that was only evicted or lost"
	taskRuns        = "task that runs at the end of the trace"
	jobEmpty        = "job without a task that ran"
)

// event changes a task by what happens to it now.
func (g *google2011) event(t *googleTask, event byte) {
	switch event {
	case eventSubmit:
		t.live = true
	case eventSchedule:
		if t.start != unseen {
			g.skip(attemptLost)
			t.ran = true
		}
		t.start, t.live = g.now, true
	case eventEvict, eventFail, eventFinish, eventKill, eventLost:
		g.attempt(t, event)
		t.start, t.live = unseen, false
	case eventUpdatePending, eventUpdateRunning:
		// As the first row of a task this tells what it has been doing since before the trace.
		if t.run == unseen && !t.live && !t.early && !t.ran {
			t.live, t.early = true, event == eventUpdateRunning
		}
	}
}

// attempt takes note of an attempt that ends now.
func (g *google2011) attempt(t *googleTask, event byte) {
	switch {
	case t.start == unseen:
		t.early = t.early || !t.live // a task that lives and did not start was waiting
	case t.start == 0:
		t.early = true
	case event == eventEvict:
		g.skip(attemptEvicted)
		t.ran = true
	case event == eventLost:
		g.skip(attemptLost)
		t.ran = true
	default:
		if t.run != unseen {
			g.skip(attemptAgain)
		}
		t.run = g.now - t.start
	}
}

// whole makes a job of what is known of it, nil if none of its tasks is left.
func (g *google2011) whole(j *googleJob) *workload.Job {
	g.bytes -= 400 + 64*int64(cap(j.tasks))
	for _, text := range [...]string{j.user, j.class, j.name, j.program, j.cpu, j.memory} {
		g.bytes -= int64(len(text))
	}
	tasks := j.tasks
	if len(tasks) == 0 && !g.tasks {
		tasks = append(tasks, j.self)
	}
	if j.at != nil {
		slices.SortFunc(tasks, func(a, b googleTask) int { return cmp.Compare(a.index, b.index) })
	}
	runtimes := make([]policy.Duration, 0, len(tasks))
	for i := range tasks {
		switch t := &tasks[i]; {
		case t.start > 0:
			g.skip(taskRuns)
		case t.run != unseen:
			runtimes = append(runtimes, policy.Duration(t.run)*time.Microsecond)
		case t.ran:
			g.skip(taskInterrupted)
		case t.early || t.start == 0:
			g.skip(taskEarly)
		default:
			g.skip(taskWaited)
		}
	}
	if len(runtimes) == 0 {
		g.skip(jobEmpty)
		return nil
	}
	g.id++
	job := &workload.Job{
		Job: policy.Job{
			ID:       g.id,
			Priority: j.priority,
			Stages:   []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: 1}},
		},
		Runtimes: [][]policy.Duration{runtimes},
	}
	submitted := j.submit
	if submitted == unseen {
		submitted = j.first
	}
	job.Submitted = policy.Time(submitted) * policy.Time(time.Microsecond)
	if j.submit > 0 {
		job.At = google2011Zero.Add(policy.Duration(submitted) * time.Microsecond)
	}
	job.Attrs = attrs("user", j.user, "program", j.program, "jobname", j.name, "class", j.class, "cpu", j.cpu, "memory", j.memory)
	calendar.Add(&job.Job)
	return job
}
