package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/journal"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Every policy that there is survives its host: a run is broken off at a random byte of its journal,
// a new process restores the policy from that, tells it the rest of the run, and gets the answers that the
// run had when nothing broke it off, to the last bit.

var restarts = flag.Int("restarts", 1, "how often each policy is broken off and restored, each time with another seed")

// childOf names the variable that makes the test binary a host that comes back.
const childOf = "COMPARE_RESTORES"

// programOf names the variable that makes the test binary the program itself.
const programOf = "COMPARE_RUNS"

func TestMain(m *testing.M) {
	if os.Getenv(programOf) != "" {
		main()
		return
	}
	if dir := os.Getenv(childOf); dir != "" {
		if err := comeBack(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// A broken is a run that was broken off. Its files are in a directory: the whole journal, the one that was
// left, and each step of the run with its answer.
type broken struct {
	Args   []string // that the run was compared with
	Policy string
}

// A taken is a step that a policy took.
type taken struct {
	Part    policy.NodeID   `json:"part,omitzero"`
	Event   *policy.Event   `json:"event"`
	Actions []policy.Action `json:"actions,omitempty"`
}

func (b *broken) file(dir, what string) string { return filepath.Join(dir, b.Policy+"."+what) }

// worlds are the jobs that the policies are tried on, such that each has what it goes by.
var worlds = []struct {
	args []string
	of   func(c *contender) bool
	slow bool
}{
	{[]string{"-jobs", "12", "-nodes", "4", "-cutoff", "60", "-delay", "1ms"}, func(c *contender) bool { return !c.lake }, false},
	{[]string{"-workload", "facebook", "-jobs", "20", "-nodes", "10", "-delay", "1ms"}, func(c *contender) bool {
		return c.name == "hopper" || strings.Contains(c.name, "-late") || strings.Contains(c.name, "-mantri") || strings.Contains(c.name, "-grass") || strings.Contains(c.name, "-budgeted")
	}, true},
	{[]string{"-workload", "e2e", "-jobs", "40", "-nodes", "40", "-cutoff", "60"}, func(c *contender) bool {
		return strings.HasPrefix(c.name, "3s") || strings.HasPrefix(c.name, "point")
	}, true},
	{[]string{"-workload", "lake", "-nodes", "100", "-jobs", "100"}, func(c *contender) bool { return c.lake || c.name == "wing-prio" }, true},
}

func TestRestartInANewProcess(t *testing.T) {
	for _, w := range worlds {
		if w.slow && *restarts == 1 { // which .ci/nightly runs
			continue
		}
		t.Run(strings.Join(w.args, " "), func(t *testing.T) {
			t.Parallel()
			tried := 0
			for seed := range uint64(*restarts) {
				dir := t.TempDir()
				args := append(slices.Clone(w.args), "-seed", fmt.Sprint(seed+1))
				e := newExperiment(t, args)
				var all []broken
				for i := range contenders {
					if c := &contenders[i]; w.of(c) {
						b := broken{args, c.name}
						all = append(all, b)
						e.breakOff(t, c, &b, dir)
					}
				}
				restoreAll(t, dir, all)
				for i := range all {
					all[i].compare(t, dir)
				}
				tried += len(all)
			}
			t.Logf("%d runs broken off and restored", tried)
		})
	}
}

func newExperiment(t *testing.T, args []string) *experiment {
	t.Helper()
	e, err := experimentOf(args)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func experimentOf(args []string) (*experiment, error) {
	o, err := parse(args, io.Discard)
	if err != nil {
		return nil, err
	}
	e := &experiment{options: o, stderr: io.Discard}
	if e.in, err = load(context.Background(), o); err != nil {
		return nil, err
	}
	e.report = newReport(e.in, o, nil, e.faults)
	return e, nil
}

// breakOff runs a policy while everything goes wrong, and cuts its journal.
func (e *experiment) breakOff(t *testing.T, c *contender, b *broken, dir string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(e.seed, uint64(len(c.name))<<8|uint64(c.name[0])))
	jobs, truth := workload.Split(e.in.List)
	life := &life{dir: dir, b: b, make: func(map[string][]byte) (policy.Scheduler, error) { return c.of(e.setting(truth)) }}
	p, err := life.begin()
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	faults := e.troubles(rng)
	faults.NewPolicy = life.begin
	if _, err := sim.Run(t.Context(), sim.Config{Nodes: e.in.cluster, Jobs: jobs, Truth: truth, Delay: e.delay, Faults: faults}, p); err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	if err := life.end(); err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	whole, err := os.ReadFile(b.file(dir, "whole"))
	if err == nil { // its beginning is there as a whole whenever a host is broken off
		err = os.WriteFile(b.file(dir, "left"), whole[:life.least+rng.IntN(len(whole)-life.least+1)], 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// troubles returns faults of all kinds but outages and jumps at chosen instants.
func (e *experiment) troubles(rng *rand.Rand) sim.Faults {
	span := policy.Duration(e.in.List[len(e.in.List)-1].Submitted)
	faults := sim.Faults{
		Seed: e.seed, MeanUp: span, MeanDown: span/20 + 1, TaskFailure: 0.05,
		PostLoss: 0.05, PostLate: 0.1, PostTwice: 0.05, MeanLate: time.Second,
		ActionLate: 0.02, ActionForgotten: 0.02, MeanSlip: time.Second,
		MeanSteady: span/5 + 1, MeanJump: time.Minute,
		Cancels: []sim.Cancel{{Job: e.in.List[rng.IntN(len(e.in.List))].ID, At: policy.Time(rng.Int64N(int64(span) + 1))}},
	}
	if rng.IntN(2) == 0 { // the host begins anew by its own will, and with that a new journal
		faults.Restarts = []policy.Time{policy.Time(rng.Int64N(int64(span) + 1))}
	}
	return faults
}

// A life is what a host keeps between two restarts.
type life struct {
	dir     string
	b       *broken
	make    func(map[string][]byte) (policy.Scheduler, error)
	journal *journal.Journal
	least   int // bytes that it begins with
	file    *os.File
	steps   *bufio.Writer // to the file
}

// begin begins a life, and ends the one before.
func (l *life) begin() (p policy.Scheduler, err error) {
	if err := l.end(); err != nil {
		return nil, err
	}
	name := l.b.file(l.dir, "whole")
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if l.file, err = os.Create(l.b.file(l.dir, "steps")); err != nil {
		return nil, err
	}
	l.steps = bufio.NewWriter(l.file)
	if l.journal, err = journal.Open(name, journal.Config{New: l.make}); err != nil {
		return nil, err
	}
	l.least = int(l.journal.Size())
	steps := json.NewEncoder(l.steps)
	return tapped(l.journal.Scheduler(), func(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
		return steps.Encode(taken{part, ev, actions})
	}), nil
}

// A tap is a part of a policy of which each step is shown.
type tap struct {
	policy.Scheduler
	part policy.NodeID
	see  func(part policy.NodeID, ev *policy.Event, actions []policy.Action) error
}

func (p tap) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	before := len(actions)
	actions, err := p.Scheduler.Step(ev, actions)
	if err == nil {
		err = p.see(p.part, ev, actions[before:])
	}
	return actions, err
}

type tappedCentre struct {
	tap
	d policy.Distributed
}

func (p tappedCentre) Part(n *policy.Node) policy.Scheduler { return tap{p.d.Part(n), n.ID, p.see} }

// tapped returns a policy of which each step of each part is shown.
func tapped(p policy.Scheduler, see func(policy.NodeID, *policy.Event, []policy.Action) error) policy.Scheduler {
	centre := tap{p, 0, see}
	if d, ok := p.(policy.Distributed); ok {
		return tappedCentre{centre, d}
	}
	return centre
}

func (l *life) end() error {
	if l.journal == nil {
		return nil
	}
	return errors.Join(l.journal.Close(), l.steps.Flush(), l.file.Close())
}

// restoreAll lets a new process restore what was broken off.
func restoreAll(t *testing.T, dir string, all []broken) {
	t.Helper()
	text, err := json.Marshal(all)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "all.json"), text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childOf+"="+dir)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("the new process: %v\n%s", err, out)
	}
}

// comeBack is what the new process does.
func comeBack(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "all.json"))
	if err != nil {
		return err
	}
	var all []broken
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	var e *experiment
	for i := range all {
		b := &all[i]
		if e == nil {
			if e, err = experimentOf(b.Args); err != nil {
				return err
			}
		}
		if err := e.goOn(dir, b); err != nil {
			return fmt.Errorf("%s: %w", b.Policy, err)
		}
	}
	return nil
}

// goOn restores a policy, tells it the rest of the run, and writes down what it answers.
func (e *experiment) goOn(dir string, b *broken) error {
	i := slices.IndexFunc(contenders, func(c contender) bool { return c.name == b.Policy })
	jobs, truth := workload.Split(e.in.List)
	for range jobs { // truth knows a job once it was asked for
	}
	j, err := journal.Open(b.file(dir, "left"), journal.Config{New: func(map[string][]byte) (policy.Scheduler, error) { return contenders[i].of(e.setting(truth)) }})
	if err != nil {
		return err
	}
	steps, err := os.Open(b.file(dir, "steps"))
	if err != nil {
		return err
	}
	defer steps.Close()
	out, err := os.Create(b.file(dir, "again"))
	if err != nil {
		return err
	}
	defer out.Close()
	known, _ := j.Restored()
	again := bufio.NewWriter(out)
	dec := json.NewDecoder(bufio.NewReader(steps))
	for n := 0; ; n++ {
		var s taken
		if err := dec.Decode(&s); err == io.EOF {
			return errors.Join(again.Flush(), j.Close())
		} else if err != nil {
			return err
		}
		if n < known {
			continue
		}
		if s.Actions, err = j.Step(s.Part, s.Event, nil); err != nil {
			return err
		}
		if err := json.NewEncoder(again).Encode(s); err != nil {
			return err
		}
	}
}

// compare compares what the new process wrote with what the run had.
func (b *broken) compare(t *testing.T, dir string) {
	t.Helper()
	var files [4][]byte
	for i, what := range []string{"whole", "left", "steps", "again"} {
		var err error
		if files[i], err = os.ReadFile(b.file(dir, what)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Errorf("%s: the journal went on otherwise", b.Policy)
	}
	if !bytes.HasSuffix(files[2], files[3]) {
		t.Errorf("%s: it answers otherwise than when it was not broken off", b.Policy)
	}
}
