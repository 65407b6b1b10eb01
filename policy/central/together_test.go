package central_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/kairos"
)

// asks submits a job of one stage that requests a time.
func (h *host) asks(id policy.JobID, requested policy.Time, stage policy.Stage) []policy.Action {
	h.Helper()
	h.job(policy.Job{ID: id, Submitted: h.Now, Requested: policy.Duration(requested), Stages: []policy.Stage{stage}})
	return h.ready(id, 0)
}

// A wish is a copier that wants a copy once, and then no more.
type wish struct {
	*eager
	wants bool
}

func (w *wish) Wants(j *central.Job) bool { return w.wants && j.Job.ID == 2 }

func (w *wish) Next(_ *central.Job, actions []policy.Action) (policy.Task, []policy.Action, bool) {
	w.wants = false
	return policy.Task{}, actions, false
}

func fillersKeepReservations(t *testing.T) {
	for name, fill := range map[string]central.Filler{"EASY": baseline.EASY(), "Conservative": baseline.Conservative()} {
		w := &wish{eager: new(eager)}
		h := newHost(t, central.Config{Turn: baseline.FIFO(), Fill: fill, Copy: w}, 2)
		h.asks(1, 10*second, policy.Stage{Tasks: 1, Cores: 1})
		h.copy(policy.Started, copyOf(1, 0, 0, 0))
		h.asks(2, 1000*second, policy.Stage{Tasks: 2, Cores: 1})
		h.copy(policy.Started, copyOf(2, 0, 0, 0))
		w.wants = true
		h.Tell(policy.Event{Kind: policy.Progress, Copy: copyOf(2, 0, 0, 0), Node: 1, Value: 0.1})
		h.Now = 5 * second
		if got := h.copy(policy.Finished, copyOf(1, 0, 0, 0)); len(got) != 1 || got[0].Copy != copyOf(2, 0, 1, 0) {
			t.Errorf("%s: when a core is free %v start, want the second task of job 2", name, got)
		}
	}
}

// Cores that a copy beside the plan gives back were never in it.
func TestConservativeCountsCopies(t *testing.T) {
	e := &eager{most: 1, only: 1}
	h := newHost(t, central.Config{Turn: baseline.FIFO(), Fill: baseline.Conservative(), Copy: e}, 4)
	h.asks(1, 100*second, policy.Stage{Tasks: 1, Cores: 1})
	h.copy(policy.Started, copyOf(1, 0, 0, 0))
	h.copy(policy.Started, copyOf(1, 0, 0, 1))
	h.asks(5, 10*second, policy.Stage{Tasks: 2, Cores: 1})
	h.copy(policy.Started, copyOf(5, 0, 0, 0))
	h.copy(policy.Started, copyOf(5, 0, 1, 0))
	h.asks(2, 1000*second, policy.Stage{Tasks: 4, Cores: 1, Gang: true})
	h.Now = 5 * second
	h.Tell(policy.Event{Kind: policy.Finished, Copy: copyOf(1, 0, 0, 0), Node: 1, More: true})
	h.copy(policy.Killed, copyOf(1, 0, 0, 1))
	if at, ok := h.Policy.Planned(2); !ok || at != 10*second {
		t.Errorf("the gang is planned for %v, %v, want 10 s", at, ok)
	}
	if got := h.asks(3, 90*second, policy.Stage{Tasks: 1, Cores: 1}); len(got) > 0 {
		t.Errorf("%v start before the gang, want none", got)
	}
}

// Whose copy is next is drawn anew after each.
func TestCopyTurnHearsOfStarts(t *testing.T) {
	random, err := baseline.Random(rand.NewPCG(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	e := &eager{most: 100}
	h := newHost(t, central.Config{Turn: baseline.FIFO(), Copy: e, Reserved: 0.5, CopyTurn: random}, 40)
	for id := policy.JobID(1); id <= 4; id++ {
		of := copyOf(id, 0, 0, 0)
		h.Tell(policy.Event{Kind: policy.Submitted, Copy: of, Job: &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}, More: true})
		h.Tell(policy.Event{Kind: policy.Ready, Copy: of, More: id < 4})
	}
	with := 0
	for _, j := range h.Policy.View().Jobs() {
		if extra, _ := j.Extra(); extra > 0 {
			with++
		}
	}
	if with < 3 {
		t.Errorf("copies of %d jobs, want of at least 3", with)
	}
}

// usages notes the least cores that a job was said to have.
type usages struct {
	central.Turn
	least int64
}

func (c *usages) Update(j *central.Job, u central.Usage) {
	c.least = min(c.least, u.Cores)
	c.Turn.Update(j, u)
}

// A copy that is suspended has no cores, and takes none from its job's tasks.
func TestSuspendedCopies(t *testing.T) {
	nodes := must(kairos.NewNodes(kairos.Config{}))
	turn := &usages{Turn: baseline.Fair()}
	s := must(central.NewDistributed(central.Config{Turn: turn, Copy: newGRASS(), CopyWhen: central.AfterAll, CopyTurn: baseline.Fair(), Node: nodes}))
	h := &host{jobtest.Hand[*central.Scheduler]{TB: t, Policy: s.Scheduler}}
	replay := func(ev policy.Event) {
		ev.Replay, ev.More = true, true
		h.Tell(ev)
	}
	replay(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Cores: 2, Speed: 1, Partition: 1}})
	replay(policy.Event{Kind: policy.Submitted, Copy: copyOf(1, 0, 0, 0), Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}})
	replay(policy.Event{Kind: policy.Ready, Copy: copyOf(1, 0, 0, 0)})
	for n := range uint32(2) {
		replay(policy.Event{Kind: policy.Started, Copy: copyOf(1, 0, 0, n), Node: 1})
	}
	h.Tell(policy.Event{Kind: policy.Restored})
	h.Now += second
	for _, kind := range []policy.EventKind{policy.Suspended, policy.Resumed} {
		for n := range uint32(2) {
			h.copy(kind, copyOf(1, 0, 0, n))
		}
	}
	if turn.least < 0 {
		t.Errorf("a job has %d cores, want at least 0", turn.least)
	}
}

// What has run all the while has attained more than what has just come.
func TestShortestGoesByServiceNow(t *testing.T) {
	h := newHost(t, central.Config{Turn: baseline.Shortest(), Forecast: forecast.Requested()}, 2)
	h.submit(1, policy.Stage{Tasks: 1, Cores: 1})
	h.copy(policy.Started, copyOf(1, 0, 0, 0))
	h.submit(2, policy.Stage{Tasks: 2, Cores: 1})
	h.copy(policy.Started, copyOf(2, 0, 0, 0))
	h.Now = 5000 * second
	h.submit(3, policy.Stage{Tasks: 1, Cores: 1})
	h.Now = 6000 * second
	if got := h.copy(policy.Finished, copyOf(1, 0, 0, 0)); len(got) != 1 || got[0].Copy.Job != 3 {
		t.Errorf("%v start, want job 3, which has had nothing", got)
	}
}

func partsAreNotShared(t *testing.T) {
	for name, c := range map[string]central.Config{
		"turn":     {Turn: baseline.Fair()},
		"filler":   {Turn: baseline.FIFO(), Fill: baseline.EASY()},
		"forecast": {Turn: baseline.FIFO(), Forecast: forecast.LastTwo()},
		"placer":   {Turn: baseline.FIFO(), Place: baseline.BestFit()},
	} {
		first := jobtest.Must(central.New(c))
		fresh := c
		if name != "turn" {
			fresh.Turn = baseline.FIFO()
		}
		if _, err := central.New(fresh); err == nil || !strings.Contains(err.Error(), "make new parts") {
			t.Errorf("%s: a second scheduler has error %v, want one that says to make new parts", name, err)
		}
		node := policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}}
		if _, err := first.Step(&node, nil); err != nil {
			t.Errorf("%s: the first scheduler fails: %v", name, err)
		}
	}
}

// Nodes refuse what they cannot run before any part has heard of it, and let pass what they can.
func TestNodesCheck(t *testing.T) {
	turn := newPlain()
	s := jobtest.Must(central.NewDistributed(central.Config{Turn: turn, Node: jobtest.Must(kairos.NewNodes(kairos.Config{}))}))
	for _, test := range []struct {
		gang bool
		want int // jobs that the turn knows
	}{{true, 0}, {false, 1}} {
		job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1, Gang: test.gang}}}
		_, err := s.Step(&policy.Event{Kind: policy.Submitted, Copy: copyOf(1, 0, 0, 0), Job: job}, nil)
		if (err != nil) != test.gang || len(turn.jobs) != test.want {
			t.Errorf("gang %t: error %v, and the turn knows %d jobs, want %d", test.gang, err, len(turn.jobs), test.want)
		}
	}
}
