package trace

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// An alibabaJob is what is known of a job.
type alibabaJob struct {
	name   string
	rank   int // among all jobs, by first row
	typ    string
	cpu    string
	memory string
	start  policy.Duration // of the first task, once all are known
	tasks  []alibabaTask
	at     map[string]int // where in tasks a task is, by name; nil if there are few
}

// An alibabaTask is what is known of a task.
type alibabaTask struct {
	name      string
	cores     int32
	listed    bool              // there was a row of batch_task
	instances int               // by that row
	run       policy.Duration   // of each, by that row
	start     policy.Duration   // the earliest one of its rows
	runtimes  []policy.Duration // of its instances, by rows of batch_instance
	lost      bool              // by its row it did not terminate, or has no times
}

// task returns a task, which is new if it is not there. It is valid until the next call.
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

// whole makes a job of what is known of it.
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
	a.id++
	job := &workload.Job{
		Job: policy.Job{
			ID:        a.id,
			Submitted: policy.Time(j.start),
			Attrs:     attrs("jobname", j.name, "type", j.typ, "cpu", j.cpu, "memory", j.memory),
			Stages:    make([]policy.Stage, len(j.tasks)),
		},
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

// taskNumbers takes the name of a task apart: letters and its number, then after _ the
// numbers of the tasks that it reads, sorted here and each once, then perhaps Stg and a
// number, which says nothing of the graph. Other names, such as task_Nzg3 and MergeTask,
// are those of tasks that read nothing: not ok.
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
