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
// From the values that jobs have of their own to those that they have in all:
//
//	worth, err := value.Aggregate(nil, g, own) // by job
//
// With a log analysed by dag/provenance, g is the Graph of what it found, and own
// counts the Downloads of each job.
//
// # Formulae
//
// With own(j) what the output of job j is worth by itself, and N(d) the number of jobs that d
// reads,
//
//	agg(j) = own(j) + Σ agg(d)/N(d)  over the jobs d that read j directly
//
// so that the jobs that read no other have together what all jobs have of their own. The
// priority of jobs of a template is
//
//	median of agg / median of the compute time, aggregated in the same way
//
// Wing's own pseudocode, Algorithm 1, finds agg by joins of tables. Example (Algorithm1), in
// example_algorithm1_test.go, has it line by line beside [Aggregate].
//
// # When not to use it
//
// The value of a job is shared equally among what it reads: if it is known that one input
// matters more, this is the wrong sum. What follows from a job must be
// known, from a log of the past and jobs that recur; of the first run of a program nothing is.
// Where every job is worth the same, values tell nothing: go by the size of jobs.
//
// # Cost
//
// [Aggregate] takes O(n + m) time for n jobs and m dependencies. [Windowed] takes a pass for
// each job over what depends on it within the window, about 0.1 µs for each job found: the
// dearest part, which Window.Least bounds. A look-up in a [Store] takes one or two look-ups in
// a map; a Store takes some 150 bytes a profile.
//
// # Source
//
// Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
// dependencies for better cluster scheduling", OSDI 2020. Sections and figures named in this
// package are those of this paper.
package value
