// Package baseline holds the policies that everything is compared with: [FIFO], [Fair],
// [SRPT], [Priority] and [Random]. They are central, they never preempt, and they start
// a task as soon as there is room for the one whose turn it is.
//
// They also show how a policy is written. Read fifo.go first, from top to bottom: all but
// Random differ from it only in the order of the jobs.
package baseline
