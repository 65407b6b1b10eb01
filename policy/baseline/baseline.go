// Package baseline holds the usual policies to compare with. Make one and pass it to a host, such as sim.Run of policy/sim:
//
//	result, err := sim.Run(ctx, config, baseline.NewFair())
//
// They are [FIFO], [Fair], [Fewest], [SRPT], [Shortest], [LAS], [DRF], [Priority] and [Random], and [EASY], [SJBF], [Backfill],
// [Conservative] and [Multifactor] of batch systems. They are central and never preempt. All except those of batch systems
// start the next task as soon as there is room for it. [NewOrdered] makes a policy of your own order, and shows
// with order.go how to write a part.
//
// Each is a part of package central: EASY, SJBF, Backfill and Conservative fill the gaps of an order, [LeastLoaded] and its like
// choose nodes, and the others decide whose turn it is. [NewFair] and the like make a policy of one part; [NewEASY] and
// [NewConservative] fill FIFO, and [NewMultifactor] is filled by EASY. Combine other pairs so:
//
//	s, err := central.New(central.Config{Turn: baseline.Fair(), Fill: baseline.EASY()})
//
// Fillers use the scheduler's Forecast, and without one policy.Job.Requested. Many traces and most generated workloads leave
// that at 0: then EASY and Conservative are FIFO. To try them on such jobs, let FillRequested of policy/workload fill it in.
// If every task takes one core and no job is a gang, EASY is FIFO whatever is requested.
//
// # Which job is next
//
// Let c be the cores that a job has, S the service that it has had in core-seconds, W its unfinished work, t when it
// was submitted and w a weight. The next core goes to the job with something to start that has the least
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
// and ties go to the earlier submission. [Conservative] lets a later job go first if that, by expected times, delays no
// earlier job; [EASY] and [Multifactor] if it does not delay the first one. [SJBF] is EASY with the shortest later job
// first, and [Backfill] may delay the first job by a slack.
//
// # When not to use it
//
// SRPT knows what no scheduler knows: it is for bounds, not for clusters. If runtimes are known, or can be learnt,
// see packages slearn and threesigma. FIFO, EASY and Conservative make short jobs wait behind long ones; Priority and
// SRPT may starve a job forever. None of these copies slow tasks (package hopper) or considers data locality.
//
// # Cost
//
// A step of FIFO, Fair, Fewest, Priority, Ordered, LAS, DRF and SRPT takes time logarithmic in the number of waiting
// jobs, and one of Random constant time. Backfilling looks further ahead and costs more: see each function.
//
// # Source
//
// Each function and type names its own. FIFO, Fair, Fewest, Priority, Ordered and Random have none.
package baseline
