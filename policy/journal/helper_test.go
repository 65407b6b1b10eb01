package journal

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// open opens the journal in a file, which is the only one of its disk. It begins one if the file is empty.
func open(f *memory, c Config) (*Journal, error) { return openOn(&alone{file: f}, "journal", c) }

// opened opens the journal in a file, which must be one.
func opened(t testing.TB, f *memory, c Config) *Journal {
	t.Helper()
	j, err := open(f, c)
	ok(t, err)
	return j
}

// of configures a journal of this policy.
func of(p policy.Scheduler) Config {
	return Config{New: func(map[string][]byte) (policy.Scheduler, error) { return p, nil }}
}

// ok ends a test that has an error.
func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tell tells the centre these events.
func tell(j *Journal, events ...*policy.Event) error {
	for _, ev := range events {
		if _, err := j.Step(0, ev, nil); err != nil {
			return err
		}
	}
	return nil
}

// alone is a disk with one file, and another one that is to take its place.
type alone struct {
	file *memory
	next memory
}

func (a *alone) open(string) (file, error) {
	if len(a.file.b) == 0 {
		return nil, fs.ErrNotExist
	}
	return a.file, nil
}

func (a *alone) create(name, instead string) (file, error) {
	a.next = memory{}
	return &a.next, nil
}

func (a *alone) rename(from, to string) error {
	a.file.b, a.file.synced = a.next.b, a.next.synced
	return nil
}

func (a *alone) remove(string) error            { return nil }
func (a *alone) syncDir(string) error           { return nil }
func (a *alone) lock(string) (io.Closer, error) { return a.file, nil }

// memory is a file in memory.
type memory struct {
	b      []byte
	at     int
	synced int   // bytes that survive a crash
	broken error // of writing and syncing

	gone, until int // bytes between these, of a Sync that failed, are there while there is power, and no Sync writes them
}

func (m *memory) Read(p []byte) (int, error) {
	if m.at >= len(m.b) {
		return 0, io.EOF
	}
	n := copy(p, m.b[m.at:])
	m.at += n
	return n, nil
}

func (m *memory) Write(p []byte) (int, error) {
	if m.broken != nil {
		n := len(p) / 2
		m.b = append(m.b[:m.at], p[:n]...)
		m.at += n
		return n, m.broken
	}
	m.b = append(m.b[:m.at], p...)
	m.at += len(p)
	return len(p), nil
}

func (m *memory) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
		m.at = int(offset)
	case io.SeekEnd:
		m.at = len(m.b) + int(offset)
	default:
		return 0, errors.New("no such seek")
	}
	return int64(m.at), nil
}

func (m *memory) Close() error { return nil }

func (m *memory) Truncate(size int64) error {
	m.b = m.b[:size]
	m.until = min(m.until, len(m.b))
	return nil
}

func (m *memory) Sync() error {
	m.synced = len(m.b)
	return m.broken
}

// policies are some whose parts, chance or memory make them hard to restore.
var policies = map[string]func(map[string][]byte) (policy.Scheduler, error){
	"fifo": func(map[string][]byte) (policy.Scheduler, error) { return baseline.NewFIFO(), nil },
	"random": func(map[string][]byte) (policy.Scheduler, error) {
		return baseline.NewRandom(rand.NewPCG(1, 2))
	},
	"kairos": func(map[string][]byte) (policy.Scheduler, error) {
		return kairos.NewScheduler(kairos.Config{})
	},
}

// told is a step of a run, as it is replayed.
type told struct {
	part    policy.NodeID
	event   policy.Event
	actions []policy.Action
}

// run runs jobs under a policy whose steps are kept in a journal, and returns that, and the steps.
// What goes wrong makes events of most kinds.
func run(t testing.TB, make func(map[string][]byte) (policy.Scheduler, error), jobs int, seed uint64) (*memory, []told) {
	t.Helper()
	f := new(memory)
	j := opened(t, f, Config{New: make})
	g := workload.DefaultHeavyTail()
	g.Jobs, g.Seed = jobs, seed
	source, err := g.Source()
	ok(t, err)
	list, err := workload.ReadAll(source)
	ok(t, err)
	queue, truth := workload.Split(list)
	_, err = sim.Run(t.Context(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 4}), Jobs: queue, Truth: truth, Delay: time.Millisecond,
		Faults: sim.Faults{
			Seed: seed, MeanUp: time.Hour, MeanDown: time.Minute, TaskFailure: 0.05, PostLate: 0.1, MeanLate: time.Second, PostLoss: 0.05,
			Cancels: []sim.Cancel{{Job: 3, At: policy.Time(10 * time.Minute)}},
		},
	}, j.Scheduler())
	ok(t, err)
	ok(t, j.Sync())
	var steps []told
	opened(t, f, Config{New: make, Replayed: func(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
		steps = append(steps, told{part, *ev, slices.Clone(actions)})
		return nil
	}})
	return f, steps
}

// start is what a journal begins with in which nothing is kept.
var start = appendFrame([]byte(header), tagBegun, nil, int64(len(header)))

// journalOf returns a journal of steps in these records.
func journalOf(bodies ...[]byte) *memory {
	b := slices.Clone(start)
	for _, body := range bodies {
		b = appendFrame(b, tagStep, body, int64(len(b)))
	}
	return &memory{b: b}
}

// submitted is the first thing that a policy hears of a job.
func submitted(id policy.JobID) *policy.Event {
	return &policy.Event{Kind: policy.Submitted, Time: policy.Time(id), Copy: policy.Copy{Task: policy.Task{Job: id}},
		Job: &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}}
}

// appendEvent appends what a record holds of an event, without the answer.
func appendEvent(b []byte, part policy.NodeID, last policy.Time, ev *policy.Event) []byte {
	c := codec{b: b}
	c.event(&part, last, ev)
	return c.b
}
