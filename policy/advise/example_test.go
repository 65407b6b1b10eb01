package advise_test

import (
	"fmt"
	"log"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/baseline"
)

// A manager decides for itself what runs where, as kube-scheduler does, and asks an Advisor. It has
// pods, which are jobs of one task.
type manager struct {
	advisor *advise.Advisor
	pending []policy.JobID
}

func (m *manager) observe(ev policy.Event) {
	if err := m.advisor.Observe(&ev); err != nil {
		log.Fatal(err)
	}
}

func (m *manager) created(now policy.Time, id policy.JobID, priority float64) {
	pod := &policy.Job{ID: id, Submitted: now, Priority: priority, Stages: []policy.Stage{{Tasks: 1, Cores: 2}}}
	c := policy.Copy{Task: policy.Task{Job: id}}
	m.observe(policy.Event{Time: now, Kind: policy.Submitted, Copy: c, Job: pod, More: true})
	m.observe(policy.Event{Time: now, Kind: policy.Ready, Copy: c})
	m.pending = append(m.pending, id)
}

// schedule binds the pods that may start, those that go first before the others.
func (m *manager) schedule(now policy.Time, nodes ...policy.NodeID) {
	slices.SortFunc(m.pending, m.advisor.Compare)
	fmt.Printf("at %v s pods %v wait\n", now.Seconds(), m.pending)
	for _, id := range slices.Clone(m.pending) {
		if ok, _ := m.advisor.Admit(id); !ok {
			continue
		}
		best := slices.MaxFunc(nodes, func(a, b policy.NodeID) int {
			return int(100*m.advisor.Score(id, a)) - int(100*m.advisor.Score(id, b))
		})
		fmt.Printf("    pod %d goes to node %d\n", id, best)
		m.pending = slices.DeleteFunc(m.pending, func(p policy.JobID) bool { return p == id })
		m.observe(policy.Event{Time: now, Kind: policy.Started, Copy: policy.Copy{Task: policy.Task{Job: id}}, Node: best})
	}
}

func (m *manager) finished(now policy.Time, id policy.JobID, node policy.NodeID) {
	c := policy.Copy{Task: policy.Task{Job: id}}
	m.observe(policy.Event{Time: now, Kind: policy.Finished, Copy: c, Node: node, More: true})
	m.observe(policy.Event{Time: now, Kind: policy.Ended, Copy: c})
}

// A host that decides for itself asks for an order, for a node, and for leave to start.
func ExampleAdvisor() {
	advisor, err := advise.New(baseline.NewPriority())
	if err != nil {
		log.Fatal(err)
	}
	m := &manager{advisor: advisor}
	slow := &policy.Node{ID: 1, Partition: 1, Cores: 2, Speed: 1}
	fast := &policy.Node{ID: 2, Partition: 1, Cores: 2, Speed: 1.5}
	m.observe(policy.Event{Kind: policy.Joined, Node: 1, Info: slow, More: true})
	m.observe(policy.Event{Kind: policy.Joined, Node: 2, Info: fast})

	m.created(1e9, 1, 0)
	m.schedule(1e9, 1, 2)
	m.created(2e9, 2, 1)
	m.schedule(2e9, 1)
	m.created(3e9, 3, 0)
	m.created(4e9, 4, 5)
	m.schedule(4e9)
	m.finished(9e9, 1, 2)
	m.schedule(9e9, 2)
	// Output:
	// at 1 s pods [1] wait
	//     pod 1 goes to node 2
	// at 2 s pods [2] wait
	//     pod 2 goes to node 1
	// at 4 s pods [4 3] wait
	// at 9 s pods [4 3] wait
	//     pod 4 goes to node 2
}
