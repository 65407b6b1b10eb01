package trace

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/augur/internal/limits"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// The tables of ClusterData2011_2 by the number of their columns, and the columns. The first columns are the same in both.
const (
	jobEvents  = 8
	taskEvents = 13

	colTime, colJob = 0, 2

	colJobEvent, colJobUser, colJobClass, colJobName, colLogicalName = 3, 4, 5, 6, 7

	colTask, colTaskEvent, colTaskUser, colTaskClass, colPriority, colCPU, colMemory = 3, 5, 6, 7, 8, 9, 10
)

// A google2011 reads the tables job_events and task_events of Google's trace of 2011,
// merged by time. It keeps the state of the jobs that are not over.
type google2011 struct {
	parsing
	now   int64 // of the last row, µs
	tasks bool  // a row of task_events was read
	waiting[uint64, googleJob]
	seen uint64 // jobs
}

func google2011Parser(*ReaderConfig) (parser, error) {
	return &google2011{waiting: waiting[uint64, googleJob]{jobs: make(map[uint64]*googleJob)}}, nil
}

func (g *google2011) row(line []byte) (*workload.Job, *problem) {
	var cols [taskEvents][]byte
	n := columns(line, cols[:])
	event := cols[colTaskEvent]
	switch n {
	case jobEvents:
		event = cols[colJobEvent]
	case taskEvents:
	default:
		return nil, &problem{"number of columns is not 8 (job_events) or 13 (task_events)", strconv.Itoa(n)}
	}
	now, ok := natural(cols[colTime])
	if !ok || now > limits.Seconds*1e6 && now != math.MaxInt64 {
		return nil, &problem{"time is not a number of µs up to 1e9 s, or 2^63-1", quote(cols[colTime])}
	}
	if int64(now) < g.now {
		return nil, &problem{"time goes back", fmt.Sprintf("%d after %d", now, g.now)}
	}
	id, ok := natural(cols[colJob])
	if !ok {
		return nil, &problem{"job ID is not a number up to 2^64-1", quote(cols[colJob])}
	}
	if len(event) != 1 || event[0] < '0' || event[0] > '8' {
		return nil, &problem{"event is not in 0 to 8", quote(event)}
	}
	var index uint64
	var priority float64
	if n == taskEvents {
		if index, ok = natural(cols[colTask]); !ok || index >= policy.MaxTasks {
			return nil, &problem{"task index is not a number below 2^28", quote(cols[colTask])}
		}
		if text := cols[colPriority]; len(text) > 0 {
			if priority, ok = finite(text); !ok {
				return nil, &problem{"priority is not a finite number", quote(text)}
			}
		}
	}
	g.now = int64(now)

	j := g.jobs[id]
	if j == nil {
		j = g.add(id)
	}
	j.held += g.hold(line)
	if n == jobEvents {
		g.jobRow(j, event[0]-'0', &cols)
	} else {
		g.taskRow(j, event[0]-'0', uint32(index), priority, &cols)
	}
	if !j.ended || j.live > 0 {
		return nil, nil
	}
	delete(g.jobs, id)
	return g.whole(j), nil
}

func (g *google2011) rest() (*workload.Job, *problem) {
	for {
		j := g.next(func(a, b *googleJob) int { return cmp.Compare(a.rank, b.rank) })
		if j == nil {
			return nil, nil
		}
		if job := g.whole(j); job != nil {
			return job, nil
		}
	}
}

func (g *google2011) add(id uint64) *googleJob {
	g.seen++
	j := &googleJob{id: id, rank: g.seen, first: g.now, submit: unseen, self: newTask, tasks: make(map[uint32]*googleTask)}
	g.jobs[id] = j
	return j
}

func (g *google2011) jobRow(j *googleJob, event byte, cols *[taskEvents][]byte) {
	g.texts.keep(&j.user, cols[colJobUser])
	g.texts.keep(&j.class, cols[colJobClass])
	g.texts.keep(&j.name, cols[colJobName])
	g.texts.keep(&j.program, cols[colLogicalName])
	if g.now == math.MaxInt64 {
		return
	}
	switch event {
	case eventSubmit:
		if !j.known {
			j.submit, j.known = g.now, true
		}
		j.ended = false
	case eventSchedule:
		j.ended = false
	case eventEvict, eventFail, eventFinish, eventKill, eventLost:
		j.ended = true
	}
	if !g.tasks {
		g.event(&j.self, event)
	}
}

func (g *google2011) taskRow(j *googleJob, event byte, index uint32, priority float64, cols *[taskEvents][]byte) {
	g.tasks = true
	g.texts.keep(&j.user, cols[colTaskUser])
	g.texts.keep(&j.class, cols[colTaskClass])
	if len(j.tasks) == 0 {
		j.priority = priority
		g.texts.keep(&j.cpu, cols[colCPU])
		g.texts.keep(&j.memory, cols[colMemory])
	}
	t, known := j.tasks[index]
	if !known {
		t = new(newTask)
		j.tasks[index] = t
	}
	if g.now == math.MaxInt64 {
		return
	}
	if event == eventSubmit && j.submit == unseen {
		j.submit = g.now
	}
	before := t.live
	if !known && (event == eventUpdatePending || event == eventUpdateRunning) { // what it has been doing since before the trace
		t.live, t.early = true, event == eventUpdateRunning
	}
	g.event(t, event)
	switch {
	case t.live && !before:
		j.live++
	case before && !t.live:
		j.live--
	}
}

// looksGoogle2011 accepts a row with the number of columns of one of the tables, with whole numbers as time and job ID, and an
// event and a class of one digit, which other tables without a header lack.
func looksGoogle2011(first []byte) bool {
	var cols [taskEvents][]byte
	n := columns(first, cols[:])
	event, class := cols[colJobEvent], cols[colJobClass]
	if n == taskEvents {
		event, class = cols[colTaskEvent], cols[colTaskClass]
	}
	_, time := natural(cols[colTime])
	_, job := natural(cols[colJob])
	return (n == jobEvents || n == taskEvents) && time && job && len(event) == 1 && len(class) <= 1
}

// onlyGoogle2011 leaves out the other tables and the documents of the trace.
func onlyGoogle2011(path string) bool {
	for _, other := range []string{"machine_attributes", "machine_events", "task_constraints", "task_usage"} {
		if strings.Contains(path, other) {
			return false
		}
	}
	name := filepath.Base(path)
	return strings.Contains(name, ".csv") && name != "schema.csv"
}

// keyGoogle2011 is the time of a line.
func keyGoogle2011(line []byte) int64 {
	text, _, _ := bytes.Cut(line, []byte(","))
	if now, ok := natural(text); ok && now <= math.MaxInt64 {
		return int64(now)
	}
	return firstKey
}

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

// A googleJob is the state of a job that is not over.
type googleJob struct {
	id       uint64
	rank     uint64 // among all jobs, by first row
	held     int64  // bytes that its rows count as
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
	self     googleTask             // the job as one task, for job_events alone
	live     int                    // tasks that wait or run
	tasks    map[uint32]*googleTask // by index
}

// A googleTask is the state of a task.
type googleTask struct {
	start int64 // of the attempt that runs, µs; unseen if none does
	run   int64 // of the last attempt that ended with FINISH, FAIL or KILL, µs; unseen if none has
	live  bool  // waits or runs
	early bool  // an attempt began before the trace
	ran   bool  // an attempt was evicted or lost
}

const unseen = -1 // is no time

// newTask is a task before its first event.
var newTask = googleTask{start: unseen, run: unseen}

// google2011Zero is the instant that times of the trace count from: 600 s before its begin.
var google2011Zero = time.Date(2011, time.May, 1, 18, 50, 0, 0, time.FixedZone("EDT", -4*60*60))

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

// event updates a task by an event that happens now.
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
	}
}

// attempt records an attempt that ends now.
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

// whole converts a job that is over; it returns nil if none of its tasks counts.
func (g *google2011) whole(j *googleJob) *workload.Job {
	g.held -= j.held
	if len(j.tasks) == 0 && !g.tasks {
		j.tasks[0] = &j.self
	}
	runtimes := make([]policy.Duration, 0, len(j.tasks))
	for _, index := range slices.Sorted(maps.Keys(j.tasks)) {
		switch t := j.tasks[index]; {
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
	job := bag(runtimes...)
	job.Name, job.Priority = strconv.FormatUint(j.id, 10), j.priority
	submitted := j.submit
	if submitted == unseen {
		submitted = j.first
	}
	job.Submitted = policy.Time(submitted) * policy.Time(time.Microsecond)
	if j.submit > 0 {
		job.At = google2011Zero.Add(policy.Duration(submitted) * time.Microsecond)
	}
	job.Attrs = attrs("user", j.user, "program", j.program, "jobname", j.name, "class", j.class, "cpu", j.cpu, "memory", j.memory)
	return job
}
