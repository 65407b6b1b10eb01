package kairos

import "example.com/augur/policy"

// What the centre and the nodes tell one another. Centres of one Scheduler are numbered
// from 0; what a field is not named for is 0.
const (
	_ uint32 = iota
	// assign: the node is to do a task. Copy, Seq is the number of the assignment, Count the
	// centre, Value the memory in bytes.
	assign
	// adopt: after a restart, a task that the node has. As assign.
	adopt
	// begin: the node has been told all that it must know, and may decide. Seq is the number
	// that it has seen of a centre, Count that centre.
	begin
	// withdraw: the job of an assignment is over, and the node is not to begin it. Copy, Count
	// the centre.
	withdraw
	// heartbeat: how the node is. Seq is the number of the last assignment seen of the
	// centre, Count the tasks, Copy.Stage the centre, Copy.Index the tasks of others, Copy.N
	// the number of the heartbeat, Value what ties are broken by.
	heartbeat
	// protest: a heartbeat that comes with a refusal, and is not gossip.
	protest
	// refuse: the node takes an assignment back that is one too many. Copy, Count the centre.
	refuse
)

// assignment makes one. Value is exact up to 2^53 bytes; more count as that, so that no task seems too large
// for a node that could just hold it.
func assignment(kind uint32, copy policy.Copy, number uint64, centre int, memory int64) policy.Msg {
	return policy.Msg{Kind: kind, Copy: copy, Seq: number, Count: uint32(centre), Value: float64(min(memory, 1<<53))}
}

// message makes a heartbeat, or a protest, of what a centre is told.
func (r *Report) message(kind uint32, centre int, measure float64) policy.Msg {
	return policy.Msg{
		Kind: kind, Seq: r.Seen, Count: uint32(r.Tasks), Value: measure,
		Copy: policy.Copy{Task: policy.Task{Stage: uint32(centre), Index: uint32(r.Others)}, N: uint32(r.Number)},
	}
}

// reportOf is the opposite of message.
func reportOf(from policy.NodeID, m *policy.Msg, tie Tie) Report {
	r := Report{Node: from, Number: uint64(m.Copy.N), Seen: m.Seq, Tasks: int(m.Count), Others: int(m.Copy.Index)}
	if tie == LeastSum {
		r.Sum = m.Value
	} else {
		r.Variance = m.Value
	}
	return r
}
