package trace

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// The tables of cluster-trace-v2018 by the number of their columns, and the columns; from
// colStatus-2 to colEnd both are alike.
const (
	batchTask     = 9
	batchInstance = 14

	colTaskName, colInstances           = 0, 1
	colInstanceTask                     = 1
	colBatchJob, colTaskType, colStatus = 2, 3, 4
	colStart, colEnd                    = 5, 6
	colPlanCPU, colPlanMemory           = 7, 8
	colSeq, colTotalSeq                 = 8, 9
)

// maxInstances bounds the tasks of a job that a few rows may stand for.
const maxInstances = 1 << 20

// An alibaba2018 reads the tables batch_task and batch_instance of Alibaba's trace of
// 2018. Rows of a job need not be together, so it keeps all rows until the end.
type alibaba2018 struct {
	parsing
	waiting[string, alibabaJob]
	numbers map[uint32]uint32 // stages of the job being made, by the number in their name
}

// Why rows, tasks and jobs of the trace are left out.
const (
	instanceAgain   = "instance that was tried again"
	instanceFailed  = "instance that did not terminate"
	instanceTimes   = "instance without start and end"
	batchTaskFailed = "task that did not terminate"
	batchTaskTimes  = "task without start and end"
	batchTaskNone   = "task without instances"
	batchTaskTwice  = "task that the job has already"
)

func alibaba2018Parser(*ReaderConfig) (parser, error) {
	return &alibaba2018{waiting: waiting[string, alibabaJob]{jobs: make(map[string]*alibabaJob)}, numbers: make(map[uint32]uint32)}, nil
}

func (a *alibaba2018) row(line []byte) (*workload.Job, *problem) {
	var cols [batchInstance][]byte
	var f faults
	switch n := columns(line, cols[:]); n {
	case batchTask:
		a.taskRow(&f, &cols)
	case batchInstance:
		a.instanceRow(&f, &cols)
	default:
		f.refuse("number of columns is not 9 (batch_task) or 14 (batch_instance)", strconv.Itoa(n))
	}
	if f.wrong == nil {
		a.hold(line)
	}
	return nil, f.wrong
}

func (a *alibaba2018) taskRow(f *faults, cols *[batchInstance][]byte) {
	start, run, reason := span(f, cols, batchTaskFailed, batchTaskTimes)
	instances := f.amount(orZero(cols[colInstances]), "number of instances", maxInstances)
	if instances != math.Trunc(instances) {
		f.refuse("number of instances is not whole", quote(cols[colInstances]))
	}
	cpu := f.amount(orZero(cols[colPlanCPU]), "plan_cpu", 1e6)
	if f.wrong != nil {
		return
	}
	if reason == "" && instances == 0 {
		reason = batchTaskNone
	}
	j := a.job(cols[colBatchJob])
	t := j.task(cols[colTaskName], &a.texts)
	if t.listed {
		a.skip(batchTaskTwice)
		return
	}
	t.listed = true
	if reason != "" {
		a.skip(reason)
		t.lost = true
		return
	}
	a.texts.keep(&j.typ, cols[colTaskType])
	a.texts.keep(&j.cpu, cols[colPlanCPU])
	a.texts.keep(&j.memory, cols[colPlanMemory])
	t.cores = max(1, saturate.To[int32](math.Ceil(cpu/100)))
	t.instances, t.run = saturate.To[int](instances), run
	t.start = min(t.start, start)
}

func (a *alibaba2018) instanceRow(f *faults, cols *[batchInstance][]byte) {
	start, run, reason := span(f, cols, instanceFailed, instanceTimes)
	seq, total := f.amount(orZero(cols[colSeq]), "seq_no", 1e6), f.amount(orZero(cols[colTotalSeq]), "total_seq_no", 1e6)
	if f.wrong != nil {
		return
	}
	if seq < total {
		reason = instanceAgain
	}
	j := a.job(cols[colBatchJob])
	if reason != "" {
		a.skip(reason)
		return
	}
	t := j.task(cols[colInstanceTask], &a.texts)
	a.texts.keep(&j.typ, cols[colTaskType])
	t.start = min(t.start, start)
	t.runtimes = append(t.runtimes, run)
}

// span returns the start and the runtime of a row, or the reason to leave it out.
func span(f *faults, cols *[batchInstance][]byte, failed, timeless string) (start, run policy.Duration, reason string) {
	if string(cols[colStatus]) != "Terminated" {
		return 0, 0, failed
	}
	start = f.seconds(orZero(cols[colStart]), "start_time")
	end := f.seconds(orZero(cols[colEnd]), "end_time")
	if start == 0 || end < start {
		return 0, 0, timeless
	}
	return start, end - start, ""
}

func orZero(text []byte) []byte {
	if len(text) == 0 {
		return []byte("0")
	}
	return text
}

func (a *alibaba2018) job(name []byte) *alibabaJob {
	j := a.jobs[string(name)]
	if j == nil {
		j = &alibabaJob{name: string(name), rank: len(a.jobs)}
		a.jobs[j.name] = j
	}
	return j
}

func (a *alibaba2018) rest() (*workload.Job, *problem) {
	a.held = 0
	for _, j := range a.jobs { // none after the first call
		j.finish()
	}
	for {
		j := a.next(func(a, b *alibabaJob) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.rank, b.rank)) })
		if j == nil {
			return nil, nil
		}
		if len(j.tasks) > 0 {
			return a.whole(j)
		}
		a.skip(jobEmpty)
	}
}

// looksAlibaba2018 accepts a row with the number of columns of one of the tables and a known status.
func looksAlibaba2018(first []byte) bool {
	var cols [batchInstance][]byte
	if n := columns(first, cols[:]); n != batchTask && n != batchInstance {
		return false
	}
	switch string(cols[colStatus]) {
	case "Ready", "Waiting", "Running", "Terminated", "Failed", "Cancelled", "Interrupted":
		return true
	}
	return false
}

// onlyAlibaba2018 leaves out the other tables and the documents of the trace.
func onlyAlibaba2018(path string) bool {
	name := filepath.Base(path)
	return strings.Contains(name, ".csv") && !strings.HasPrefix(name, "machine_") && !strings.HasPrefix(name, "container_")
}

// An alibabaJob is a job as read so far.
type alibabaJob struct {
	name   string
	rank   int // among all jobs, by first row
	typ    string
	cpu    string
	memory string
	start  policy.Duration // of the first task, once all are known
	tasks  []alibabaTask
	at     map[string]int // indices in tasks, by name; nil if there are few
}

// An alibabaTask is a task as read so far.
type alibabaTask struct {
	name      string
	cores     int32
	listed    bool              // there was a row of batch_task
	instances int               // by that row
	run       policy.Duration   // of each, by that row
	start     policy.Duration   // the earliest one of its rows
	runtimes  []policy.Duration // of its instances, by rows of batch_instance
	lost      bool              // its row says that it did not terminate, or has no times
}

// task returns the task with a name, or a new one. The pointer is valid until the next call.
func (j *alibabaJob) task(name []byte, texts *interned) *alibabaTask {
	const few = 8
	if j.at != nil {
		if i, ok := j.at[string(name)]; ok {
			return &j.tasks[i]
		}
	} else {
		for i := range j.tasks {
			if j.tasks[i].name == string(name) {
				return &j.tasks[i]
			}
		}
	}
	t := alibabaTask{name: texts.get(name), cores: 1, start: math.MaxInt64}
	j.tasks = append(j.tasks, t)
	switch n := len(j.tasks); {
	case n == few:
		j.at = make(map[string]int, 2*few)
		for i := range j.tasks {
			j.at[j.tasks[i].name] = i
		}
	case n > few:
		j.at[t.name] = n - 1
	}
	return &j.tasks[len(j.tasks)-1]
}

// finish drops the tasks that are left out and finds out when the job starts.
func (j *alibabaJob) finish() {
	j.at = nil
	j.tasks = slices.DeleteFunc(j.tasks, func(t alibabaTask) bool { return t.lost })
	j.start = math.MaxInt64
	for i := range j.tasks {
		j.start = min(j.start, j.tasks[i].start)
	}
}

// whole converts a job that has been read completely.
func (a *alibaba2018) whole(j *alibabaJob) (*workload.Job, *problem) {
	tasks := int64(0)
	clear(a.numbers)
	for i := range j.tasks {
		t := &j.tasks[i]
		if len(t.runtimes) == 0 {
			tasks += int64(t.instances)
		} else {
			tasks += int64(len(t.runtimes))
		}
		if number, _, ok := taskNumbers(t.name); ok {
			if _, twice := a.numbers[number]; !twice {
				a.numbers[number] = uint32(i)
			}
		}
	}
	if tasks > maxInstances {
		return nil, &problem{"the job has more than 2^20 instances", fmt.Sprintf("job %s: %d", quote([]byte(j.name)), tasks)}
	}
	job := &workload.Job{
		Job: policy.Job{
			Submitted: policy.Time(j.start),
			Attrs:     attrs("jobname", j.name, "type", j.typ, "cpu", j.cpu, "memory", j.memory),
			Stages:    make([]policy.Stage, len(j.tasks)),
		},
		Name:     j.name,
		Runtimes: make([][]policy.Duration, len(j.tasks)),
	}
	for i := range j.tasks {
		t := &j.tasks[i]
		if t.runtimes == nil {
			t.runtimes = slices.Repeat([]policy.Duration{t.run}, t.instances)
		}
		job.Runtimes[i] = t.runtimes
		job.Stages[i] = policy.Stage{Tasks: uint32(len(t.runtimes)), Cores: t.cores}
		_, reads, ok := taskNumbers(t.name)
		if !ok {
			continue
		}
		var deps []policy.Dep
		for _, number := range reads {
			if stage, ok := a.numbers[number]; ok {
				deps = append(deps, policy.Dep{Stage: stage})
			}
		}
		job.Stages[i].Reads = deps
	}
	return job, nil
}

// taskNumbers parses the name of a task: letters and its number, then after _ the numbers of the tasks that it reads, then
// optionally Stg and a number, which does not matter. The result is sorted and without duplicates. Tasks with other names,
// such as task_Nzg3 and MergeTask, read nothing: ok is false.
func taskNumbers(name string) (number uint32, reads []uint32, ok bool) {
	head, rest, more := strings.Cut(name, "_")
	digits := strings.TrimLeftFunc(head, func(r rune) bool { return r < '0' || r > '9' })
	letters := head[:len(head)-len(digits)]
	if letters == "" || letters[len(letters)-1] < 'A' || letters[len(letters)-1] > 'Z' {
		return 0, nil, false
	}
	if number, ok = parseNumber(digits); !ok {
		return 0, nil, false
	}
	for more {
		var part string
		part, rest, more = strings.Cut(rest, "_")
		if part == "" {
			continue
		}
		if stg, is := strings.CutPrefix(part, "Stg"); is && !more {
			_, ok = parseNumber(stg)
			break
		}
		n, ok := parseNumber(part)
		if !ok {
			return 0, nil, false
		}
		reads = append(reads, n)
	}
	slices.Sort(reads)
	return number, slices.Compact(reads), ok
}

func parseNumber(digits string) (uint32, bool) {
	n, err := strconv.ParseUint(digits, 10, 32)
	return uint32(n), err == nil
}
