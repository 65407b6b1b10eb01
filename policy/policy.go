// Package policy is the contract between a host and a scheduling policy. Most callers describe their jobs by its types, and
// leave the rest to a host: sim.Run of policy/sim simulates a cluster, and host.Open of policy/host runs one.
//
// A host owns the machines, the clock and the network: a cluster manager, a worker pool, or the simulator in
// policy/sim. A policy owns the decisions. The host calls [Scheduler.Step] with one [Event] at a time, and the
// policy appends its answer, plain [Action] values, to the caller's slice:
//
//	actions, err = p.Step(&ev, actions[:0])
//	for _, a := range actions {
//		carryOut(a)
//	}
//
// A policy starts no goroutine, reads no clock, does no I/O and owns no global randomness. The same events in the
// same order give the same actions, byte for byte.
//
// To write a policy, make one of parts with package policy/central and test it with policy/policytest. To host one,
// keep the rules below and run under the checker of policy/sim. A host that decides for itself and only asks for
// advice uses policy/advise.
//
// # Jobs, tasks and copies
//
// A [Job] is a list of stages, and a [Stage] is a number of like tasks. What runs is a [Copy] of a task: its first
// attempt, a retry, or a second copy that races the first. The policy numbers the copies of a task as it starts
// them. All tasks of a gang start together and end together, and the copy of its task 0 stands for them all.
// How long a task will run is the host's [Truth], which only clairvoyant policies get.
//
// # Resources
//
// A task takes whole cores, and perhaps memory and named resources: GPUs, slices of a GPU's memory, bandwidth,
// licences. A [Need] says how much a task takes, and an [Offer] how much a node has, both in thousandths, so a task
// may need half a GPU. A resource may come in devices. A task then takes a part of one device or several whole
// devices; the host chooses the devices and reports them in Event.Devices. [Stock] counts what is free, for hosts and
// policies alike. A task holds all of this from Started to its end, except that a suspended task holds no cores.
//
// # What happens, in order
//
//	job     Submitted  ( Ready, once for each stage )  Ended
//	copy    Start -> Started | Refused
//	        Started ... Finished | Failed | Killed | Lost
//	        Suspend -> Suspended, then Resume -> Resumed | Suspended
//	        Kill with Save -> Killed with Saved, then Start -> Started with Service
//	        Report -> Progress
//	node    Joined ... Left, and perhaps Joined again
//	part    Send, Post -> Arrived;   Wake -> Woken
//	replay  any of Joined, Submitted, Ready and what happens to copies, then Restored
//
// # The rules
//
// A host that keeps the first five rules is a correct host. The next three say which actions a policy may return,
// and what becomes of late ones. The last is for distributed policies. An action that breaks a rule is an error of
// the policy, and the host should stop the policy there.
//
//   - Time. Time never goes back from one event of a part to its next. It may jump ahead: a host that has stood still
//     reports at one instant what has happened meanwhile. Within an instant copies end first, then nodes leave and
//     join, then reports and alarms are due, then messages arrive, then jobs are submitted. What such an event
//     causes by itself (Ready, Ended, the end of a copy that lost a race) follows right after it. Answers to actions
//     come last. More is set if another event of the same instant follows for the same part, so the policy may put
//     off its decision.
//   - Job. A job is Submitted once, before any other event names it, and events name only its own stages and tasks.
//     The host knows the dependencies: it reports Ready once for each stage, when the stage may start. Ended comes
//     last, once, and its outcome is Done only if all tasks are finished. If Step returns an error for Submitted, the policy
//     does not take the job: it has not been submitted, and the host tells its user why. A host that knows its whole
//     cluster ends a job with TooLarge, as soon as it is submitted, if the cluster, empty and with all absent nodes back,
//     could not hold it. A host whose nodes come as they like lets it wait.
//   - Copy. Each Start gets one answer, Started or Refused. Each Started copy ends once, as Finished, Failed, Killed or
//     Lost, before its node has Left and before its job has Ended. Until then it stays on its node and keeps its
//     service, and is Suspended and Resumed only by order of the policy. A task is Finished at most once: the host
//     kills the copies that lost the race. An end or a Refused has Again set exactly if the task needs another Start:
//     the task is not finished, its job goes on, and no other copy of it runs or is being started. A host that tries
//     tasks again bounds how often: it ends the job before a task needs more than [MaxCopies] copies. A task keeps what
//     was last saved of it until it is finished: until then each end of a copy says so in Saved, which never falls, and
//     after that Saved is 0. Each later Start goes on from there, and its Started says in Service what the copy took
//     over, in the time of its nodes. For Stage.Reload the copy then holds its cores and does not work. A copy that is
//     being saved holds its cores until its end.
//   - Node. A node is Joined before any event but a message names it. It is Left after its copies have ended, and may
//     be Joined again later. A copy is Started only on a node that is there, on the node or in the partition that its
//     Start named, and only if its cores, its memory and its needs are free there. Devices says which devices it has,
//     the same until its end.
//   - Order. The host carries out the actions that concern one copy or one node in their order, perhaps late. (A Start
//     that leaves the node to the host concerns no node.) A Kill with Save takes time, and what follows on its node
//     need not wait for it. Orders from the centre to a node and news from a node to the centre stay in order too. A
//     host keeps its orders until they are answered. Over a restart the Ledger of package journal keeps them.
//   - Legal start. Start names a task of a job that was Submitted and has not Ended, in a stage that was Ready, and the
//     policy has not heard that the task is finished. In a gang the task is 0. The number of the copy is new for its
//     task: 0, 1, 2 and so on, below [MaxCopies]. A number that was Refused should be reused: a simulated copy's
//     runtime is drawn by its number. Suspend, Resume, Kill and Report name a copy for which there was a Start, and
//     GiveUp names a job that was Submitted. Kill with Save names a copy of a stage that Saves. A node, a partition or
//     a part that an action names has joined. Numbers in messages are finite. Step returns no actions if Replay is set,
//     and a [Declarer] returns only what it declares.
//   - Late is harmless. An action may come too late because the news was still under way. It is then refused or changes
//     nothing. A Start is Refused if its task is finished or its node has left, and a message to a node that has left
//     is lost. Suspend, Resume, Kill and Report change nothing if the copy has ended or is in that state already, or,
//     for Suspend, still waits for cores to be freed. Two orders take back the one before: Resume of a copy that is
//     being suspended, and Suspend of a copy that waits to be resumed. While a copy is being saved, a Kill without Save
//     ends it at once, and Suspend, Resume, Report and Kill with Save change nothing.
//   - No circles. A policy does not go round in a circle at one instant. In particular it does not answer Refused with
//     the same Start, unless another event has come between the two: it waits for an event of another kind. A Start
//     that lacks room waits for the event that makes room. A host that refuses for another reason later reports Woken to
//     each part that heard the Refused and has heard nothing since; the part's own alarm stays set.
//   - Parts. The centre hears of everything, except of a copy that a part started after the job had ended. The part on a
//     node hears only of its own node: Joined, its copies, its messages, Woken and what it asked for. It hears no
//     later than the centre, and it may have heard Finished of a copy that lost its race just after. It acts only
//     on copies on its node, where its Start may leave Node 0, and gives up no jobs. Send is reliable, and ordered
//     between two parts, but a message is lost if its node leaves while it is under way, or if it was sent before the
//     centre had heard that the node left and came back. What a node has sent still arrives after the node has left. A
//     message of Post may also be lost, late, out of order or doubled: it may come before the sender's Joined and long
//     after its Left.
//
// # Distributed policies
//
// A central policy is one state machine that hears everything. A [Distributed] policy has a part at the centre and one
// on each node, which acts there without waiting for the network. Parts share no memory, so each may run where
// its node is. The host carries a [Msg] between them and never looks inside.
// Each part has one alarm: Wake replaces it, and Wake at [Never] cancels it.
//
// # Pipelines
//
// A stage that reads another as a pipe is Ready when every task of that stage has been started, and its copies may run
// beside those that they read. They end no earlier than what they read, and hold their cores while they wait. If the
// last copy of a task that they read ends unfinished, the host ends them as Lost, and refuses their Start
// until that task runs again.
//
// # Restart
//
// A policy loses its state when its host restarts. The host settles all Starts, Resumes, saves and messages, makes a new
// policy, and reports the present state in events with Replay set:
//
//   - Joined for each node.
//   - Submitted for each job, by increasing ID. Its Ready stages follow, and after each Ready its tasks by index. Each copy
//     that runs or is suspended is Started, with the service it has attained, and then perhaps Suspended. A finished task
//     is Finished, after its copies that have still to be killed. If the last copy of a task is not among these, its end
//     comes before them, with Again set if no other copy runs, so that the policy knows which numbers are used, and with
//     what is saved of the task in Saved.
//   - Restored. Deciding begins with it.
//
// The new policy's actions are legal, and no work is forgotten or done twice, but what the old policy had learnt is
// lost. Package journal keeps that too: it logs all events and replays them to a policy that is made like the first.
// Nothing needs to be settled then, since the journal's Ledger knows which orders, messages and alarms are still
// open.
//
// The parts of a distributed policy are also made anew. Each part gets Joined, then the copies on its node, and then
// a Restored of its own after the centre's. The policy must send its parts what they need to know again.
//
// # When not to use it
//
// A program without a cluster needs no contract: it calls package queue, kairos.Node, hopper.Allocate, plan.Search,
// predict.Predictor or value.Aggregate directly.
//
// # Cost
//
// An [Event] takes 176 bytes and an [Action] 104. In the steady state a policy allocates nothing.
//
// # Source
//
// The contract is this library's own. Consensus protocols are often built as such state machines (F. B. Schneider,
// "Implementing fault-tolerant services using the state machine approach: a tutorial", ACM Computing Surveys
// 22(4), 1990).
package policy

// A Scheduler is a policy, or one part of a [Distributed] policy.
type Scheduler interface {
	// Step reports ev to the policy and appends the policy's answer to actions. ev must not be nil. It and what it
	// points to are valid only during the call, except Job, which never changes and may be kept.
	//
	// Step returns an error that names the culprit if the event is impossible, for example if it names an unknown
	// job. It then appends nothing and leaves the policy's state as it was.
	Step(ev *Event, actions []Action) ([]Action, error)
}

// A Declarer is a policy that says beforehand which actions it and its parts may return, so that a host which cannot
// suspend tasks, or cannot tell how far they are, learns that before it runs anything.
type Declarer interface {
	Actions() []ActionKind
}

// A Distributed policy has a part at the centre, which is the policy itself, and a part on each node.
type Distributed interface {
	Scheduler
	// Part makes the part for a node. The host calls it each time a node joins or comes back, and first reports
	// Joined to the part. n is valid only during the call. The part may depend on n and on how the policy was made,
	// but not on what the policy has heard, since a replay may call Part a little later.
	Part(n *Node) Scheduler
}

// A Truth knows how long tasks run. Hosts that simulate have one, and clairvoyant policies such as SRPT take one.
type Truth interface {
	// Runtime returns how long c runs on a node of speed 1 that its stage prefers, and false if the task is unknown.
	// The result does not depend on the order of calls, so two policies can be compared on the same luck.
	Runtime(c Copy) (runtime Duration, ok bool)
}
