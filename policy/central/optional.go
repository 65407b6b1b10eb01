package central

import (
	"example.com/augur/policy"
)

// A StartHearer hears of each start within the step: of a task, or of another copy. Turns, Forecasts and Fillers may be one.
type StartHearer interface {
	Began(j *Job, c policy.Copy, another bool)
}

// A Comparer is a [Turn] that knows the order of any two jobs, for hosts that only ask.
type Comparer interface {
	Compare(a, b *Job) int
}

// A Timed turn changes its order without an event. Until returns when it does so next, in the future; Never if it does not. If
// cores are free, the scheduler asks the host for an alarm then. A CopyTurn's Until is not called. A [Filler] may be Timed too:
// the scheduler then asks for an alarm whether or not cores are free.
type Timed interface {
	Until() policy.Time
}

// A Constant part makes fillers faster. An [Order] returns true if the place of a job that wants something only changes when
// Reordered reports it, and not with events and Updates. A [Forecast] returns true if Runtime never changes for a stage once it
// was called, or the stage is Ready; this makes [Books.Work] and [Books.Left] faster too.
type Constant interface {
	Fixed() bool
}

// A WorkForecast is a [Forecast] that knows the work of a job in core-seconds better than by a sum over the stages.
type WorkForecast interface {
	Work(j *Job) (work float64, ok bool)
}

// UniformStages is a [Forecast] that knows which stages of a job are alike: all those for which Alike returns true have
// one distribution. Alike may change from true to false with an event about a copy of the stage. Without it,
// [Books.Work] and [Books.Left] ask about all stages of a job each time, if the forecast is not [Constant].
type UniformStages interface {
	Alike(j *Job, stage uint32) bool
}

// A Reviser is a [Forecast] that counts how often the runtimes of waiting jobs have changed with events about other jobs. Fillers
// ask about all jobs again when Revision has changed, and so does the turn of package gittins. Other turns ask about a job at its
// next Update.
type Reviser interface {
	Revision() uint64
}

// A Limiter is a [Forecast] that knows a limit of the runtime of a job's tasks, such as the time that its user requested. Fillers
// expect tasks to hold their cores for so long.
type Limiter interface {
	Limit(j *Job) (limit policy.Duration, ok bool)
}

// A Chooser is a [Filler] that chooses nodes, if the scheduler has no [Placer], as that one's Where does.
type Chooser interface {
	Where(j *Job, stage uint32) Where
}

// A Planner is a [Filler] that knows when the next unit of a job will start.
type Planner interface {
	Planned(id policy.JobID) (at policy.Time, ok bool)
}

// A Preempter is a [Filler] that stops running copies. Stop is called after each Decide and appends the kills. It does not go
// with a [Copier].
type Preempter interface {
	Stop(actions []policy.Action) []policy.Action
}

// A Ranker is an [Order] that knows how far apart jobs are, for fillers that stop running copies. Rank returns the natural
// logarithm of a job's rank, whether the job waits, runs or both, and until when it holds unless there is an event about the
// job. The least goes first. attained is the service, in core-seconds, of the job's copies that run: of a copy that went on from
// what was saved it includes that.
type Ranker interface {
	Rank(j *Job, attained float64) (rank float64, until policy.Time)
}

// An EventHearer is a [Placer] that hears of each event.
type EventHearer interface {
	Note(ev *policy.Event, j *Job)
}

// A Killer is a [Copier] that kills copies if Kills returns true. It then does not go with [Nodes].
type Killer interface {
	Kills() bool
}

// A CoreCounter is [Nodes] that count the cores of a job in the Updates that turns hear. By default these are the cores of what runs.
type CoreCounter interface {
	Out(j *Job) int64
}
