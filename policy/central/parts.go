package central

import (
	"errors"

	"example.com/augur/policy"
)

// Books is what all parts of a scheduler share.
type Books struct {
	View     *View
	Forecast Forecast // nil: nothing is known of runtimes
	Turn     Turn
	// Slots returns how many tasks of one core the nodes hold at most: their cores, and more where nodes have queues.
	Slots func() int64
	// Work returns the work of a job by the Forecast, in core-seconds: the sum over its stages of mean runtime times cores.
	// It returns false if the runtime of a stage is not known. A stage that has finished counts with the runtime that was
	// known then.
	Work func(j *Job) (work float64, ok bool)
	// Left is Work of the tasks that have not finished.
	Left func(j *Job) (work float64, ok bool)
	// A part calls Changed if what a job has or wants has changed without an event about the job.
	Changed func(j *Job)
	// A part calls Returned if a start will never be answered, because its message was lost on the way to a node. The
	// task waits again if again is set. The Forecast, the turns and the Copier hear of a Refused.
	Returned func(c policy.Copy, again bool)
}

// Enter sets a part's own pointer to the View. Pass a field of the part, which is nil before: with a local variable Enter cannot
// notice that a part is used twice. It returns an error if the part is in another scheduler already, whose jobs it would mix
// with these. Each part calls it first in Bind.
func (b *Books) Enter(view **View) error {
	if *view != nil {
		return errors.New("the part is in another scheduler; make new parts for each scheduler")
	}
	*view = b.View
	return nil
}

// A Part of a scheduler. Every part is one, and what else it is decides what it does.
type Part interface {
	// Bind gives the part the books, once, before any other call. It returns an error if it cannot work with them.
	Bind(b Books) error
}

// A Turn decides which job gets the next free core. It may be a [StartHearer], [Timed] and a [Comparer] too.
type Turn interface {
	Part
	// Note is called with each event after the books are updated, and before the Update of the job except for Ended. j
	// is the job of the event, nil if there is none. It returns an error to refuse a job that has just been
	// submitted, without any change. [Scheduler.Step] returns any other error after all parts have heard of the event.
	Note(ev *policy.Event, j *Job) error
	// Update says what a job has now and whether it wants more. It is called after each event about the job and after
	// each of its starts. The last call comes before Note of the job's Ended, with an empty Usage.
	Update(j *Job, u Usage)
	// Next returns the next job among those that want something, nil if there are none.
	Next() *Job
}

// A Usage is what a job holds of the cores that a [Turn] shares out, and whether it wants more.
type Usage struct {
	Cores  int64   // of running copies and of unanswered Starts
	Memory float64 // of these and of suspended copies, bytes
	Wants  bool    // it has something to start
}

// An Order is a Turn that orders all jobs: the first one that wants something is next.
type Order interface {
	Turn
	// Compare returns a negative number if a goes before b and a positive one if it goes after, never 0 for two
	// different jobs. A job may change its place when there is an event about it or when its own Update is called.
	// Reordered must report any other change of a place.
	Compare(a, b *Job) int
	// Reordered reports whether, since it was called last, a job has changed its place for any other reason, such as
	// the Update of another job. An Order may be [Constant], which makes fillers faster.
	Reordered() bool
}

// A Filler decides what may start out of order: backfilling. It may be a [StartHearer], a [Chooser],
// a [Planner], [Timed] and a [Preempter] too.
type Filler interface {
	Part // the scheduler's Turn must be an Order
	// Note and Update do what those of a Turn do.
	Note(ev *policy.Event, j *Job)
	Update(j *Job, u Usage)
	// Decide starts what may start now, by calls of start, which starts a job's next task, or its next copy if it is
	// the job's turn. It takes the place of the Turn's Next for all jobs with waiting tasks. Return when start returns
	// false: there was no room. To pass a job without room, ask [View.Fits] first, and [View.Possible]: start puts a job
	// aside for which no node is large enough. Decide is called after a Refused too: do not start what is [View.Barred],
	// and start one unit at a time of a job that was refused room (Job.Refused). After Decide the loop starts the copies
	// of jobs whose turn it is and that have no waiting task.
	Decide(start func(j *Job) bool)
}

// A Placer chooses the node of a task. It may be a [EventHearer] too.
type Placer interface {
	Part
	// Where returns where the next unit of a job, of the given stage, is to start. The zero Where leaves it to the
	// host. It is not called for copies, nor for a job that was refused room.
	Where(j *Job, stage uint32) Where
}

// A Copier decides which running tasks get another copy. It may kill copies and ask for reports. If it kills copies,
// it must be a [Killer].
type Copier interface {
	Part
	// Note is called with each event after the Turn's Note, and appends the reports it wants. It returns freed if
	// cores are free that the books do not count as news, so that the loop decides.
	Note(ev *policy.Event, j *Job, actions []policy.Action) (_ []policy.Action, freed bool)
	// Review is called before each decision. It looks at the jobs that have reported since the last one and appends
	// the kills that it wants. It calls Books.Changed for jobs whose wishes have changed.
	Review(actions []policy.Action) []policy.Action
	// Wants reports whether the job wants another copy of a task.
	Wants(j *Job) bool
	// Next returns the task of the job that gets another copy now. It returns false if the job wants none any more.
	Next(j *Job, actions []policy.Action) (task policy.Task, _ []policy.Action, ok bool)
	// Began is called at each start. another is set if it is a copy that the Copier wanted.
	Began(j *Job, c policy.Copy, another bool, actions []policy.Action) []policy.Action
}

// Nodes decide how the nodes of a [Distributed] scheduler serve the tasks they hold, if they do not just run each
// task to its end. The loop decides whose turn it is, and Nodes send the task to a node. They may be a [CoreCounter] too.
type Nodes interface {
	Part
	// Check returns an error for an event that the nodes cannot handle, before any part has heard of it.
	Check(ev *policy.Event) error
	// Note is called with each event after the Turn's Note, and appends the messages to nodes.
	Note(ev *policy.Event, j *Job, actions []policy.Action) []policy.Action
	// Slots returns how many tasks the nodes hold at most.
	Slots() int64
	// Free reports whether some node has a place, and Fits whether one has a place for a unit of a stage.
	Free() bool
	Fits(j *Job, stage uint32) bool
	// Send sends a copy to a node: it appends the message.
	Send(j *Job, c policy.Copy, actions []policy.Action) []policy.Action
	// Until returns the next alarm that they want, Never if none.
	Until() policy.Time
	// Part makes the part for a node.
	Part(n *policy.Node) policy.Scheduler
}
