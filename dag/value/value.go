// Package value says what jobs are worth by what is made of their output: other jobs read it,
// and users what those write. A job whose own output nobody asks for may feed the one report
// that everybody does; a scheduler that knows only a job's own value holds it up.
//
// Every job hands its value back to the jobs that it reads, an equal part to each, and they
// hand on what they have got. [Aggregate] does this for a whole graph in one pass, and no value is
// made or lost. A log ends somewhere, though, and of a late job fewer dependents are
// in it than of an early one; [Windowed] counts for each job what follows within the same span,
// and is the one to learn from.
//
// A [Function] says how much of a value is left when the job completes late: users have
// downloaded something older, and jobs that could not do without its output have failed.
//
// What jobs have been worth, a [Store] keeps by template and user, for a scheduler to
// look up when the next one comes: [Build] one from [Record] values, keep it in a [Live], which
// readers share with whoever replaces it, and ask for [Store.Priority].
//
// Jobs are the nodes of a [dag.Graph], numbered from 0, with edges from the job that writes to the
// job that reads. Instants are nanoseconds since an epoch of the caller's. What a unit of
// value is, the caller knows: the paper counts downloads. Nothing here reads a clock.
//
// # Source
//
// A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
// dependencies for better cluster scheduling", OSDI 2020: Wing. Sections and figures named in this
// package are those of this paper.
package value
