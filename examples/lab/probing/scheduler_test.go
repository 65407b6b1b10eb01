package probing

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
)

func newSparrow() *Scheduler { return jobtest.Must(NewSparrow(Config{Src: rand.NewPCG(1, 1)})) }

// eagle lets jobs be long whose tasks take 100 s.
func newEagle(change func(*Config)) *Scheduler {
	c := Config{Src: rand.NewPCG(1, 1), Estimate: asRequested, Cutoff: 100 * time.Second}
	if change != nil {
		change(&c)
	}
	p := jobtest.Must(NewEagle(c))
	p.minProbes = 1
	return p
}

// One task, two probes: the node that asks second gets none, and is free for another job.
func sparrowCancelsProbesWithoutTask(t *testing.T) {
	b := newBoard(t, newSparrow(), 2)
	first := b.submit(1, 1, 0)
	if got := strings.Count(first, "probe 1"); got != 2 {
		t.Errorf("%d probes were sent for one task, want 2:\n%s", got, first)
	}
	if got := []int{strings.Count(first, "give 1"), strings.Count(first, "none"), strings.Count(first, "starts")}; !slices.Equal(got, []int{1, 1, 1}) {
		t.Errorf("a task was given, refused and started %v times, want once each:\n%s", got, first)
	}
	if second := b.submit(2, 1, 0); strings.Count(second, "starts") != 1 {
		t.Errorf("a second job did not start on the free node:\n%s", second)
	}
}

// A node that hears that nothing of a job waits lets go of all that it has of that job, and asks for the next
// job after one round trip. The centre does not take them to be out any more.
func TestProbesWithoutTaskCostOneQuestion(t *testing.T) {
	for name, p := range map[string]*Scheduler{"Sparrow": newSparrow(), "Eagle": newEagle(nil)} {
		b := newBoard(t, p, 1)
		b.submit(1, 1, time.Second)
		b.submit(2, 5, time.Second) // 10 probes
		b.submit(3, 1, time.Second)
		asked, done := 0, 0
		for ; len(b.where) > 0; done++ {
			asked += strings.Count(b.finish(1), "ask 2")
		}
		if asked != 6 || done != 7 {
			t.Errorf("%s: the node asked %d times for 5 tasks of job 2, and %d tasks of all jobs were done, want 6 and 7", name, asked, done)
		}
		if n := p.view.jobs.Get(2).Own.out(); n != 0 {
			t.Errorf("%s: %d probes of job 2 are out at the end, want none", name, n)
		}
	}
}

// A task is bound when the turn of a probe comes, not before: on one busy node and one that
// becomes free, all tasks run on the latter.
func sparrowBindsLate(t *testing.T) {
	b := newBoard(t, newSparrow(), 2)
	b.submit(1, 2, 0) // both nodes are busy
	if got := b.submit(2, 2, 0); strings.Contains(got, "starts") {
		t.Fatalf("a task was started on a busy node:\n%s", got)
	}
	for i := range 2 {
		got := b.finish(2)
		if !strings.Contains(got, "node 2 starts 2/0/"+strconv.Itoa(i)) {
			t.Errorf("task %d of job 2 did not start on the free node:\n%s", i, got)
		}
	}
}

// A probe of a batch goes to each node once before any gets a second.
func TestBatchSamplesDifferentNodes(t *testing.T) {
	b := newBoard(t, newSparrow(), 12)
	got := b.submit(1, 5, 0)
	for id := 1; id <= 12; id++ {
		if n := strings.Count(got, fmt.Sprintf("0>%d probe", id)); n > 1 {
			t.Errorf("node %d got %d of 10 probes, want at most 1", id, n)
		}
	}
}

// A probe serves one task of its job after the other: on one busy node and one that becomes free, the latter gets both.
func eagleSticksToItsProbes(t *testing.T) {
	b := newBoard(t, newEagle(func(c *Config) { c.ProbeRatio = 1 }), 2)
	b.submit(1, 2, 10*time.Second) // both nodes are busy
	b.submit(2, 2, 10*time.Second) // a probe on each
	for i := range 2 {
		if got, want := b.finish(1), "node 1 starts 2/0/"+strconv.Itoa(i); !strings.Contains(got, want) {
			t.Errorf("what passed lacks %q:\n%s", want, got)
		}
	}
}

// A job that the node has begun goes on only if it has the least work left.
func TestEagleServesAShorterJobFirst(t *testing.T) {
	b := newBoard(t, newEagle(func(c *Config) { c.ProbeRatio = 1 }), 1)
	b.submit(1, 2, 10*time.Second)
	b.submit(2, 1, 4*time.Second)
	for _, want := range []string{"node 1 starts 2/0/0", "node 1 starts 1/0/1"} {
		if got := b.finish(1); !strings.Contains(got, want) {
			t.Errorf("what passed lacks %q:\n%s", want, got)
		}
	}
}

// A probe that serves one task after the other keeps its place: so it overtakes nothing that came later, however little
// that may be overtaken.
func TestEagleProbesKeepTheirPlace(t *testing.T) {
	b := newBoard(t, newEagle(func(c *Config) { c.ProbeRatio = 1 }), 1)
	b.submit(1, 2, 10*time.Second)
	b.submit(2, 40, time.Second) // may be overtaken by 5 s
	if got := b.finish(1); !strings.Contains(got, "node 1 starts 1/0/1") {
		t.Errorf("the node did not go on with job 1:\n%s", got)
	}
}

func eagleServesTheShortestJob(t *testing.T) {
	b := newBoard(t, newEagle(func(c *Config) { c.ProbeRatio = 1 }), 1)
	b.submit(1, 1, 10*time.Second)
	b.submit(2, 1, 8*time.Second)
	b.submit(3, 1, 4*time.Second)
	if got := b.finish(1); !strings.Contains(got, "node 1 starts 3/0/0") {
		t.Errorf("job 3 did not go first:\n%s", got)
	}
}

func eagleRejectsProbesBehindLongTasks(t *testing.T) {
	p := newEagle(func(c *Config) { c.LongShare, c.ProbeRatio = 0.5, 1 })
	b := newBoard(t, p, 6)
	b.submit(1, 2, 1000*time.Second) // on two of the three nodes open to it
	var long []policy.NodeID
	for c, node := range b.where {
		if c.Job == 1 {
			long = append(long, node)
		}
	}
	if len(long) != 2 {
		t.Fatalf("the long tasks run on nodes %v, want two", long)
	}
	rejected, open := 0, 0
	for id := policy.JobID(2); id < 30; id++ {
		got := b.submit(id, 1, time.Second)
		rejected += strings.Count(got, "reject")
		if _, after, ok := strings.Cut(got, "reject"); ok {
			var node policy.NodeID
			fmt.Sscanf(after[strings.Index(after, "0>"):], "0>%d probe", &node)
			if p.open.has(node) {
				open++
			}
		}
		if n := strings.Count(got, "reject"); n > 1 {
			t.Errorf("a probe was rejected %d times though the bit vector is up to date:\n%s", n, got)
		}
		for _, node := range long {
			if strings.Contains(got, fmt.Sprintf("node %d starts", node)) || strings.Contains(got, fmt.Sprintf("%d>0 ask", node)) {
				t.Errorf("a short probe waits on node %d, which runs a long task:\n%s", node, got)
			}
		}
	}
	if rejected == 0 {
		t.Error("no probe was rejected")
	}
	if open == 0 {
		t.Errorf("of %d rejected probes none went to the node that is open to long tasks and has none", rejected)
	}
}

// The second round goes by the bit vector that came with a node's last long task: a long task that has ended since still
// counts, unless the vector is to be fresh.
func TestEagleBitVectorIsAsOld(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		p := newEagle(func(c *Config) { c.LongShare, c.ProbeRatio, c.FreshVector = 0.5, 1, fresh })
		b := newBoard(t, p, 4)
		b.submit(1, 2, 1000*time.Second) // on nodes 1 and 3
		b.finish(3)
		rejected, free := 0, 0
		for id := policy.JobID(2); id < 50; id++ {
			if _, after, ok := strings.Cut(b.submit(id, 1, time.Second), "reject"); ok {
				rejected++
				free += strings.Count(after, "0>3 probe")
			}
		}
		if rejected == 0 || fresh != (free > 0) {
			t.Errorf("fresh %v: of %d rejected probes %d went to the node whose long task has ended", fresh, rejected, free)
		}
	}
}

// A job goes by the newest vector of those that its nodes have.
func TestEagleTakesTheNewestBitVector(t *testing.T) {
	p := newEagle(func(c *Config) { c.LongShare, c.ProbeRatio = 0.5, 1 })
	b := newBoard(t, p, 4)
	b.submit(1, 1, 1000*time.Second)
	b.submit(2, 1, 1000*time.Second)
	b.submit(3, 4, time.Second) // a probe on each node
	got := p.view.jobs.Get(3).Own.vector
	if older, newer := p.nodes[1].vector, p.nodes[3].vector; got != newer || got == older {
		t.Errorf("the job has vector %v, want %v, not the older %v", got, newer, older)
	}
	if want := uint64(1<<2 | 1<<4); got.clear[0] != want || got.nodes != 2 {
		t.Errorf("the vector has bits %b, of %d nodes, want %b, of the two nodes without a long task", got.clear[0], got.nodes, want)
	}
}

// A third round goes to the nodes for short jobs only: the news of a long task may still
// be on its way when the second probe meets it.
func TestEagleFallsBackToTheShortPartition(t *testing.T) {
	p := newEagle(func(c *Config) { c.LongShare, c.ProbeRatio = 0.5, 1 })
	b := newBoard(t, p, 4)
	b.submit(1, 4, time.Second)
	b.submit(3, 4, time.Second) // its probes wait
	j := p.view.jobs.Get(3)
	m := policy.Msg{Kind: msgReject}
	m.Copy.Job, m.Copy.Index = 3, roundClear
	b.log = nil
	b.tell(0, policy.Event{Kind: policy.Arrived, Node: j.Own.slots[0], Msg: m})
	var to policy.NodeID
	if _, err := fmt.Sscanf(b.passed(), "0>%d probe 3", &to); err != nil || !p.short.has(to) {
		t.Errorf("after two rejections the probe went thus, want a node of %v:\n%s", p.short.nodes, b.passed())
	}
}

func hawkSteals(t *testing.T) {
	p := jobtest.Must(NewHawk(Config{Src: rand.NewPCG(1, 1), Estimate: asRequested, Cutoff: 100 * time.Second, LongShare: 0.5, ProbeRatio: 1}))
	b := newBoard(t, p, 2) // node 1 is open to long tasks
	b.submit(1, 1, 1000*time.Second)
	if n, ok := b.where[policy.Copy{Task: policy.Task{Job: 1}}]; !ok || n != 1 {
		t.Fatalf("the long task runs on node %d, want 1", n)
	}
	b.submit(2, 2, time.Second) // a probe on each node; node 2 runs one task
	got := b.finish(2)
	for _, line := range []string{"2>0 idle", "0>1 rob", "1>0 loot 2", "0>2 probe 2", "node 2 starts 2/0/1"} {
		if !strings.Contains(got, line) {
			t.Errorf("what passed lacks %q:\n%s", line, got)
		}
	}
}

// A thief whose loot is all of jobs of which nothing waits is as free as before, and steals again.
func TestHawkStealsAgainAfterDeadLoot(t *testing.T) {
	p := jobtest.Must(NewHawk(Config{Src: rand.NewPCG(1, 1), Estimate: asRequested, Cutoff: 100 * time.Second, LongShare: 0.5}))
	b := newBoard(t, p, 2) // node 1 is open to long tasks
	for i, estimate := range []time.Duration{1000 * time.Second, time.Second, time.Second, 1000 * time.Second, time.Second} {
		b.submit(policy.JobID(i+1), 1, estimate) // a short job has a probe on each node
	}
	b.finish(2)
	b.finish(2)
	got := b.finish(2) // the short jobs have ended; on node 1 probes of 2 and 3 are behind a long task, one of 5 behind another
	for _, line := range []string{"1>0 loot 2", "1>0 loot 3", "1>0 loot 5"} {
		if !strings.Contains(got, line) {
			t.Errorf("what passed lacks %q:\n%s", line, got)
		}
	}
	if n := strings.Count(got, " idle"); n != 3 {
		t.Errorf("node 2 asked %d times for something to do, want 3, once more after each row:\n%s", n, got)
	}
}

// A thief whose victim leaves steals elsewhere.
func TestHawkStealsAgainAfterItsVictimLeft(t *testing.T) {
	p := jobtest.Must(NewHawk(Config{Src: rand.NewPCG(1, 1), Estimate: asRequested, Cutoff: 100 * time.Second, LongShare: 1}))
	b := newBoard(t, p, 2)
	actions := p.rob(2, stealTries, nil)
	victim := actions[0].Node
	if b.log = nil; victim == 2 {
		t.Fatal("the thief robs itself, want another source")
	}
	b.tell(0, policy.Event{Kind: policy.Left, Node: victim})
	if got := b.passed(); !strings.Contains(got, "0>2 no-loot") {
		t.Errorf("node %d has left, and the thief hears nothing of it:\n%s", victim, got)
	}
}

// An idle node asks ten nodes, as in the paper, and then waits.
func TestHawkTriesTenNodes(t *testing.T) {
	p := jobtest.Must(NewHawk(Config{Src: rand.NewPCG(1, 1), Estimate: asRequested, Cutoff: 100 * time.Second, LongShare: 1}))
	b := newBoard(t, p, 3)
	b.submit(1, 1, time.Second)
	got := b.finish(b.where[policy.Copy{Task: policy.Task{Job: 1}}])
	if n := strings.Count(got, " rob"); n != 10 {
		t.Errorf("it asked %d nodes, want 10:\n%s", n, got)
	}
}

// What is stolen is the first row of short probes behind a long task.
func TestBlockedRow(t *testing.T) {
	for _, test := range []struct {
		queue    string // s or l
		running  bool   // a long task
		from, to int
	}{
		{"", true, 0, 0}, {"", false, 0, 0}, {"ss", false, 0, 0}, {"ss", true, 0, 2},
		{"sslss", true, 0, 2}, {"sslss", false, 3, 5}, {"sslsls", false, 3, 4}, {"llss", true, 2, 4}, {"lls", false, 2, 3},
	} {
		var q probeQueue
		for _, r := range test.queue {
			q.push(probe{long: r == 'l'})
		}
		if from, to := q.blocked(test.running); to-from != test.to-test.from || to > from && from != test.from {
			t.Errorf("queue %q, long task running %v: row from %d to %d, want %d to %d", test.queue, test.running, from, to, test.from, test.to)
		}
	}
}

func longTasksGoWhereTheyWaitLeast(t *testing.T) {
	p := newEagle(func(c *Config) { c.LongShare = 0.5 })
	b := newBoard(t, p, 6)
	b.submit(1, 2, 1000*time.Second)
	b.submit(2, 1, 400*time.Second)
	got := b.submit(3, 2, 500*time.Second) // behind job 2 twice: 400 s, then 900 s of waiting
	var short *policy.NodeID
	for c, node := range b.where {
		if p.short.has(node) {
			short = &node
		}
		if c.Job == 2 {
			if n := strings.Count(got, fmt.Sprintf("0>%d long 3", node)); n != 2 {
				t.Errorf("%d tasks of job 3 wait on node %d, want 2:\n%s", n, node, got)
			}
		}
	}
	if short != nil {
		t.Errorf("a long task runs on node %d, which is for short jobs", *short)
	}
}

// A node whose long task has ended is preferred to one whose task takes longer than was
// thought, though by estimates both are free.
func TestLongTasksGoToIdleNodes(t *testing.T) {
	b := newBoard(t, newEagle(func(c *Config) { c.LongShare = 1 }), 2)
	b.submit(1, 2, 100*time.Second)
	b.now = policy.Time(150 * time.Second)
	b.finish(2)
	b.now = policy.Time(160 * time.Second)
	if got := b.submit(2, 1, 100*time.Second); !strings.Contains(got, "node 2 starts 2/0/0") {
		t.Errorf("the task did not go to the idle node 2:\n%s", got)
	}
}

// A task that runs for longer than was thought hides nothing of what waits behind it.
func TestLongTasksSeeWhatWaitsBehindAnOverrunningOne(t *testing.T) {
	b := newBoard(t, newEagle(func(c *Config) { c.LongShare = 1 }), 2)
	b.submit(1, 1, 100*time.Second)
	b.submit(2, 1, 400*time.Second)
	b.submit(3, 2, 100*time.Second) // both behind job 1, where 100 s and then 200 s are to be waited for
	b.now = policy.Time(1000 * time.Second)
	if got := b.submit(4, 1, 100*time.Second); !strings.Contains(got, "0>2 long 4") {
		t.Errorf("the task did not go to node 2, where nothing waits:\n%s", got)
	}
}

// When the nodes for long jobs are lost, others are opened to them.
func TestLostNodesAreReplacedForLongJobs(t *testing.T) {
	p := newEagle(func(c *Config) { c.LongShare = 0.5 })
	b := newBoard(t, p, 4)
	for _, id := range slices.Clone(p.open.nodes) {
		b.tell(0, policy.Event{Kind: policy.Left, Node: id})
	}
	if open, short := len(p.open.nodes), len(p.short.nodes); open != 1 || short != 1 {
		t.Errorf("of 2 nodes %d are open to long jobs and %d are not, want 1 and 1", open, short)
	}
}

// After a restart a node does not know that a copy which it holds is long, until the centre
// says so.
func TestPartsLearnOfLongTasksAfterRestart(t *testing.T) {
	p := newEagle(func(c *Config) { c.LongShare = 1 })
	b := newBoard(t, p, 1)
	j := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}, Requested: 1000 * time.Second}
	c := policy.Copy{Task: policy.Task{Job: 1}}
	b.tell(0, policy.Event{Kind: policy.Submitted, Replay: true, Copy: c, Job: j})
	b.tell(0, policy.Event{Kind: policy.Ready, Replay: true, Copy: c})
	started := policy.Event{Kind: policy.Started, Replay: true, Copy: c, Node: 1}
	b.tell(1, started)
	b.tell(0, started)
	b.tell(0, policy.Event{Kind: policy.Restored})
	if got := b.submit(2, 1, time.Second); !strings.Contains(got, "1>0 reject 2") {
		t.Errorf("a short probe was not rejected by the node with a long task:\n%s", got)
	}
}

func TestConfig(t *testing.T) {
	src := rand.NewPCG(1, 1)
	for _, test := range []struct {
		err  error
		want string
	}{
		{failure(NewSparrow(Config{})), "Config.Src is nil"},
		{failure(NewSparrow(Config{Src: src, ProbeRatio: 0.5})), "Config.ProbeRatio is 0.5, want 1 to 1000"},
		{failure(NewHawk(Config{Src: src, Cutoff: 1})), "Config.Estimate is nil"},
		{failure(NewHawk(Config{Src: src, Estimate: asRequested})), "Config.Cutoff is 0s"},
		{failure(NewHawk(Config{Src: src, Estimate: asRequested, Cutoff: 1, LongShare: 2})), "Config.LongShare is 2"},
		{failure(NewEagle(Config{Src: src, Estimate: asRequested, Cutoff: 1, Bypass: -1})), "Config.Bypass is -1"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("the error is %v, want one with %q", test.err, test.want)
		}
	}
}

func failure[T any](_ T, err error) error { return err }
