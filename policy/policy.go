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
// policy must remember is kept by [View]. To host one, read the guarantees below
// and run under the checker of policy/sim, which watches them. What a host does is this,
// again and again, with a policy from one of the packages below:
//
//	actions, err = p.Step(&ev, actions[:0])
//	...
//	for _, a := range actions {
//		carryOut(a)
//	}
//
// A host that decides for itself, and only asks plug-ins for advice, asks an [Advisor].
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
// A [Time] counts from an epoch of the host's choice, which means nothing: instants may be negative, 0 is one
// like any other, and if all of them are shifted by the same span nothing changes but that. [Never] comes after
// all of them, and no event is of it.
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
// # What a host guarantees
//
//   - H1. Time never goes back from one event of a part to the next. It may jump ahead: a host
//     that has stood still tells late, and at one instant, what has happened meanwhile. Alarms
//     go off late then, and a copy may end with more service than it needed.
//   - H2. A job is Submitted, with its description, before anything else is said of it, each of its stages is
//     Ready at most once, and Ended comes last, once. Dependencies are the host's: it
//     says Ready when a stage may start, and a policy keeps no graph for it.
//   - H3. Every Start gets exactly one of Started and Refused, and every Started copy
//     exactly one of Finished, Failed, Killed and Lost (its end). A copy is Suspended and
//     Resumed only when the policy wants it, and keeps its service.
//   - H4. The ends of the copies on a node come before the node's Left, and the ends of
//     all copies of a job before its Ended.
//   - H5. A task is Finished at most once, as the centre hears it. The host kills the copies
//     that lost the race; a part may have heard that such a copy was Finished just before.
//   - H6. An end or a Refused has Again set exactly if its task now needs another Start:
//     it is not finished, its job goes on, and no other copy of it runs or is being
//     started.
//   - H7. If an event has More set, another one of the same instant follows for the same
//     part, and to decide may wait for it.
//   - H8. In one instant, copies end first, then nodes leave and join, then reports and
//     alarms are due, then messages arrive, then jobs are submitted. What one of these
//     brings about by itself (Ready, Ended, the end of what lost a race) is told right
//     after it; the answers to actions are told after all that was due.
//   - H9. Actions that concern the same copy, or the same node, are carried out in their
//     order. (A Start that leaves the node to the host concerns none, and may be overtaken.)
//     Orders from the centre to a node and news from a node to the centre stay in order
//     too, however slow the network.
//   - H10. Send is reliable, and ordered between two parts, but what is under way to a node
//     that leaves is lost with it, and so is what was sent before the centre had heard that
//     it left and came back: a part hears nothing that was meant for the one before it.
//     (What that node had sent arrives, perhaps at the instant of its Left and after it.)
//     What is Posted may also be lost, late, out of order or doubled: it may come before
//     the Joined of the node that it is from, and long after the Left.
//   - H11. A copy that reads a pipelined stage never waits for a task that is not
//     running, suspended or finished: if the last copy of a task ends unfinished, the
//     host ends the copies that read it through pipes as Lost, and refuses their Start
//     until the task runs again.
//   - H12. A job that the whole cluster could not hold, even empty and with all nodes that
//     are gone for now, is Ended with TooLarge as soon as it is submitted.
//   - H13. A host that restarts, and with it the policy, says its present state in
//     events with Replay set (see Restart).
//   - H14. The centre hears of everything, but not of a copy that a part started after
//     the job had ended. The part on a node hears of its own node only: Joined, what
//     happens to copies there, what it asked for, its messages, and Woken by its alarm or as H16 has it.
//     What both hear of a node that joins and of its copies the part hears first, and the centre at the
//     same instant or later.
//   - H15. A copy is Started only on a node that is there, on the one or on the partition
//     that its Start named, and only if its cores and its memory are free there.
//   - H16. A host may be late to carry out an action. One that it has forgotten, or failed, to
//     carry out it answers when it notices: a Start is Refused, though there may have been
//     room, and a Resume answered with Suspended. It then tells all who heard that answer Woken,
//     with no alarm to go off (one that is set stays set): it may be tried again (see P4). It owes that
//     for these answers only, since after them nothing else need happen: where room was lacking, what frees it
//     is an event.
//   - H17. An event is of one of the kinds that there are. A node is Joined, with its description, before
//     anything but a message (H10) names it, and again only after its Left; it is Left only when it is there.
//
// # What a policy must keep to
//
//   - P1. Start names a task of a job that has been submitted and not ended, in a stage
//     that has been Ready, and that the policy has not heard to be finished. Its copy's
//     number is new for that task: 0 for the first, then 1, 2 and so on up to 65,534;
//     leaving some out is allowed but costs the host memory. The number of a Start that the
//     centre has heard to be Refused may be used again; better so, since the luck of a
//     simulated copy goes by its number. In a gang the task is 0.
//   - P2. A node, a partition or a part that an action names has joined. (It may have
//     left since: the Start is then Refused, the message lost.)
//   - P3. Suspend, Resume, Kill and Report name a copy for which there was a Start. If
//     it has ended, or is in that state already, they change nothing; nor does Suspend of
//     one that still waits for cores to be freed. Resume of a copy that is just being
//     suspended, and Suspend of one that waits for its cores to be resumed, take the order
//     before back.
//   - P4. A policy does not go round in a circle at one instant. In particular it does not
//     answer a Refused with the same Start, but waits for an event of another kind: the
//     cluster has not changed meanwhile.
//   - P5. The part on a node acts on copies on that node only, and does not give up jobs.
//     In its Start the Node may be left 0.
//   - P6. With Replay set, Step returns no actions.
//   - P7. Numbers in messages are finite.
//
// What breaks one of these is an error of the policy, and a host should stop it there.
// What merely comes too late, because the news was still on its way, is not: such an
// action is refused or changes nothing.
//
// # Two kinds of policy
//
// A central policy is one state machine that hears everything. A [Distributed] policy
// has a part at the centre and one on each node, which hear what H14 says. A part on a
// node acts there at once, without waiting for the network.
// Between parts there are only messages, and no memory that they share, so that a host
// may run each part where its node is; the host carries a [Msg] and never looks inside. Each part has one alarm: Wake sets it in place of the one before, and Wake at
// [Never] cancels it.
//
// # Pipelines
//
// A stage that reads another as a pipe is Ready when every task of that one has been
// started, and its copies may then run beside those that they read. They end no earlier
// than what they read, and hold their cores while they wait; they can be suspended
// like any other copy.
//
// # Restart
//
// A policy keeps its state in memory. When the host restarts, it makes a new policy and
// tells it the present: the nodes (Joined), the jobs by increasing ID (Submitted), and
// after each job its Ready stages with their tasks in order of index: of a task that is
// finished, Finished (with its service, if the host still knows it); of a copy that runs,
// Started, with the service that it has attained before the present instant, and
// Suspended after it, if it is; and before these, if the last copy of a task is not among
// them, how that one ended, with Again set if no other copy runs, so that the policy knows
// which numbers are used up. No Start, Resume or message is under way at that moment: the
// host settles them first. Then comes Restored, with which deciding begins. What the policy had learnt is
// lost, and its decisions may differ from those it would have made; what is promised is
// that they are legal and that no work is forgotten or done twice.
//
// For equal decisions the full log of events is replayed to a policy that is made as the first one
// was: package journal keeps that log, so that it survives a crash, and replays it. It is a
// snapshot of any policy, with all that it has learnt; policies have no other.
//
// A Started with Replay set may also come later, of a copy that the host has started of its own
// accord: hosts that only ask a policy do that, see [Advisor].
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
// loads; what a [View] takes it says itself.
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
