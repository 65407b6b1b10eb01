package central

import (
	"example.com/augur/policy"
	"example.com/augur/policy/view"
)

// Books is what all parts of a scheduler share.
type Books struct {
	View     *View
	Forecast Forecast // nil: nothing is known of runtimes
	Turn     Turn
	// Slots returns how many tasks of one core the nodes hold at most: their cores, and more where nodes have queues.
	Slots func() int64
	// Claim is to be called where what a job has or wants has changed by anything but an event about it.
	Claim func(j *Job)
	// Returned is to be called where a start will never be answered, since what carried it to a node was lost. Its task
	// waits again if again is set. The Forecast, the turns and the Copier hear of a Refused.
	Returned func(c policy.Copy, again bool)
}

// A Turn says whose turn the next free core is.
//
// Three more methods are asked for where a Turn has them:
//
//	Began(j *Job, c policy.Copy, another bool)  // hears of each start within the step: of a task, or of one more copy
//	Until() policy.Time                         // from when on the order is another one though no event comes; Never
//	Compare(a, b *Job) int                      // the order of any two jobs, for hosts that only ask
//
// Until is ahead, and a host is woken then if cores are free. It is not asked of a CopyTurn.
type Turn interface {
	// Bind gives it the books, once, before anything else. An error says what it cannot go with.
	Bind(b Books) error
	// Note hears of each event after the books have taken it. It comes before the job's Claim, but for an Ended. j is the job that
	// the event is about, nil if it is about none. An error refuses a job that has just been submitted;
	// nothing may have changed then. Of other events it gives none.
	Note(ev *policy.Event, j *Job) error
	// Claim says what a job has now and whether it wants more. It comes after each event about the job and
	// after each of its starts. The last one comes before the job's Ended is noted, and has nothing.
	Claim(j *Job, c Claim)
	// Next returns the job whose turn it is, of those that want something, and nil if none does.
	Next() *Job
}

// A Claim is what a job has of the cores that a [Turn] deals out, and whether it wants more.
type Claim struct {
	Cores  int64   // of what runs, and of Starts that are not answered
	Memory float64 // of the same and of what is suspended, bytes
	Wants  bool    // it has something to start
}

// An Order is a Turn that is an order of all jobs: the first of those that want something is next.
type Order interface {
	Turn
	// Compare returns a negative number if a goes before b and a positive one if it goes after. It is never 0
	// for two jobs. It may change for a job only with an event about it and with its Claim; if it changes for
	// others, Reordered says so.
	Compare(a, b *Job) int
	// Reordered reports whether the order of jobs has changed, since it was last asked, by anything but events
	// about them and their Claims: by the Claim of another job, say. An Order with a method Fixed() bool that is
	// true changes in no other way while a job waits, which makes fillers faster.
	Reordered() bool
}

// A Filler says what may start though it is not first: backfilling. It hears of starts as a [Turn] does. One with a method
// Planned(id policy.JobID) (at policy.Time, ok bool) says when the next unit of a job is to start.
type Filler interface {
	// Bind is as that of a Turn, of which the order of the jobs is to be an Order.
	Bind(b Books) error
	// Note and Claim are as those of a Turn.
	Note(ev *policy.Event, j *Job)
	Claim(j *Job, c Claim)
	// Decide starts what may start now. start starts what a job has next, and reports whether others may go on:
	// not if it found no room, nor if the job was refused room and tries alone. That is a task, and may be a
	// copy if it is the job's turn. Then copies start of jobs whose turn it is and of which no task waits.
	Decide(start func(j *Job) bool)
}

// A Placer says on which node a task starts. One with a method Note(ev *policy.Event, j *Job) hears of each event.
type Placer interface {
	// Bind is as that of a Turn.
	Bind(b Books) error
	// Where returns where the next unit of a job, which is of the given stage, is to start. The zero Where
	// leaves it to the host. It is not asked about copies, nor about a job that was refused room.
	Where(j *Job, stage uint32) view.Where
}

// A Copier says which running tasks get another copy. It may kill copies, and asks for reports. One that kills has a method
// Kills() bool that is true: it does not go with Nodes.
type Copier interface {
	// Bind is as that of a Turn.
	Bind(b Books) error
	// Note hears of each event after the Turn, and appends what it wants reported. freed says that cores are
	// free which are not news to the books, so that it is time to decide.
	Note(ev *policy.Event, j *Job, actions []policy.Action) (_ []policy.Action, freed bool)
	// Review comes before each decision. It looks at the jobs that have reported since the last one, and appends the
	// kills that it wants. It calls Books.Claim for jobs whose wishes have changed.
	Review(actions []policy.Action) []policy.Action
	// Wants reports whether the job wants another copy of a task.
	Wants(j *Job) bool
	// Next returns the task of the job that gets another copy now. ok is false if it wants none any more.
	Next(j *Job, actions []policy.Action) (task policy.Task, _ []policy.Action, ok bool)
	// Began hears of each start, and of another copy that it wanted.
	Began(j *Job, c policy.Copy, another bool, actions []policy.Action) []policy.Action
}

// Nodes are how the nodes of a [Distributed] scheduler serve what they hold, where they do not just run each task to its
// end. The loop decides whose turn it is, and they carry it there. Those with a method Out(j *Job) int64 say what a job has
// of the cores in the Claims that turns hear: not only what runs.
type Nodes interface {
	// Bind is as that of a Turn.
	Bind(b Books) error
	// Check returns an error for an event that they cannot do with. Nothing has heard of it then.
	Check(ev *policy.Event) error
	// Note hears of each event after the Turn, and appends what they send.
	Note(ev *policy.Event, j *Job, actions []policy.Action) []policy.Action
	// Slots returns how many tasks the nodes hold at most.
	Slots() int64
	// Free reports whether some node has a place, and Fits whether one has a place for a unit of a stage.
	Free() bool
	Fits(j *Job, stage uint32) bool
	// Send sends a copy to a node, and appends how.
	Send(j *Job, c policy.Copy, actions []policy.Action) []policy.Action
	// Until returns when they want to be woken, Never if they do not.
	Until() policy.Time
	// Part makes the part for a node.
	Part(n *policy.Node) policy.Scheduler
}
