package provenance

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// OpenLineage reads run events of OpenLineage: an object of JSON a line, or objects that each take several lines, a list of
// them, or an object whose field events is such a list. A run is a job here, a job is a template, and a dataset is a file.
//
//	ID        run.runId
//	template  job.namespace, a space, and job.name, or its template: see [ReaderConfig].Template
//	org       job.namespace
//	user      the first owner in the job's facet ownership, or else task.owner in the run's facet airflow
//	file      namespace, a space, and name
//	submitted time of the run's first event, by time; all instants count from 1970
//	completed time of its last COMPLETE, FAIL or ABORT
//	state     from that; noinput if the facet errorMessage of a FAIL says, in any case, one of "no such file",
//	          "file not found", "filenotfound", "path does not exist" and "nosuchkey"
//	priority  task.priority_weight in the run's facet airflow; 0 if there is none
//
// A run reads its inputs when it first starts, or at its first event if there is no START. The inputs are those of all its
// events. It writes its outputs when it completes; a run that fails writes nothing. A run that does not end, or whose facet
// jobType has the processingType STREAMING, also reads and writes what a RUNNING event names at the time of that event.
// The format has no compute time, so that is 0. User and priority come from the first event that has them, or else from the
// parent. The latest event names the job, the parent and what it depends on. A facet of another form is ignored.
//
// What an output's facet lifecycleStateChange says decides what is written. DROP and TRUNCATE are uploads by a user: nobody's
// write is left in the file. RENAME reads the file of the previousIdentifier, drops that, and writes the new one. ALTER
// writes nothing. Names that a facet symlinks puts side by side are one file, whose name is the least of them.
//
// A run of Spark that is a part of an application, by its facets parent and jobType, counts for the application, and a
// statement of dbt for its model: these have its reads and writes. A run that is but the parent of others, or whose jobType
// is DAG, is no job.
//
// Dependencies that are declared, in the facet jobDependencies or as upstream_task_ids of Airflow, count beside those by
// files: as a file that the one job writes when it completes, and the other reads when it starts. A run that starts before
// those have ended is submitted when the last one has. So is one of a parent all of whose runs start together, by what one
// of them writes and another reads before it ends: such starts are those of the parent.
//
// Events may come in any order, more than once, and from several files. A row is damaged if it is not JSON, lacks one of run,
// job and eventTime, or has an unknown eventType. One that is broken off ends where another begins a line. [Reader.Notes]
// counts events that come twice, rows without a run, which describe jobs or datasets as such, datasets without a name, and
// times without a zone, which are taken to be in UTC. A row may have 2^24 bytes, and 2^18 objects and lists.
//
// Errors name the file. They are a [*RowError], or that of in.
//
// # Source
//
// OpenLineage specification 2-0-2, https://openlineage.io/spec/2-0-2/OpenLineage.json, its facets, and its page on the
// run cycle. It leaves open when inputs are read and outputs written; that is ours. Priorities are not in it. The facet airflow
// is AirflowRunFacet of Apache Airflow's provider of OpenLineage, version 2.
func (r *Reader) OpenLineage(file string, in io.Reader) error {
	var clock clock
	for rows := newObjects(in); ; {
		text, line, err := rows.next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%s:%d: %w", file, line, err)
		}
		r.rows++
		if p := r.event(text, &clock); p != nil {
			if err := r.drop(file, line, p); err != nil {
				return err
			}
		}
	}
}

// RunOf returns the ID of the run that an event of OpenLineage, in JSON, counts for, and false if there is none. A program that
// has more events than fit into memory may give those of each such run to a [Reader] of its own. Then dependencies that are
// declared, links between names, runs that start together, and parts of parts are not seen as in one log.
func RunOf(event []byte) (id string, ok bool) {
	var e runEvent
	if e.read(event) != nil || e.Run == nil || e.Job == nil {
		return "", false
	}
	id = e.Run.RunID
	if e.part() {
		id = e.Run.Facets.Parent.Run.ID
	}
	return id, id != ""
}

// A runEvent has the fields of an event that are read.
type runEvent struct {
	EventType string           `json:"eventType"`
	EventTime string           `json:"eventTime"`
	Producer  string           `json:"producer"`
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
		Airflow struct {
			DAG struct {
				ID string `json:"dag_id"`
			} `json:"dag"`
			Task struct {
				Owner    string   `json:"owner"`
				Priority *float64 `json:"priority_weight"`
				Upstream taskIDs  `json:"upstream_task_ids"`
			} `json:"task"`
		} `json:"airflow"`
		Parent struct {
			Run eventRunID `json:"run"`
			Job eventName  `json:"job"`
		} `json:"parent"`
		Dependencies struct {
			Upstream []struct {
				Run eventRunID `json:"run"`
				Job eventName  `json:"job"`
			} `json:"upstream"`
		} `json:"jobDependencies"`
		Engine struct {
			Name string `json:"name"`
		} `json:"processing_engine"`
	} `json:"facets"`
}

type eventRunID struct {
	ID string `json:"runId"`
}

type eventName struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

type eventJob struct {
	eventName
	Facets struct {
		Ownership struct {
			Owners []struct {
				Name string `json:"name"`
			} `json:"owners"`
		} `json:"ownership"`
		Type struct {
			Processing  string `json:"processingType"`
			Integration string `json:"integration"`
			Type        string `json:"jobType"`
		} `json:"jobType"`
	} `json:"facets"`
}

type dataset struct {
	eventName
	Facets struct {
		Change struct {
			Kind     string    `json:"lifecycleStateChange"`
			Previous eventName `json:"previousIdentifier"`
		} `json:"lifecycleStateChange"`
		Symlinks struct {
			Names []eventName `json:"identifiers"`
		} `json:"symlinks"`
	} `json:"facets"`
}

// read reads an event. A facet may have any form, and what is not as expected in one is passed over: package json reads the rest.
func (e *runEvent) read(text []byte) error {
	err := json.Unmarshal(text, e)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && strings.Contains(wrong.Field, "facets") {
		return nil
	}
	return err
}

// owner returns the owner of the job, or "" if the event does not name one.
func (e *runEvent) owner() string {
	if owners := e.Job.Facets.Ownership.Owners; len(owners) > 0 {
		return owners[0].Name
	}
	return e.Run.Facets.Airflow.Task.Owner
}

// part reports whether the run is a part of its parent: a statement of a model of dbt, or what Spark does for an application.
func (e *runEvent) part() bool {
	kind, parent := &e.Job.Facets.Type, &e.Run.Facets.Parent
	switch {
	case parent.Run.ID == "":
		return false
	case kind.Integration != "":
		return kind.Integration == "SPARK" && kind.Type != "APPLICATION" || kind.Integration == "DBT" && kind.Type == "SQL"
	}
	spark := e.Run.Facets.Engine.Name == "spark" || strings.Contains(e.Producer, "/integration/spark")
	return spark && strings.HasPrefix(e.Job.Name, parent.Job.Name+".")
}

// upstream returns what the run is declared to depend on.
func (e *runEvent) upstream() (list []upstream) {
	for _, u := range e.Run.Facets.Dependencies.Upstream {
		list = append(list, upstream{run: u.Run.ID, job: u.Job.String()})
	}
	airflow := &e.Run.Facets.Airflow
	dag := cmp.Or(airflow.DAG.ID, e.Run.Facets.Parent.Job.Name)
	for _, task := range airflow.Task.Upstream {
		list = append(list, upstream{job: eventName{e.Job.Namespace, dag + "." + task}.String()})
	}
	return list
}

// taskIDs are a list in JSON, or a text that looks like one of Python.
type taskIDs []string

// UnmarshalJSON reads either.
func (ids *taskIDs) UnmarshalJSON(text []byte) error {
	var list []string
	if json.Unmarshal(text, &list) != nil {
		list = strings.FieldsFunc(string(text), func(c rune) bool { return strings.ContainsRune("\"[]{}(), '", c) })
	}
	*ids = list
	return nil
}

func (n eventName) String() string { return n.Namespace + " " + n.Name }

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

// told returns the instant of an event, whether it is told with its zone, and the state of the run after it. It returns a
// problem if the event does not name its run or its job.
func (e *runEvent) told() (t Time, zone bool, state State, p *problem) {
	switch {
	case e.Run == nil || e.Run.RunID == "":
		return 0, false, 0, &problem{"event has no run", ""}
	case e.Job == nil || e.Job.Name == "":
		return 0, false, 0, &problem{"event has no job", "run " + e.Run.RunID}
	}
	t, zone, ok := eventTime(e.EventTime)
	if !ok {
		return 0, false, 0, &problem{"eventTime is no time such as 2026-03-02T10:00:00Z", fmt.Sprintf("%q", e.EventTime)}
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
		return 0, false, 0, &problem{"eventType is none of START, RUNNING, COMPLETE, FAIL, ABORT, OTHER", fmt.Sprintf("%q", e.EventType)}
	}
	return t, zone, state, nil
}

// eventTime parses an instant in RFC 3339, or in a form that some systems write instead. zone is false if it has none.
func eventTime(s string) (t Time, zone, ok bool) {
	s = strings.Replace(s, " ", "T", 1)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999"} {
		if at, err := time.Parse(layout, s); err == nil {
			t, ok = instant(at)
			return t, strings.HasSuffix(layout, "00"), ok
		}
	}
	return 0, false, false
}
