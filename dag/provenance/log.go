package provenance

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// A State says how far a job came.
type State uint8

const (
	Running  State = iota // or its end is not in the log
	Complete              // with success
	Failed                // or aborted
	NoInput               // failed since an input was missing
)

// String returns the name of the state, as in a CSV file.
func (s State) String() string {
	if int(s) < len(states) {
		return states[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

var states = [...]string{"running", "complete", "failed", "noinput"}

// A Job is what a log tells of a job. Its number is its place in the list of jobs; template,
// user and organisation are numbers too, as in [Log].
type Job struct {
	Template  uint32 // the program of which the job is one execution
	User      uint32 // who submitted it
	Org       uint32 // organisation, which is also the queue that priorities count in
	State     State
	Submitted Time
	Completed Time    // or failed; no meaning if State is Running
	Priority  float64 // more is more urgent; may be infinite
	Compute   float64 // resource-seconds used, at least 0 and finite
}

// Names numbers names from 0 in the order in which they come. The zero Names is empty.
type Names struct {
	index map[string]uint32
	list  []string
}

// Number returns the number of a name, a new one if the name is new.
func (n *Names) Number(name string) uint32 {
	if i, ok := n.index[name]; ok {
		return i
	}
	if n.index == nil {
		n.index = make(map[string]uint32)
	}
	i := uint32(len(n.list))
	name = strings.Clone(name) // not the row that it comes from
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

// A Log is what a [Reader] has read: jobs, what they did, and the names of all.
type Log struct {
	Jobs      []Job
	Ops       []Op  // of a Reader, in order of time
	IDs       Names // of jobs, by number
	Templates Names
	Users     Names
	Orgs      Names
	Files     Names
}

// Find finds the dependencies and the downloads. Window is that of a [JoinConfig]. If operations
// are not in order of time, it puts a copy in order. The error is that of [Find].
func (l *Log) Find(window time.Duration) (*Found, error) {
	return Find(Of(inOrder(l.Ops)), JoinConfig{Window: window, Submitted: func(job uint32) (Time, bool) {
		if int64(job) >= int64(len(l.Jobs)) {
			return 0, false
		}
		return l.Jobs[job].Submitted, true
	}})
}

func byTime(a, b Op) int { return cmp.Compare(a.Time, b.Time) }

// check returns an error, as of what a job does, if a number of it means nothing.
func (j *Job) check() error {
	switch {
	case math.IsNaN(j.Priority):
		return fmt.Errorf("has priority %v, want a number", j.Priority)
	case !(j.Compute >= 0 && j.Compute <= math.MaxFloat64):
		return fmt.Errorf("has compute time %v, want a finite number, 0 or more", j.Compute)
	case j.State > NoInput:
		return fmt.Errorf("has state %v, want running to noinput", j.State)
	case j.State != Running && j.Completed < j.Submitted:
		return fmt.Errorf("is completed at %d, and submitted at %d, want no earlier", j.Completed, j.Submitted)
	}
	return nil
}

// check returns an error if a number in the log or in the dependencies means nothing.
func (l *Log) check(deps []Dependency) error {
	if l == nil {
		return errors.New("provenance: the log is nil")
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
			return fmt.Errorf("provenance: dependency %d is of job %d on job %d, which was not submitted before it", i, d.To, d.From)
		}
	}
	return nil
}
