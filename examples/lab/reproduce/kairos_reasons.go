package main

// kairosReasons are why numbers of the paper do not come out, as far as it is known.
var kairosReasons = []reason{
	{"Fig. 4", "heavy-tailed, early reduces", "FIFO, largest slowdown", slowdownOfFew},
	{"Fig. 4", "heavy-tailed, early reduces", "Big-C", atOnce},
	{"Fig. 4", "heavy-tailed, early reduces", "Kairos", waiting},
	{"Fig. 4", "", "6 cores", oneDraw},
	{"Fig. 4", "", "Kairos", overlap},
	{"Fig. 4", "heavy-tailed, draws like it", "FIFO, largest slowdown", slowdownOfFew},
	{"Fig. 4", "heavy-tailed, draws like it", "Big-C", atOnce},
	{"Fig. 4", "", "", oneDraw},
	{"Fig. 6", "", "below", eitherWay},
	{"Fig. 6", "", "", overlap},
	{"Fig. 8", "", "short", longQuantum},
	{"Fig. 8", "", "long", neverMoves},
	{"Fig. 9", "", "short", notConfined},
	{"Fig. 9", "", "long", neverMoves},
}

const (
	// The paper shows one draw of a hundred jobs, of which two are long on average. Where
	// FIFO's median is near the published one, so are its 99th percentile and Big-C's.
	oneDraw = "hangs on the draw; cf. draws like it"
	// See kairosEarly: FIFO's numbers come out as they are, and Kairos' between six and seven
	// cores a node.
	waiting = "of a node's eight containers, those that wait leave their cores; cf. 6 and 7 cores"
	// Most jobs have tasks of 42 to 120 s, and nearly as much work as four cores a node can do,
	// so no order of these can bring both the median and the 99th percentile far below
	// FIFO's. With six cores for the eight tasks of a node, both come near: as if
	// what a container waits for (disks, network, its start) went on while it is suspended.
	// The authors' code leaves suspended containers a little of the processor.
	overlap = "nearer with 6 cores a node, or early reduces"
	// Nor is it more with six cores a node, early reduces or the rules of the authors' code.
	eitherWay = "over a hundred draws there is no gain: -0.9 ± 0.9 % over Random, -0.4 ± 0.9 % over Sum"
	// Of the short jobs of ours, most find a free core or a long task to suspend.
	atOnce = "short jobs get the cores of long ones at once here"
	// Half of all jobs take 808 s or more, and small ones, at 5.14 times 85 s, 437 s at most,
	// though they come in between and wait in the same queue.
	slowdownOfFew = "does not go with a median of 808 s: small jobs would wait at most 352 s"
	// A short task that was preempted waits for up to a quantum behind the long one that came
	// after it, and starved long ones run for two: at W = 10,000 s, for hours. With 100 s the
	// 99th percentile is near Eagle's.
	longQuantum = "a preempted short task waits up to W behind a long one; cf. W = 100 s"
	// Eagle's short jobs wait when long tasks fill all the nodes that are open to them, as in
	// the bursts of the real trace.
	notConfined = "arrivals without bursts seldom confine Eagle's short jobs; on a part of the real trace, with -trace, it is 85 %"
	// Utilization is lower than under Eagle, too, where the paper has it equal.
	neverMoves = "long tasks of one node take turns while other nodes are idle, as none moves"
)
