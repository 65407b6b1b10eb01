package probing

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// What a part had asked before its node left may come to the centre after the node has joined
// again. The answer to it is no answer to what the part that is there now has asked.
func TestAnswersToAFormerPartAreNone(t *testing.T) {
	p := jobtest.Must(NewSparrow(Config{Src: rand.NewPCG(1, 1), ProbeRatio: 1}))
	b := newBoard(t, p, 1)
	c := policy.Copy{Task: policy.Task{Job: 1}}
	j := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
	b.hear(0, &policy.Event{Kind: policy.Submitted, Copy: c, Job: j, More: true})
	b.hear(0, &policy.Event{Kind: policy.Ready, Copy: c})
	b.hear(1, &policy.Event{Kind: policy.Arrived, Msg: b.mail[0].a.Msg})
	old := b.mail[1] // the node asks, and is lost
	b.mail = nil

	info := &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}
	b.hear(0, &policy.Event{Kind: policy.Left, Node: 1, More: true})
	b.parts[1] = p.Part(info)
	b.hear(1, &policy.Event{Kind: policy.Joined, Node: 1, Info: info})
	b.hear(0, &policy.Event{Kind: policy.Joined, Node: 1, Info: info}) // a probe is under way
	b.mail = append(b.mail, old)
	b.tell(0, policy.Event{Kind: policy.Woken})
	if n := len(b.where); n != 1 {
		t.Errorf("%d tasks run on the node that is back, want 1:\n%s", n, b.passed())
	}
}

// Nor is a task that was given to the part before: it is sought a node anew, and what has been asked is still
// to be answered.
func TestTasksGivenToAFormerPartAreNotTaken(t *testing.T) {
	part := newSparrow().Part(&policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1})
	tell := func(kind uint32, job policy.JobID) []policy.Action {
		m := policy.Msg{Kind: kind}
		m.Copy.Job = job
		return jobtest.Must(part.Step(&policy.Event{Kind: policy.Arrived, Msg: m}, nil))
	}
	if got := tell(msgProbe, 2); len(got) != 1 || got[0].Msg.Kind != msgAsk {
		t.Fatalf("the part answers a probe with %v, want a question", got)
	}
	if got := tell(msgGive, 1); len(got) != 0 {
		t.Errorf("a task of job 1, given to the part before, leads to %v, want nothing", got)
	}
	if got := tell(msgGive, 2); len(got) != 1 || got[0].Kind != policy.Start || got[0].Copy.Job != 2 {
		t.Errorf("a task of job 2, which was asked for, leads to %v, want its Start", got)
	}
}

// A job that is refused for long keeps sending probes, but no more of them the longer it waits, and
// they take no more room; when it is no longer refused, all its tasks start, also where probes stay
// on their nodes for more.
func TestRefusedProbesDoNotMultiply(t *testing.T) {
	const tasks = 5
	for name, p := range map[string]*Scheduler{"Sparrow": newSparrow(), "Eagle": newEagle(nil)} {
		b := newBoard(t, p, 2)
		b.refuses = true
		b.submit(1, tasks, time.Second)
		most := p.minProbes + 4*tasks
		for tick := range 40 {
			b.log = nil
			b.tell(0, policy.Event{Kind: policy.Woken})
			if n := strings.Count(b.passed(), "probe"); n == 0 || n > most {
				t.Fatalf("%s: %d probes after %d ticks, want some and at most %d", name, n, tick, most)
			}
		}
		if n := len(p.view.jobs.Get(1).Own.slots); n > most {
			t.Errorf("%s: %d places for probes, want at most %d", name, n, most)
		}
		b.refuses = false
		b.tell(0, policy.Event{Kind: policy.Woken})
		done := 0
		for ; len(b.where) > 0; done++ {
			b.finish(slices.Min(slices.Collect(maps.Values(b.where))))
		}
		if done != tasks {
			t.Errorf("%s: %d of %d tasks were done in the end", name, done, tasks)
		}
	}
}

// truthOf returns a truth that forgets nothing, for policies that are made anew.
func truthOf(jobs []*workload.Job) (policy.Truth, error) {
	js, truth := workload.Split(jobs)
	for _, err := range js {
		if err != nil {
			return nil, err
		}
	}
	return truth, nil
}
