package provenance

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A State is the state of a job at the end of the log.
type State uint8

const (
	Running  State = iota // still running, or the end is not in the log
	Complete              // ended with success
	Failed                // failed or aborted
	NoInput               // failed because an input was missing
)

// String returns the name of the state, as in a CSV file.
func (s State) String() string {
	if int(s) < len(states) {
		return states[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

var states = [...]string{"running", "complete", "failed", "noinput"}

// A Job is a job in a log. Its number is its index in [Log].Jobs. Template, user and organisation are
// numbers too, see [Log].
type Job struct {
	Template  uint32 // the program of which the job is one execution
	User      uint32 // who submitted it
	Org       uint32 // organisation, which is also the queue that priorities count in
	State     State
	Submitted Time
	Completed Time    // time of completion or failure; 0 if State is Running
	Priority  float64 // greater is more urgent; may be infinite
	Compute   float64 // resource-seconds used, at least 0 and finite
}

// Names is a symbol table: it numbers names from 0 in the order in which they are added. The zero Names is empty.
type Names struct {
	index map[string]uint32
	list  []string
}

// Number returns the number of a name. It adds the name if it is new.
func (n *Names) Number(name string) uint32 {
	if i, ok := n.index[name]; ok {
		return i
	}
	if n.index == nil {
		n.index = make(map[string]uint32)
	}
	i := uint32(len(n.list))
	name = strings.Clone(name) // so that it does not keep the row alive
	n.index[name] = i
	n.list = append(n.list, name)
	return i
}

// Find returns the number of a name, and false if it has none.
func (n *Names) Find(name string) (uint32, bool) {
	i, ok := n.index[name]
	return i, ok
}

// Name returns the name with the given number, and "" if there is none.
func (n *Names) Name(i uint32) string {
	if int64(i) < int64(len(n.list)) {
		return n.list[i]
	}
	return ""
}

// Len returns the number of names.
func (n *Names) Len() int { return len(n.list) }

// A Log is what a [Reader] has read: jobs, their operations, and the names of everything.
type Log struct {
	Jobs      []Job
	Ops       []Op  // of a Reader, in order of time
	IDs       Names // of jobs, by number
	Templates Names
	Users     Names
	Orgs      Names
	Files     Names
}

// Find finds the dependencies and the downloads by the function [Find]. window is the longest time from a write to a read
// that depends on it, > 0; 0 means 30 days.
func (l *Log) Find(window time.Duration) (*Lineage, error) {
	submitted := make([]Time, len(l.Jobs))
	for i, j := range l.Jobs {
		submitted[i] = j.Submitted
	}
	return Find(l.Ops, submitted, window)
}

// AsOf returns the log as it was at an instant: the log itself if nothing in it is later. Everything keeps its number. Jobs
// submitted at end or later stay in the list as running jobs without operations. A job that ran at end has no compute time,
// since that was not known yet. The result shares the names of the log, which must not change.
func (l *Log) AsOf(end Time) *Log {
	lateJob := func(j Job) bool { return j.State != Running && j.Completed >= end }
	lateOp := func(op Op) bool { return op.Time >= end }
	jobs, ops := slices.ContainsFunc(l.Jobs, lateJob), slices.ContainsFunc(l.Ops, lateOp)
	if !jobs && !ops {
		return l
	}
	past := *l
	if jobs {
		past.Jobs = slices.Clone(l.Jobs)
		for i := range past.Jobs {
			if j := &past.Jobs[i]; lateJob(*j) {
				j.State, j.Completed, j.Compute = Running, 0, 0
			}
		}
	}
	if ops {
		past.Ops = slices.DeleteFunc(slices.Clone(l.Ops), lateOp)
	}
	return &past
}

// check returns an error, phrased as a predicate of the job, if a field is not allowed.
func (j *Job) check() error {
	switch {
	case math.IsNaN(j.Priority):
		return fmt.Errorf("has priority %v, want a number", j.Priority)
	case !(j.Compute >= 0 && j.Compute <= math.MaxFloat64):
		return fmt.Errorf("has compute time %v, want a finite number, 0 or more", j.Compute)
	case j.State > NoInput:
		return fmt.Errorf("has state %v, want running to noinput", j.State)
	case j.State == Running && j.Completed != 0:
		return fmt.Errorf("is completed at %d, and its State is Running: set that to Complete or Failed", j.Completed)
	case j.State != Running && j.Completed < j.Submitted:
		return fmt.Errorf("is completed at %d, and submitted at %d, want no earlier", j.Completed, j.Submitted)
	}
	return nil
}

// check returns an error if a number in the log or in the dependencies is not allowed.
func (l *Log) check(deps []Dependency) error {
	if l == nil {
		return errors.New("provenance: the log is nil, want one such as Reader.Take returns")
	}
	for i, j := range l.Jobs {
		if int64(j.Template) >= int64(l.Templates.Len()) {
			return fmt.Errorf("provenance: job %d has template %d, want below %d", i, j.Template, l.Templates.Len())
		}
		if err := j.check(); err != nil {
			return fmt.Errorf("provenance: job %d %w", i, err)
		}
	}
	for i, d := range deps {
		if max := max(d.From, d.To); int64(max) >= int64(len(l.Jobs)) {
			return fmt.Errorf("provenance: dependency %d is of job %d on job %d, want jobs below %d", i, d.To, d.From, len(l.Jobs))
		}
		if l.Jobs[d.From].Submitted >= l.Jobs[d.To].Submitted {
			return fmt.Errorf("provenance: dependency %d is of job %d on job %d, which was not submitted before it, want dependencies of Find", i, d.To, d.From)
		}
	}
	return nil
}
