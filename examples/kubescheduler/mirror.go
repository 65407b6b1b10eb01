package main

import (
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

// A mirror tells a [kairos.Advisor] what happens on the nodes. A pod is a job of one task that
// takes one core.
//
// It looks at the snapshot of the cluster that kube-scheduler takes for each pod, and tells
// what differs from the last one. So the advisor sees what kube-scheduler sees, with the pods
// that are on their way to a node, no event is missed, and a restart is nothing special. The nodes
// that have not changed, which is most of them, cost a comparison of two numbers.
type mirror struct {
	scheduler string // whose pods count
	advisor   *kairos.Advisor
	nodes     map[string]*mirrored
	round     int64
	start     time.Time // the instant that is 0 for the advisor; zero before the first update
	now       policy.Time
	lastNode  policy.NodeID
	lastJob   policy.JobID
}

// A mirrored is a node as the advisor knows it.
type mirrored struct {
	id         policy.NodeID
	generation int64 // of its NodeInfo
	round      int64 // in which it was last seen
	cores      int32
	jobs       map[types.UID]policy.JobID // its pods
}

// anyPod is the job that the advisor is asked about. Scores are the same for all.
const anyPod policy.JobID = 1

// newMirror returns a mirror without nodes.
func newMirror(scheduler string) (*mirror, error) {
	// No node is full for the advisor: whether a pod has room is said by what it requests.
	a, err := kairos.NewAdvisor(kairos.MaxQueue)
	if err != nil {
		return nil, err
	}
	m := &mirror{scheduler: scheduler, advisor: a, nodes: make(map[string]*mirrored), lastJob: anyPod}
	return m, m.submit(anyPod)
}

// update tells what has changed. After an error the mirror tells the rest the next time.
func (m *mirror) update(nodes []fwk.NodeInfo, now time.Time) error {
	if m.start.IsZero() {
		m.start = now
	}
	m.now = max(m.now, policy.Time(now.Sub(m.start)))
	m.round++
	for _, n := range nodes {
		if err := m.look(n, now); err != nil {
			return err
		}
	}
	if len(m.nodes) == len(nodes) {
		return nil
	}
	for name, w := range m.nodes {
		if w.round != m.round {
			if err := m.left(name, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// look tells what has changed on a node.
func (m *mirror) look(n fwk.NodeInfo, now time.Time) error {
	name := n.Node().Name
	w := m.nodes[name]
	if w != nil && w.generation == n.GetGeneration() {
		w.round = m.round
		return nil
	}
	cores := int32(min(max(n.GetAllocatable().GetMilliCPU()/1000, 1), kairos.MaxCores))
	if w != nil && w.cores != cores {
		if err := m.left(name, w); err != nil {
			return err
		}
		w = nil
	}
	if w == nil {
		m.lastNode++
		w = &mirrored{id: m.lastNode, cores: cores, jobs: make(map[types.UID]policy.JobID)}
		info := &policy.Node{ID: w.id, Partition: 1, Cores: cores, Speed: 1}
		if err := m.observe(policy.Event{Kind: policy.Joined, Node: w.id, Info: info}); err != nil {
			return err
		}
		m.nodes[name] = w
	}
	w.round = m.round
	here := make(map[types.UID]bool)
	for _, info := range n.GetPods() {
		if p := info.GetPod(); p.Spec.SchedulerName == m.scheduler {
			here[p.UID] = true
			if err := m.started(w, p, now); err != nil {
				return err
			}
		}
	}
	for uid, job := range w.jobs {
		if !here[uid] {
			if err := m.ended(w, uid, job); err != nil {
				return err
			}
		}
	}
	w.generation = n.GetGeneration() // now that all of it is told
	return nil
}

// started tells of a pod, if it is new on its node. Its age is the time since the node has accepted
// it, and 0 if it is still on its way.
func (m *mirror) started(w *mirrored, p *v1.Pod, now time.Time) error {
	if _, known := w.jobs[p.UID]; known {
		return nil
	}
	var age time.Duration
	if at := p.Status.StartTime; at != nil {
		age = max(now.Sub(at.Time), 0) // the node's clock may be ahead
	}
	m.lastJob++
	job := m.lastJob
	if err := m.submit(job); err != nil {
		return err
	}
	w.jobs[p.UID] = job
	return m.observe(policy.Event{Kind: policy.Started, Copy: copyOf(job), Node: w.id, Service: age})
}

// ended tells that a pod is gone from its node.
func (m *mirror) ended(w *mirrored, uid types.UID, job policy.JobID) error {
	delete(w.jobs, uid)
	if err := m.observe(policy.Event{Kind: policy.Finished, Copy: copyOf(job), Node: w.id}); err != nil {
		return err
	}
	return m.observe(policy.Event{Kind: policy.Ended, Copy: copyOf(job), Outcome: policy.Done})
}

// left tells that a node is gone, with its pods.
func (m *mirror) left(name string, w *mirrored) error {
	for uid, job := range w.jobs {
		if err := m.ended(w, uid, job); err != nil {
			return err
		}
	}
	delete(m.nodes, name)
	return m.observe(policy.Event{Kind: policy.Left, Node: w.id})
}

// submit tells of a job of one task.
func (m *mirror) submit(job policy.JobID) error {
	j := &policy.Job{ID: job, Submitted: m.now, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
	if err := m.observe(policy.Event{Kind: policy.Submitted, Copy: copyOf(job), Job: j}); err != nil {
		return err
	}
	return m.observe(policy.Event{Kind: policy.Ready, Copy: copyOf(job)})
}

func (m *mirror) observe(ev policy.Event) error {
	ev.Time = m.now
	return m.advisor.Observe(&ev)
}

// score says how well a node suits a pod, 0 to 1: see [kairos.Advisor.Score].
func (m *mirror) score(node string) float64 {
	w := m.nodes[node]
	if w == nil {
		return 0
	}
	return m.advisor.Score(anyPod, w.id)
}

func copyOf(job policy.JobID) policy.Copy { return policy.Copy{Task: policy.Task{Job: job}} }
