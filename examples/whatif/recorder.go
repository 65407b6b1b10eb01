package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/central"
	"example.com/augur/policy/threesigma"
)

// A Recorder stands between a host and a central policy. It keeps the state of the cluster, and asks about jobs at the end of
// the instant of their submission.
type Recorder struct {
	of      policy.Scheduler
	history History
	outlook Outlook
	ctx     context.Context
	ask     map[policy.JobID]bool // false: it is of the past

	now     policy.Time
	nodes   map[policy.NodeID]policy.Node
	jobs    map[policy.JobID]*life
	asking  []policy.JobID // submitted at this instant
	answers []Asked
	unknown int

	starts, ends *Correction
}

// A History says how long jobs run, and learns it. A forecast.History is one.
type History interface {
	// Predict returns the distribution of the runtime of each task or gang of a job, in seconds, as far as it is known.
	Predict(j *policy.Job, now policy.Time) (d central.Distribution, ok bool)
	catalog.Learner
}

// An Asked is an answer about a job.
type Asked struct {
	Job     policy.JobID
	At      policy.Time          // of its submission
	Running int                  // jobs of which something ran
	Waiting int                  // the others, with this one
	Runtime central.Distribution // of the job
	// Beside are the jobs of one task or gang that ran then, with the distribution that their runtimes were drawn
	// from, given how long they had run.
	Beside []Beside
	Answer
	// Start and End are the bounds of the answer, corrected by what became of earlier answers.
	Start, End Bounds
}

// A Beside is a job that ran when a question was asked.
type Beside struct {
	Job     policy.JobID
	Runtime threesigma.Distribution
}

type life struct {
	job  *policy.Job
	runs map[policy.Task]Run
}

// NewRecorder returns a policy that does as another one does, and asks about some jobs. The history predicts runtimes; it
// learns those of each job that ends, before the policy hears of the end. The corrections learn from the jobs of the past as
// if they had been asked about, but these are not among the answers.
func NewRecorder(ctx context.Context, of policy.Scheduler, h History, o Outlook, past, ask []policy.JobID) (*Recorder, error) {
	starts, err := NewCorrection()
	if err != nil {
		return nil, err
	}
	ends, err := NewCorrection()
	if err != nil {
		return nil, err
	}
	r := &Recorder{
		starts: starts, ends: ends,
		of: of, history: h, outlook: o, ctx: ctx, ask: make(map[policy.JobID]bool),
		nodes: make(map[policy.NodeID]policy.Node), jobs: make(map[policy.JobID]*life),
	}
	for _, id := range past {
		r.ask[id] = false
	}
	for _, id := range ask {
		r.ask[id] = true
	}
	return r, nil
}

// Answers returns the answers, in order of submission, and how many questions had none because nothing
// was known of the runtime of a job that ran or waited.
func (r *Recorder) Answers() (list []Asked, unknown int) { return r.answers, r.unknown }

// Step is of policy.Scheduler. Its error is also that of a question.
func (r *Recorder) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Time != r.now {
		if err := r.answer(); err != nil {
			return actions, err
		}
		r.now = ev.Time
	}
	if err := r.observe(ev); err != nil {
		return actions, err
	}
	return r.of.Step(ev, actions)
}

func (r *Recorder) answer() error {
	for _, id := range r.asking {
		s, ok := r.State()
		if !ok {
			if r.ask[id] {
				r.unknown++
			}
			continue
		}
		a, err := r.outlook.Ask(r.ctx, s, id)
		if err != nil {
			return fmt.Errorf("asking about job %d at %v s: %w", id, r.now.Seconds(), err)
		}
		start, end := bounds(a.Starts), bounds(a.Ends)
		if !r.ask[id] {
			r.starts.Past(id, r.now, start)
			r.ends.Past(id, r.now, end)
			continue
		}
		asked := Asked{
			Job: id, At: r.now, Answer: a,
			Start: r.starts.Answer(id, r.now, r.now, start), End: r.ends.Answer(id, r.now, r.now, end),
		}
		drawn, err := s.condition()
		if err != nil {
			return err
		}
		for i := range s.Jobs {
			j := &s.Jobs[i]
			if j.ID == id {
				asked.Runtime = j.Runtime
			}
			if _, runs := j.elapsed(s.Now); !runs {
				asked.Waiting++
				continue
			}
			asked.Running++
			if len(j.Stages) == 1 && j.Stages[0].Units() == 1 {
				asked.Beside = append(asked.Beside, Beside{j.ID, drawn[i]})
			}
		}
		r.answers = append(r.answers, asked)
	}
	r.asking = r.asking[:0]
	return nil
}

// State returns the present state, and false if nothing is known of the runtime of one of the jobs.
func (r *Recorder) State() (*State, bool) {
	s := &State{Now: r.now}
	for _, id := range slices.Sorted(maps.Keys(r.nodes)) {
		s.Nodes = append(s.Nodes, r.nodes[id])
	}
	for _, id := range slices.Sorted(maps.Keys(r.jobs)) {
		l := r.jobs[id]
		d, ok := r.history.Predict(l.job, r.now)
		if !ok {
			return nil, false
		}
		j := Job{Job: l.job, Runtime: d}
		for _, run := range l.runs {
			j.Runs = append(j.Runs, run)
		}
		slices.SortFunc(j.Runs, func(a, b Run) int {
			return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Index, b.Index))
		})
		s.Jobs = append(s.Jobs, j)
	}
	slices.SortStableFunc(s.Jobs, func(a, b Job) int { return cmp.Compare(a.Submitted, b.Submitted) })
	return s, true
}

func (r *Recorder) observe(ev *policy.Event) error {
	l := r.jobs[ev.Copy.Job]
	switch ev.Kind {
	case policy.Joined:
		r.nodes[ev.Node] = *ev.Info
	case policy.Left, policy.Suspended:
		return errors.New("nodes that leave and copies that are suspended are not foreseen")
	case policy.Submitted:
		r.jobs[ev.Copy.Job] = &life{ev.Job, make(map[policy.Task]Run)}
		if _, ok := r.ask[ev.Copy.Job]; ok {
			r.asking = append(r.asking, ev.Copy.Job)
		}
	case policy.Started:
		r.starts.Happened(ev.Copy.Job, ev.Time)
		l.runs[ev.Copy.Task] = Run{Stage: ev.Copy.Stage, Index: ev.Copy.Index, Node: ev.Node, Started: ev.Time}
		r.asking = slices.DeleteFunc(r.asking, func(id policy.JobID) bool { return id == ev.Copy.Job })
	case policy.Finished:
		run := l.runs[ev.Copy.Task]
		run.Done, run.Ended = true, ev.Time
		l.runs[ev.Copy.Task] = run
	case policy.Failed, policy.Killed, policy.Lost:
		delete(l.runs, ev.Copy.Task)
	case policy.Ended:
		r.ends.Happened(ev.Copy.Job, ev.Time)
		delete(r.jobs, ev.Copy.Job)
		r.asking = slices.DeleteFunc(r.asking, func(id policy.JobID) bool { return id == ev.Copy.Job })
		if ev.Outcome == policy.Done {
			return r.history.Learn(l.job, l.runtimes(), ev.Time)
		}
	}
	return nil
}

// runtimes returns how long the tasks and gangs of a job ran that is done, stage by stage.
func (l *life) runtimes() (list []policy.Duration) {
	for i := range l.job.Stages {
		for k := range l.job.Stages[i].Units() {
			run := l.runs[policy.Task{Job: l.job.ID, Stage: uint32(i), Index: k}]
			list = append(list, run.Ended.Sub(run.Started))
		}
	}
	return list
}
