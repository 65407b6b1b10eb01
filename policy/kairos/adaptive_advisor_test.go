package kairos_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/histogram"
	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

// adaptiveHost is a host that tells an AdaptiveAdvisor what happens. It stops the test at an error.
type adaptiveHost struct {
	*kairos.AdaptiveAdvisor
	now policy.Time
}

func newAdaptiveHost(cores ...int32) *adaptiveHost {
	h := &adaptiveHost{AdaptiveAdvisor: kairos.NewAdaptiveAdvisor(nil)}
	for i, c := range cores {
		id := policy.NodeID(i + 1)
		h.tell(policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: c, Speed: 1}})
	}
	return h
}

func (h *adaptiveHost) tell(ev policy.Event) {
	ev.Time = h.now
	if err := h.Observe(&ev); err != nil {
		panic(err)
	}
}

func (h *adaptiveHost) submit(id policy.JobID, stage policy.Stage) {
	h.tell(policy.Event{Kind: policy.Submitted, Copy: jobCopy(id), Job: &policy.Job{ID: id, Submitted: h.now, Stages: []policy.Stage{stage}}})
	h.tell(policy.Event{Kind: policy.Ready, Copy: jobCopy(id)})
}

// A job waits until the task that runs has the credit for which it may be suspended.
func ExampleAdaptiveAdvisor() {
	h := newAdaptiveHost(1) // observes events at its time now
	task := policy.Stage{Tasks: 1, Cores: 1}

	h.submit(1, task)
	h.tell(policy.Event{Kind: policy.Started, Copy: jobCopy(1), Node: 1})
	h.now = 10e9
	h.tell(policy.Event{Kind: policy.Finished, Copy: jobCopy(1), Node: 1, Service: 10e9})
	h.submit(2, task)
	fmt.Printf("idle: %.2f\n", h.Score(2, 1))
	h.tell(policy.Event{Kind: policy.Started, Copy: jobCopy(2), Node: 1})

	h.now = 15e9
	h.submit(3, task)
	_, again := h.Admit(3)
	fmt.Printf("after 5 s: %.2f, again in %v\n", h.Score(3, 1), again)

	h.now = h.now.Add(again)
	h.tell(policy.Event{Kind: policy.Woken})
	fmt.Printf("after 20 s, twice the median: %.2f\n", h.Score(3, 1))
	h.tell(policy.Event{Kind: policy.Suspended, Copy: jobCopy(2), Node: 1, Service: 20e9})
	h.tell(policy.Event{Kind: policy.Started, Copy: jobCopy(3), Node: 1})
	fmt.Printf("with two tasks: %.2f\n", h.Score(3, 1))
	// Output:
	// idle: 1.00
	// after 5 s: 0.00, again in 15s
	// after 20 s, twice the median: 0.33
	// with two tasks: 0.00
}

// On nodes of one core the advice is what adaptive nodes and the rules of NewAdaptive say, whatever happens.
func TestAdaptiveAdvisorAgreesWithNodes(t *testing.T) {
	type job struct {
		id               policy.JobID
		tasks, sent, out int
		ready            policy.Time
	}
	type duty struct {
		job  *job
		node int
		copy policy.Copy
	}
	taken, waits := 0, 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 41))
		nodes := make([]*kairos.AdaptiveNode[policy.Copy], 1+rng.IntN(5))
		h := newAdaptiveHost(slices.Repeat([]int32{1}, len(nodes))...)
		for i := range nodes {
			nodes[i], _ = kairos.NewAdaptiveNode[policy.Copy](kairos.AdaptiveNodeConfig{Cores: 1})
		}
		runtimes, _ := histogram.New(histogram.Config{})
		tasks := make([]int, len(nodes))
		kinds := map[kairos.MoveKind]policy.EventKind{kairos.Start: policy.Started, kairos.Suspend: policy.Suspended, kairos.Resume: policy.Resumed}
		carry := func(node int, moves []kairos.Move[policy.Copy], err error) {
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range moves {
				ev := policy.Event{Kind: kinds[m.Kind], Copy: m.Task, Node: policy.NodeID(node + 1)}
				h.tell(ev)
				if m.Kind != kairos.Start && rng.IntN(4) == 0 {
					h.tell(ev) // twice, which changes nothing
				}
			}
		}
		var jobs []*job // with tasks to start, in order of submission
		var run []duty
		for step := range 300 {
			h.now = h.now.Add(policy.Duration(rng.Int64N(20e9)))
			h.tell(policy.Event{Kind: policy.Woken})
			for i, n := range nodes {
				if at, ok := n.NextTimer(); ok && at <= h.now {
					moves, err := n.TimersFired(h.now, nil)
					carry(i, moves, err)
				}
			}
			if rng.IntN(3) == 0 {
				j := &job{id: policy.JobID(1000 - step), tasks: 1 + rng.IntN(6), ready: h.now}
				h.submit(j.id, policy.Stage{Tasks: uint32(j.tasks), Cores: 1})
				jobs = append(jobs, j)
			}
			if i := rng.IntN(len(run) + 1); i < len(run) {
				d, kind, runtime := run[i], policy.Finished+policy.EventKind(rng.IntN(2)), policy.Duration(1+rng.Int64N(20e9))
				run = slices.Delete(run, i, i+1)
				h.tell(policy.Event{Kind: kind, Copy: d.copy, Node: policy.NodeID(d.node + 1), Service: runtime})
				if kind == policy.Finished {
					if err := runtimes.Add(runtime.Seconds()); err != nil {
						t.Fatal(err)
					}
				}
				d.job.out--
				tasks[d.node]--
				moves, err := nodes[d.node].TaskEnded(h.now, d.copy, nil)
				carry(d.node, moves, err)
			}
			for len(jobs) > 0 {
				j := slices.MinFunc(jobs, func(a, b *job) int { return h.Compare(a.id, b.id) })
				if want := slices.MinFunc(jobs, func(a, b *job) int { return cmp.Compare(a.out, b.out) }); j != want {
					t.Fatalf("seed %d, step %d: job %d goes first, want job %d", seed, step, j.id, want.id)
				}
				best, score := -1, 0.0 // the node that the rules name, and the greatest score
				var most policy.Duration
				next := policy.Never
				for i, n := range nodes {
					from, credit := h.now, policy.Duration(1<<62) // of an idle core
					if tasks[i] > 0 {
						from, credit = policy.Never, 0
						if c, alone := n.Credit(h.now); alone && runtimes.Count() > 0 {
							median := policy.Duration(runtimes.Quantile(0.5) * 1e9)
							from, credit = max(j.ready.Add(median/10), h.now.Add(kairos.Claim(j.out, median)-c)), c
						}
					}
					got := h.Score(j.id, policy.NodeID(i+1))
					if (got > 0) != (from <= h.now) || (got > 0.5) != (tasks[i] == 0) || got < 0 || got > 1 {
						t.Fatalf("seed %d, step %d: node %d has %d tasks and a score of %v for job %d; it is %v, and the job may go there from %v on",
							seed, step, i+1, tasks[i], got, j.id, h.now, from)
					}
					if from <= h.now && credit > most {
						best, most = i, credit
					}
					next, score = min(next, from), max(score, got)
				}
				if best < 0 {
					_, again := h.Admit(j.id)
					if want := next.Sub(h.now); again != want && !(next == policy.Never && again == 0) {
						t.Fatalf("seed %d, step %d: job %d is to ask again in %v, want %v", seed, step, j.id, again, want)
					}
					waits++
					break
				}
				if got := h.Score(j.id, policy.NodeID(best+1)); got != score {
					t.Fatalf("seed %d, step %d: node %d has a score of %v, want the greatest, %v", seed, step, best+1, got, score)
				}
				c := policy.Copy{Task: policy.Task{Job: j.id, Index: uint32(j.sent)}}
				moves, err := nodes[best].TaskArrived(h.now, c, 0, nil)
				carry(best, moves, err)
				run = append(run, duty{j, best, c})
				if tasks[best]++; tasks[best] == 2 {
					taken++
				}
				j.out++
				if j.sent++; j.sent == j.tasks {
					jobs = slices.DeleteFunc(jobs, func(k *job) bool { return k == j })
				}
			}
		}
	}
	if taken < 1000 || waits < 1000 {
		t.Errorf("%d tasks were suspended and %d times a job had to wait; want at least 1000", taken, waits)
	}
}

// Idle cores count, and each task of a gang. What is replayed counts only if it runs.
func TestAdaptiveAdvisorOfManyCores(t *testing.T) {
	h := newAdaptiveHost(4, 2)
	scores := func(job policy.JobID, want ...float64) {
		t.Helper()
		for i, want := range want {
			if got := h.Score(job, policy.NodeID(i+1)); got != want {
				t.Errorf("at %v s node %d scores %v for job %d, want %v", h.now.Seconds(), i+1, got, job, want)
			}
		}
	}
	for id, tasks := range []uint32{1, 6, 1, 2} {
		h.submit(policy.JobID(id+1), policy.Stage{Tasks: tasks, Cores: 1, Gang: tasks == 6})
	}
	h.tell(policy.Event{Kind: policy.Finished, Replay: true, Copy: jobCopy(4), Node: 2, Service: 4e9})
	h.tell(policy.Event{Kind: policy.Suspended, Replay: true, Copy: jobCopy(4), Node: 1})
	scores(4, 1, 0.75, 0)
	scores(5, 0, 0) // there is no such job
	h.tell(policy.Event{Kind: policy.Started, Copy: jobCopy(2), Gang: []policy.Share{{Node: 1, Tasks: 3}, {Node: 2, Tasks: 3}}})
	scores(4, 0.625, 0)
	h.now = 2e9
	h.tell(policy.Event{Kind: policy.Started, Copy: jobCopy(3), Node: 1, Service: 100e9}) // has a credit of 0
	if h.Compare(1, 4) >= 0 || h.Compare(4, 3) >= 0 || h.Compare(3, 2) >= 0 {
		t.Error("the order of jobs is not 1, 4, 3, 2: that of tasks out")
	}
	h.now = 28e9
	h.tell(policy.Event{Kind: policy.Woken})
	scores(4, 28.0/32/2, 28.0/32/2)
	scores(2, 0, 0) // which has a claim of 2*7*4 s
	h.tell(policy.Event{Kind: policy.Suspended, Copy: jobCopy(3), Node: 1})
	scores(4, 0.625)
	h.tell(policy.Event{Kind: policy.Killed, Copy: jobCopy(2)})
	h.tell(policy.Event{Kind: policy.Left, Node: 2})
	scores(4, 1, 0)
}

// A question allocates nothing, and an event what the Advisor needs to pass it on.
func TestAdaptiveAdvisorAllocations(t *testing.T) {
	h := newAdaptiveHost(1)
	h.submit(1, policy.Stage{Tasks: 1, Cores: 1})
	h.tell(policy.Event{Kind: policy.Started, Copy: jobCopy(1), Node: 1})
	ask := func() {
		h.Score(1, 1)
		h.Compare(1, 2)
		h.Admit(1)
	}
	change := func() {
		h.tell(policy.Event{Kind: policy.Suspended, Copy: jobCopy(1), Node: 1})
		h.tell(policy.Event{Kind: policy.Resumed, Copy: jobCopy(1), Node: 1})
	}
	if asked, changed := testing.AllocsPerRun(100, ask), testing.AllocsPerRun(100, change); asked > 0 || changed > 2 {
		t.Errorf("questions allocate %v times and two events %v times, want 0 and at most 2", asked, changed)
	}
}
