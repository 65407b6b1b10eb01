// Package baseline holds the policies that everything is compared with: [FIFO], [Fair], [Fewest],
// [SRPT], [LAS], [DRF], [Priority] and [Random], and of batch systems [EASY], [SJBF],
// [Conservative] and [Multifactor]. These are central, and they never preempt. All but those of batch systems
// start a task as soon as there is room for the one whose turn it is. An order of one's own
// becomes a policy by [NewOrdered].
//
// Each of these is a part of package central: EASY and Conservative fill the gaps of an order, and
// the others say whose turn it is. [NewFair] and the like make the policy of one part; [NewEASY] and
// [NewConservative] fill FIFO, and [NewMultifactor] is filled by EASY. Other pairs are made so:
//
//	s, err := central.New(central.Config{Turn: baseline.Fair(), Fill: baseline.EASY()})
//
// Those of batch systems go by the scheduler's Forecast, and without one by policy.Job.Requested, which many traces and most
// generated workloads leave at 0: then EASY and Conservative are FIFO. To try them on such jobs, let Request of
// policy/workload fill it in.
//
// They also show how a part is written. Read order.go first, from top to bottom: most of
// the others differ from it only in the order of the jobs.
//
// Make one, such as NewFIFO(), and hand it to a host, such as sim.Run of policy/sim:
//
//	result, err := sim.Run(ctx, config, baseline.NewFair())
//
// # Who goes next
//
// With c the cores that a job has, S the service that it has had in core-seconds, W its work
// that is not finished, t when it was submitted and w a weight, the next core goes to the job
// with something to start that has the least
//
//	t                                     FIFO, EASY, Conservative
//	c                                     Fair
//	cores' worth of tasks left            Fewest
//	W                                     SRPT
//	level of S, then when it joined that  LAS
//	-priority                             Priority
//	what an order puts first              Ordered
//	-Σ w·factor                           Multifactor
//	max over resources of use/capacity/w  DRF: of the job's user
//
// and of equal ones the first that came. [EASY], [Conservative] and [Multifactor] let a later
// job go first where that, by expected times, delays none of those before it
// (Conservative) or not the first of them (the other two). [SJBF] is EASY with the shortest of these first, and [Backfill] may
// delay the first by a slack.
//
// # When not to use it
//
// SRPT knows what no scheduler knows: it is for bounds, not for clusters. Where it is known how long jobs will take, or can be learnt, see packages
// slearn and threesigma; FIFO, EASY and Conservative make short jobs wait behind long ones,
// Priority may starve a job for ever, and so may SRPT. None of these copies slow tasks
// (package hopper) or looks at where data are.
//
// # Cost
//
// A step of FIFO, Fair, Fewest, Priority, Ordered, LAS, DRF and SRPT takes time logarithmic in the jobs
// that wait, and one of Random constant time. Backfilling looks further ahead and costs more:
// each function says what.
//
// # Source
//
// Each function and type names its own, but FIFO, Fair, Fewest, Priority, Ordered and Random, which have none.
package baseline
