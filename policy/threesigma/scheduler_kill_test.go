package threesigma_test

import (
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
)

func preemption(t *testing.T) {
	for _, test := range []struct {
		name     string
		deadline float64
		others   float64 // deadline of those that run; 0: best effort
		c        threesigma.Config
		killed   int
		met      bool
	}{
		{"now or never", 61, 0, threesigma.Config{}, 2, true}, // it takes the cores of both in the cycle that kills them
		{"can wait", 200, 0, threesigma.Config{}, 0, true},
		{"too much has been done", 70, 0, threesigma.Config{BestEffort: threesigma.BestEffort{Horizon: second / 5}}, 0, false},
		{"must not", 70, 0, threesigma.Config{NoPreemption: true}, 0, false},
		{"those that run have deadlines too", 70, 150, threesigma.Config{}, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.c.Interval = 5 * second
			jobs := []*workload.Job{gang(5, 10, 2, 50, test.deadline)}
			for id := range policy.JobID(4) {
				jobs = append(jobs, gang(id+1, 0, 1, 100, test.others))
				jobs[id+1].Stages[0].Saves = id%2 == 0 // and nothing of these is lost
			}
			slices.SortFunc(jobs, func(a, b *workload.Job) int { return int(a.Submitted - b.Submitted) })
			r := run(t, test.c, []int{4}, nil, jobs...)
			if got := len(r.kills); got != test.killed || r.job(5).MetDeadline() != test.met {
				t.Errorf("killed %v; ended at %v", r.kills, r.job(5).Ended.Seconds())
			}
			for i := range r.Jobs {
				if j := &r.Jobs[i]; j.ID < 5 && j.ID%2 == 1 && j.Wasted > 0 {
					t.Errorf("job %d has wasted %v core-seconds, want none", j.ID, j.Wasted)
				}
				if !r.Jobs[i].Done() {
					t.Errorf("job %d: %v", r.Jobs[i].ID, r.Jobs[i].Outcome)
				}
			}
		})
	}
}

// What has run or waited for a time without end, and is worth as much as may be, is still planned: the one
// is not killed, the other starts in its turn.
func TestBestEffortWithoutEnd(t *testing.T) {
	const ages = 1e9 // s
	c := threesigma.Config{
		Interval: policy.Duration(ages / 10 * 1e9), BestEffort: threesigma.BestEffort{Value: 1e6, Horizon: second / 1000},
	}
	each := func(s *threesigma.Scheduler, now float64) {
		if err := s.Last().Err; err != nil {
			t.Errorf("at %v s: %v", now, err)
		}
	}
	r := run(t, c, []int{4}, each, gang(1, 0, 3, 2*ages, 0), gang(2, 0, 4, ages, 0), gang(3, ages, 4, ages, 2.5*ages))
	if len(r.kills) > 0 || !r.job(2).Done() || !r.job(3).Done() {
		t.Errorf("killed %v; started %v", r.kills, r.starts)
	}
}

// Best-effort jobs never push one another out, also while a job with a deadline waits.
func TestBestEffortJobsStay(t *testing.T) {
	jobs := []*workload.Job{gang(1, 0, 4, 500, 450), gang(2, 0, 1, 1000, 0)}
	jobs = append(jobs, gang(3, 1, 4, 50, 900)) // waits for job 1, and needs nobody to be killed
	for id := policy.JobID(4); id < 60; id++ {
		jobs = append(jobs, gang(id, float64(id), 1, 10, 0))
	}
	r := run(t, threesigma.Config{Interval: 5 * second, Overestimate: threesigma.Overestimate{Handling: threesigma.Always}}, []int{5}, nil, jobs...)
	if len(r.kills) > 0 || !r.job(3).MetDeadline() {
		t.Errorf("killed %v, job 3 ended at %v", r.kills, r.job(3).Ended.Seconds())
	}
}

func deadlinesFirst(t *testing.T) {
	var jobs []*workload.Job
	for id := policy.JobID(1); id <= 16; id++ {
		jobs = append(jobs, gang(id, 0, 1, 100, 0))
	}
	jobs = append(jobs, gang(17, 20, 12, 50, 90))
	for id := policy.JobID(18); id <= 40; id++ {
		jobs = append(jobs, gang(id, 20, 1, 100, 0))
	}
	r := run(t, threesigma.Config{}, []int{8, 8}, nil, jobs...)
	if !r.job(17).MetDeadline() || len(r.kills) != 12 {
		t.Errorf("killed %v, started %v", r.kills, r.starts[17])
	}
}

// What started in the same instant is dealt out so that all find room.
func TestDealtOut(t *testing.T) {
	blocker := func(id policy.JobID, width uint32, p policy.PartitionID) *workload.Job {
		j := gang(id, 0, width, 1000, 5000)
		j.Stages[0].Prefer, j.Stages[0].Elsewhere = []policy.PartitionID{p}, 10
		return j
	}
	job := func(id policy.JobID, prefer ...policy.PartitionID) *workload.Job {
		j := gang(id, 10, 1, 100, 115)
		j.Stages[0].Prefer, j.Stages[0].Elsewhere = prefer, 10
		return j
	}
	// One core is free in partition 1 and two are in 3.
	jobs := []*workload.Job{blocker(1, 1, 1), blocker(2, 2, 2), blocker(3, 2, 4), job(4, 2, 3, 4), job(5, 1, 2, 3), job(6, 1, 2, 4)}
	r := run(t, threesigma.Config{GiveUpLate: true}, []int{2, 2, 2, 2}, nil, jobs...)
	for id := policy.JobID(4); id <= 6; id++ {
		if !r.job(id).MetDeadline() {
			t.Errorf("job %d started at %v, %v", id, r.starts[id], r.job(id).Outcome)
		}
	}
}

// A job starts where the fewest cores are free, so that a wider one finds room elsewhere.
func TestFullestPartitionFirst(t *testing.T) {
	wide := gang(2, 10, 2, 100, 115) // is in time in partition 1 alone
	wide.Stages[0].Prefer, wide.Stages[0].Elsewhere = []policy.PartitionID{1}, 10
	r := run(t, threesigma.Config{NoPreemption: true}, []int{2, 1}, nil, gang(1, 0, 1, 1000, 0), wide)
	if !r.job(2).MetDeadline() {
		t.Errorf("the wide job started at %v and ended at %v s, want 10 and 110", r.starts[2], r.job(2).Ended.Seconds())
	}
}

// A host that refuses for what the Scheduler does not see neither has others killed again and again, nor idles.
func TestRefused(t *testing.T) {
	jobs := []*workload.Job{}
	for id := policy.JobID(1); id <= 16; id++ {
		jobs = append(jobs, gang(id, 0, 1, 200, 0))
	}
	wide := gang(17, 10, 1, 50, 200)
	wide.Stages[0].Cores, wide.Stages[0].Gang = 4, false
	jobs = append(jobs, wide)
	r := runOn(t, threesigma.Config{}, []sim.Partition{{Nodes: 4, Cores: 4}}, nil, jobs...)
	if n := len(r.kills); n > 4 || !r.job(17).Done() {
		t.Errorf("%d jobs killed; %v", n, r.job(17).Outcome)
	}
	bag := gang(1, 0, 100, 10, 0)
	bag.Stages[0].Cores, bag.Stages[0].Gang = 2, false
	r = runOn(t, threesigma.Config{}, []sim.Partition{{Nodes: 4, Cores: 3}}, nil, bag)
	if end := r.job(1).Ended.Seconds(); end > 260 { // 25 rounds of 4 tasks
		t.Errorf("a bag on nodes that its tasks do not fill ends at %v s", end)
	}
}

// What is refused again and again is tried again after ever more cycles, 16 at most.
func TestRefusedAgain(t *testing.T) {
	b := &book{of: map[policy.JobID]central.Distribution{1: forecast.Known(100)}}
	s := must(t, threesigma.NewScheduler, threesigma.Config{Forecast: b})
	of := policy.Copy{Task: policy.Task{Job: 1}}
	tell := func(cycle policy.Time, ev policy.Event) bool {
		t.Helper()
		ev.Time = cycle * 10e9
		actions, err := s.Step(&ev, nil)
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(actions, func(a policy.Action) bool { return a.Kind == policy.Start })
	}
	tell(0, policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
	tell(0, policy.Event{Kind: policy.Submitted, Copy: of, Job: &gang(1, 0, 1, 100, 0).Job, More: true})
	starts := tell(0, policy.Event{Kind: policy.Ready, Copy: of})
	var tried []policy.Time
	for cycle := range policy.Time(60) {
		if starts || tell(cycle, policy.Event{Kind: policy.Woken}) {
			tried = append(tried, cycle)
			tell(cycle, policy.Event{Kind: policy.Refused, Copy: of, Partition: 1, Again: true})
		}
		starts = false
	}
	if want := []policy.Time{0, 2, 6, 14, 30, 46}; !slices.Equal(tried, want) {
		t.Errorf("tried in cycles %v, want %v", tried, want)
	}
}

// A host that takes time to kill refuses the Start that came with the order. It is tried again, and nobody else
// is killed meanwhile.
func TestKillsTakeTime(t *testing.T) {
	for _, gone := range []float64{65, 75} { // when the job that is killed has ended
		killsTakeTime(t, gone)
	}
}

func killsTakeTime(t *testing.T, gone float64) {
	t.Helper()
	b := &book{of: map[policy.JobID]central.Distribution{1: forecast.Known(1000), 2: forecast.Known(1000), 3: forecast.Known(30)}}
	s := must(t, threesigma.NewScheduler, threesigma.Config{Forecast: b})
	var started, killed []policy.JobID
	tell := func(at float64, events ...policy.Event) {
		t.Helper()
		for _, ev := range events {
			ev.Time = policy.Time(at * 1e9)
			actions, err := s.Step(&ev, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range actions {
				switch a.Kind {
				case policy.Start:
					started = append(started, a.Copy.Job)
				case policy.Kill:
					killed = append(killed, a.Copy.Job)
				}
			}
		}
	}
	of := func(id policy.JobID) policy.Copy { return policy.Copy{Task: policy.Task{Job: id}} }
	submit := func(j *workload.Job) []policy.Event {
		return []policy.Event{{Kind: policy.Submitted, Copy: of(j.ID), Job: &j.Job, More: true}, {Kind: policy.Ready, Copy: of(j.ID)}}
	}
	for id := policy.NodeID(1); id <= 2; id++ {
		tell(0, policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: 1, Speed: 1}})
	}
	for id := policy.JobID(1); id <= 2; id++ {
		tell(20*float64(id), submit(gang(id, 0, 1, 1000, 0))...)
		tell(20*float64(id), policy.Event{Kind: policy.Started, Copy: of(id), Partition: 1, Gang: []policy.Share{{Node: policy.NodeID(id), Tasks: 1}}})
	}
	started = nil
	tell(60, submit(gang(3, 60, 1, 30, 200))...)
	if len(killed) != 1 || !slices.Equal(started, []policy.JobID{3}) {
		t.Fatalf("killed %v, started %v", killed, started)
	}
	tell(60, policy.Event{Kind: policy.Refused, Copy: of(3), Partition: 1, Again: true})
	victim := of(killed[0])
	if gone > 70 {
		tell(70, policy.Event{Kind: policy.Woken})
	}
	tell(gone, policy.Event{Kind: policy.Killed, Copy: victim, Gang: []policy.Share{{Node: policy.NodeID(victim.Job), Tasks: 1}}, Service: 1, Again: true})
	started = nil
	tell(gone+5, policy.Event{Kind: policy.Woken})
	if len(killed) != 1 || !slices.Contains(started, 3) {
		t.Errorf("gone at %v s: killed %v, started %v after that", gone, killed, started)
	}
}
