// Package hopper shares slots among jobs that run extra copies of slow tasks: Hopper, which
// gives each job room for as many copies as pay.
//
// A cluster in which tasks straggle runs more than one copy of some tasks, and keeps
// whichever ends first. A scheduler that hands out slots by tasks alone leaves no room for the copies,
// or keeps too much of it free. Under runtimes with a Pareto tail the best number of copies
// of a task is known, 2/β on average, so the size that counts when slots are shared is not
// that of the job but its virtual size, [VirtualSize]. What a job gets out of its
// slots is [Rate].
//
// [Allocate] shares slots so that the weighted rate of all jobs together is the greatest:
// for any mix of weights, tails and guaranteed slots. This is the call to make first. [SinglePhase],
// [EpsilonFair], [Pipelined] and [TwoTails] are the four algorithms of the paper, each for
// one case of it. [Whole] makes whole slots of what they return.
//
// These are functions of plain numbers, for hosts of any kind. They say how many slots a
// job should have, not which task runs next.
//
// # Source
//
// X. Ren, "Speculation-aware resource allocation for cluster schedulers", master's thesis,
// California Institute of Technology, 2015; X. Ren, G. Ananthanarayanan, A. Wierman and M. Yu,
// "Hopper: decentralized speculation-aware cluster scheduling at scale", SIGCOMM 2015.
// Sections, equations and algorithms named in this package are those of the thesis.
package hopper
