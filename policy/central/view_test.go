package central_test

import (
	"math"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// What a View promises.
func TestViewPromises(t *testing.T) {
	t.Run("it agrees with a naive one on what waits, what runs and where there is room", viewAgainstNaive)
	t.Run("its stocks of named resources are those of the host", stocksAgreeWithTheHost)
	t.Run("it refuses what cannot be, and is then as it was", viewRefusesTheImpossible)
	t.Run("it is time to decide at the last event of an instant, and after more than a refusal", viewDecides)
	t.Run("a job that is taken back leaves nothing behind", withdraws)
	t.Run("it allocates nothing in the steady state", viewDoesNotAllocate)
	t.Run("what is saved of a unit counts once, whoever says it", savedIsToldTwice)
}

// observe shows a view an event that can be.
func observe(t testing.TB, v *central.View, ev policy.Event) *central.Job {
	t.Helper()
	j, err := v.Observe(&ev)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// observed returns a view of a node of four cores and a job of two stages, both ready.
func observed(t testing.TB) (*central.View, *central.Job) {
	v := new(central.View)
	offers := []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 4}}
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 3, Cores: 1, Needs: []policy.Need{{Name: "gpu", Amount: 1000}}}, {Tasks: 2, Cores: 1, Gang: true}}}
	for _, ev := range []policy.Event{
		{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 4, Memory: 1 << 30, Speed: 1, Offers: offers}},
		{Kind: policy.Submitted, Copy: copyOf(1, 0, 0, 0), Job: job},
		{Kind: policy.Ready, Copy: copyOf(1, 1, 0, 0)},
		{Kind: policy.Ready, Copy: copyOf(1, 0, 0, 0)},
	} {
		observe(t, v, ev)
	}
	return v, v.Job(1)
}

func savedIsToldTwice(t *testing.T) {
	v, j := observed(t)
	j.Job.Stages[0].Saves = true
	c := v.Start(j, central.Where{}).Copy
	more := v.Another(j, c.Task, central.Where{}).Copy
	for i, x := range []policy.Copy{c, more} {
		observe(t, v, policy.Event{Kind: policy.Started, Copy: x, Node: 1, Devices: 1 << i})
	}
	for i, x := range []policy.Copy{c, more} { // a host may say at both ends that the task needs another Start
		observe(t, v, policy.Event{Kind: policy.Lost, Copy: x, Node: 1, Devices: 1 << i, Again: true, Saved: policy.Duration(3+2*i) * 1e9})
	}
	if got := j.Stages[0].Saved; got != 5 {
		t.Errorf("%v s are saved of what waits, want 5 s", got)
	}
}

func viewRefusesTheImpossible(t *testing.T) {
	for _, test := range []struct {
		ev   policy.Event
		want string
	}{
		{policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1}}, "node 1 has joined twice"},
		{policy.Event{Kind: policy.Joined, Node: 2}, "node 2 has joined without its description"},
		{policy.Event{Kind: policy.Killed, Copy: copyOf(1, 0, 0, 0), Node: 1, Saved: -1}, "with -1ns saved"},
		{policy.Event{Kind: policy.Killed, Copy: copyOf(1, 0, 0, 0), Node: 1, Saved: 1}, "a stage that Saves"},
		{policy.Event{Kind: policy.Left, Node: 2}, "node 2 has left, but had not joined; report policy.Joined first"},
		{policy.Event{Kind: policy.Submitted, Copy: copyOf(1, 0, 0, 0), Job: &policy.Job{ID: 1}}, "job 1 was submitted twice"},
		{policy.Event{Kind: policy.Submitted, Copy: copyOf(2, 0, 0, 0)}, "job 2 was submitted without"},
		{policy.Event{Kind: policy.Submitted, Job: &policy.Job{ID: 2}}, "job 0 was submitted with the description of job 2"},
		{policy.Event{Kind: policy.Joined, Node: 2, Info: &policy.Node{ID: 3}}, "node 2 has joined with the description of node 3"},
		{policy.Event{Kind: policy.Ready, Copy: copyOf(2, 0, 0, 0)}, "job 2"},
		{policy.Event{Kind: policy.Ready, Copy: copyOf(1, 2, 0, 0)}, "stage 2 of job 1, which has 2"},
		{policy.Event{Kind: policy.Ready, Copy: copyOf(1, 0, 0, 0)}, "stage 0 of job 1 is ready twice"},
		{policy.Event{Kind: policy.Ended, Copy: copyOf(2, 0, 0, 0)}, "job 2"},
		{policy.Event{Kind: policy.Finished, Copy: copyOf(1, 0, 3, 0), Node: 1}, "task 3 of stage 0"},
		{policy.Event{Kind: policy.Finished, Copy: copyOf(1, 1, 1, 0), Node: 1}, "task 1 of stage 1"},
		{policy.Event{Kind: policy.Finished, Copy: copyOf(1, 0, 0, 0), Node: 2}, "node 2, which had not joined"},
		{policy.Event{Kind: policy.Started, Copy: copyOf(1, 0, 0, 0)}, "Started of 1/0/0#0 on no node"},
		{policy.Event{Kind: policy.Started, Copy: copyOf(1, 0, 0, 0), Node: 1}, "Started of 1/0/0#0, which View.Start has not started"},
		{policy.Event{Kind: policy.Left, Node: math.MaxUint32}, "node 4294967295 has left"},
		{policy.Event{Kind: policy.Refused, Copy: copyOf(1, 0, 0, 0), Partition: math.MaxUint32}, "partition 4294967295"},
		{policy.Event{Kind: policy.Joined, Node: 2, Info: &policy.Node{ID: 2, Partition: 1, Cores: -4, Speed: 1}}, "node 2 has -4 cores"},
		{policy.Event{Kind: policy.Submitted, Copy: copyOf(2, 0, 0, 0), Job: &policy.Job{ID: 2}}, "job 2 has no stages"},
		{policy.Event{Kind: policy.Killed, Copy: copyOf(1, 0, 0, 0), Node: 1, Service: -1}, "-1ns of service"},
		{policy.Event{Kind: policy.Progress, Copy: copyOf(1, 0, 0, 0), Node: 1, Value: math.NaN()}, "NaN of its work"},
		{policy.Event{Kind: 99, Copy: copyOf(1, 0, 0, 0)}, "kind 99"},
		{policy.Event{Kind: policy.Lost, Copy: copyOf(1, 1, 0, 0), Gang: []policy.Share{{Node: 3, Tasks: 2}}}, "node 3"},
	} {
		v, _ := observed(t)
		v.Decide(&policy.Event{})
		before := jobtest.Dump(v)
		test.ev.Time = 5
		_, err := v.Observe(&test.ev)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: error %v, want one with %q", test.ev.Kind, err, test.want)
		}
		if after := jobtest.Dump(v); after != before {
			t.Errorf("%v: the view has changed from\n%s to\n%s", test.ev.Kind, before, after)
		}
	}
}

// A task that was refused waits again, whichever is next by View.First, and is not Started by itself.
func TestStartedAfterRefusal(t *testing.T) {
	for _, picked := range []bool{false, true} {
		v, j := observed(t)
		if picked {
			v.First(j, 0, []int{0})
		}
		a := v.Start(j, central.Where{})
		observe(t, v, policy.Event{Kind: policy.Refused, Copy: a.Copy, Again: true})
		free, waiting := v.Free(0), j.Waiting
		if _, err := v.Observe(&policy.Event{Kind: policy.Started, Copy: a.Copy, Node: 1}); err == nil || v.Free(0) != free || j.Waiting != waiting {
			t.Errorf("picked %v: error %v, %d cores free and %d units waiting, want an error, %d and %d", picked, err, v.Free(0), j.Waiting, free, waiting)
		}
	}
}

func viewDecides(t *testing.T) {
	v, j := observed(t)
	refused := policy.Event{Kind: policy.Refused, Copy: copyOf(1, 0, 0, 0), Again: true}
	for _, test := range []struct {
		name   string
		starts int // after the event before
		ev     policy.Event
		want   bool
	}{
		{"more follows", 0, policy.Event{Kind: policy.Woken, More: true}, false},
		{"the last one", 0, policy.Event{Kind: policy.Woken}, true},
		{"a refusal", 1, refused, false},
		{"a refusal after news", 1, policy.Event{Kind: policy.Woken, More: true}, false},
		{"... that now comes", 0, refused, true},
		{"news while a Start is under way", 1, policy.Event{Kind: policy.Woken}, true},
		{"... whose refusal gives back what that decision could not have", 0, refused, true},
		{"the same Start is refused again", 1, refused, false},
		{"replay", 0, policy.Event{Kind: policy.Submitted, Replay: true, Copy: copyOf(2, 0, 0, 0), Job: &policy.Job{ID: 2, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}}, false},
		{"the end of it", 0, policy.Event{Kind: policy.Restored}, true},
	} {
		for range test.starts {
			v.Start(j, central.Where{})
		}
		observe(t, v, test.ev)
		if got := v.Decide(&test.ev); got != test.want {
			t.Errorf("%s: Decide() = %v, want %v", test.name, got, test.want)
		}
	}
}

// A task runs longer on a slow node, outside the partitions that it prefers, and off the nodes that hold its input.
func TestSlowdown(t *testing.T) {
	v := new(central.View)
	for id, speed := range []float64{1, 1, 0.5} {
		n := policy.Node{ID: policy.NodeID(id + 1), Partition: policy.PartitionID(id%2 + 1), Cores: 4, Speed: speed}
		observe(t, v, policy.Event{Kind: policy.Joined, Node: n.ID, Info: &n})
	}
	plain := policy.Stage{Tasks: 2, Elsewhere: 3}
	prefers, held := plain, plain
	prefers.Prefer, held.Holders = []policy.PartitionID{1}, []policy.NodeID{1, 2}
	for _, tt := range []struct {
		what  string
		stage policy.Stage
		task  uint32
		node  policy.NodeID
		gang  []policy.Share
		want  float64
	}{
		{"a slow node", plain, 0, 3, nil, 2},
		{"a preferred partition", prefers, 0, 1, nil, 1},
		{"another partition", prefers, 0, 2, nil, 3},
		{"with its input", held, 1, 2, nil, 1},
		{"without its input", held, 1, 1, nil, 3},
		{"a gang with its input", held, 0, 0, []policy.Share{{Node: 1, Tasks: 1}, {Node: 2, Tasks: 1}}, 1},
		{"a gang of which a task is without", held, 0, 0, []policy.Share{{Node: 1, Tasks: 2}}, 3},
		{"no node", held, 0, 0, nil, 0},
	} {
		got, ok := v.Slowdown(&policy.Event{Copy: copyOf(1, 0, tt.task, 0), Node: tt.node, Gang: tt.gang}, &tt.stage)
		if got != tt.want || ok != (tt.want > 0) {
			t.Errorf("%s: got %v, %v, want %v", tt.what, got, ok, tt.want)
		}
	}
}

func viewDoesNotAllocate(t *testing.T) {
	v, j := observed(t)
	started := policy.Event{Kind: policy.Started, Node: 1}
	killed := policy.Event{Kind: policy.Killed, Node: 1, Again: true}
	step := func() {
		started.Copy = v.Start(j, central.Where{}).Copy
		killed.Copy = started.Copy
		for _, ev := range []*policy.Event{&started, &killed} {
			if _, err := v.Observe(ev); err != nil {
				t.Fatal(err)
			}
		}
	}
	step()
	if got := testing.AllocsPerRun(1000, step); got > 0 {
		t.Errorf("%v allocations a step, want 0", got)
	}
}

func withdraws(t *testing.T) {
	var v central.View
	submitted := policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}}
	for _, before := range []bool{false, true} {
		if before {
			observe(t, &v, policy.Event{Kind: policy.Woken})
		}
		v.Withdraw(observe(t, &v, submitted))
		if got := v.Decide(new(policy.Event)); v.Job(1) != nil || got != before {
			t.Errorf("the job is %v, and it is time to decide: %t, want none, %t", v.Job(1), got, before)
		}
	}
	observe(t, &v, submitted) // it may come again
}

// Several copies of a task may end with Again before another one is started. The task waits once.
func TestAgainTwice(t *testing.T) {
	v, j := observed(t)
	first := v.Start(j, central.Where{}).Copy
	second := v.Another(j, first.Task, central.Where{}).Copy
	waiting := j.Waiting
	for _, c := range []policy.Copy{first, second} {
		observe(t, v, policy.Event{Kind: policy.Started, Copy: c, Node: 1})
		observe(t, v, policy.Event{Kind: policy.Lost, Copy: c, Node: 1, Again: true})
	}
	if j.Waiting != waiting+1 {
		t.Errorf("%d tasks wait, want %d", j.Waiting, waiting+1)
	}
	if _, err := v.Observe(&policy.Event{Kind: policy.Finished, Copy: first, Node: 1}); err != nil || j.Waiting != waiting {
		t.Errorf("%d tasks wait after it has finished, error %v; want %d", j.Waiting, err, waiting)
	}
}

// Nothing is said of the copies of a stage before it is ready, that one is to be started again least of all.
func TestViewRefusesCopiesBeforeReady(t *testing.T) {
	v, _ := observed(t)
	j := observe(t, v, policy.Event{Kind: policy.Submitted, Copy: copyOf(2, 0, 0, 0), Job: &policy.Job{ID: 2, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}})
	for kind := policy.Started; kind <= policy.Lost; kind++ {
		_, err := v.Observe(&policy.Event{Kind: kind, Copy: copyOf(2, 0, 0, 0), Node: 1, Again: true})
		if err == nil || !strings.Contains(err.Error(), "not ready") || j.Waiting != 0 {
			t.Errorf("%v: error %v, %d tasks wait, want an error and none", kind, err, j.Waiting)
		}
	}
}

// A start that is lost may be of a task that waits again already: the host did not know that it was on its way.
func TestReturnOfWhatWaits(t *testing.T) {
	for _, first := range []bool{false, true} {
		var v central.View
		observe(t, &v, policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Cores: 8, Speed: 1, Partition: 1}})
		observe(t, &v, policy.Event{Kind: policy.Submitted, Copy: copyOf(1, 0, 0, 0), Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}})
		j := observe(t, &v, policy.Event{Kind: policy.Ready, Copy: copyOf(1, 0, 0, 0)})
		if first {
			v.First(j, 0, []int{0})
		}
		a := v.Start(j, central.Where{})
		b := v.Another(j, a.Copy.Task, central.Where{})
		observe(t, &v, policy.Event{Kind: policy.Started, Copy: a.Copy, Node: 1})
		observe(t, &v, policy.Event{Kind: policy.Failed, Copy: a.Copy, Node: 1, Again: true})
		if v.Return(copyOf(1, 0, 0, b.Copy.N+1), 0, true) {
			t.Error("a copy returns that has not been started")
		}
		if ok := v.Return(b.Copy, 0, true); !ok || j.Waiting != 2 || j.Cores != 0 || v.Free(0) != 8 {
			t.Errorf("with First %t: returned %t, %d tasks wait, the job has %d cores, %d are free; want true, 2, 0, 8", first, ok, j.Waiting, j.Cores, v.Free(0))
		}
	}
}

func TestViewFirstRefusesTheImpossible(t *testing.T) {
	v, j := observed(t) // of three tasks, and of a gang
	for _, test := range []struct {
		stage uint32
		tasks []int
	}{{0, []int{3}}, {0, []int{-1}}, {0, []int{1, 1}}, {1, []int{1}}, {2, []int{0}}} {
		if v.First(j, test.stage, test.tasks) {
			t.Errorf("First of %v of stage %d says yes", test.tasks, test.stage)
		}
	}
	if got := v.Start(j, central.Where{}).Copy; got != copyOf(1, 0, 0, 0) {
		t.Errorf("started %v, want the first task", got)
	}
}
