package central_test

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// byUser serves the user whose jobs hold the fewest cores, and the jobs of a user as they came. It needs neither the books nor the
// events, since each Update says what a job has now, after a restart too.
type byUser struct {
	has     map[policy.JobID]int64 // cores, as of the job's last Update
	holds   map[string]int64       // cores of all jobs of a user
	waiting []*central.Job
}

func newByUser() *byUser {
	return &byUser{has: make(map[policy.JobID]int64), holds: make(map[string]int64)}
}

func (*byUser) Bind(central.Books) error               { return nil }
func (*byUser) Note(*policy.Event, *central.Job) error { return nil }

// Update hears what j has, and whether it has something to start. The last Update of a job has no cores.
func (o *byUser) Update(j *central.Job, u central.Usage) {
	user, _ := j.Job.Attr("user")
	if o.holds[user] += u.Cores - o.has[j.Job.ID]; o.holds[user] == 0 {
		delete(o.holds, user)
	}
	if o.has[j.Job.ID] = u.Cores; u.Cores == 0 {
		delete(o.has, j.Job.ID)
	}
	switch i := slices.Index(o.waiting, j); {
	case u.Wants && i < 0:
		o.waiting = append(o.waiting, j)
	case !u.Wants && i >= 0:
		o.waiting = slices.Delete(o.waiting, i, i+1)
	}
}

// Next returns whose turn it is. With many jobs, keep them in a heap.
func (o *byUser) Next() *central.Job {
	if len(o.waiting) == 0 {
		return nil
	}
	return slices.MinFunc(o.waiting, o.Compare)
}

// These two make the Turn an Order, which fillers need. A start changes the places of all jobs of its user.
func (o *byUser) Compare(a, b *central.Job) int {
	x, _ := a.Job.Attr("user")
	y, _ := b.Job.Attr("user")
	return cmp.Or(cmp.Compare(o.holds[x], o.holds[y]), cmp.Compare(a.Job.Submitted, b.Job.Submitted), cmp.Compare(a.Job.ID, b.Job.ID))
}
func (*byUser) Reordered() bool { return true }

// A turn of one's own, written from scratch. Three jobs come at once to two cores, with tasks of a second.
func ExampleTurn() {
	s, err := central.New(central.Config{Turn: newByUser()})
	if err != nil {
		log.Fatal(err)
	}
	var list []*workload.Job
	for i, user := range []string{"ann", "ann", "bob"} {
		list = append(list, &workload.Job{
			Job: policy.Job{
				ID: policy.JobID(i + 1), Attrs: []policy.Attr{{Name: "user", Value: user}}, Stages: []policy.Stage{{Tasks: 4, Cores: 1}},
			},
			Runtimes: [][]policy.Duration{slices.Repeat([]policy.Duration{1e9}, 4)},
		})
	}
	jobs, truth := workload.Split(list)
	result, err := sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}), Jobs: jobs, Truth: truth}, s)
	if err != nil {
		log.Fatal(err)
	}
	for i, j := range result.Jobs {
		user, _ := list[i].Attr("user")
		fmt.Printf("job %d, of %s, is done after %v\n", j.ID, user, j.JCT())
	}
	// Output:
	// job 1, of ann, is done after 4s
	// job 2, of ann, is done after 6s
	// job 3, of bob, is done after 4s
}

// Under the suite, with a filler. policytest.Order checks that Compare and Next agree, and that the sums of cores are those of the
// last Updates, by another byUser.
func TestByUser(t *testing.T) {
	policytest.Test(t, policytest.Config{Allocates: true, New: func(policy.Truth) (policy.Scheduler, error) {
		order := policytest.Order(newByUser(), func() central.Order { return newByUser() })
		return central.New(central.Config{Turn: order, Fill: baseline.EASY()})
	}})
}
