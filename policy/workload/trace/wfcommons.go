package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// Bounds on a file, since its text is held in memory.
const (
	maxWorkflow      = 1 << 26 // bytes
	maxWorkflowParts = 1 << 20 // objects, arrays and nulls
)

// A wfcommons reads workflows in WfFormat, one per file.
type wfcommons struct {
	parsing
	text   []byte // of the file, so far
	over   bool   // the file is too long, and the rest of it is skipped
	origin time.Time
}

// A wfFile has the fields of a workflow that are read.
type wfFile struct {
	Name     string
	Jobs     []json.RawMessage // of another format
	Workflow struct {
		Jobs, Tasks   []wfOlder // before WfFormat 1.5
		ExecutedAt    string    // the same
		Specification struct{ Tasks []wfTask }
		Execution     struct {
			ExecutedAt string
			Tasks      []wfRun
		}
	}
}

const (
	noTasks   = "no workflow of WfCommons: no tasks in workflow.specification, nor in workflow.tasks or workflow.jobs as before WfFormat 1.5"
	noRuntime = "a task has no runtimeInSeconds, nor runtime as before WfFormat 1.4"
)

// A wfTask is a task as it was specified.
type wfTask struct {
	Name, ID string
	Parents  []string
}

// A wfRun is a task as it ran.
type wfRun struct {
	ID               string
	RuntimeInSeconds *float64
	CoreCount        float64
	MemoryInBytes    float64
}

func wfcommonsParser(*ReaderConfig) (parser, error) { return new(wfcommons), nil }

func (w *wfcommons) row(line []byte) (*workload.Job, *problem) {
	switch {
	case w.over:
		return nil, nil
	case len(w.text)+len(line)+1 > maxWorkflow:
		w.over, w.text = true, nil
		return nil, &problem{"the file is longer than 2^26 bytes", ""}
	}
	if more := len(line) + 1; more > cap(w.text)-len(w.text) {
		// Twice as much each time: append alone would go in small steps.
		w.text = slices.Grow(w.text, max(more, min(len(w.text), maxWorkflow-len(w.text))))
	}
	w.text = append(append(w.text, line...), '\n')
	return nil, nil
}

func (w *wfcommons) end() (*workload.Job, *problem) {
	text, over := w.text, w.over
	w.text, w.over = w.text[:0], false
	if len(text) == 0 || over {
		return nil, nil
	}
	if n := parts(text); n > maxWorkflowParts {
		return nil, &problem{"more than 2^20 objects, arrays and nulls", strconv.Itoa(n)}
	}
	f := new(wfFile)
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(f); err != nil {
		return nil, &problem{"not a workflow in JSON", cut(err.Error())}
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, &problem{"not a workflow in JSON", "more follows in the file"}
	}
	if len(f.Jobs) > 0 {
		return nil, &problem{"no workflow of WfCommons, but jobs, as sacct --json prints them", "want such as " + sacctCommand}
	}
	if p := f.modernise(); p != nil {
		return nil, p
	}
	return w.job(f)
}

func (w *wfcommons) job(f *wfFile) (*workload.Job, *problem) {
	at, p := executed(f.Workflow.Execution.ExecutedAt)
	if p != nil {
		return nil, p
	}
	tasks, p := f.tasks()
	if p != nil {
		return nil, p
	}
	job := &workload.Job{Job: policy.Job{At: at}, Name: f.Name}
	if !at.IsZero() {
		if w.origin.IsZero() {
			w.origin = at
		}
		job.Submitted = policy.Time(at.Sub(w.origin))
	}
	job.Attrs = attrs("program", runOf.ReplaceAllString(f.Name, ""), "jobname", f.Name)
	job.Stages, job.Runtimes = stages(tasks)
	return job, nil
}

// runOf matches the time that some systems append to the name of a workflow to distinguish its runs,
// as in 1000genome-20200401T054035Z-0.
var runOf = regexp.MustCompile(`-\d{8}T\d{6}Z(-\d+)?$`)

// executed parses the calendar time of a run; it is zero if there is none, and in UTC if there is
// no zone. Systems write it in several ways.
func executed(text string) (time.Time, *problem) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "20060102T150405Z0700", "01-02-06T15:04:05Z07:00", "2006-01-02T15:04:05"} {
		if at, err := time.ParseInLocation(layout, text, time.UTC); err == nil {
			return at, nil
		}
	}
	return time.Time{}, &problem{"executedAt is not a time", quote([]byte(text))}
}

// A workflowTask is a task of a workflow. Parents and children are tasks, sorted.
type workflowTask struct {
	program           string
	runtime           policy.Duration
	cores             int32
	memory            int64
	parents, children []uint32
}

// tasks joins the two lists of tasks.
func (f *wfFile) tasks() ([]workflowTask, *problem) {
	specified := f.Workflow.Specification.Tasks
	if len(specified) == 0 {
		return nil, &problem{noTasks, ""}
	}
	tasks := make([]workflowTask, len(specified))
	at := make(map[string]uint32, len(specified))
	for i := range specified {
		if _, twice := at[specified[i].ID]; twice {
			return nil, &problem{"two tasks have the same ID", quote([]byte(specified[i].ID))}
		}
		at[specified[i].ID] = uint32(i)
		tasks[i] = workflowTask{program: programOf(specified[i].Name), runtime: -1, cores: 1}
	}
	for i := range specified {
		for _, name := range specified[i].Parents {
			parent, ok := at[name]
			if !ok {
				return nil, &problem{"a parent is not there", fmt.Sprintf("task %s: %s", quote([]byte(specified[i].ID)), quote([]byte(name)))}
			}
			tasks[i].parents = append(tasks[i].parents, parent)
		}
		slices.Sort(tasks[i].parents)
		tasks[i].parents = slices.Compact(tasks[i].parents)
		for _, parent := range tasks[i].parents {
			tasks[parent].children = append(tasks[parent].children, uint32(i))
		}
	}
	for _, run := range f.Workflow.Execution.Tasks {
		i, ok := at[run.ID]
		if !ok {
			return nil, &problem{"a task that ran is not specified", quote([]byte(run.ID))}
		}
		if p := tasks[i].ran(&run); p != nil {
			p.detail = fmt.Sprintf("task %s: %s", quote([]byte(run.ID)), p.detail)
			return nil, p
		}
	}
	for i := range tasks {
		if tasks[i].runtime < 0 {
			return nil, &problem{noRuntime, quote([]byte(specified[i].ID))}
		}
	}
	return tasks, nil
}

func (t *workflowTask) ran(r *wfRun) *problem {
	switch x := r.RuntimeInSeconds; {
	case x == nil:
	case !(*x >= 0 && *x <= limits.Seconds):
		return &problem{"runtimeInSeconds is not in 0 to 1e9", fmt.Sprint(*x)}
	default:
		t.runtime = saturate.To[policy.Duration](math.Round(*x * 1e9))
	}
	if x := r.CoreCount; !(x >= 0 && x <= 1e6) {
		return &problem{"coreCount is not in 0 to 1e6", fmt.Sprint(x)}
	}
	if x := r.MemoryInBytes; !(x >= 0 && x <= 1<<60) {
		return &problem{"memoryInBytes is not in 0 to 2^60", fmt.Sprint(x)}
	}
	t.cores = max(1, saturate.To[int32](math.Ceil(r.CoreCount)))
	t.memory = saturate.To[int64](math.Ceil(r.MemoryInBytes))
	return nil
}

// programOf returns the name of a task without the number at its end, as in blastall_ID000002.
func programOf(name string) string {
	if i := strings.LastIndex(name, "_ID"); i >= 0 && strings.Trim(name[i+3:], "0123456789") == "" {
		return name[:i]
	}
	return name
}

// stages groups tasks of the same program, cores, parents and children into stages. This does not
// change the order of tasks: each task of a stage waits for all tasks of the stages that it reads,
// and those are its parents, since all tasks of a parent's stage have the same children.
func stages(tasks []workflowTask) ([]policy.Stage, [][]policy.Duration) {
	type like struct {
		program           string
		cores             int32
		parents, children string
	}
	places := make(map[like]uint32)
	stageOf := make([]uint32, len(tasks))
	var list []policy.Stage
	var runtimes [][]policy.Duration
	var first []int // task of each stage
	for i := range tasks {
		t := &tasks[i]
		key := like{t.program, t.cores, fmt.Sprint(t.parents), fmt.Sprint(t.children)}
		k, ok := places[key]
		if !ok {
			k = uint32(len(list))
			places[key] = k
			list, runtimes, first = append(list, policy.Stage{Cores: t.cores}), append(runtimes, nil), append(first, i)
		}
		stageOf[i] = k
		list[k].Tasks++
		list[k].Memory = max(list[k].Memory, t.memory)
		runtimes[k] = append(runtimes[k], t.runtime)
	}
	for k := range list {
		var reads []uint32
		for _, parent := range tasks[first[k]].parents {
			reads = append(reads, stageOf[parent])
		}
		slices.Sort(reads)
		for _, stage := range slices.Compact(reads) {
			list[k].Reads = append(list[k].Reads, policy.Dep{Stage: stage})
		}
	}
	return list, runtimes
}

// looksWFCommons accepts an object that continues on the next line, or one that names its schema.
func looksWFCommons(first []byte) bool {
	return string(first) == "{" || len(first) > 0 && first[0] == '{' && bytes.Contains(first, []byte(`"schemaVersion"`))
}

func onlyWFCommons(path string) bool {
	return strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".json.gz")
}
