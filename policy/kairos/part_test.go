package kairos

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
)

// A hostOf tells a scheduler and its parts, by hand, what happens.
type hostOf struct {
	*testing.T
	all   *central.Distributed
	nodes *Nodes
	parts map[policy.NodeID]policy.Scheduler
	now   policy.Time
}

func newHost(t *testing.T, c Config, nodes int) *hostOf {
	n := jobtest.Must(NewNodes(c))
	return hostWith(t, under(baseline.FIFO(), n), n, nodes)
}

func hostWith(t *testing.T, s *central.Distributed, of *Nodes, nodes int) *hostOf {
	t.Helper()
	h := &hostOf{T: t, all: s, nodes: of, parts: map[policy.NodeID]policy.Scheduler{}}
	for i := range nodes {
		n := &policy.Node{ID: policy.NodeID(i + 1), Partition: 1, Cores: 1, Speed: 1}
		h.parts[n.ID] = s.Part(n)
		h.tell(n.ID, policy.Event{Kind: policy.Joined, Info: n, Node: n.ID})
		for _, a := range h.tell(0, policy.Event{Kind: policy.Joined, Info: n, Node: n.ID}) {
			h.carry(a)
		}
	}
	return h
}

// tell says an event to a part, 0 for the centre.
func (h *hostOf) tell(part policy.NodeID, ev policy.Event) []policy.Action {
	h.Helper()
	ev.Time = h.now
	p := policy.Scheduler(h.all)
	if part != 0 {
		p = h.parts[part]
	}
	actions, err := p.Step(&ev, nil)
	if err != nil {
		h.Fatal(err)
	}
	return actions
}

// carry brings a message of the centre to its node.
func (h *hostOf) carry(a policy.Action) []policy.Action {
	h.Helper()
	if a.Kind != policy.Send {
		h.Fatalf("got %v, want a message", a.Kind)
	}
	return h.tell(a.Node, policy.Event{Kind: policy.Arrived, Msg: a.Msg})
}

// submit says that a job has come, and returns what is sent.
func (h *hostOf) submit(id policy.JobID, tasks uint32) []policy.Action {
	h.Helper()
	job := &policy.Job{ID: id, Submitted: h.now, Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}}
	of := policy.Copy{Task: policy.Task{Job: id}}
	h.tell(0, policy.Event{Kind: policy.Submitted, Job: job, Copy: of, More: true})
	return h.tell(0, policy.Event{Kind: policy.Ready, Copy: of})
}

// posted returns those of actions that are Posts.
func posted(actions []policy.Action) (posts []policy.Action) {
	for _, a := range actions {
		if a.Kind == policy.Post {
			posts = append(posts, a)
		}
	}
	return posts
}

// A gang and a wide task are refused, each for its own reason.
func TestRefusesWideJobs(t *testing.T) {
	for _, test := range []struct {
		stage policy.Stage
		want  string
	}{
		{policy.Stage{Tasks: 3, Cores: 1, Gang: true}, "kairos: stage 1 of job 1 is a gang, and Kairos runs no gangs: want tasks that may start one by one"},
		{policy.Stage{Tasks: 3, Cores: 2}, "kairos: each task of stage 1 of job 1 takes 2 cores, want 1"},
		{policy.Stage{Tasks: 1, Cores: 1, Gang: true}, "<nil>"}, // a gang of one is a task
	} {
		h := newHost(t, small(), 1)
		job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}, test.stage}}
		_, err := h.all.Step(&policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: job}, nil)
		if got := fmt.Sprint(err); got != test.want {
			t.Errorf("%+v: got error %s, want %s", test.stage, got, test.want)
		}
	}
}

// A task that the host refuses is sent again a second later, and not before.
func TestRefused(t *testing.T) {
	h := newHost(t, small(), 1)
	sent := h.submit(1, 1)
	if len(sent) != 1 {
		t.Fatalf("got %d actions, want one", len(sent))
	}
	started := h.carry(sent[0])
	if len(started) != 1 || started[0].Kind != policy.Start {
		t.Fatalf("got %v, want a Start", started)
	}
	c := started[0].Copy
	if node, ok := h.nodes.where(c); node != 1 || !ok {
		t.Errorf("it is at node %d, %v, want 1", node, ok)
	}
	h.tell(1, policy.Event{Kind: policy.Refused, Copy: c})
	want := []policy.Action{{Kind: policy.Wake, At: at(1)}}
	if got := h.tell(0, policy.Event{Kind: policy.Refused, Copy: c, Again: true}); !cmp.Equal(got, want) {
		t.Errorf("after Refused: got %v, want %v", got, want)
	}
	if _, ok := h.nodes.where(c); ok {
		t.Error("it is at a node although it was refused")
	}
	h.now = at(0.5)
	if got := h.submit(2, 1); len(got) != 1 || got[0].Msg.Copy.Job != 2 {
		t.Errorf("half a second later: got %v, want the task of job 2", got)
	}
	h.now = at(1)
	if got := h.tell(0, policy.Event{Kind: policy.Woken}); len(got) != 1 || got[0].Kind != policy.Send || got[0].Msg.Copy != c {
		t.Errorf("a second later: got %v, want %v sent", got, c)
	}
}

// A job that is refused once more while it waits does so for a second from then on.
func TestRefusedTwice(t *testing.T) {
	h := newHost(t, small(), 1)
	for i, a := range h.submit(1, 2) {
		h.now = at(0.5 * float64(i))
		h.tell(0, policy.Event{Kind: policy.Refused, Copy: a.Msg.Copy, Again: true})
	}
	h.now = at(1)
	want := []policy.Action{{Kind: policy.Wake, At: at(1.5)}}
	if got := h.tell(0, policy.Event{Kind: policy.Woken}); !cmp.Equal(got, want) {
		t.Errorf("a second after the first refusal: got %v, want %v", got, want)
	}
}

// When a node gives a copy back, its task waits again only if no other copy of it is on its way or runs.
func TestNodeRefusesACopy(t *testing.T) {
	h := newHost(t, small(), 2)
	first := h.submit(1, 1)[0]
	job := h.all.View().Job(1)
	second := h.nodes.Send(job, h.all.View().Another(job, first.Msg.Copy.Task, central.Where{}).Copy, nil)[0]
	for waiting, a := range []policy.Action{second, first} {
		h.tell(0, policy.Event{Kind: policy.Arrived, Node: a.Node, Msg: policy.Msg{Kind: refuse, Copy: a.Msg.Copy}})
		if job.Waiting != waiting {
			t.Errorf("%v is given back: %d tasks wait, want %d", a.Msg.Copy, job.Waiting, waiting)
		}
	}
}

// A node without a place for a task first says how it is, and then refuses the task, which the centre sends again a second
// later.
func TestNodeRefuses(t *testing.T) {
	adaptive := NewAdaptiveNodes()
	for _, test := range []struct {
		host  *hostOf
		tasks int // that it has a place for, at one instant
	}{{newHost(t, small(), 1), 2}, {hostWith(t, under(baseline.Fair(), adaptive), adaptive, 1), 1}} {
		var got []policy.Action
		for i := range test.tasks + 1 {
			got = test.host.tell(1, policy.Event{Kind: policy.Arrived, Msg: assignment(assign, held{copyOf(i + 1), 0}, uint64(i+5))})
		}
		if len(got) < 2 || got[0].Msg.Kind != heartbeat || got[0].Msg.Seq != uint64(test.tasks+5) || got[0].Msg.Count != uint32(test.tasks) ||
			got[1].Msg.Kind != refuse || got[1].Msg.Copy != copyOf(test.tasks+1) {
			t.Errorf("a node with %d tasks: got %+v, want a heartbeat and a refusal", test.tasks, got)
		}
	}

	h := newHost(t, small(), 1)
	c := h.submit(1, 1)[0].Msg.Copy
	want := []policy.Action{{Kind: policy.Wake, At: at(1)}}
	if got := h.tell(0, policy.Event{Kind: policy.Arrived, Node: 1, Msg: policy.Msg{Kind: refuse, Copy: c}}); !cmp.Equal(got, want) {
		t.Errorf("after a refusal: got %v, want %v", got, want)
	}
	h.now = at(1)
	if got := h.tell(0, policy.Event{Kind: policy.Woken}); len(got) != 1 || got[0].Msg.Kind != assign || got[0].Msg.Copy.Task != c.Task {
		t.Errorf("a second later: got %v, want %v sent", got, c)
	}
}

// A node goes by the service that the host has measured, which lets copies run later than the node says.
func TestSuspendedSaysService(t *testing.T) {
	c := small()
	c.Tie = LeastSum
	h := newHost(t, c, 1)
	sent := h.submit(1, 2)
	if len(sent) != 2 {
		t.Fatalf("got %d actions, want two", len(sent))
	}
	h.carry(sent[0])
	h.now = at(10)
	h.carry(sent[1]) // which gets the core
	h.tell(1, policy.Event{Kind: policy.Suspended, Copy: sent[0].Msg.Copy, Node: 1, Service: seconds(4)})
	h.now = at(80)
	beats := posted(h.tell(1, policy.Event{Kind: policy.Woken}))
	if len(beats) != 1 || beats[0].Msg.Value != 74 {
		t.Errorf("got %v, want one heartbeat that says 4 s and 70 s of service, 74 s in all", beats)
	}
}

// A copy from before a restart has run until the centre mentions it, which takes a while on a slow network.
func TestAdoptedLate(t *testing.T) {
	c := small()
	c.Tie = LeastSum
	h := newHost(t, c, 1)
	h.tell(1, policy.Event{Kind: policy.Started, Replay: true, Copy: copyOf(1), Node: 1, Service: seconds(5)})
	h.now = at(2)
	beats := posted(h.tell(1, policy.Event{Kind: policy.Arrived, Msg: assignment(adopt, held{copyOf(1), 0}, 0)}))
	if len(beats) != 1 || beats[0].Msg.Value != 7 {
		t.Errorf("got %v, want one heartbeat that says 7 s of service", beats)
	}
}

// A copy for which the host had no core goes on when the next one leaves its core.
func TestResumesWhereACoreIsFreed(t *testing.T) {
	c := small()
	c.Node.Quantum, c.Queue = seconds(100), 2
	h := newHost(t, c, 1)
	sent := h.submit(1, 3)
	copies := [3]policy.Copy{}
	for i, wait := range []float64{0, 1, 2} { // each takes the core of the one before
		h.now = h.now.Add(seconds(wait))
		copies[i] = sent[i].Msg.Copy
		h.carry(sent[i])
		if i == 1 {
			h.tell(1, policy.Event{Kind: policy.Suspended, Copy: copies[0], Node: 1, Service: seconds(1)})
		}
		if i < 2 {
			h.tell(1, policy.Event{Kind: policy.Started, Copy: copies[i], Node: 1})
		}
	}
	resumes := func(actions []policy.Action) (some bool) {
		for _, a := range actions {
			some = some || a.Kind == policy.Resume && a.Copy == copies[0]
		}
		return some
	}
	if !resumes(h.tell(1, policy.Event{Kind: policy.Refused, Copy: copies[2], Again: true})) {
		t.Fatal("what has run for the shortest time does not go on when the last one is refused")
	}
	noCore := policy.Event{Kind: policy.Suspended, Copy: copies[0], Node: 1, Service: seconds(1), Idle: true}
	h.tell(1, noCore)
	if !resumes(h.tell(1, policy.Event{Kind: policy.Suspended, Copy: copies[1], Node: 1, Service: seconds(2)})) {
		t.Error("the core of the second is free, and nobody gets it")
	}
	if !resumes(h.tell(1, noCore)) {
		t.Error("it has looked for a core before that of the second was free, and does not look again")
	}
	if resumes(h.tell(1, noCore)) {
		t.Error("it looks for a core again, though none has become free")
	}
	h.tell(1, policy.Event{Kind: policy.Suspended, Copy: copies[1], Node: 1, Service: seconds(2)})
	h.now = h.now.Add(1)
	if resumes(h.tell(1, noCore)) {
		t.Error("it looks again for a core that has become free a while ago")
	}
	if !resumes(h.tell(1, policy.Event{Kind: policy.Suspended, Copy: copies[1], Node: 1, Service: seconds(2), Idle: true})) {
		t.Error("the second was suspended before it had gone on, which frees the core that it was getting, and nobody gets that")
	}
}

// A node sends no heartbeat and sets no alarm while more events follow, nor before the centre has told it to begin.
func TestNodeWaitsToSpeak(t *testing.T) {
	h := newHost(t, small(), 1)
	for id := range 2 {
		got := h.tell(1, policy.Event{Kind: policy.Arrived, More: true, Msg: assignment(assign, held{copyOf(id + 1), 0}, uint64(id+5))})
		if len(got) != id+1 || got[id].Kind != policy.Start {
			t.Errorf("while more events follow: got %v, want nothing but Starts and Suspends", got)
		}
	}
	h.parts[1] = h.all.Part(&policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1})
	h.tell(1, policy.Event{Kind: policy.Joined, Node: 1})
	for id := range 2 {
		h.tell(1, policy.Event{Kind: policy.Started, Replay: true, Copy: copyOf(id + 1), Node: 1, Service: seconds(5)})
		if id == 0 {
			h.tell(1, policy.Event{Kind: policy.Suspended, Replay: true, Copy: copyOf(1), Node: 1, Service: seconds(5)})
		}
		if got := h.tell(1, policy.Event{Kind: policy.Arrived, Msg: assignment(adopt, held{copyOf(id + 1), 0}, 0)}); len(got) > 0 {
			t.Errorf("before the centre has said begin: got %v, want nothing", got)
		}
	}
}

// A job that is over takes back the tasks that have not begun.
func TestWithdrawn(t *testing.T) {
	h := newHost(t, small(), 2)
	sent := h.submit(1, 3)
	if len(sent) != 3 {
		t.Fatalf("got %d actions, want three", len(sent))
	}
	// The first has begun and is killed; the others are on their way.
	h.carry(sent[0])
	h.tell(0, policy.Event{Kind: policy.Started, Copy: sent[0].Msg.Copy, Node: sent[0].Node, More: true})
	h.tell(0, policy.Event{Kind: policy.Killed, Copy: sent[0].Msg.Copy, Node: sent[0].Node, More: true})
	back := h.tell(0, policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Outcome: policy.Cancelled})
	var got, want []policy.Copy
	for _, a := range back {
		got = append(got, a.Msg.Copy)
		if a.Kind != policy.Send {
			t.Errorf("got %v, want a message", a.Kind)
		}
	}
	for _, node := range []policy.NodeID{1, 2} {
		for _, a := range sent[1:] {
			if a.Node == node {
				want = append(want, a.Msg.Copy)
			}
		}
	}
	if !cmp.Equal(got, want) {
		t.Errorf("got %v taken back, want %v", got, want)
	}
	for node := policy.NodeID(1); node <= 2; node++ {
		if tasks := h.nodes.centre.workers.Get(node).tasks(); tasks != 0 {
			t.Errorf("node %d has %d tasks, want 0", node, tasks)
		}
	}
}
