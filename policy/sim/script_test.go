package sim_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// script is a policy that is written out in a test: a function from events to actions.
// It logs what it hears.
type script struct {
	log   []string
	on    func(ev *policy.Event) []policy.Action
	part  func(n *policy.Node) *script // nil for a central policy
	name  string
	quiet bool // no log
}

func (s *script) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if !s.quiet {
		s.log = append(s.log, s.name+describe(ev))
	}
	return append(actions, s.on(ev)...), nil
}

// distributed gives a script parts.
type distributed struct {
	*script
}

func (d distributed) Part(n *policy.Node) policy.Scheduler {
	p := d.part(n)
	p.name = fmt.Sprintf("node %d: ", n.ID)
	return p
}

// describe writes an event as a line: when, what, and whatever else is not zero.
func describe(ev *policy.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%gs %v", ev.Time.Seconds(), ev.Kind)
	switch {
	case ev.Kind == policy.Submitted || ev.Kind == policy.Ended:
		fmt.Fprintf(&b, " %d", ev.Copy.Job)
	case ev.Kind == policy.Ready:
		fmt.Fprintf(&b, " %d/%d", ev.Copy.Job, ev.Copy.Stage)
	case ev.Copy.Job != 0:
		fmt.Fprintf(&b, " %v", ev.Copy)
	}
	if ev.Outcome != 0 {
		fmt.Fprintf(&b, " %v", ev.Outcome)
	}
	if ev.Node != 0 {
		fmt.Fprintf(&b, " node=%d", ev.Node)
	}
	for _, share := range ev.Gang {
		fmt.Fprintf(&b, " node=%dx%d", share.Node, share.Tasks)
	}
	if ev.Service != 0 {
		fmt.Fprintf(&b, " service=%v", ev.Service)
	}
	if ev.Saved != 0 {
		fmt.Fprintf(&b, " saved=%v", ev.Saved)
	}
	if ev.Kind == policy.Progress {
		fmt.Fprintf(&b, " value=%g", ev.Value)
	}
	if ev.Msg.Kind != 0 {
		fmt.Fprintf(&b, " msg=%d", ev.Msg.Kind)
	}
	for _, flag := range []struct {
		set  bool
		name string
	}{{ev.Again, "again"}, {ev.Idle, "idle"}, {ev.Replay, "replay"}} {
		if flag.set {
			b.WriteString(" " + flag.name)
		}
	}
	return b.String()
}

const s = time.Second

// bag makes a job of one-core tasks.
var bag = jobtest.Bag

// run simulates jobs under a policy on nodes of two cores, unless the configuration says
// otherwise.
func run(t *testing.T, config sim.Config, p policy.Scheduler, jobs ...*workload.Job) *sim.Result {
	t.Helper()
	r, err := try(t, config, p, jobs...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func try(t *testing.T, config sim.Config, p policy.Scheduler, jobs ...*workload.Job) (*sim.Result, error) {
	t.Helper()
	js, truth := workload.Split(jobs)
	config.Jobs = js
	if config.Truth == nil {
		config.Truth = truth
	}
	if config.Nodes == nil {
		config.Nodes = sim.Cluster(sim.Partition{Nodes: 2, Cores: 2})
	}
	return sim.Run(t.Context(), config, p)
}

// wantLog compares what was heard with a story, a line an event, leaving out Joined
// unless the story has it.
func wantLog(t *testing.T, got []string, story string) {
	t.Helper()
	var want, heard []string
	for line := range strings.Lines(story) {
		if line = strings.TrimSpace(line); line != "" {
			want = append(want, line)
		}
	}
	for _, line := range got {
		if strings.Contains(story, "Joined") || !strings.Contains(line, "Joined") {
			heard = append(heard, line)
		}
	}
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

var task, start, startOn, do = jobtest.Task, jobtest.Start, jobtest.StartOn, jobtest.Do

func list(actions ...policy.Action) []policy.Action { return actions }

// isReady reports whether ev says that a stage is ready.
func isReady(ev *policy.Event, job policy.JobID, stage uint32) bool {
	return ev.Kind == policy.Ready && ev.Copy.Job == job && ev.Copy.Stage == stage
}

func at(seconds float64) policy.Time { return policy.Time(seconds * 1e9) }
