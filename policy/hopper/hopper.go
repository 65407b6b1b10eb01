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
// for any mix of weights, tails and guaranteed slots. This is the call to make first. [EpsilonFair]
// gives each job a part of a fair share before that. [AllocateWhole] shares them in whole slots. A
// [Pool] has the same shares ready after every event, and says whose turn the next slot is. What a job
// asks for, a [Demand], a host can measure: estimate.Hill fits a tail to the runtimes of tasks.
//
// Which tasks of a job get the copies is for a [Speculator] to say: [Simple], [LATE], [Mantri]
// and [GRASS] are rules for that, and work with any way of sharing slots. A [Tracker] makes what
// they are told of the reports of copies.
//
// None of this needs the contract of package policy: a host of any kind can call it. Behind the
// contract it is parts for package central: [VirtualSizes] says whose turn the next slot is,
// [Speculation] which tasks get copies, [Locality] where tasks start. [Scheduler] is the three of them.
// Start it from [DefaultConfig]. What Hopper is compared with is other parts beside the same copies.
//
// To share 100 slots by hand:
//
//	shares, err := hopper.Allocate(nil, 100, demands)     // of 100 slots, by job
//	slots, err := hopper.AllocateWhole(nil, 100, demands) // the same in whole slots
//
// Errors name the number that is outside its range, and what is allowed; nothing has changed then.
//
// # Formulae
//
// With β the tail of the runtimes, T the tasks that a job has left, S its slots and α its
// weight over the least, a job is at its best with, and does at a rate of (for β ≤ 2)
//
//	V = 2/β · T · sqrt(α)                 its virtual size
//	μ = β²/(4(β-1)) · S                   if S ≤ 2/β · T
//	μ = β/(β-1) · T - T²/((β-1) · S)      if S > 2/β · T
//
// If there are fewer slots than the V of all jobs together, the least V is served first, in
// full; else each job has slots in proportion to its V. No job has less than (1-ε) of an equal
// share.
//
// # When not to use it
//
// Where tasks do not straggle, or their tail is light, copies are work done twice: take SRPT
// or Fair of package baseline. Nor is it for tasks that may not run twice, or for gangs, which
// get no copies. Most of what is gained is the gain of the rule that starts copies, and not of
// the sharing: the comment of [Scheduler] says what Hopper gained over SRPT and Fair with the
// same rule, and that in some runs it lost.
//
// # Cost
//
// [Allocate] and [EpsilonFair] take O(n log n) time for n jobs, a [Pool] O(log n) for a
// task that ends, as long as jobs are of few classes. A rule takes O(n) time for n tasks that
// run, or little more. What a step of the Scheduler takes it says itself.
//
// # Where to begin reading
//
// Begin with model.go; then who gets how many slots: demand.go, allocate.go, whole.go,
// and pool.go with its parts; the four algorithms of the paper as printed are in
// algorithms_naive_test.go. Then copies: speculate.go, a rule (simple.go is the shortest),
// tracker.go. Last the policy: scheduler.go, and its parts: virtual.go with wanted.go (what jobs ask for),
// locality.go and tails.go, then speculation.go with phases.go (its books).
//
// # Source
//
// Hopper: X. Ren, "Speculation-aware resource allocation for cluster schedulers", master's thesis,
// California Institute of Technology, 2015; X. Ren, G. Ananthanarayanan, A. Wierman and M. Yu,
// "Hopper: decentralized speculation-aware cluster scheduling at scale", SIGCOMM 2015. Sections,
// equations and algorithms named in this package are those of the thesis.
package hopper
