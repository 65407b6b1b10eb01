package provenance

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// OpenLineage reads run events of OpenLineage, one JSON object per line. An OpenLineage run is a job
// here, a job is a template, and a dataset is a file.
//
//	ID        run.runId
//	template  job.namespace, a space, and the template of job.name
//	org       job.namespace
//	user      the first owner in the job's facet ownership, or else task.owner in the run's facet airflow
//	file      namespace, a space, and name
//	submitted time of the run's first event, by time
//	completed time of its COMPLETE, FAIL or ABORT
//	state     from these; noinput if the facet errorMessage of a FAIL says, in any case, one of "no such file",
//	          "file not found", "filenotfound", "path does not exist" and "nosuchkey"
//	priority  task.priority_weight in the run's facet airflow; 0 if there is none
//
// A run reads its inputs when it starts: at START, or at its first event if there is no START. The inputs are those of all
// its events. It writes its outputs at COMPLETE; a run that fails writes nothing. The format has no compute time, so that is
// 0. User and priority come from the first row that has them; an airflow facet of another form is ignored.
//
// Events of a run may come in any order and from several files. A row is damaged if it is not JSON, lacks one of run, job
// and eventTime, has an unknown eventType, starts or ends a run for a second time, ends it before it starts, or gives it
// another job. A START or an end with the same time as before is a duplicate; other events may be repeated and change
// nothing. With [ReaderConfig].Repeated a run may start and end any number of times, in any order. Rows without a run, which
// describe jobs or datasets as such, are skipped. A row may have 2^24 bytes.
//
// Errors name the file. They are a [*RowError], or that of in.
//
// # Source
//
// OpenLineage specification 2-0-2, https://openlineage.io/spec/2-0-2/OpenLineage.json, and its page on the run cycle. It
// leaves open when inputs are read and outputs written; that is ours. Priorities are not in it. The facet airflow is
// AirflowRunFacet of Apache Airflow's provider of OpenLineage, version 2.
func (r *Reader) OpenLineage(file string, in io.Reader) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	var clock clock
	for line := 1; ; line++ {
		text, err := readLine(lines)
		if err != nil && err != io.EOF && err != errLong {
			return fmt.Errorf("%s:%d: %w", file, line, err)
		}
		var p *problem
		if err == errLong {
			p = &problem{"row is longer than 2^24 bytes", ""}
		} else if text = bytes.TrimSpace(text); len(text) > 0 {
			r.rows++
			p = r.event(text, &clock)
		}
		if p != nil {
			if err := r.drop(file, line, p); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

const maxLine = 1 << 24

var errLong = errors.New("line is too long")

// readLine returns the next line. It skips a line that is too long and returns errLong.
func readLine(in *bufio.Reader) (line []byte, err error) {
	line, err = in.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, err
	}
	long := slices.Clone(line)
	for err == bufio.ErrBufferFull {
		line, err = in.ReadSlice('\n')
		if len(long) <= maxLine {
			long = append(long, line...)
		}
	}
	if len(long) > maxLine && (err == nil || err == io.EOF) {
		return nil, errLong // the next call will tell the end again
	}
	return long, err
}

// A runEvent has the fields of an event that are read.
type runEvent struct {
	EventType string           `json:"eventType"`
	EventTime string           `json:"eventTime"`
	Run       *eventRun        `json:"run"`
	Job       *eventJob        `json:"job"`
	Inputs    []dataset        `json:"inputs"`
	Outputs   []dataset        `json:"outputs"`
	Dataset   *json.RawMessage `json:"dataset"`
}

type eventRun struct {
	RunID  string `json:"runId"`
	Facets struct {
		ErrorMessage struct {
			Message string `json:"message"`
		} `json:"errorMessage"`
		Airflow airflow `json:"airflow"`
	} `json:"facets"`
}

type eventJob struct {
	dataset
	Facets struct {
		Ownership struct {
			Owners []eventOwner `json:"owners"`
		} `json:"ownership"`
	} `json:"facets"`
}

type eventOwner struct {
	Name string `json:"name"`
}

// An airflow is a facet that is not in the specification of OpenLineage. So an unexpected form of it
// does not make the row damaged.
type airflow struct {
	Task struct {
		Owner    string   `json:"owner"`
		Priority *float64 `json:"priority_weight"`
	} `json:"task"`
}

func (a *airflow) UnmarshalJSON(text []byte) error {
	type fields airflow
	var f fields
	if json.Unmarshal(text, &f) == nil {
		*a = airflow(f)
	}
	return nil
}

type dataset struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// owner returns the owner of the job, or "" if the event does not name one.
func (e *runEvent) owner() string {
	if owners := e.Job.Facets.Ownership.Owners; len(owners) > 0 {
		return owners[0].Name
	}
	return e.Run.Facets.Airflow.Task.Owner
}

func (d dataset) file() string { return d.Namespace + " " + d.Name }

// A run is the state of a job that its events describe.
type run struct {
	events          bool // a run of OpenLineage
	started         bool
	prioritised     bool
	start           Time // valid only if started
	endRow          uint64
	inputs, outputs map[uint32]bool
}

// missingInput reports whether the error message of a job that failed says that an input was missing.
func missingInput(message string) bool {
	message = strings.ToLower(message)
	for _, phrase := range []string{"no such file", "file not found", "filenotfound", "path does not exist", "nosuchkey"} {
		if strings.Contains(message, phrase) {
			return true
		}
	}
	return false
}

// event processes an event. If there is a problem, it changes nothing.
func (r *Reader) event(text []byte, c *clock) *problem {
	var e runEvent
	if err := json.Unmarshal(text, &e); err != nil {
		return &problem{"row is no event in JSON", err.Error()}
	}
	if e.Run == nil && (e.Job != nil || e.Dataset != nil) {
		r.skipped["event is of no run"]++
		return nil
	}
	t, state, p := e.told()
	if p != nil {
		return p
	}
	template := e.Job.Namespace + " " + Template(e.Job.Name)
	j, u := Job{Submitted: t}, run{events: true}
	number, known := r.log.IDs.Find(e.Run.RunID)
	if known {
		j, u = r.log.Jobs[number], r.runs[number]
		if !u.events || r.log.Templates.Name(j.Template) != template {
			return &problem{"run is of another job in an earlier event", "run " + e.Run.RunID}
		}
	}
	if p := r.startOrEnd(&e, &j, &u, t, state); p != nil {
		return p
	}
	j.Submitted = min(j.Submitted, t)
	if u.started && j.State != Running && j.Completed < u.start && !r.config.Repeated {
		return &problem{"run ends before it starts", "run " + e.Run.RunID}
	}
	if p := r.check(c, t); p != nil {
		return p
	}

	if !known {
		number = r.log.IDs.Number(e.Run.RunID)
		j.Template = r.log.Templates.Number(template)
		j.Org = r.log.Orgs.Number(e.Job.Namespace)
		j.User = r.log.Users.Number("")
		r.log.Jobs = append(r.log.Jobs, j)
		r.runs = append(r.runs, u)
	}
	if r.log.Users.Name(j.User) == "" {
		j.User = r.log.Users.Number(e.owner())
	}
	if p := e.Run.Facets.Airflow.Task.Priority; p != nil && !u.prioritised {
		j.Priority, u.prioritised = *p, true
	}
	u.inputs = r.with(u.inputs, e.Inputs)
	u.outputs = r.with(u.outputs, e.Outputs)
	r.log.Jobs[number], r.runs[number] = j, u
	return nil
}

// told returns the instant of an event and the state of the run after it. It returns a problem if the
// event does not name its run, its job or its files.
func (e *runEvent) told() (t Time, state State, p *problem) {
	switch {
	case e.Run == nil || e.Run.RunID == "":
		return 0, 0, &problem{"event has no run", ""}
	case e.Job == nil || e.Job.Name == "":
		return 0, 0, &problem{"event has no job", "run " + e.Run.RunID}
	}
	at, err := time.Parse(time.RFC3339Nano, e.EventTime)
	t, ok := instant(at)
	if err != nil || !ok {
		return 0, 0, &problem{"eventTime is no time", fmt.Sprintf("%q", e.EventTime)}
	}
	switch e.EventType {
	case "START", "RUNNING", "OTHER", "":
		state = Running
	case "COMPLETE":
		state = Complete
	case "ABORT":
		state = Failed
	case "FAIL":
		state = Failed
		if missingInput(e.Run.Facets.ErrorMessage.Message) {
			state = NoInput
		}
	default:
		return 0, 0, &problem{"eventType does not exist", fmt.Sprintf("%q", e.EventType)}
	}
	for _, files := range [][]dataset{e.Inputs, e.Outputs} {
		for _, d := range files {
			if d.Name == "" {
				return 0, 0, &problem{"dataset has no name", "run " + e.Run.RunID}
			}
		}
	}
	return t, state, nil
}

// startOrEnd processes the start of a job, or its end if state is not Running. It returns a problem for
// a second start or end, unless these may be repeated.
func (r *Reader) startOrEnd(e *runEvent, j *Job, u *run, t Time, state State) *problem {
	repeated := r.config.Repeated
	if e.EventType == "START" {
		switch {
		case !u.started || repeated && t < u.start:
			u.started, u.start = true, t
		case repeated:
		case u.start == t:
			return &problem{"event comes twice", "START of run " + e.Run.RunID}
		default:
			return &problem{"run starts twice", "run " + e.Run.RunID}
		}
	}
	if state != Running {
		switch {
		case j.State == Running || repeated && (t > j.Completed || t == j.Completed && state > j.State):
			j.State, j.Completed, u.endRow = state, t, r.rows
		case repeated:
		case j.State == state && j.Completed == t:
			return &problem{"event comes twice", e.EventType + " of run " + e.Run.RunID}
		default:
			return &problem{"run ends twice", "run " + e.Run.RunID}
		}
	}
	return nil
}

// with adds files to a set of them.
func (r *Reader) with(set map[uint32]bool, more []dataset) map[uint32]bool {
	for _, d := range more {
		if set == nil {
			set = make(map[uint32]bool)
		}
		set[r.log.Files.Number(d.file())] = true
	}
	return set
}

// runOps appends the operations of runs.
func (r *Reader) runOps(ops []Op) []Op {
	var ended []uint32
	for i, u := range r.runs {
		if !u.events {
			continue
		}
		at := r.log.Jobs[i].Submitted
		if u.started {
			at = u.start
		}
		for _, file := range slices.Sorted(maps.Keys(u.inputs)) {
			ops = append(ops, Op{at, uint32(i), file, Read})
		}
		if r.log.Jobs[i].State == Complete {
			ended = append(ended, uint32(i))
		}
	}
	// Of two that write a file at one instant, the one whose end is the later row is the last.
	slices.SortFunc(ended, func(a, b uint32) int { return cmp.Compare(r.runs[a].endRow, r.runs[b].endRow) })
	for _, i := range ended {
		for _, file := range slices.Sorted(maps.Keys(r.runs[i].outputs)) {
			ops = append(ops, Op{r.log.Jobs[i].Completed, i, file, Write})
		}
	}
	return ops
}
