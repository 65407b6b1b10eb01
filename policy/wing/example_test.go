package wing_test

import (
	"fmt"

	"example.com/augur/dag/value"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
	"example.com/augur/queue"
)

// Two organisations share 8 cores. In each the job of the greatest value per compute time is first,
// whatever its user says, and a job tells why it waits.
func Example() {
	lookup, err := wing.NewLookup(wing.LookupConfig{Efficiency: func(template, user string) (float64, bool) {
		perSecond, ok := map[string]float64{"index": 12, "report": 0.5}[template]
		if !ok {
			perSecond, ok = map[string]float64{"ann": 3}[user]
		}
		return perSecond, ok
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	scheduler, err := wing.NewScheduler(wing.Config{Ranker: lookup, Queues: []wing.Queue{
		{Name: "search", Share: queue.Share{Guaranteed: 0.5, Maximum: 0.5}}, // hard boundaries
		{Name: "ads", Share: queue.Share{Guaranteed: 0.5}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	step := func(ev policy.Event) {
		actions, err := scheduler.Step(&ev, nil)
		if err != nil {
			fmt.Println(err)
		}
		for _, a := range actions {
			fmt.Println(a.Kind, "job", a.Copy.Job)
		}
	}
	step(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 8, Speed: 1}, More: true})
	gang := []policy.Stage{{Tasks: 4, Cores: 1, Gang: true}}
	jobs := []*policy.Job{
		{ID: 1, Queue: "search", Stages: gang, Priority: 9, Attrs: []policy.Attr{{Name: "template", Value: "report"}}},
		{ID: 2, Queue: "search", Stages: gang, Priority: 1, Attrs: []policy.Attr{{Name: "template", Value: "index"}}},
		{ID: 3, Queue: "ads", Stages: gang, Attrs: []policy.Attr{{Name: "user", Value: "ann"}}},
	}
	for i, j := range jobs {
		c := policy.Copy{Task: policy.Task{Job: j.ID}}
		step(policy.Event{Kind: policy.Submitted, Copy: c, Job: j, More: true})
		step(policy.Event{Kind: policy.Ready, Copy: c, More: i < len(jobs)-1})
	}
	// Job 1 waits: its queue is full.
	// Output:
	// Start job 2
	// Start job 3
}

// A job of low priority is what a job of high priority will read, an hour later. It is raised half
// an hour before that, if it has not run by then.
func ExampleNewRaise() {
	raise, err := wing.NewRaise(wing.RaiseConfig{
		Ranker: wing.ByPriority(),
		Dependents: func(*policy.Job) []wing.Dependent { // of all jobs, here
			return []wing.Dependent{{Queue: "search", Priority: 8, After: 3600 * s}}
		},
		LeadTime: 1800 * s,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	job := &policy.Job{ID: 1, Queue: "search", Priority: 2}
	for _, now := range []policy.Time{0, policy.Time(1799 * s), policy.Time(1800 * s)} {
		priority, _ := raise.Rank(job, now)
		fmt.Printf("after %4.0f s: priority %v\n", now.Seconds(), priority)
	}
	// Output:
	// after    0 s: priority 2
	// after 1799 s: priority 2
	// after 1800 s: priority 8
}

// Value that falls with time, as in Wing, Fig. 5: a job is worth 10 by itself, 4 more until a dependent comes after 100 s,
// and 30 more until another one comes after 200 s, each of which fails without it.
func ExampleNewMIL() {
	worth, err := value.NewFunction(10, []value.Drop{{At: int64(100 * s), Value: 4}, {At: int64(200 * s), Value: 30}})
	if err != nil {
		fmt.Println(err)
		return
	}
	mil, err := wing.NewMIL(wing.MILConfig{Value: func(*policy.Job) (wing.Valuation, bool) {
		return wing.Valuation{Value: worth, Runtime: 50 * s, Work: 20}, true
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	job := &policy.Job{ID: 1}
	for now := policy.Time(0); now != policy.Never; {
		priority, until := mil.Rank(job, now)
		fmt.Printf("from %3.0f s: %v\n", now.Seconds(), priority)
		now = until
	}
	// Output:
	// from   0 s: 2.2
	// from  50 s: 2
	// from 150 s: 0.5
}
