package policy

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"time"

	"example.com/augur/dag"
)

// A Time is an instant: nanoseconds since an epoch of the host's choice. It may be negative, and 0 is an instant like
// any other. On a wall clock, Time(time.Since(begun)) never goes back.
type Time int64

// Never is later than every event.
const Never Time = math.MaxInt64

// A Duration is a span of time.
type Duration = time.Duration

// Add returns t + d, limited to the range of Time: at most [Never].
func (t Time) Add(d Duration) Time {
	sum := t + Time(d)
	switch {
	case d > 0 && sum < t:
		return Never
	case d < 0 && sum > t:
		return math.MinInt64
	}
	return sum
}

// Sub returns t - u, limited to the range of Duration: 292 years.
func (t Time) Sub(u Time) Duration {
	d := Duration(t - u)
	switch {
	case t > u && d < 0:
		return math.MaxInt64
	case t < u && d > 0:
		return math.MinInt64
	}
	return d
}

// Seconds returns t as seconds since the epoch.
func (t Time) Seconds() float64 { return Duration(t).Seconds() }

// A JobID names a job. The host chooses it: small, not 0, and never used again.
type JobID uint32

// A NodeID names a node. The host chooses it: small, at most [MaxID], and not 0, which stands for the centre or
// for a free choice. A node that comes back has the ID that it had before. Policies keep up to 110 bytes for each ID
// up to the largest, so a new machine should get the ID of one that is gone for good.
type NodeID uint32

// A PartitionID names a set of nodes that the host treats as alike. It is small, at most [MaxID], and not 0, which
// stands for all nodes.
type PartitionID uint32

// MaxID is the largest ID of a node or partition.
const MaxID = 1<<24 - 1

// A Task is one task of a job.
type Task struct {
	Job   JobID  `json:"job"`
	Stage uint32 `json:"stage,omitzero"` // its place in Job.Stages, from 0
	Index uint32 `json:"index,omitzero"` // within the stage, from 0
}

// String returns the task as job/stage/task.
func (t Task) String() string { return fmt.Sprintf("%d/%d/%d", t.Job, t.Stage, t.Index) }

// MaxCopies is the largest number of copies that a task may have over its life, retries included: one each second for
// 68 years.
const MaxCopies = 1<<31 - 1

// A Copy is one attempt at a task. N counts the task's copies from 0, in the order of their Starts, up to MaxCopies-1.
type Copy struct {
	Task
	N uint32 `json:"n,omitzero"`
}

// String returns the copy as job/stage/task#n.
func (c Copy) String() string {
	return fmt.Sprintf("%v#%d", c.Task, c.N)
}

// An Attr is a named attribute of a job.
type Attr struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A Job is what a policy may know of a job when it is submitted. It never changes.
type Job struct {
	ID        JobID `json:"id"`
	Submitted Time  `json:"submitted"`
	// At is the calendar time of submission, for features such as the hour of day; zero if unknown.
	At     time.Time `json:"at,omitzero"`
	Attrs  []Attr    `json:"attrs,omitempty"` // user, program, and so on
	Stages []Stage   `json:"stages"`          // at least one; a bag of tasks is one stage
	Queue  string    `json:"queue,omitzero"`  // the queue that it was submitted to
	// Requested is the time that its user asked for, for each task, ≥ 0; 0 if unknown. Tasks may run for less
	// and, unless the job is Limited, for more. FillRequested of policy/workload fills it in.
	Requested Duration `json:"requested,omitzero"`
	// Limited says that Requested is a limit, as on most batch systems, and not only a wish: the host ends the job, as
	// TimedOut, once a task has run for that time, on nodes of whatever speed. Time in which a copy is suspended, is being
	// saved or reloads does not count. Copies that race share the limit, which counts from the first of them. A copy that goes
	// on from what was saved has used the time that this took. A retry that goes on from nothing has the whole limit again.
	Limited  bool    `json:"limited,omitzero"`
	Priority float64 `json:"priority,omitzero"` // the greatest goes first; finite
	SLO      *SLO    `json:"slo,omitempty"`     // nil: best effort
	Inputs   *Inputs `json:"inputs,omitempty"`  // nil: reads no other job's output
}

// A Stage is a number of like tasks of a job.
type Stage struct {
	Tasks  uint32 `json:"tasks"`           // ≥ 1
	Cores  int32  `json:"cores"`           // of each task, ≥ 1
	Memory int64  `json:"memory,omitzero"` // of each task, bytes, ≥ 0
	Needs  []Need `json:"needs,omitempty"` // of each task, of named resources; at most MaxNames, no name twice
	Gang   bool   `json:"gang,omitzero"`   // all tasks run together, as one unit
	// Saves says that a copy can be saved (Kill with Save), a gang as a whole: the task's next copy goes on from there, on
	// any node. A stage with a pipe at either side cannot save.
	Saves bool `json:"saves,omitzero"`
	// Reload is how long a copy that goes on holds its cores before it works, ≥ 0; 0 unless Saves is set.
	Reload Duration      `json:"reload,omitzero"`
	Reads  []Dep         `json:"reads,omitempty"`  // the stages whose output it reads
	Prefer []PartitionID `json:"prefer,omitempty"` // where it runs best; empty: anywhere
	// Elsewhere is the factor by which a task runs longer if its node is outside Prefer, does not hold its input, or
	// both, ≥ 1; 0 means 1.
	Elsewhere float64 `json:"elsewhere,omitzero"`
	// Holders are the nodes that hold the input of the tasks. Each task has equally many, filled up with zeros; those
	// of task i are [Stage.HoldersOf](i). Empty: unknown, or all nodes.
	Holders []NodeID `json:"holders,omitempty"`
}

// A Dep says that a stage reads another stage of the same job.
type Dep struct {
	Stage uint32 `json:"stage"`         // its place in Job.Stages, from 0
	Pipe  bool   `json:"pipe,omitzero"` // reads while that one still runs
}

// An SLO is a deadline and what it is worth to meet it.
type SLO struct {
	Deadline Time    `json:"deadline"` // done at this instant is in time
	Utility  float64 `json:"utility"`  // 0 to MaxUtility, in the workload's unit of value
}

// MaxUtility is the greatest utility that an SLO may have.
const MaxUtility = 1e12

// Inputs are the jobs whose output a job reads.
type Inputs struct {
	Jobs []JobID `json:"jobs"`
	Wait bool    `json:"wait,omitzero"` // wait until they are done; else fail at submission if one is not
}

// A Node is what a policy may know of a node when it joins.
type Node struct {
	ID        NodeID      `json:"id"`              // 1 to MaxID
	Partition PartitionID `json:"partition"`       // 1 to MaxID
	Cores     int32       `json:"cores"`           // ≥ 1
	Memory    int64       `json:"memory,omitzero"` // bytes; 0: no limit
	Speed     float64     `json:"speed"`           // how many times faster tasks run here than on a node of speed 1, > 0
	// Offers is what the node has of named resources: at most MaxNames, no name twice, with at most MaxDevices devices.
	Offers []Offer `json:"offers,omitempty"`
}

// Units returns how many Starts the stage needs: 1 for a gang, else Tasks.
func (s *Stage) Units() uint32 {
	if s.Gang {
		return 1
	}
	return s.Tasks
}

// UnitTasks returns the tasks of each unit: Tasks for a gang, else 1.
func (s *Stage) UnitTasks() uint32 {
	if s.Gang {
		return s.Tasks
	}
	return 1
}

// Width returns the cores of each unit: Cores for a task, Tasks times Cores for a gang.
func (s *Stage) Width() int64 {
	return int64(s.UnitTasks()) * int64(s.Cores)
}

// Prefers reports whether Prefer is empty or has p.
func (s *Stage) Prefers(p PartitionID) bool {
	return len(s.Prefer) == 0 || slices.Contains(s.Prefer, p)
}

// Began returns when a copy would have begun that has run without a stop since, and has what an event says that it
// runs with: Started or Resumed. A copy that goes on from what was saved reloads first, so it works from Began plus
// Service on. Of a copy that was reloading when its host restarted it is up to Reload early.
func (s *Stage) Began(ev *Event) Time {
	began := ev.Time.Add(-ev.Service)
	if ev.Kind == Started && ev.Service > 0 && !ev.Replay {
		began = began.Add(s.Reload)
	}
	return began
}

// HoldersOf returns the nodes that hold what a task of the stage reads; none if Holders is empty or there is no such
// task. The caller must not change them.
func (s *Stage) HoldersOf(index uint32) []NodeID {
	if len(s.Holders) == 0 || index >= s.Tasks {
		return nil
	}
	k := int(int64(len(s.Holders)) / int64(s.Tasks))
	holders := s.Holders[int(index)*k:][:k]
	for k > 0 && holders[k-1] == 0 {
		k--
	}
	return holders[:k]
}

// Local reports whether Holders is empty or node n holds what the task reads.
func (s *Stage) Local(index uint32, n NodeID) bool {
	holders := s.HoldersOf(index)
	return len(holders) == 0 || slices.Contains(holders, n)
}

// Slowdown returns how many times longer a task of the stage runs on a node of a partition and a speed than at speed 1 where the
// stage prefers and its input is. local says that the node holds the input: see Local.
func (s *Stage) Slowdown(p PartitionID, speed float64, local bool) float64 {
	if s.Elsewhere > 1 && !(local && s.Prefers(p)) {
		return 1 / speed * s.Elsewhere
	}
	return 1 / speed
}

// Tasks returns the number of tasks in all stages.
func (j *Job) Tasks() int {
	n := 0
	for i := range j.Stages {
		n += int(j.Stages[i].Tasks)
	}
	return n
}

// Attr returns the value of the attribute with the given name, and whether there is one. Besides those in Attrs a job has
// attributes that follow from what it asks for, unless Attrs has one of that name: queue, requested (seconds), width (cores of
// the largest stage, if all its tasks run at once), cpu (cores of a task, if more than 1), memory (bytes of a task), and each
// resource that its tasks need (thousandths, for all tasks of a unit). Of cpu, memory and the resources it is the largest over
// the stages. Those that are empty or 0 are left out.
func (j *Job) Attr(name string) (value string, ok bool) {
	for _, a := range j.Attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	if name == "queue" {
		return j.Queue, j.Queue != ""
	}
	if n := j.asks(name); n > 0 {
		return strconv.FormatInt(n, 10), true
	}
	return "", false
}

// asks returns the number that is the value of an attribute which follows from what the job asks for, or 0.
func (j *Job) asks(name string) (most int64) {
	if name == "requested" {
		whole := j.Requested.Truncate(time.Second)
		if whole < j.Requested {
			whole += time.Second
		}
		return int64(whole / time.Second)
	}
	for i := range j.Stages {
		s := &j.Stages[i]
		switch name {
		case "width":
			most = max(most, int64(s.Tasks)*int64(s.Cores))
		case "cpu":
			if s.Cores > 1 {
				most = max(most, int64(s.Cores))
			}
		case "memory":
			most = max(most, s.Memory)
		default:
			for _, n := range s.Needs {
				if n.Name == name {
					most = max(most, int64(s.UnitTasks())*n.Amount)
				}
			}
		}
	}
	return most
}

// AttrNames yields the names of the attributes that Attr knows, each once, for predictors.
func (j *Job) AttrNames() iter.Seq[string] {
	var names []string
	add := func(name string) {
		if _, ok := j.Attr(name); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, a := range j.Attrs {
		add(a.Name)
	}
	for _, name := range []string{"queue", "requested", "width", "cpu", "memory"} {
		add(name)
	}
	for i := range j.Stages {
		for _, n := range j.Stages[i].Needs {
			add(n.Name)
		}
	}
	return slices.Values(names)
}

// Units returns how many Starts the job needs: one for each task and each gang.
func (j *Job) Units() (n int64) {
	for i := range j.Stages {
		n += int64(j.Stages[i].Units())
	}
	return n
}

// Calendar returns the calendar time of an instant, for predictors. It counts from At. If At is zero, it takes the
// host's epoch to be Unix's.
func (j *Job) Calendar(now Time) time.Time {
	if j.At.IsZero() {
		return time.Unix(0, int64(now)).UTC()
	}
	return j.At.Add(now.Sub(j.Submitted))
}

// MaxTasks is the largest number of tasks that a job may have.
const MaxTasks = 1 << 28

// Validate returns an error that names the first field that is out of the range in its comment, or a
// [*dag.CycleError] if stages read each other in a circle.
func (j *Job) Validate() error {
	if j == nil {
		return errors.New("policy: a job is nil")
	}
	if j.ID == 0 {
		return fmt.Errorf("policy: job has ID 0, want at least 1")
	}
	if !finite(j.Priority) {
		return fmt.Errorf("policy: job %d has priority %v, want a finite number", j.ID, j.Priority)
	}
	if j.Requested < 0 {
		return fmt.Errorf("policy: job %d requests %v, want at least 0 s", j.ID, j.Requested)
	}
	if j.Limited && j.Requested == 0 {
		return fmt.Errorf("policy: job %d is Limited and requests no time, want both", j.ID)
	}
	if j.SLO != nil && !(j.SLO.Utility >= 0 && j.SLO.Utility <= MaxUtility) {
		return fmt.Errorf("policy: job %d has utility %v, want 0 to %v", j.ID, j.SLO.Utility, MaxUtility)
	}
	if j.Inputs != nil {
		for _, in := range j.Inputs.Jobs {
			if in == 0 || in == j.ID {
				return fmt.Errorf("policy: job %d reads job %d, want another job", j.ID, in)
			}
		}
	}
	if len(j.Stages) == 0 {
		return fmt.Errorf("policy: job %d has no stages, want at least 1", j.ID)
	}
	tasks, edges := uint64(0), 0
	for i := range j.Stages {
		if err := j.Stages[i].validate(len(j.Stages)); err != nil {
			return fmt.Errorf("policy: job %d, stage %d: %w", j.ID, i, err)
		}
		for _, d := range j.Stages[i].Reads {
			if d.Pipe && (j.Stages[i].Saves || j.Stages[d.Stage].Saves) {
				return fmt.Errorf("policy: job %d, stage %d reads stage %d as a pipe, and one of them saves; want Saves on neither side of a pipe", j.ID, i, d.Stage)
			}
		}
		tasks += uint64(j.Stages[i].Tasks)
		edges += len(j.Stages[i].Reads)
	}
	if tasks > MaxTasks {
		return fmt.Errorf("policy: job %d has %d tasks, want at most %d", j.ID, tasks, MaxTasks)
	}
	if edges == 0 {
		return nil
	}
	graph, err := j.Graph()
	if err != nil {
		return fmt.Errorf("policy: job %d: %w", j.ID, err)
	}
	if graph.Edges() < edges {
		return fmt.Errorf("policy: job %d has a stage that reads another one twice", j.ID)
	}
	return nil
}

// Graph returns the graph of the job's stages, with an edge from each stage to those that read it. It returns an
// error if a stage reads one that the job does not have, and a *[dag.CycleError] if stages read each other in a circle.
func (j *Job) Graph() (*dag.Graph, error) {
	var edges []dag.Edge
	for i := range j.Stages {
		for _, d := range j.Stages[i].Reads {
			edges = append(edges, dag.Edge{From: d.Stage, To: uint32(i)})
		}
	}
	return dag.New(len(j.Stages), edges)
}

func (s *Stage) validate(stages int) error {
	switch {
	case s.Tasks == 0:
		return fmt.Errorf("0 tasks, want at least 1")
	case s.Cores < 1:
		return fmt.Errorf("%d cores a task, want at least 1", s.Cores)
	case s.Memory < 0:
		return fmt.Errorf("%d bytes of memory a task, want at least 0", s.Memory)
	case s.Reload < 0 || s.Reload > 0 && !s.Saves:
		return fmt.Errorf("reloads for %v, want at least 0, and 0 unless it Saves", s.Reload)
	case s.Elsewhere != 0 && !(finite(s.Elsewhere) && s.Elsewhere >= 1):
		return fmt.Errorf("factor %v elsewhere, want a finite number of at least 1, or 0", s.Elsewhere)
	}
	if err := validNeeds(s.Needs); err != nil {
		return err
	}
	for _, d := range s.Reads {
		if uint64(d.Stage) >= uint64(stages) {
			return fmt.Errorf("reads stage %d, want one below %d", d.Stage, stages)
		}
	}
	for _, p := range s.Prefer {
		if p == 0 || p > MaxID {
			return fmt.Errorf("prefers partition %d, want 1 to %d", p, MaxID)
		}
	}
	if n := len(s.Holders); int64(n)%int64(s.Tasks) != 0 {
		return fmt.Errorf("%d holders of %d tasks, want as many for each", n, s.Tasks)
	}
	for _, id := range s.Holders {
		if id > MaxID {
			return fmt.Errorf("a holder has ID %d, want at most %d", id, MaxID)
		}
	}
	return nil
}

// Validate returns an error that names the first field that is out of the range in its comment.
func (n *Node) Validate() error {
	switch {
	case n.ID == 0 || n.ID > MaxID:
		return fmt.Errorf("policy: node has ID %d, want 1 to %d", n.ID, MaxID)
	case n.Partition == 0 || n.Partition > MaxID:
		return fmt.Errorf("policy: node %d is in partition %d, want 1 to %d", n.ID, n.Partition, MaxID)
	case n.Cores < 1:
		return fmt.Errorf("policy: node %d has %d cores, want at least 1", n.ID, n.Cores)
	case n.Memory < 0:
		return fmt.Errorf("policy: node %d has %d bytes of memory, want at least 0", n.ID, n.Memory)
	case !(finite(n.Speed) && n.Speed > 0):
		return fmt.Errorf("policy: node %d has speed %v, want a finite number above 0", n.ID, n.Speed)
	}
	if err := validOffers(n.Offers); err != nil {
		return fmt.Errorf("policy: node %d: %w", n.ID, err)
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
