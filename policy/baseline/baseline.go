// Package baseline holds the policies that everything is compared with: [FIFO], [Fair],
// [SRPT], [LAS], [Priority] and [Random], and of batch systems [EASY],
// [Conservative] and [Multifactor]. They are central, and they never preempt. All but those of batch systems
// start a task as soon as there is room for the one whose turn it is.
//
// They also show how a policy is written. Read fifo.go first, from top to bottom: most of
// the others differ from it only in the order of the jobs.
package baseline
