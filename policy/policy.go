// Package policy is the contract between a host and a scheduling policy, and its
// vocabulary.
//
// A host owns the machines, the clock and the network: somebody's cluster manager, a
// worker pool, or the simulator in policy/sim. A policy owns the decisions. It is a
// deterministic state machine: the host calls [Scheduler.Step] with one [Event] at a
// time, and the policy appends its answer, a list of plain [Action] values, to a slice
// that the caller owns. A policy starts no goroutine, reads no clock, does no I/O and
// owns no global randomness, so the same events in the same order give the same
// actions, byte for byte.
//
// To write a policy, read package policy/baseline, whose FIFO fits on a screen, and the
// guide in policy/policytest, which also tests what you have written; most of what a
// policy must remember is kept by the View of policy/view. To host one, read the rules below
// and run under the checker of policy/sim, which watches them. What a host does is this,
// again and again, with a policy from one of the packages below:
//
//	actions, err = p.Step(&ev, actions[:0])
//	...
//	for _, a := range actions {
//		carryOut(a)
//	}
//
// A host that decides for itself, and only asks plug-ins for advice, uses package
// policy/advise.
//
// # Jobs, tasks and copies
//
// A [Job] is a list of stages and a [Stage] is a number of like tasks. What runs is a
// [Copy] of a task: its first attempt, a retry, or a second copy that races the first.
// The policy numbers the copies of a task as it starts them. A stage that is a gang
// runs as one unit: all its tasks start together, on one node or many, and end together;
// the copy of its task 0 stands for them all.
//
// What a policy may know is in these types. How long a task will run is not among it:
// that is the host's [Truth], which only clairvoyant policies are given, when they are
// made.
//
// # Instants
//
// A [Time] counts from an epoch of the host's choice. Shifting all instants by the same span changes nothing else:
// instants may be negative, and 0 is an instant like any other. [Never] comes after all instants, and no event happens
// then.
//
// # What happens, in order
//
//	job     Submitted  ( Ready, once for each stage )  Ended
//	copy    Start -> Started | Refused
//	        Started ... Finished | Failed | Killed | Lost
//	        Suspend -> Suspended, then Resume -> Resumed | Suspended
//	        Report -> Progress
//	node    Joined ... Left, and perhaps Joined again
//	part    Send, Post -> Arrived;   Wake -> Woken
//	replay  any of Joined, Submitted, Ready and what happens to copies, then Restored
//
// # The rules
//
// Nine rules say what a host and a policy may rely on. The first five are for the host: a host that keeps them is a
// correct host. The next three say which actions a policy may return, and what becomes of those that come late. The
// last is for distributed policies only. A host with pipelines, or one that restarts, also keeps to the section about
// that below. An action that breaks a rule is an error of the policy, and the host should stop the policy there.
//
//   - Time. Each event is of one of the kinds above. Time never goes back from one event of a part to its next, but it
//     may jump ahead: a host that has stood still reports late, at one instant, what has happened meanwhile. Alarms
//     then go off late, and a copy may end with more service than it needed. In one instant copies end first, then
//     nodes leave and join, then reports and alarms are due, then messages arrive, then jobs are submitted. What such
//     an event causes by itself (Ready, Ended, the end of a copy that lost a race) follows right after it. The answers
//     to actions come after everything that was due. If an event has More set, another event of the same instant
//     follows for the same part, so the policy may put off its decision.
//   - Job. A job is Submitted once, with its description, before any other event names it, and events name only stages
//     and tasks that it has. Each of its stages is Ready at most once. Ended comes last, once, with the job's outcome,
//     which is Done only if all tasks are finished. The host knows the dependencies and reports Ready when a stage may
//     start, so a policy keeps no graph. A job is Ended with TooLarge as soon as it is submitted if the whole cluster,
//     empty and with all nodes that are gone for now, could not hold it.
//   - Copy. Each Start gets exactly one answer, Started or Refused. Each Started copy ends exactly once, as Finished,
//     Failed, Killed or Lost. The end comes before the Left of its node and before the Ended of its job. Until then the
//     copy stays where it is and keeps its service, and it is Suspended and Resumed only when the policy wants it. A
//     task is Finished at most once, as the centre hears it: the host kills the copies that lost the race. An end or a
//     Refused has Again set exactly if the task now needs another Start: the task is not finished, its job goes on, and
//     no other copy of it runs or is being started.
//   - Node. A node is Joined, with its description, before any event but a message names it. It is Left only if it is
//     there, after its copies have ended, and may be Joined again only after that. A copy is Started only on a node
//     that is there, on the node or the partition that its Start named, and only if its cores and its memory are free
//     there.
//   - Order. The host carries out actions that concern the same copy, or the same node, in their order. (A Start that
//     leaves the node to the host concerns no node, and other actions may overtake it.) Orders from the centre to a
//     node and news from a node to the centre stay in order too, however slow the network is. The host may carry out an
//     action late. If it has forgotten an action, or failed to carry it out, it answers when it notices: Refused to a
//     Start, though there may have been room, and Suspended to a Resume. It then reports Woken to every part that heard
//     this answer, so that the policy may try again (rule No circles). No alarm goes off for that, and one that is set
//     stays set. Only these answers need that, since nothing else need happen after them: where room was lacking, an
//     event says when it is freed.
//   - Legal start. Start names a task of a job that was Submitted and has not Ended, in a stage that was Ready. The
//     policy has not heard that the task is finished. In a gang the task is 0. The number of the copy is new for its
//     task: 0 for the first copy, then 1, 2 and so on up to 65,534. Leaving numbers out is allowed but costs the host
//     memory. If the centre has heard that a Start was Refused, its number may be reused, and should be: a simulated
//     copy's runtime is drawn by its number. Suspend, Resume, Kill and Report name a copy for which there was a Start,
//     and GiveUp names a job that was Submitted. A node, a partition or a part that an action names has joined. Numbers
//     in messages are finite. Step returns no actions if Replay is set.
//   - Late is harmless. An action may come too late, because the news was still under way. That is no error: the action
//     is refused or changes nothing. A Start is Refused if its task is finished or its node has left, and a message to
//     a node that has left is lost. Suspend, Resume, Kill and Report change nothing if the copy has ended or is in that
//     state already, and Suspend changes nothing if the copy still waits for cores to be freed. Two orders take the one
//     before back: Resume of a copy that is just being suspended, and Suspend of a copy that waits for its cores to be
//     resumed.
//   - No circles. A policy does not go round in a circle at one instant. In particular it does not answer Refused with
//     the same Start. It waits for an event of another kind, because the cluster has not changed meanwhile.
//   - Parts. This rule is for distributed policies only. The centre hears of everything, except of a copy that a part
//     started after the job had ended. The part on a node hears of its own node only: Joined, what happens to copies
//     there, what it asked for, its messages, and Woken, by its alarm or by rule Order. It hears of its joining and of
//     its copies first, and the centre hears of them at the same instant or later. A part may have heard Finished of a
//     copy that lost its race just after. The part acts on copies on its node only and does not give up jobs. In its
//     Start the Node may be left 0. Parts share no memory: all that one learns from another comes in messages. Send is
//     reliable, and ordered between two parts. But a message is lost if the node that it goes to leaves while it is
//     under way, or if it was sent before the centre had heard that the node left and came back: a part never hears
//     what was meant for the one before it. What a node has sent arrives though the node leaves, perhaps at the instant
//     of its Left and after it. A message of Post may also be lost, late, out of order or doubled: it may come before
//     the Joined of the node that it is from, and long after its Left.
//
// # Two kinds of policy
//
// A central policy is one state machine that hears everything. A [Distributed] policy
// has a part at the centre and one on each node (rule Parts). A part on a node acts there
// at once, without waiting for the network. Parts share no memory, so that a host may run
// each part where its node is. The host carries a [Msg] between parts and never looks
// inside. Each part has one alarm: Wake sets it in place of the one before, and Wake at
// [Never] cancels it.
//
// # Pipelines
//
// A stage that reads another as a pipe is Ready when every task of that one has been
// started, and its copies may then run beside those that they read. They end no earlier
// than what they read, and hold their cores while they wait; they can be suspended
// like any other copy. They never wait for a task that is not running, suspended or finished: if the last copy of a
// task ends unfinished, the host ends the copies that read it through pipes as Lost, and refuses their Start until the
// task runs again.
//
// # Restart
//
// A policy keeps its state in memory, and loses it when its host restarts. The host then makes a new policy and reports
// the present state, in events with Replay set. Before it does, it settles all Starts, Resumes and messages, so that none
// is under way. The events come in this order:
//
//   - Joined for each node.
//   - Submitted for each job, by increasing ID. After each job come its Ready stages, and after each Ready its tasks
//     in order of index. A task that is finished is Finished, with its service if the host still knows it. Each copy
//     that runs or is suspended is Started, with the service attained before the present instant, and the suspended
//     ones are Suspended next. If the last copy of a task is not among these, how it ended comes before them, with
//     Again set if no other copy runs, so that the policy knows which numbers are used.
//   - Restored. Deciding begins with it.
//
// What the policy had learnt is lost, and its decisions may differ from those it would have made. The promise is that they
// are legal, and that no work is forgotten or done twice.
//
// For equal decisions the full log of events is replayed to a policy that is made as the first one
// was: package journal keeps that log, so that it survives a crash, and replays it. It is a
// snapshot of any policy, with all that it has learnt; policies have no other.
//
// A Started with Replay set may also come later, of a copy that the host has started of its own
// accord: hosts that only ask a policy do that, see package policy/advise.
//
// A restart takes the parts of a distributed policy down too. Each is made anew and told
// Joined, what runs on its node (Started and Suspended with Replay set), perhaps before the
// centre's Restored, and then, after that, a Restored of its own. What a part had been told in
// messages it must be told again.
//
// # When not to use it
//
// A program that wants one algorithm and has no cluster needs no contract: a worker pool may
// be content with package queue, and kairos.Node, hopper.Allocate, plan.Search,
// predict.Predictor or value.Aggregate are called directly. Of resources there are whole cores
// and memory, no others; a task takes the same of both for as long as it runs. A policy sees
// what happens, not what might: what must be asked of the host at the moment of a decision
// does not fit in.
//
// # Cost
//
// A call of Step costs what the policy makes of it, which each policy says of itself. The
// contract adds an [Event] of 160 bytes and [Action] values of 104, in a slice that is used
// again and again: in the steady state nothing is allocated. A [Table] finds a job in two
// loads; what a View takes it says itself.
//
// # Source
//
// The contract is this library's own: what the five systems ask of their hosts, taken
// together. That policies are deterministic state machines, to which I/O, clocks and chance
// come from outside, is how consensus protocols are often built (F. B. Schneider,
// "Implementing fault-tolerant services using the state machine approach: a tutorial", ACM
// Computing Surveys 22(4), 1990).
package policy

// A Scheduler is a policy, or the part of one that is at one place.
type Scheduler interface {
	// Step tells the policy of ev and appends what it wants done to actions. ev and
	// what it points to belong to the host and are valid only during the call, except
	// Job, which never changes and may be kept. An ev that is nil is none, and Step may panic at it.
	//
	// An error means that the event was impossible (an unknown job, say); it names the
	// culprit, and nothing is appended. The policy's state is then as it was before.
	Step(ev *Event, actions []Action) ([]Action, error)
}

// A Distributed policy has a part at the centre, itself, and one on each node.
type Distributed interface {
	Scheduler
	// Part makes the part for a node. The host calls it each time that a node joins,
	// also when one comes back: whatever the part knew before is lost with the node.
	// The part's first event is Joined. n is valid only during the call. What is made depends on n
	// and on how the policy was made, not on what it has been told: a replay makes the part at
	// its Joined, which may be a little later.
	Part(n *Node) Scheduler
}

// A Truth knows how long tasks run. Hosts that simulate have one; of the policies, only
// clairvoyant ones, such as SRPT, are given one.
type Truth interface {
	// Runtime returns how long c runs on a node of speed 1 that its stage prefers, and
	// false if the task is unknown. It depends on c alone and not on the order of calls,
	// so that two policies can be compared on the same luck.
	Runtime(c Copy) (runtime Duration, ok bool)
}
